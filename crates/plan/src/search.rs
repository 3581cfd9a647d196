//! A search as a value that is stepped, and the planner that starts it.

use std::any::Any;
use std::fmt::Debug;
use std::time::Instant;

use patience_model::{Game, Hidden, Rng};
use serde::Serialize;

use crate::{Budget, Cancel, Counts, Halt, Stats, StopReason};

/// States that the player may be in, with their probabilities.
pub trait Belief<G: Game>: Send {
    /// Draws a state.
    fn sample(&self, game: &G, rng: &mut Rng) -> G::State;

    /// The belief itself, for planners of a game that know how it is made.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}

/// The belief that follows from what is known in a game with a [`Hidden`] part.
#[derive(Clone, Debug)]
pub struct Guess<K>(pub K);

impl<G: Hidden> Belief<G> for Guess<G::Known>
where
    G::Known: Send,
{
    fn sample(&self, game: &G, rng: &mut Rng) -> G::State {
        game.draw(&self.0, rng)
    }
}

/// Where a search starts.
pub enum Root<G: Game> {
    /// The player knows the state.
    Certain(G::State),
    /// The player has a belief; every simulation starts from a state drawn from it.
    Belief(Box<dyn Belief<G>>),
}

impl<G: Game> Root<G> {
    /// A state to start a simulation from.
    #[inline]
    pub fn sample(&self, game: &G, rng: &mut Rng) -> G::State {
        match self {
            Root::Certain(state) => state.clone(),
            Root::Belief(belief) => belief.sample(game, rng),
        }
    }
}

impl<G: Game> Debug for Root<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Root::Certain(_) => "Certain",
            Root::Belief(_) => "Belief",
        })
    }
}

/// Follows a match on behalf of a player who does not see everything: it is told what the player has
/// done and seen, and nothing else.
pub trait Tracker<G: Game>: Send {
    /// A move was played, and this was seen of it.
    fn observe(&mut self, action: G::Action, obs: G::Obs);

    /// Where a search starts now.
    fn root(&self) -> Root<G>;

    /// Why what was seen leads nowhere, if it does not.
    fn lost(&self) -> Option<String> {
        None
    }

    /// Whether nothing was found that agrees with what was seen, though there may be something.
    fn is_astray(&self) -> bool {
        false
    }
}

/// What a search thinks of one action at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate<A> {
    /// The action.
    pub action: A,
    /// The mean or exact value found so far; `None` if the action was never tried.
    pub value: Option<f64>,
    /// How often it was tried.
    pub visits: u64,
    /// The standard error of `value`, where there is an honest one: where `value` is a mean of
    /// independent samples.
    pub error: Option<StandardError>,
}

/// The standard error of a mean, and its degrees of freedom: one less than the samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StandardError {
    /// The standard error.
    pub value: f64,
    /// The degrees of freedom of Student's distribution.
    pub freedom: u64,
}

/// An action in a search's tree, and what came after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<A, O> {
    /// The action.
    pub action: A,
    /// The mean value found so far.
    pub value: f64,
    /// How often it was tried.
    pub visits: u64,
    /// What was observed then, most often first.
    pub after: Vec<After<A, O>>,
}

/// An observation after an action, and the actions that were tried then.
#[derive(Clone, Debug, PartialEq)]
pub struct After<A, O> {
    /// What was observed.
    pub obs: O,
    /// How often a search came here.
    pub visits: u64,
    /// The actions, most visited first.
    pub branches: Vec<Branch<A, O>>,
}

/// Whether a search can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is more to find out.
    Running,
    /// Further steps would change nothing.
    Complete,
}

/// A search in progress: a value that is stepped, asked, and stepped again.
pub trait Search<G: Game> {
    /// One iteration: an episode, a leaf, a sweep. Does nothing once complete.
    fn step(&mut self) -> Status;

    /// What has been spent so far; must be cheap.
    fn counts(&self) -> Counts;

    /// What is thought of each action at the root, in the game's order.
    fn estimates(&self) -> Vec<Estimate<G::Action>>;

    /// The recommended action; `None` if the game is over at the root.
    fn best(&self) -> Option<G::Action>;

