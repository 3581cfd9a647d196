//! Many games of one kind, played side by side on arrays: what programs that learn want.

use std::fmt;
use std::sync::Arc;

use patience_model::{Encoded, Game, Rng};

use crate::game::{DealName, no_deal};
use crate::info::Deals;
use crate::kit::Kit;

/// Many games in progress. What is seen of them and what they bring is written into arrays of the
/// caller, so that nothing is copied.
///
/// Game i of a batch that was reset with a seed is the game that [`AnyGame::start`] begins with that
/// seed: the same deal, the same chance.
///
/// [`AnyGame::start`]: crate::AnyGame::start
///
/// A game always begins with a move to make. Where the deal of a seed allows none, as one Klondike deal
/// in some hundreds, the next deal of the seed's stream that allows one takes its place.
pub struct Batch {
    games: Box<dyn Many>,
    deals: Deals,
}

/// After so many deals without a move a game is taken to have none that allows one.
const DEALS: u32 = 1000;

/// Where a step writes, one entry per game but for the first two.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// What is seen, one row per game.
    pub observations: &'a mut [i16],
    /// 1 for each move that is legal, one row per game.
    pub legal: &'a mut [i8],
    /// What the moves brought.
    pub rewards: &'a mut [f64],
    /// Which games are over.
    pub over: &'a mut [bool],
    /// Which moves were not legal: in these games nothing happened.
    pub illegal: &'a mut [bool],
}

impl Batch {
    pub(crate) fn new(games: Box<dyn Many>, deals: Deals) -> Self {
        Batch { games, deals }
    }

    /// The move that starts a game anew.
    pub const RESTART: i64 = i64::MIN;

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.games()
    }

    /// The highest value of each number of an observation; the lowest is 0.
    pub fn highest(&self) -> Vec<i16> {
        self.games.highest()
    }

    /// How many moves there can be, in all states together.
    pub fn moves(&self) -> usize {
        self.games.moves()
    }

    /// Starts all games anew, each with its seed.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn reset(&mut self, seeds: &[u64], observations: &mut [i16], legal: &mut [i8]) {
        assert_eq!(seeds.len(), self.games(), "one seed per game");
        self.games.reset(seeds, observations, legal);
    }

    /// Starts all games anew, each at a deal by its name ([`AnyGame::deal`]) and with its seed for chance.
    ///
    /// # Errors
    /// If there is no such deal, or it allows no move. Then nothing has happened.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    ///
    /// [`AnyGame::deal`]: crate::AnyGame::deal
    pub fn reset_to(
        &mut self,
        names: &[String],
        seeds: &[u64],
        observations: &mut [i16],
        legal: &mut [i8],
    ) -> Result<(), String> {
        assert_eq!([names.len(), seeds.len()], [self.games(); 2], "one deal and seed per game");
        let names = names.iter().map(|name| DealName::read(name, self.deals));
        let names = names.collect::<Result<Vec<_>, _>>()?;
        self.games.reset_to(&names, seeds, observations, legal)
    }

    /// How many deals without a move were passed over when each game began.
    pub fn skipped(&self, skipped: &mut [u32]) {
        self.games.skipped(skipped);
    }

    /// Starts all games anew, each going on with its own stream.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn deal(&mut self, observations: &mut [i16], legal: &mut [i8]) {
        self.games.deal(observations, legal);
    }

    /// Makes a move in every game. A game that is over is started anew instead, whatever the move, and
    /// so is one whose move is [`Batch::RESTART`]; a move that is not legal changes nothing.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn step(&mut self, moves: &[i64], arrays: Arrays<'_>) {
        self.games.step(moves, arrays);
    }

    /// Picks a legal move in every game, each alike; -1 where a game is over.
    ///
    /// # Panics
    /// If there is not one entry per game.
    pub fn sample(&self, rng: &mut Rng, moves: &mut [i64]) {
        assert_eq!(moves.len(), self.games(), "one move per game");
        self.games.sample(rng, moves);
    }

    /// The moves of a game by number, in the game's order and notation.
    pub fn legal(&self, game: usize) -> Vec<(usize, String)> {
        self.games.legal(game)
    }

    /// A game as text.
    pub fn text(&self, game: usize) -> String {
        self.games.text(game)
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({} games)", self.games())
    }
}

