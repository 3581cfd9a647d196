//! A game with all that the registry must know of it: which capabilities it has, how it is shown,
//! its evaluation functions and its exact values.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::Arc;

use patience_model::{Encoded, Game, Hidden, Keyed, Outcomes, Rng, Text, Undo};
use patience_plan::uct::{ByKey, Evaluate, Leaf, Rollout, Settings, Uct, Uniform};
use patience_plan::{
    AlphaBeta, AlphaBetaParameters, Artdp, ArtdpParameters, Evaluation, Guess, ParameterError,
    PgId, PgIdParameters, Planner, Root, Shared, Tracker, ValueIteration,
};
use rustc_hash::FxBuildHasher;

use crate::batch::{self, Batch};
use crate::call::{Arguments, CallError};
use crate::registry::PlannerInfo;
use crate::solutions::Solutions;
use crate::solver::Solver;

/// What a planner's constructor gives.
pub(crate) type Made<G> = Result<Box<dyn Planner<G>>, ParameterError>;

/// How a planner or solver of one game is made from its arguments.
type MakePlanner<G> = fn(&G, &Arguments<'_>) -> Result<Box<dyn Planner<G>>, CallError>;
type MakeSolver<G> = fn(&G, &Arguments<'_>) -> Result<Box<dyn Solver<G>>, CallError>;

/// How a player's past is followed from the start of a match on.
type Track<G> = fn(&G) -> Box<dyn Tracker<G>>;

/// How so many games are started side by side.
type MakeBatch<G> = fn(Arc<Kit<G>>, usize) -> Batch;

type MakeAlphaBeta<G> = fn(AlphaBetaParameters, Shared<G>) -> Made<G>;

/// A start position by its number.
pub(crate) type Deal<G> = fn(&G, u64) -> Result<<G as Game>::State, String>;

/// A position from its text.
pub(crate) type Read<G> = fn(&G, &str) -> Result<<G as Game>::State, String>;
/// Says why a game does not begin at a position.
pub(crate) type Begins<G> = fn(&G, &<G as Game>::State) -> Result<(), String>;

/// Exact values of all actions in a state.
type Oracle<G> = dyn Fn(&G, &<G as Game>::State) -> Vec<(<G as Game>::Action, f64)> + Send + Sync;

/// How UCT values its leaves.
pub(crate) enum LeafChoice<G: Game> {
    Rollout(Rollout<Uniform>),
    Evaluation(Shared<G>),
}

/// UCT with a leaf of the game's own.
pub(crate) type UctWith<G> = dyn Fn(Settings) -> Made<G> + Send + Sync;

/// A game and what comes with it.
///
/// Rust must see which capabilities a game has where its type is known, so they are named here
/// once; from then on the game goes by its name.
///
/// ```
/// use patience::Kit;
/// use patience::games::TicTacToe;
/// let kit = Kit::new(TicTacToe).text().keyed().undo();
/// assert_eq!(kit.capabilities(), ["text", "key", "undo"]);
/// ```
pub struct Kit<G: Game> {
    pub(crate) game: G,
    pub(crate) suits: Option<&'static str>,
    capabilities: Vec<&'static str>,
    pub(crate) start: fn(&G, &mut Rng) -> G::State,
    pub(crate) root: fn(&G, &G::State) -> Root<G>,
    pub(crate) track: Option<Track<G>>,
    pub(crate) show: Option<Show<G>>,
    pub(crate) evaluations: Vec<(&'static str, Shared<G>)>,
    pub(crate) oracle: Option<Box<Oracle<G>>>,
    pub(crate) with_key: Option<WithKey<G>>,
    pub(crate) key: Option<fn(&G, &G::State) -> u64>,
    pub(crate) alpha_beta: Option<MakeAlphaBeta<G>>,
    pub(crate) value_iteration: Option<fn(f64) -> Made<G>>,
    pub(crate) leaves: Vec<(&'static str, Box<UctWith<G>>)>,
    pub(crate) planners: Vec<(&'static PlannerInfo, MakePlanner<G>)>,
    pub(crate) solvers: Vec<(&'static PlannerInfo, MakeSolver<G>)>,
    pub(crate) solutions: Solutions<G>,
    pub(crate) numbered: Option<Deal<G>>,
    pub(crate) read: Option<Read<G>>,
    pub(crate) begins: Option<Begins<G>>,
    pub(crate) batch: Option<MakeBatch<G>>,
}

pub(crate) struct Show<G: Game> {
    pub(crate) state: fn(&G, &G::State) -> String,
    pub(crate) action: fn(&G, &G::State, G::Action) -> String,
}

/// The planners that need a key.
pub(crate) struct WithKey<G: Game> {
    pub(crate) uct: fn(Settings, LeafChoice<G>) -> Made<G>,
    pub(crate) artdp: fn(ArtdpParameters, Shared<G>) -> Made<G>,
    pub(crate) pg_id: fn(PgIdParameters, Shared<G>) -> Made<G>,
}

impl<G: Game + 'static> Kit<G> {
    /// A game with nothing but its rules.
    pub fn new(game: G) -> Self {
        Kit {
            game,
            suits: None,
            capabilities: Vec::new(),
            start: G::start,
            root: |_, state| Root::Certain(state.clone()),
            track: None,
            show: None,
            evaluations: Vec::new(),
            oracle: None,
            with_key: None,
            key: None,
            alpha_beta: None,
            value_iteration: None,
            leaves: Vec::new(),
            planners: Vec::new(),
            solvers: Vec::new(),
            solutions: Solutions::default(),
            numbered: None,
            read: None,
            begins: None,
            batch: None,
        }
    }

    /// The capabilities that were named.
    pub fn capabilities(&self) -> &[&'static str] {
        &self.capabilities
    }

    pub(crate) fn capability(&mut self, name: &'static str) {
        self.capabilities.push(name);
    }

    /// Whether a part of the state is hidden.
    pub(crate) fn is_hidden(&self) -> bool {
        self.capabilities.contains(&"hidden")
    }

    /// The game can be shown.
    pub fn text(mut self) -> Self
    where
        G: Text,
    {
        self.capabilities.push("text");
        self.show = Some(Show { state: G::state_text, action: G::action_text });
        self
    }

    /// States have a key: nodes can be merged, and tables of states kept.
    pub fn keyed(mut self) -> Self
    where
        G: Keyed,
    {
        self.capabilities.push("key");
        self.key = Some(|game, state| FxBuildHasher.hash_one(game.key(state)));
        self.with_key = Some(WithKey {
            uct: |settings, leaf| match leaf {
                LeafChoice::Rollout(rollout) => {
                    Ok(Box::new(Uct::<_, ByKey>::new(settings, rollout)?))
                }
                LeafChoice::Evaluation(evaluation) => {
                    Ok(Box::new(Uct::<_, ByKey>::new(settings, Evaluate(evaluation))?))
                }
            },
            artdp: |parameters, evaluation| Ok(Box::new(Artdp::new(parameters, evaluation)?)),
            pg_id: |parameters, evaluation| Ok(Box::new(PgId::new(parameters, evaluation)?)),
        });
        self
    }

    /// Moves can be taken back: alpha-beta.
    pub fn undo(mut self) -> Self
    where
        G: Undo,
    {
        self.capabilities.push("undo");
        self.alpha_beta =
            Some(|parameters, evaluation| Ok(Box::new(AlphaBeta::new(parameters, evaluation)?)));
        self
    }

    /// Outcomes can be listed and states have a key: value iteration.
    pub fn outcomes(mut self) -> Self
    where
        G: Outcomes + Keyed,
    {
        self.capabilities.push("outcomes");
        self.value_iteration = Some(|epsilon| Ok(Box::new(ValueIteration::new(epsilon)?)));
        self
    }

    /// A part of the state is hidden: planners get what is known of it, never the state.
    pub fn hidden(mut self) -> Self
    where
        G: Hidden,
        G::Known: Send + 'static,
    {
        self.capabilities.push("hidden");
        self.root = |game, state| Root::Belief(Box::new(Guess(game.known(state))));
        self
    }

    /// A part of the state is hidden, and what is known of it follows from the whole match so far:
    /// planners get what a tracker makes of the player's own moves and observations, never the
    /// state.
    pub fn tracked(mut self, track: fn(&G) -> Box<dyn Tracker<G>>) -> Self {
        self.capabilities.push("hidden");
        self.track = Some(track);
        self
    }

    /// Where a search starts: what the tracker knows, or what the state shows.
    pub(crate) fn root_of(&self, tracker: Option<&dyn Tracker<G>>, state: &G::State) -> Root<G> {
        match tracker {
            Some(tracker) => tracker.root(),
            None => (self.root)(&self.game, state),
        }
    }

    /// A part of the state is hidden, but the game has states in which it is not fixed yet: what
    /// comes to light is drawn at that moment. Planners get those, so chance is all they see, and
    /// every planner for games with chance can be used.
    pub fn opened(mut self, open: fn(&G, &G::State) -> Root<G>) -> Self {
        self.capabilities.push("opened");
        self.root = open;
        self
    }

    /// Adds a way for UCT to value its leaves, by the name that its parameter `eval` takes.
    pub fn leaf(mut self, name: &'static str, leaf: impl Leaf<G> + 'static) -> Self {
        let make =
            move |settings| -> Made<G> { Ok(Box::new(Uct::<_>::new(settings, leaf.clone())?)) };
        self.leaves.push((name, Box::new(make)));
        self
    }

    /// Adds a planner that is this game's own.
    pub fn planner(mut self, info: &'static PlannerInfo, make: MakePlanner<G>) -> Self {
        self.planners.push((info, make));
        self
    }

    /// Names the planner that suits this variant of the game, where it is not that of the game.
    pub fn suited_to(mut self, planner: &'static str) -> Self {
        self.suits = Some(planner);
        self
    }

    /// Adds a solver: it deals with a whole deal or board at once.
    pub fn solver(mut self, info: &'static PlannerInfo, make: MakeSolver<G>) -> Self {
        self.solvers.push((info, make));
        self
    }

    /// Start positions can be asked for by number.
    pub fn numbered(mut self, deal: Deal<G>) -> Self {
        self.capabilities.push("numbered");
        self.numbered = Some(deal);
        self
    }

    /// Positions can be read from text.
    pub fn reading(mut self, read: Read<G>) -> Self {
        self.capabilities.push("reading");
        self.read = Some(read);
        self
    }

    /// Not every position that can be read is one where a game begins: says what is missing.
    /// Experiments refuse such positions, because their results would go by the game's name.
    pub fn beginning(mut self, begins: Begins<G>) -> Self {
        self.begins = Some(begins);
        self
    }

    /// States and moves can be put into arrays: many games can be stepped at once.
    pub fn encoded(mut self) -> Self
    where
        G: Encoded + Send + Sync,
        G::State: Send,
        G::Action: Send,
        G::Obs: Send,
    {
        self.capabilities.push("arrays");
        self.batch = Some(batch::batch);
        self
    }

    /// Adds an evaluation function; the first one is what planners take if none is named.
    pub fn evaluation(
        mut self,
        name: &'static str,
        evaluation: impl Evaluation<G> + 'static,
    ) -> Self {
        self.evaluations.push((name, Shared(Arc::new(evaluation))));
        self
    }

    /// The exact value of every action in a state, by which decisions can be judged.
    pub fn oracle(
        mut self,
        oracle: impl Fn(&G, &G::State) -> Vec<(G::Action, f64)> + Send + Sync + 'static,
    ) -> Self {
        self.capabilities.push("exact values");
        self.oracle = Some(Box::new(oracle));
        self
    }

    /// Starts games otherwise than by [`Game::start`].
    pub fn starting(mut self, start: fn(&G, &mut Rng) -> G::State) -> Self {
        self.start = start;
        self
    }

    pub(crate) fn state_text(&self, state: &G::State) -> String {
        self.show.as_ref().map_or(String::new(), |show| (show.state)(&self.game, state))
    }

    pub(crate) fn action_text(&self, state: &G::State, action: G::Action) -> String {
        match &self.show {
            Some(show) => (show.action)(&self.game, state, action),
            None => format!("{action:?}"),
        }
    }
}

impl<G: Game> fmt::Debug for Kit<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kit").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}
