//! Searches of many positions for which one evaluator is asked: their leaves are gathered, judged together
//! and backed up, again and again.

use std::time::{Duration, Instant};

use patience_model::{Encoded, Rng};
use patience_plan::uct::Judged;
use patience_plan::{
    Budget, Cancel, Evaluator, Judgements, Rows, Search, Stats, Status, StopReason,
};
use serde::Serialize;

use crate::advice::Advice;
use crate::call::{Call, CallError};
use crate::position::Of;
use crate::state::AnyState;
use crate::think::{Question, Thought};
use crate::uct;

/// What a search came to, by the numbers of the moves.
#[derive(Clone, Debug)]
pub struct Searched {
    /// What it says of the moves.
    pub advice: Advice,
    /// The number of the recommended move; none if the game is over.
    pub best: Option<usize>,
    /// How often each move was tried.
    pub visits: Vec<u64>,
    /// The policy that the search has come to: what a network may learn. All 0 if the game is over.
    pub policy: Vec<f64>,
    /// What the position is worth to the player to move.
    pub value: f64,
    /// What the evaluator was shown of the position: what is seen, and which moves are legal.
    pub shown: (Vec<i16>, Vec<u8>),
}

/// How far searches are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Asked {
    /// Episodes of all searches.
    pub iterations: u64,
    /// How often the evaluator was asked.
    pub calls: u64,
    /// About how many states, in all.
    pub evaluations: u64,
    /// Seconds since the start.
    pub seconds: f64,
}

/// A search whose leaves are judged by whoever drives it.
pub(crate) trait Asks {
    /// How many numbers an observation has, and how many moves there are.
    fn shape(&self) -> (usize, usize);
    fn within(&mut self, budget: &Budget);
    /// Steps to the next leaves, which are added; says whether there is more to do.
    fn gather(&mut self, budget: &Budget, rows: &mut Rows) -> bool;
    /// Takes over what was thought of the leaves, and says how many rows those were.
    fn answer(&mut self, values: &[f64], logits: &[f32]) -> usize;
    fn iterations(&self) -> u64;
    fn searched(&self, places: &[String], seconds: f64, stop: StopReason) -> Searched;
}

struct AskingSearch<'s, G: Encoded> {
    of: &'s Of<G>,
    planner: &'s Call,
    seed: u64,
    search: Box<dyn Search<G> + 's>,
    stop: Option<StopReason>,
}

/// How a search is started for which an evaluator is asked.
pub(crate) type MakeAsks<G> =
    for<'s> fn(&'s Of<G>, &'s Call, u64) -> Result<Box<dyn Asks + 's>, CallError>;

/// Starts a search of a position, by the parameters of `uct`.
pub(crate) fn asks<'s, G: Encoded + 'static>(
    of: &'s Of<G>,
    planner: &'s Call,
    seed: u64,
) -> Result<Box<dyn Asks + 's>, CallError> {
    if planner.name() != "uct" {
        return Err(CallError::new(planner, "only uct asks an evaluator"));
    }
    let arguments = planner.arguments(uct::PARAMS)?;
    let made = uct::asking(of.kit(), &arguments)?.map_err(|error| arguments.refuse(&error))?;
    let search = made.search(&of.kit().game, of.root(), Rng::named(seed, &["planner"]));
    let over = of.legal().is_empty().then_some(StopReason::Complete);
    Ok(Box::new(AskingSearch { of, planner, seed, search, stop: over }))
}

/// Episodes after which others have their turn, where none of them comes to a leaf that is to be judged:
/// all may end with the game.
const EPISODES: u32 = 1000;

impl<G: Encoded + 'static> Asks for AskingSearch<'_, G> {
    fn shape(&self) -> (usize, usize) {
        let game = &self.of.kit().game;
        (game.highest().len(), game.moves())
    }

    fn within(&mut self, budget: &Budget) {
        self.search.within(budget);
    }

    fn gather(&mut self, budget: &Budget, rows: &mut Rows) -> bool {
        for _ in 0..EPISODES {
            let asked = self.search.asked();
            if !asked.is_empty() {
                rows.add(&self.of.kit().game, asked);
                return true;
            }
            let counts = self.search.counts();
            if budget.iterations.is_some_and(|most| counts.iterations >= most) {
                self.stop = self.stop.or(Some(StopReason::Iterations));
            } else if budget.memory.is_some_and(|most| counts.bytes >= most) {
                self.stop = self.stop.or(Some(StopReason::Memory));
            }
            if self.stop.is_some() {
                return false;
            }
            match self.search.step() {
                Status::Running => {}
                Status::Complete => self.stop = Some(StopReason::Complete),
                Status::Full => self.stop = Some(StopReason::Memory),
            }
        }
        true
    }

    fn answer(&mut self, values: &[f64], logits: &[f32]) -> usize {
        let rows = Rows::answer(&self.of.kit().game, self.search.asked(), values, logits);
        self.search.answered();
        rows
    }

    fn iterations(&self) -> u64 {
        self.search.counts().iterations
    }

