//! A player in a match of a described game: a role's planner with its memory of the match.

use std::time::Instant;

use patience_gdl::{GdlGame, GdlState, Move, Percepts, World};
use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Halt, Planner, Root, Search, Stats, StopReason, Tracker};

use patience_catalogue::{CallError, Kit};

/// A role's game with the planners for it: what a [`Player`] is made from.
pub type RoleKit<W> = Kit<GdlGame<W>>;

/// A player. It is told its own moves and what it sees, and nothing else.
pub struct Player<'k, W: World> {
    kit: &'k RoleKit<W>,
    planner: Box<dyn Planner<GdlGame<W>>>,
    tracker: Option<Box<dyn Tracker<GdlGame<W>>>>,
    /// Where all moves are seen: where the match stands.
    known: GdlState<W::Position>,
    search: Option<Box<dyn Search<GdlGame<W>> + 'k>>,
    /// Whether the search stands where the match does.
    here: bool,
    seed: u64,
    turn: u64,
}

impl<W: World> std::fmt::Debug for Player<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl<'k, W: World> Player<'k, W> {
    /// The game of a role with the planners for it.
    pub fn kit(game: GdlGame<W>) -> RoleKit<W> {
        patience_gdl::kit(game)
    }

    /// A player at the start of a match, with the planner that a string names.
    ///
    /// # Errors
    /// If the string is wrong.
    pub fn new(kit: &'k RoleKit<W>, planner: &str, seed: u64) -> Result<Self, CallError> {
        let planner = patience_catalogue::planner(kit, planner)?;
        Ok(Player {
            kit,
            planner,
            tracker: kit.track.map(|track| track(&kit.game)),
            known: kit.game.start(&mut Rng::new(0)),
            search: None,
            here: false,
            seed,
            turn: 0,
        })
    }

    /// Whether its searches end by themselves; else they must be given a budget.
    pub fn ends(&self) -> bool {
        self.planner.ends()
    }

    fn root(&self) -> Root<GdlGame<W>> {
        self.kit.root_of(self.tracker.as_deref(), &self.known)
    }

    /// The moves that are legal for all that the player knows.
    pub fn legal(&self) -> Vec<Move> {
        let mut rng = Rng::named(self.seed, &["legal", &self.turn.to_string()]);
        let mut legal = Vec::new();
        self.kit.game.actions(&self.root().sample(&self.kit.game, &mut rng), &mut legal);
        legal
    }

    /// Thinks, even where there is nothing to choose: what is learnt serves later moves. Gives what
    /// was spent, and the move; `None` if the game is over.
    pub fn think(&mut self, budget: &Budget, cancel: &Cancel) -> (Stats, Option<Move>) {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        let halt = Halt::new(cancel, deadline);
        let stream = Rng::named(self.seed, &["move", &self.turn.to_string()]);
        // What was learnt for earlier moves is worth less than room for this one.
        let most = budget.memory.map_or(u64::MAX, |most| most / 2);
        let kept = self.search.take().filter(|s| self.here && s.counts().bytes <= most);
        let fresh = || self.planner.search(&self.kit.game, self.root(), stream);
        let search = self.search.insert(kept.unwrap_or_else(fresh));
        self.here = true;
        let stats = search.run(budget, cancel);
        let best = search.best();
        if halt.struck() {
            // A move was not simulated to its end: good for this decision, not to be built upon.
            self.search = None;
            self.here = false;
        }
        (stats, best)
    }

    /// Why nothing that can have happened agrees with what the player saw, where that is so.
    pub fn lost(&self) -> Option<String> {
        self.tracker.as_ref().and_then(|tracker| tracker.lost())
    }

    /// Whether no present was found that agrees with what the player saw, be there one or not: then
    /// it does not know where it stands.
    pub fn is_astray(&self) -> bool {
        self.tracker.as_ref().is_some_and(|tracker| tracker.is_astray())
    }

    /// The same where there is something to choose; a move without alternative is made at once.
    /// `Err` if it was cancelled.
    ///
    /// # Errors
    /// If it was cancelled.
    pub fn choose(&mut self, budget: &Budget, cancel: &Cancel) -> Result<Option<Move>, Cancelled> {
        let legal = self.legal();
        if cancel.is_cancelled() {
            return Err(Cancelled);
        }
        match legal[..] {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            [first, ..] => match self.think(budget, cancel) {
                (stats, _) if stats.stop == Some(StopReason::Cancelled) => Err(Cancelled),
                // If the clock had run out before a present was found, nothing was thought of it.
                (_, best) => Ok(best.filter(|best| legal.contains(best)).or(Some(first))),
            },
        }
    }

    /// Goes on after its own move and what was seen of it; where all moves are seen, `known` is
    /// where the match stands now.
    pub fn observe(&mut self, own: Move, seen: Percepts, known: Option<&GdlState<W::Position>>) {
        self.turn += 1;
        if let Some(tracker) = &mut self.tracker {
            tracker.observe(own, seen);
        } else if let Some(known) = known {
            self.known = known.clone();
        }
        let root = self.root();
        self.here &= self.search.as_mut().is_some_and(|search| search.advance(own, seen, root));
    }
}

/// Somebody raised the [`Cancel`] flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;
