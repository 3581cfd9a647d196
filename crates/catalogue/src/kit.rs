//! A game with all that comes with it: which capabilities it has, how it is shown, its searches, its
//! validator, its evaluation functions and its exact values.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::Arc;

use patience_model::{
    Encoded, Game, Hidden, Keyed, Label, Outcomes, Rng, Scene, Shown, Standing, Text, Undo,
};
use patience_plan::uct::{ByKey, Forest, Leaf, Listed, Settings, Threads, Uct};
use patience_plan::{
    AlphaBeta, AlphaBetaParameters, Artdp, ArtdpParameters, ByKnown, DefaultPolicy, Evaluation,
    Guess, Lrtdp, ParameterError, PgId, PgIdParameters, Planner, PolicyIteration, Root, Shared,
    Tracker, ValueIteration,
};
use rustc_hash::FxBuildHasher;
use serde::Serialize;

use crate::advice::Measure;
use crate::arrays::Coding;
use crate::call::{Arguments, CallError};
use crate::info::PlannerInfo;
use crate::params::Params;
use crate::path::stream;
use crate::policies::Policies;
use crate::solved::{Checked, Invalid};
use crate::think::{Above, Thinking};

/// What a planner's constructor gives.
pub type Made<G> = Result<Box<dyn Planner<G>>, ParameterError>;

/// How a search of one game is made from its arguments.
type MakeSearch<G> =
    dyn Fn(&G, &Arguments<'_>) -> Result<Box<dyn Planner<G>>, CallError> + Send + Sync;

/// How a player's past is followed from the start of a match on.
pub type Track<G> = fn(&G) -> Box<dyn Tracker<G>>;

/// The action that a text names.
type ReadAction<G> = fn(&G, &<G as Game>::State, &str) -> Result<<G as Game>::Action, String>;

/// A depth-first search for a goal.
type MakeDepthFirst<G> = fn(Reached<G>, Reached<G>) -> Box<dyn Planner<G>>;

/// A state of the table's game as one of the more abstract game.
pub type Lift<A, T> = fn(&A, &T, &<T as Game>::State) -> Result<<A as Game>::State, String>;

/// The moves of the table's game that an action of the more abstract one comes to.
pub type Lower<A, T> =
    fn(&A, &T, &<T as Game>::State, <A as Game>::Action) -> Vec<<T as Game>::Action>;

type MakeAlphaBeta<G> = fn(AlphaBetaParameters, Shared<G>) -> Made<G>;

/// Whether the game goes on alike from two states.
type Same<G> = fn(&G, &<G as Game>::State, &<G as Game>::State) -> bool;

/// A start position by its number, or a position from its text.
pub(crate) type Read<G> = dyn Fn(&G, &str) -> Result<<G as Game>::State, String> + Send + Sync;
/// The start position of a seed.
type Seeded<G> = fn(&G, u64) -> <G as Game>::State;
/// Says why a game does not begin at a position.
pub(crate) type Check<G> = fn(&G, &<G as Game>::State) -> Result<(), String>;
/// Replays a solution from its text, by means that share nothing with engines and searches.
type Verify<G> = fn(&G, &<G as Game>::State, &str) -> Result<Checked, Invalid>;
/// Writes a position, or a solution from a position.
type Write<G> = fn(&G, &<G as Game>::State) -> Result<String, String>;
type Notation<G> = fn(&G, &<G as Game>::State, &[<G as Game>::Action]) -> String;

/// Makes a leaf list outcomes.
type WithList<G> = fn(Arc<dyn Leaf<G>>) -> Arc<dyn Leaf<G>>;
/// Has leaves valued by so many threads.
type Threaded<G> = fn(Arc<dyn Leaf<G>>, usize) -> Arc<dyn Leaf<G>>;
type MakeForest<G> = fn(Settings, Arc<dyn Leaf<G>>, bool, usize) -> Made<G>;

/// Exact values of all actions in a state.
type Oracle<G> = dyn Fn(&G, &<G as Game>::State) -> Vec<(<G as Game>::Action, f64)> + Send + Sync;

/// What a solution is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The score: the more the better.
    Score,
    /// The number of moves to a win: the fewer the better.
    Length,
    /// Whether there is a win at all.
    Win,
}

