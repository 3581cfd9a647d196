//! What a solver found of a position: one value for every front end, made and checked in one place.

use patience_model::{Game, Rng};
use patience_plan::{
    Bounds, Budget, Cancel, Finding, Root, Search, Stats, StopReason, Verdict, watched,
};
use serde::{Serialize, Serializer};

use crate::call::{Call, CallError};
use crate::kit::{Kit, Objective};
use crate::planners;

/// What a solver found of a position. Whatever solution it holds was replayed by the game's validator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solved {
    /// The game, as a string.
    pub game: String,
    /// The deal or file that the position is from; empty where nobody said.
    pub deal: String,
    /// The solver, as a string.
    pub solver: String,
    /// The seed of its streams.
    pub seed: u64,
    /// The position with all that is hidden in it, in a format that can be read back.
    pub position: String,
    /// What is known.
    pub verdict: Verdict,
    /// By what solutions are judged.
    pub objective: Objective,
    /// What the solution comes to: its score, or its length.
    pub value: Option<f64>,
    /// Between which values the best solution lies, both ends included.
    pub bounds: Bounds,
    /// Whether the solution reaches the goal, such as `cleared`: named in `goal`.
    pub reached: bool,
    /// What the goal is called.
    pub goal: &'static str,
    /// How many moves the solution has.
    pub length: Option<usize>,
    /// The moves of the solution, by their names.
    pub moves: Vec<String>,
    /// The solution in the game's notation.
    pub solution: Option<String>,
    /// Figures of the solver's own, by their names.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "by_name")]
    pub figures: Vec<(&'static str, f64)>,
    /// What a proof leaves to be compared with the same proof made again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// What the search has spent, and why it stopped.
    pub stats: Stats,
}

fn by_name<S: Serializer>(figures: &[(&'static str, f64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(figures.iter().copied())
}

/// What a validator says of a solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// What it comes to: its score, or its length.
    pub value: f64,
    /// How many moves it has.
    pub length: usize,
    /// Whether the goal is reached.
    pub reached: bool,
    /// Whether the game is over.
    pub over: bool,
    /// The position at the end, in a format that can be read back.
    pub end: String,
}

/// Why a text is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A step breaks a rule.
    #[error("{0}")]
    Step(String),
    /// It cannot be read.
    #[error("{0}")]
    Text(String),
}

/// Why a position was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The solver's string is wrong, or the solver is not for this game.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The game has no solver.
    #[error("{0} has no solver")]
    None(String),
    /// The position leaves open what a solver must know.
    #[error("{0}")]
    Open(String),
    /// The solver's solution does not stand: a fault of the solver.
    #[error("a solution was found that does not stand: {0}")]
    Fault(String),
}

impl Solved {
    /// Whether what was asked is known: with `best` the best solution, else any.
    pub fn is_settled(&self, best: bool) -> bool {
        self.verdict.is_proven() || self.verdict == Verdict::Solved && !best
    }

    /// Whether the search was cut before it was done.
    pub fn was_cut(&self) -> bool {
        self.stats.stop != Some(StopReason::Complete)
    }

    /// The same without the moves: for those who must not see what lies face down, or have millions.
    pub fn without_moves(self) -> Solved {
        Solved { moves: Vec::new(), solution: None, position: String::new(), ..self }
    }
}

/// The search of a solver, made for a position.
pub(crate) fn solve<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    solver: &Call,
    rng: Rng,
    budget: &Budget,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&Solved),
) -> Result<Solved, SolveError> {
    let (info, planner) = planners::solver(kit, solver)?;
    kit.check_solvable(state).map_err(SolveError::Open)?;
    // What is for all games knows rewards alone, whatever solutions of this one are judged by.
    let by_rewards = info.games.is_empty();
    let same = !by_rewards || kit.objective == Objective::Score;
    let mut search = planner.search(&kit.game, Root::Certain(state.clone()), rng);
    let said = |search: &dyn Search<G>, stats: &Stats| {
        let Finding { verdict, value, bounds, moves } = search.finding();
        Solved {
            game: String::new(),
            deal: String::new(),
            solver: solver.to_string(),
            seed: 0,
            position: String::new(),
            verdict,
            objective: kit.objective,
            value: value.filter(|_| same),
            bounds,
            reached: false,
            goal: kit.goal_name(),
            length: (!moves.is_empty()).then_some(moves.len()),
            moves: Vec::new(),
            solution: None,
            figures: search.figures(),
            certificate: None,
            stats: *stats,
        }
    };
    let stats =
        watched(&mut *search, budget, cancel, &mut |search, stats| watch(&said(search, stats)));
    let mut solved = said(&*search, &stats);
    let finding = search.finding();
    solved.position = kit.whole_text(state);
    solved.certificate = search.certificate();
    if finding.verdict.is_solved() {
        checked(kit, state, &finding, by_rewards, &mut solved).map_err(SolveError::Fault)?;
    }
    Ok(solved)
}