/// A batch without its type.
pub(crate) trait Many: Send {
    fn games(&self) -> usize;
    fn highest(&self) -> Vec<i16>;
    fn moves(&self) -> usize;
    fn reset(&mut self, seeds: &[u64], observations: &mut [i16], legal: &mut [i8]);
    fn reset_to(
        &mut self,
        names: &[DealName<'_>],
        seeds: &[u64],
        observations: &mut [i16],
        legal: &mut [i8],
    ) -> Result<(), String>;
    fn skipped(&self, skipped: &mut [u32]);
    fn deal(&mut self, observations: &mut [i16], legal: &mut [i8]);
    fn step(&mut self, moves: &[i64], arrays: Arrays<'_>);
    fn sample(&self, rng: &mut Rng, moves: &mut [i64]);
    fn legal(&self, game: usize) -> Vec<(usize, String)>;
    fn text(&self, game: usize) -> String;
}

/// One of the games.
struct One<G: Game> {
    state: G::State,
    last: Option<G::Obs>,
    starts: Rng,
    chance: Rng,
    /// How many deals without a move were passed over when it began.
    skipped: u32,
    /// Where its legal actions end in [`Of::actions`].
    end: usize,
}

/// The games of a batch.
struct Of<G: Game> {
    kit: Arc<Kit<G>>,
    games: Vec<One<G>>,
    /// The legal actions of all games, one after the other.
    actions: Vec<G::Action>,
    /// Those of the step before, whose memory is used again.
    before: Vec<G::Action>,
    legal: Vec<G::Action>,
    seen: usize,
    moves: usize,
}

/// A batch of `games` games of a kit.
pub(crate) fn batch<G>(kit: Arc<Kit<G>>, games: usize) -> Box<dyn Many>
where
    G: Encoded + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    let (seen, moves) = (kit.game.highest().len(), kit.game.moves());
    let games = (0..games as u64).map(|seed| One::of(&kit, seed)).collect();
    let (actions, before, legal) = (Vec::new(), Vec::new(), Vec::new());
    let mut of = Of { kit, games, actions, before, legal, seen, moves };
    of.list();
    Box::new(of)
}

impl<G: Game + 'static> One<G> {
    /// The game of a seed, with streams for its chance and for the deals after it.
    fn of(kit: &Kit<G>, seed: u64) -> Self {
        let (mut starts, chance) = (Rng::named(seed, &["start"]), Rng::named(seed, &["chance"]));
        let state = match kit.seeded {
            Some(seeded) => seeded(&kit.game, seed),
            None => (kit.start)(&kit.game, &mut starts),
        };
        let mut one = One { state, last: None, starts, chance, skipped: 0, end: 0 };
        one.skip(kit, &mut Vec::new());
        one
    }

    /// Begins anew with the next deal of its stream; `legal` is left with its legal actions.
    fn begin(&mut self, kit: &Kit<G>, legal: &mut Vec<G::Action>) {
        self.state = (kit.start)(&kit.game, &mut self.starts);
        self.last = None;
        self.skip(kit, legal);
    }

    /// Passes over deals that allow no move; `legal` is left with the legal actions.
    fn skip(&mut self, kit: &Kit<G>, legal: &mut Vec<G::Action>) {
        self.skipped = 0;
        kit.game.actions(&self.state, legal);
        while legal.is_empty() && self.skipped < DEALS {
            self.skipped += 1;
            self.state = (kit.start)(&kit.game, &mut self.starts);
            kit.game.actions(&self.state, legal);
        }
    }
}

impl<G: Encoded> Of<G> {
    /// Lists the legal actions of all games.
    fn list(&mut self) {
        self.actions.clear();
        for one in &mut self.games {
            self.kit.game.actions(&one.state, &mut self.legal);
            self.actions.extend_from_slice(&self.legal);
            one.end = self.actions.len();
        }
    }

    fn own(&self, game: usize) -> &[G::Action] {
        let begin = if game == 0 { 0 } else { self.games[game - 1].end };
        &self.actions[begin..self.games[game].end]
    }

    /// Lists the legal actions and writes them and what is seen.
    fn show(&mut self, observations: &mut [i16], legal: &mut [i8]) {
        self.list();
        assert_eq!(observations.len(), self.games.len() * self.seen, "one observation per game");
        assert_eq!(legal.len(), self.games.len() * self.moves, "one row of moves per game");
        legal.fill(0);
        for (i, one) in self.games.iter().enumerate() {
            let row = &mut observations[i * self.seen..][..self.seen];
            self.kit.game.observe(&one.state, one.last, row);
            let row = &mut legal[i * self.moves..][..self.moves];
            for &action in self.own(i) {
                row[self.kit.game.number(&one.state, action)] = 1;
            }
        }
    }
}