    /// The ends of the 95% interval of an action's value, where the search knows a better one than
    /// Student's of the standard error: shares of games won are never below 0 or above 1.
    fn interval(&self, _action: G::Action) -> Option<(f64, f64)> {
        None
    }

    /// Whether the value of an action in [`Search::estimates`] is proven: a sure win, a sure loss.
    fn is_sure(&self, _action: G::Action) -> bool {
        false
    }

    /// The first levels of the tree in hand, so many actions deep, to be looked at; nothing if the
    /// search keeps none.
    fn tree(&self, _depth: u32) -> Vec<Branch<G::Action, G::Obs>> {
        Vec::new()
    }

    /// Starts anew from another root, in the memory of the old search, exactly as a new search
    /// would. `false` if it cannot: then a new search must be started.
    fn restart(&mut self, _root: Root<G>, _rng: Rng) -> bool {
        false
    }

    /// Moves the root below a move that was played, keeping what was learnt there. `false` if
    /// nothing could be kept and the search must be started anew.
    fn advance(&mut self, _action: G::Action, _obs: G::Obs, _root: Root<G>) -> bool {
        false
    }

    /// Steps until the budget is spent, the search is complete or `cancel` is raised. The counts
    /// are those since the search was started, so a search can be run on with a larger budget.
    /// `watch` is called about ten times a second. A move that takes too long is ended by a
    /// [`Halt`], and the search with it.
    ///
    /// This is a provided method so that the loop is compiled for each search: types are erased
    /// around it, not inside it.
    fn run(&mut self, budget: &Budget, cancel: &Cancel, watch: &mut dyn FnMut(&Stats)) -> Stats {
        let begin = Instant::now();
        // One move may take longer than the search may.
        let halt = Halt::new(cancel, budget.time.and_then(|t| begin.checked_add(t)));
        let mut clock = Clock { stride: 1, left: 1, last_check: begin, last_watch: begin };
        let mut stats = Stats { counts: self.counts(), seconds: 0.0, stop: None };
        stats.stop = Some(loop {
            let counts = self.counts();
            if budget.iterations.is_some_and(|n| counts.iterations >= n) {
                break StopReason::Iterations;
            }
            if budget.model_calls.is_some_and(|n| counts.model_calls >= n) {
                break StopReason::ModelCalls;
            }
            if budget.memory.is_some_and(|n| counts.bytes >= n) {
                break StopReason::Memory;
            }
            if clock.due() | halt.struck() {
                if cancel.is_cancelled() {
                    break StopReason::Cancelled;
                }
                let now = clock.check();
                if budget.time.is_some_and(|t| now.duration_since(begin) >= t) {
                    break StopReason::Time;
                }
                if now.duration_since(clock.last_watch).as_millis() >= 100 {
                    clock.last_watch = now;
                    stats.counts = counts;
                    stats.seconds = now.duration_since(begin).as_secs_f64();
                    watch(&stats);
                }
            }
            if self.step() == Status::Complete {
                break StopReason::Complete;
            }
        });
        stats.counts = self.counts();
        stats.seconds = begin.elapsed().as_secs_f64();
        stats
    }
}

/// Looks at the time about once a millisecond, however short the steps are.
struct Clock {
    stride: u64,
    left: u64,
    last_check: Instant,
    last_watch: Instant,
}

impl Clock {
    fn due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    fn check(&mut self) -> Instant {
        let now = Instant::now();
        let micros = now.duration_since(self.last_check).as_micros();
        if micros < 500 {
            self.stride = (self.stride * 2).min(1 << 20);
        } else if micros > 2000 {
            self.stride = (self.stride / 2).max(1);
        }
        self.last_check = now;
        self.left = self.stride;
        now
    }
}

/// A planner: parameters from which searches are started.
pub trait Planner<G: Game>: Send + Sync {
    /// Starts a search. All its randomness comes from `rng`.
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g>;

    /// Whether its searches end by themselves; others must be given a budget.
    fn ends(&self) -> bool;

    /// Whether its searches can [`advance`](Search::advance) below a move.
    fn advances(&self) -> bool {
        false
    }
}