    fn searched(&self, places: &[String], seconds: f64, stop: StopReason) -> Searched {
        let (kit, state) = (self.of.kit(), self.of.state());
        let game = &kit.game;
        let stop = Some(self.stop.unwrap_or(stop));
        let stats = Stats { counts: self.search.counts(), seconds, stop };
        let lower = |action| vec![action];
        let thought = Thought::of(kit, state, kit.measure, &*self.search, stats, &lower);
        let (budget, cancel) = (Budget::UNLIMITED, Cancel::new());
        let question =
            Question { planner: self.planner, budget: &budget, seed: self.seed, cancel: &cancel };
        let advice = self.of.advice(&question, places, &thought);
        let (mut visits, mut policy) = (vec![0; game.moves()], vec![0.0; game.moves()]);
        let (mut sum, mut tries) = (0.0, 0.0);
        for (estimate, share) in self.search.estimates().iter().zip(self.search.policy()) {
            let number = game.number(state, estimate.action);
            (visits[number], policy[number]) = (estimate.visits, share);
            let n = estimate.visits as f64;
            sum += n * estimate.value.unwrap_or(0.0);
            tries += n;
        }
        let sign = if game.minimising(state) { -1.0 } else { 1.0 };
        let legal = self.of.legal();
        let best = self.search.best().filter(|_| !legal.is_empty());
        let (state, priors) = (state.clone(), Vec::new());
        let mut shown = (vec![0; game.highest().len()], vec![0; game.moves()]);
        if !legal.is_empty() {
            let mut rows = Rows::default();
            rows.add(game, &[Judged { state: state.clone(), legal, value: 0.0, priors }]);
            let states = rows.states();
            shown = (states.observations.to_vec(), states.legal.to_vec());
        }
        Searched {
            advice,
            best: best.map(|best| game.number(&state, best)),
            visits,
            policy,
            value: if tries > 0.0 { sign * sum / tries } else { 0.0 },
            shown,
        }
    }
}

/// How often who watches is told, and the flag is looked at where nobody is asked.
const EVERY: Duration = Duration::from_millis(50);

/// Searches positions of one game, each with its seed, by `uct` with these parameters; one evaluator judges
/// the leaves of all. What is found of a position does not depend on the others.
///
/// The budget is that of each search, but for its time, which is that of all. `tell` hears about twenty
/// times a second how far they are.
///
/// # Errors
/// If the planner's string is wrong, or the game cannot be put into arrays.
///
/// # Panics
/// If there is not one seed per state.
pub fn search_together(
    states: &[AnyState],
    seeds: &[u64],
    planner: &str,
    budget: &Budget,
    cancel: &Cancel,
    evaluator: &dyn Evaluator,
    tell: &mut dyn FnMut(&Asked),
) -> Result<(Vec<Searched>, Asked), CallError> {
    assert_eq!(states.len(), seeds.len(), "one seed per state");
    let begin = Instant::now();
    let planner = Call::parse(planner)?;
    let made = states.iter().zip(seeds).map(|(state, &seed)| state.asks(&planner, seed));
    let mut searches = made.collect::<Result<Vec<_>, _>>()?;
    let shape = searches.first().map(|search| search.shape());
    if searches.iter().any(|search| Some(search.shape()) != shape) {
        return Err(CallError::new(&planner, "the states are of games of different sizes"));
    }
    searches.iter_mut().for_each(|search| search.within(budget));
    let (mut rows, mut asked, mut told) = (Rows::default(), Asked::default(), begin);
    let (mut values, mut logits) = (Vec::new(), Vec::new());
    let stop = loop {
        rows.clear();
        let mut running = false;
        for search in &mut searches {
            running |= search.gather(budget, &mut rows);
        }
        if told.elapsed() >= EVERY {
            told = Instant::now();
            asked.iterations = searches.iter().map(|search| search.iterations()).sum();
            asked.seconds = begin.elapsed().as_secs_f64();
            tell(&asked);
        }
        if cancel.is_cancelled() {
            break StopReason::Cancelled;
        } else if !running {
            break StopReason::Complete;
        } else if budget.time.is_some_and(|time| begin.elapsed() >= time) {
            break StopReason::Time;
        } else if rows.count() == 0 {
            continue;
        }
        values.clear();
        values.resize(rows.count(), 0.0);
        logits.clear();
        logits.resize(rows.states().legal.len(), 0.0);
        evaluator.evaluate(rows.states(), Judgements { values: &mut values, logits: &mut logits });
        asked.calls += 1;
        asked.evaluations += rows.count() as u64;
        let (mut values, mut logits) = (&values[..], &logits[..]);
        for search in &mut searches {
            let own = search.answer(values, logits);
            let moves = search.shape().1;
            (values, logits) = (&values[own..], &logits[own * moves..]);
        }
    };
    asked.iterations = searches.iter().map(|search| search.iterations()).sum();
    asked.seconds = begin.elapsed().as_secs_f64();
    let searched = states.iter().zip(&searches);
    let searched = searched.map(|(state, search)| state.searched(&**search, asked.seconds, stop));
    Ok((searched.collect(), asked))
}