impl<G> Many for Of<G>
where
    G: Encoded + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn games(&self) -> usize {
        self.games.len()
    }

    fn highest(&self) -> Vec<i16> {
        self.kit.game.highest()
    }

    fn moves(&self) -> usize {
        self.moves
    }

    fn reset(&mut self, seeds: &[u64], observations: &mut [i16], legal: &mut [i8]) {
        for (one, &seed) in self.games.iter_mut().zip(seeds) {
            *one = One::of(&self.kit, seed);
        }
        self.show(observations, legal);
    }

    fn deal(&mut self, observations: &mut [i16], legal: &mut [i8]) {
        for one in &mut self.games {
            one.begin(&self.kit, &mut self.legal);
        }
        self.show(observations, legal);
    }

    fn reset_to(
        &mut self,
        names: &[DealName<'_>],
        seeds: &[u64],
        observations: &mut [i16],
        legal: &mut [i8],
    ) -> Result<(), String> {
        let mut games = Vec::with_capacity(names.len());
        for (name, &seed) in names.iter().zip(seeds) {
            let (name, state) = match name {
                DealName::Seed(deal) => (format!("seed:{deal}"), self.kit.deal_of(*deal)),
                DealName::Own(name) => {
                    let state = self.kit.deal_numbered(name);
                    ((*name).to_owned(), state.map_err(|why| no_deal(name, &why))?)
                }
            };
            self.kit.game.actions(&state, &mut self.legal);
            if self.legal.is_empty() {
                return Err(format!("deal {name} allows no move: the game would be over"));
            }
            games.push(One { state, last: None, skipped: 0, ..One::of(&self.kit, seed) });
        }
        self.games = games;
        self.show(observations, legal);
        Ok(())
    }

    fn skipped(&self, skipped: &mut [u32]) {
        for (one, skipped) in self.games.iter().zip(skipped) {
            *skipped = one.skipped;
        }
    }

    fn step(&mut self, moves: &[i64], arrays: Arrays<'_>) {
        let Arrays { observations, legal, rewards, over, illegal } = arrays;
        let count = self.games.len();
        assert_eq!(moves.len(), count, "one move per game");
        assert_eq!(observations.len(), count * self.seen, "one observation per game");
        assert_eq!(legal.len(), count * self.moves, "one row of moves per game");
        let per_game = [rewards.len(), over.len(), illegal.len()];
        assert_eq!(per_game, [count; 3], "one entry per game");
        let game = &self.kit.game;
        std::mem::swap(&mut self.actions, &mut self.before);
        self.actions.clear();
        legal.fill(0);
        // One pass over the games, while each is in the cache.
        let mut begin = 0;
        for (i, one) in self.games.iter_mut().enumerate() {
            let known = &self.before[begin..one.end];
            begin = one.end;
            (rewards[i], illegal[i]) = (0.0, false);
            if known.is_empty() || moves[i] == Batch::RESTART {
                one.begin(&self.kit, &mut self.legal);
            } else {
                let wanted = usize::try_from(moves[i]).unwrap_or(usize::MAX);
                let named = |action: &&G::Action| game.number(&one.state, **action) == wanted;
                match known.iter().find(named) {
                    Some(&action) => {
                        let step = game.step(&mut one.state, action, &mut one.chance);
                        (rewards[i], one.last) = (step.reward, Some(step.obs));
                    }
                    None => illegal[i] = true,
                }
                game.actions(&one.state, &mut self.legal);
            }
            self.actions.extend_from_slice(&self.legal);
            one.end = self.actions.len();
            over[i] = self.legal.is_empty();
            game.observe(&one.state, one.last, &mut observations[i * self.seen..][..self.seen]);
            let row = &mut legal[i * self.moves..][..self.moves];
            for &action in &self.legal {
                row[game.number(&one.state, action)] = 1;
            }
        }
    }

    fn sample(&self, rng: &mut Rng, moves: &mut [i64]) {
        let mut begin = 0;
        for (one, chosen) in self.games.iter().zip(moves) {
            let own = &self.actions[begin..one.end];
            begin = one.end;
            *chosen = match own {
                [] => -1,
                own => self.kit.game.number(&one.state, rng.pick(own)) as i64,
            };
        }
    }

    fn legal(&self, game: usize) -> Vec<(usize, String)> {
        let Some(one) = self.games.get(game) else { return Vec::new() };
        let shown = |&action: &G::Action| {
            let number = self.kit.game.number(&one.state, action);
            (number, self.kit.action_text(&one.state, action))
        };
        self.own(game).iter().map(shown).collect()
    }

    fn text(&self, game: usize) -> String {
        self.games.get(game).map_or_else(String::new, |one| self.kit.state_text(&one.state))
    }
}