/// A question asked of a finished game: its name, and the answer.
pub(crate) type Goal<G> = (&'static str, Reached<G>);

/// Whether a game has come to its goal.
pub(crate) type Reached<G> = fn(&G, &<G as Game>::State) -> bool;

/// A game and what comes with it.
///
/// Rust must see which capabilities a game has where its type is known, so they are named here
/// once; from then on the game goes by its name.
///
/// ```
/// use patience_catalogue::Kit;
/// use patience_model::{Game, Rng, Step};
/// struct Coin;
/// impl Game for Coin {
///     type State = bool;
///     type Action = ();
///     type Obs = ();
///     fn start(&self, _: &mut Rng) -> bool {
///         false
///     }
///     fn actions(&self, over: &bool, out: &mut Vec<()>) {
///         out.clear();
///         out.extend((!over).then_some(()));
///     }
///     fn step(&self, over: &mut bool, _: (), rng: &mut Rng) -> Step<()> {
///         *over = true;
///         Step { reward: rng.below(2) as f64, obs: () }
///     }
/// }
/// assert!(Kit::new(Coin).capabilities().is_empty());
/// ```
pub struct Kit<G: Game> {
    /// The game.
    pub game: G,
    pub(crate) suits: Option<&'static str>,
    capabilities: Vec<&'static str>,
    pub(crate) start: fn(&G, &mut Rng) -> G::State,
    pub(crate) seeded: Option<Seeded<G>>,
    pub(crate) root: fn(&G, &G::State) -> Root<G>,
    /// How a player's past is followed, where the state alone does not say what is known.
    pub track: Option<Track<G>>,
    pub(crate) show: Option<Show<G>>,
    pub(crate) face: Option<Face<G>>,
    pub(crate) measure: Measure,
    pub(crate) objective: Objective,
    pub(crate) goal: Option<Goal<G>>,
    pub(crate) depth_first: Option<MakeDepthFirst<G>>,
    pub(crate) dead_end: Reached<G>,
    pub(crate) evaluations: Vec<(&'static str, Shared<G>)>,
    /// Default policies of what the player knows, for `despot`.
    pub(crate) defaults: Vec<(&'static str, Arc<dyn DefaultPolicy<G>>)>,
    pub(crate) oracle: Option<Box<Oracle<G>>>,
    pub(crate) with_key: Option<WithKey<G>>,
    pub(crate) key: Option<fn(&G, &G::State) -> u64>,
    pub(crate) same: Option<Same<G>>,
    pub(crate) alpha_beta: Option<MakeAlphaBeta<G>>,
    pub(crate) with_outcomes: Option<WithOutcomes<G>>,
    /// A leaf valued by so many threads, from one that is not.
    pub(crate) threaded: Option<Threaded<G>>,
    /// Several trees grown by so many threads.
    pub(crate) forest: Option<MakeForest<G>>,
    pub(crate) leaves: Vec<(&'static str, Arc<dyn Leaf<G>>)>,
    /// How a search is started for which an evaluator is asked.
    pub(crate) asks: Option<crate::asked::MakeAsks<G>>,
    pub(crate) searches: Vec<(&'static PlannerInfo, Box<MakeSearch<G>>)>,
    pub(crate) policies: Policies<G>,
    pub(crate) numbered: Option<Box<Read<G>>>,
    pub(crate) read: Option<Box<Read<G>>>,
    pub(crate) begins: Option<Check<G>>,
    pub(crate) verify: Option<Verify<G>>,
    pub(crate) solvable: Option<Check<G>>,
    pub(crate) notation: Option<Notation<G>>,
    pub(crate) numbered_steps: Option<Notation<G>>,
    pub(crate) formats: Vec<(&'static str, Write<G>)>,
    pub(crate) whole: Option<Write<G>>,
    pub(crate) coding: Option<Coding<G>>,
    pub(crate) thinking: Option<Box<dyn Thinking<G>>>,
}

pub(crate) struct Show<G: Game> {
    pub(crate) state: fn(&G, &G::State) -> String,
    pub(crate) action: fn(&G, &G::State, G::Action) -> String,
    pub(crate) read_action: ReadAction<G>,
    pub(crate) obs: fn(&G, &G::State, G::Obs) -> String,
}

/// What people see of a game.
pub(crate) struct Face<G: Game> {
    pub(crate) title: fn(&G) -> String,
    pub(crate) scene: fn(&G, &G::State) -> Scene,
    pub(crate) label: fn(&G, &G::State, G::Action) -> Label,
    pub(crate) standing: fn(&G, &G::State) -> Standing,
    pub(crate) score: fn(&G, &G::State, f64) -> f64,
    pub(crate) place: fn(&G, &G::State) -> Option<String>,
}

/// The planners that need a key.
pub(crate) struct WithKey<G: Game> {
    pub(crate) uct: fn(Settings, Arc<dyn Leaf<G>>, bool) -> Made<G>,
    pub(crate) artdp: fn(ArtdpParameters, Shared<G>) -> Made<G>,
    pub(crate) pg_id: fn(PgIdParameters, Shared<G>) -> Made<G>,
}

/// What needs a list of outcomes.
pub(crate) struct WithOutcomes<G: Game> {
    /// A leaf that lists outcomes, from one that does not.
    pub(crate) listed: WithList<G>,
    pub(crate) value_iteration: fn(f64) -> Made<G>,
    pub(crate) policy_iteration: fn(f64) -> Made<G>,
    pub(crate) lrtdp: fn(f64, Shared<G>) -> Made<G>,
}

impl<G: Game + 'static> Kit<G> {
    /// A game with nothing but its rules.
    pub fn new(game: G) -> Self {
        Kit {
            game,
            suits: None,
            capabilities: Vec::new(),
            start: G::start,
            seeded: None,
            root: |_, state| Root::Certain(state.clone()),
            track: None,
            show: None,
            face: None,
            measure: Measure::Value,
            objective: Objective::Score,
            goal: None,
            depth_first: None,
            dead_end: |_, _| false,
            evaluations: Vec::new(),
            defaults: Vec::new(),
            oracle: None,
            with_key: None,
            key: None,
            same: None,
            alpha_beta: None,
            with_outcomes: None,
            threaded: None,
            forest: None,
            leaves: Vec::new(),
            asks: None,
            searches: Vec::new(),
            policies: Policies::default(),
            numbered: None,
            read: None,
            begins: None,
            verify: None,
            solvable: None,
            notation: None,
            numbered_steps: None,
            formats: Vec::new(),
            whole: None,
            coding: None,
            thinking: None,
        }
    }

    /// The capabilities that were named.
    pub fn capabilities(&self) -> &[&'static str] {
        &self.capabilities
    }

    pub(crate) fn capability(&mut self, name: &'static str) {
        if !self.capabilities.contains(&name) {
            self.capabilities.push(name);
        }
    }

    /// Whether a part of the state is hidden.
    pub(crate) fn is_hidden(&self) -> bool {
        self.capabilities.contains(&"hidden")
    }

    /// Whether people must not be told the state.
    pub(crate) fn conceals(&self) -> bool {
        self.is_hidden() || self.capabilities.contains(&"opened")
    }

    /// The game can be written.
    pub fn text(mut self) -> Self
    where
        G: Text,
    {
        self.capability("text");
        self.show = Some(Show {
            state: G::state_text,
            action: G::action_text,
            read_action: G::read_action,
            obs: G::obs_text,
        });
        self
    }

    /// People can play it at a table.
    pub fn shown(self) -> Self
    where
        G: Shown,
    {
        let mut kit = self.text();
        kit.face = Some(Face {
            title: G::title,
            scene: G::scene,
            label: G::label,
            standing: G::standing,
            score: G::score,
            place: G::place,
        });
        kit
    }

    /// What the values of planners are.
    pub fn measured_by(mut self, measure: Measure) -> Self {
        self.measure = measure;
        self
    }

    /// States have a key: nodes can be merged, and tables of states kept.
    pub fn keyed(mut self) -> Self
    where
        G: Keyed,
    {
        self.capability("key");
        self.key = Some(|game, state| FxBuildHasher.hash_one(game.key(state)));
        self.same = Some(|game, a, b| game.key(a) == game.key(b));
        self.with_key = Some(WithKey {
            uct: |settings, leaf, lists| {
                let made = if lists { Uct::listing } else { Uct::new };
                let made: Uct<_, ByKey> = made(settings, leaf)?;
                Ok(Box::new(made))
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
        self.capability("undo");
        self.alpha_beta =
            Some(|parameters, evaluation| Ok(Box::new(AlphaBeta::new(parameters, evaluation)?)));
        self
    }

    /// Outcomes can be listed and states have a key: exact planners, proofs and Bellman backups.
    pub fn outcomes(mut self) -> Self
    where
        G: Outcomes + Keyed,
    {
        self.capability("outcomes");
        self.with_outcomes = Some(WithOutcomes {
            listed: |leaf| Arc::new(Listed(leaf)),
            value_iteration: |epsilon| Ok(Box::new(ValueIteration::new(epsilon)?)),
            policy_iteration: |epsilon| Ok(Box::new(PolicyIteration::new(epsilon)?)),
            lrtdp: |epsilon, evaluation| Ok(Box::new(Lrtdp::new(epsilon, evaluation)?)),
        });
        self
    }

    /// A part of the state is hidden: planners get what is known of it, never the state.
    pub fn hidden(mut self) -> Self
    where
        G: Hidden,
        G::Known: Send + 'static,
    {
        self.capability("hidden");
        self.root = |game, state| Root::Belief(Box::new(Guess(game.known(state))));
        self
    }

    /// A part of the state is hidden, and what is known of it follows from the whole match so far:
    /// planners get what a tracker makes of the player's own moves and observations, never the
    /// state.
    pub fn tracked(mut self, track: Track<G>) -> Self {
        self.capability("hidden");
        self.track = Some(track);
        self
    }

    /// The game can be shared by threads: so can the leaves of a search.
    pub(crate) fn shared(mut self) -> Self
    where
        G: Sync,
        G::State: Send,
        G::Action: Send,
        G::Obs: Send,
    {
        self.threaded = Some(|leaf, threads| Arc::new(Threads { leaf, threads }));
        self.forest = Some(|settings, leaf, lists, threads| {
            Ok(Box::new(Forest::new(settings, leaf, lists, threads)?))
        });
        self
    }

    /// Where a search starts: what the tracker knows, or what the state shows.
    pub fn root_of(&self, tracker: Option<&dyn Tracker<G>>, state: &G::State) -> Root<G> {
        match tracker {
            Some(tracker) => tracker.root(),
            None => (self.root)(&self.game, state),
        }
    }

    /// A part of the state is hidden, but the game has states in which it is not fixed yet: what
    /// comes to light is drawn at that moment. Planners get those, so chance is all they see, and
    /// every planner for games with chance can be used.
    pub fn opened(mut self, open: fn(&G, &G::State) -> Root<G>) -> Self {
        self.capability("opened");
        self.root = open;
        self
    }

    /// Adds a way for UCT to value its leaves, by the name that its parameter `eval` takes.
    pub fn leaf(mut self, name: &'static str, leaf: impl Leaf<G> + 'static) -> Self {
        self.leaves.push((name, Arc::new(leaf)));
        self
    }

    /// Adds a planner or solver that is this game's own, made from declared parameters.
    pub fn search<P: Params>(
        mut self,
        info: &'static PlannerInfo,
        make: impl Fn(&G, P) -> Made<G> + Send + Sync + 'static,
    ) -> Self {
        let make = move |game: &G, arguments: &Arguments<'_>| {
            let parameters = P::read(arguments)?;
            make(game, parameters).map_err(|error| arguments.refuse(&error))
        };
        self.searches.push((info, Box::new(make)));
        self
    }

    /// Names the planner that suits this variant of the game, where it is not that of the game.
    pub fn suited_to(mut self, planner: &'static str) -> Self {
        self.suits = Some(planner);
        self
    }

    /// What is asked of a finished game, and by what a solution is judged.
    pub fn solved_when(
        mut self,
        goal: &'static str,
        reached: fn(&G, &G::State) -> bool,
        objective: Objective,
    ) -> Self {
        (self.goal, self.objective) = (Some((goal, reached)), objective);
        self.with_goal()
    }

    /// From some states nothing leads to the goal, which can be seen at once: searches for the goal go
    /// no further there.
    pub fn dead_ends(mut self, dead_end: fn(&G, &G::State) -> bool) -> Self {
        self.dead_end = dead_end;
        self
    }

    /// A goal can be searched for where nothing is left to chance.
    pub(crate) fn with_goal(mut self) -> Self {
        if self.goal.is_some() && self.depth_first.is_some() {
            self.capability("goal");
        }
        self
    }

    /// Solutions are replayed by a validator that shares nothing with engines and searches but the
    /// text.
    pub fn verified(mut self, verify: Verify<G>) -> Self {
        self.verify = Some(verify);
        self
    }

    /// A position may leave open what a solver must know.
    pub fn solvable_if(mut self, check: Check<G>) -> Self {
        self.solvable = Some(check);
        self
    }

    /// Solutions are written otherwise than move by move.
    pub fn written(mut self, notation: Notation<G>) -> Self {
        self.notation = Some(notation);
        self
    }

    /// Solutions can be written with a number and the cards for each step.
    pub fn numbered_steps(mut self, notation: Notation<G>) -> Self {
        self.numbered_steps = Some(notation);
        self
    }

    /// Adds a format in which positions can be written.
    pub fn format(mut self, name: &'static str, write: Write<G>) -> Self {
        self.formats.push((name, write));
        self
    }

    /// A position can be written with all that is hidden in it, for those who solve it.
    pub fn written_whole(mut self, write: Write<G>) -> Self {
        self.whole = Some(write);
        self
    }

    /// Start positions have numbers of the game's own.
    pub fn numbered(
        mut self,
        deal: impl Fn(&G, &str) -> Result<G::State, String> + Send + Sync + 'static,
    ) -> Self {
        self.capability("numbered");
        self.numbered = Some(Box::new(deal));
        self
    }

    /// The deal of a seed is drawn otherwise than by [`Game::start`] from a stream of that seed.
    pub fn seeded(mut self, deal: fn(&G, u64) -> G::State) -> Self {
        self.seeded = Some(deal);
        self
    }

    /// Positions can be read from text.
    pub fn reading(
        mut self,
        read: impl Fn(&G, &str) -> Result<G::State, String> + Send + Sync + 'static,
    ) -> Self {
        self.capability("reading");
        self.read = Some(Box::new(read));
        self
    }

    /// Not every position that can be read is one where a game begins: says what is missing.
    /// Experiments refuse such positions, because their results would go by the game's name.
    pub fn beginning(mut self, begins: Check<G>) -> Self {
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
        self.asks = Some(crate::asked::asks);
        self.capability("arrays");
        self.coding = Some(Coding::OF);
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

    /// What a state is worth at most, to a player who sees all of it: the upper bound of `despot`, and the
    /// evaluation function `upper`.
    pub fn upper(mut self, bound: impl Evaluation<G> + 'static) -> Self {
        self.capability("upper");
        self.evaluation("upper", bound)
    }

    /// A policy by what the player knows, with which `despot` goes on where its tree ends: what it comes to
    /// is the lower bound. The first one is what `despot` takes if none is named.
    pub fn default_policy<F>(mut self, name: &'static str, policy: F) -> Self
    where
        G: Hidden,
        F: Fn(&G, &G::Known) -> G::Action + Send + Sync + 'static,
    {
        self.defaults.push((name, Arc::new(ByKnown(policy))));
        self
    }

    /// The exact value of every action in a state, to a player who knows what players know there, by which
    /// decisions can be judged; none where they take too long to find.
    pub fn oracle(
        mut self,
        oracle: impl Fn(&G, &G::State) -> Vec<(G::Action, f64)> + Send + Sync + 'static,
    ) -> Self {
        self.capability("exact values");
        self.oracle = Some(Box::new(oracle));
        self
    }

    /// Starts games otherwise than by [`Game::start`].
    pub fn starting(mut self, start: fn(&G, &mut Rng) -> G::State) -> Self {
        self.start = start;
        self
    }

    /// Planners think about this game as another, more abstract one: `lift` gives the state there, of
    /// which nothing may depend on what the player does not know, and `lower` the moves here that an
    /// action there comes to.
    pub fn thought_of_as<A>(
        mut self,
        kit: Arc<Kit<A>>,
        lift: Lift<A, G>,
        lower: Lower<A, G>,
    ) -> Self
    where
        A: Game + Send + Sync + 'static,
        A::State: Send,
        A::Action: Send,
        A::Obs: Send,
        G: Send + Sync,
    {
        if kit.conceals() {
            self.capability("hidden");
        }
        self.thinking = Some(Box::new(Above { kit, lift, lower }));
        self
    }

    /// The n-th deal of a seed; 0 is the deal of that seed.
    pub(crate) fn deal_of(&self, seed: u64, number: u64) -> G::State {
        match self.seeded {
            Some(seeded) if number == 0 => seeded(&self.game, seed),
            _ => (self.start)(&self.game, &mut stream("start", seed, number)),
        }
    }

    /// The deal of a number of the game's own.
    pub(crate) fn deal_numbered(&self, name: &str) -> Result<G::State, String> {
        let numbered = self.numbered.as_ref().ok_or("this game does not number its deals")?;
        numbered(&self.game, name)
    }

    pub(crate) fn state_text(&self, state: &G::State) -> String {
        self.show.as_ref().map_or(String::new(), |show| (show.state)(&self.game, state))
    }

    /// That the position leaves nothing open that a solver must know.
    pub(crate) fn check_solvable(&self, state: &G::State) -> Result<(), String> {
        self.solvable.map_or(Ok(()), |check| check(&self.game, state))
    }

    /// What the goal is called.
    pub(crate) fn goal_name(&self) -> &'static str {
        self.goal.map_or("solved", |goal| goal.0)
    }

    /// The position with all that is hidden in it.
    pub(crate) fn whole_text(&self, state: &G::State) -> String {
        let whole = self.whole.and_then(|write| write(&self.game, state).ok());
        whole.unwrap_or_else(|| self.state_text(state))
    }

    pub(crate) fn action_text(&self, state: &G::State, action: G::Action) -> String {
        match &self.show {
            Some(show) => (show.action)(&self.game, state, action),
            None => format!("{action:?}"),
        }
    }

    pub(crate) fn obs_text(&self, state: &G::State, obs: G::Obs) -> String {
        match &self.show {
            Some(show) => (show.obs)(&self.game, state, obs),
            None => String::new(),
        }
    }

    pub(crate) fn label(&self, state: &G::State, action: G::Action) -> Label {
        match &self.face {
            Some(face) => (face.label)(&self.game, state, action),
            None => Label::words(self.action_text(state, action)),
        }
    }
}

impl<G: Game> fmt::Debug for Kit<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kit").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}