/// Replays the solution with the game's validator, and writes down what it says.
fn checked<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    finding: &Finding<G::Action>,
    by_rewards: bool,
    solved: &mut Solved,
) -> Result<(), String> {
    let (moves, rewards) = names(kit, state, &finding.moves)?;
    solved.moves = moves;
    let text = match kit.notation {
        Some(notation) => notation(&kit.game, state, &finding.moves),
        None => solved.moves.join(" "),
    };
    let checked = verify(kit, state, &text).map_err(|error| error.to_string())?;
    let replayed = if by_rewards { rewards } else { checked.value };
    let claimed = finding.value.unwrap_or(replayed);
    if (replayed - claimed).abs() > 1e-6 * claimed.abs().max(1.0) {
        return Err(format!("it comes to {replayed} when it is replayed, not to {claimed}"));
    }
    (solved.value, solved.length) = (Some(checked.value), Some(checked.length));
    solved.reached = checked.reached;
    if kit.objective != Objective::Score && !checked.reached {
        // A whole game that was not won is no solution.
        solved.verdict = Verdict::Unknown;
        (solved.value, solved.length, solved.moves) = (None, None, Vec::new());
        return Ok(());
    }
    solved.solution = Some(text);
    Ok(())
}

/// The names of moves from a state on, and the discounted sum of their rewards.
fn names<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    moves: &[G::Action],
) -> Result<(Vec<String>, f64), String> {
    let mut state = state.clone();
    // No chance: the stream is there because every step takes one.
    let mut rng = Rng::new(0);
    let mut legal = Vec::new();
    let mut names = Vec::with_capacity(moves.len());
    let (mut rewards, mut weight) = (0.0, 1.0);
    for (number, &action) in (1..).zip(moves) {
        kit.game.actions(&state, &mut legal);
        if !legal.contains(&action) {
            return Err(format!("step {number}, {action:?}, is not legal"));
        }
        names.push(kit.action_text(&state, action));
        rewards += weight * kit.game.step(&mut state, action, &mut rng).reward;
        weight *= kit.game.discount();
    }
    Ok((names, rewards))
}

/// Replays a solution from its text: by the game's own validator, or else by its rules.
pub(crate) fn verify<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    text: &str,
) -> Result<Checked, Invalid> {
    kit.check_solvable(state).map_err(Invalid::Text)?;
    if let Some(verify) = kit.verify {
        return verify(&kit.game, state, text);
    }
    let Some(show) = &kit.show else {
        return Err(Invalid::Text("this game has no notation".to_owned()));
    };
    let mut state = state.clone();
    let mut rng = Rng::new(0);
    let (mut value, mut weight, mut length) = (0.0, 1.0, 0);
    for word in text.split_whitespace() {
        let action = (show.read_action)(&kit.game, &state, word)
            .map_err(|why| Invalid::Step(format!("step {} ({word}): {why}", length + 1)))?;
        value += weight * kit.game.step(&mut state, action, &mut rng).reward;
        weight *= kit.game.discount();
        length += 1;
    }
    let mut legal = Vec::new();
    kit.game.actions(&state, &mut legal);
    let value = if kit.objective == Objective::Score { value } else { length as f64 };
    let reached = kit.goal.is_some_and(|(_, reached)| reached(&kit.game, &state));
    Ok(Checked { value, length, reached, over: legal.is_empty(), end: kit.state_text(&state) })
}
