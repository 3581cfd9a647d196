//! What the moves of a game cost: the worth of every position as a planner sees it, the moves that
//! gave much away with what would have been better, and where a solver proves that it was lost.
//!
//! Two questions are kept apart. What could be known then is asked of a planner, which sees what the
//! player saw. Whether the deal could still be won is asked of a solver, which sees all cards; its
//! line is told only to those who ask for it.

use patience_model::Standing;
use patience_plan::{Budget, Cancel, Verdict};
use serde::Serialize;

use crate::advice::{Hint, Measure, MoveAdvice};
use crate::setup::TableError;
use crate::state::AnyState;
use crate::table::Table;

/// What the moves of a game cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The game, as a string.
    pub game: String,
    /// The planner that judged, as a string.
    pub planner: String,
    /// What the values are. Steps, points and rewards count from the start of the game: those so far
    /// and those to come.
    pub measure: Measure,
    /// Whether the game was won.
    pub standing: Standing,
    /// Every position of the game, the last included.
    pub points: Vec<Point>,
    /// Where it was lost, with all cards seen; `None` where no solver proves that.
    pub fate: Option<Fate>,
    /// Whether that is all.
    pub done: bool,
}

/// A position of a game, and the move that was played there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The moves before it.
    pub moves: usize,
    /// What the game is worth from here on; `None` if nothing was found out.
    pub value: Option<f64>,
    /// Ends of the interval of the value, where the planner has one.
    pub low: Option<f64>,
    /// See `low`.
    pub high: Option<f64>,
    /// The move that was played, in words; none at the end.
    pub played: Option<String>,
    /// What the move gave away, never below 0; `None` if that is not known.
    pub cost: Option<f64>,
    /// How much that is.
    pub mark: Mark,
    /// What would have been best, if it is another move.
    pub better: Option<Better>,
    /// Why the game cannot be won any more, if that is known to the player.
    pub lost: Option<String>,
}

/// A better move than the one that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Better {
    /// The moves on the table.
    pub moves: Vec<String>,
    /// The same in words.
    pub label: String,
    /// What the game was worth by it.
    pub value: Option<f64>,
}

/// How much a move gave away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Nothing worth a word.
    #[default]
    None,
    /// A little.
    Inaccuracy,
    /// Much.
    Mistake,
    /// The game, or close to it.
    Blunder,
}

/// Until when a game could be won, with all cards seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fate {
    /// The last position of the game, by the moves before it, from which a win is proven.
    pub winnable: Option<usize>,
    /// The first one from which no win exists, as far as it is proven.
    pub lost: Option<usize>,
    /// A win from the last position that has one; empty where it may not be told.
    pub line: Vec<String>,
    /// Searches that were made.
    pub proofs: u32,
}

impl Fate {
    /// Whether it is known which move lost the game.
    pub fn is_exact(&self) -> bool {
        match (self.winnable, self.lost) {
            (Some(winnable), Some(lost)) => winnable + 1 == lost,
            (None, Some(lost)) => lost == 0,
            _ => false,
        }
    }
}

/// How a game is reviewed.
#[derive(Clone, Debug)]
pub struct Reviewing {
    /// The planner; `None`: the one that suits the game.
    pub planner: Option<String>,
    /// What every position may spend.
    pub budget: Budget,
    /// What every proof may spend; `None`: nothing is proven.
    pub proof: Option<Budget>,
    /// Whether a solver's line may be told that the player could not know of.
    pub reveal: bool,
    /// The planner's seed.
    pub seed: u64,
}

impl Table {
    /// Reviews the game so far. `watch` hears of every position.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn review(
        &self,
        how: &Reviewing,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Review),
    ) -> Result<Review, TableError> {
        let planner = how.planner.as_deref().map(str::trim).filter(|planner| !planner.is_empty());
        let planner = planner.unwrap_or(self.planner());
        let states: Vec<&AnyState> = self.states().collect();
        let mut review = Review {
            game: self.setup().game.clone(),
            planner: planner.to_owned(),
            measure: self.state().measure_of(planner)?,
            standing: self.state().standing(),
            points: Vec::with_capacity(states.len()),
            fate: None,
            done: false,
        };
        for (moves, state) in states.iter().enumerate() {
            if cancel.is_cancelled() {
                break;
            }
            let seed = how.seed.wrapping_add(moves as u64);
            let advice = state.advise(planner, &how.budget, seed, cancel, &mut |_| ())?;
            let rest = &self.moves()[moves..];
            review.points.push(point(review.measure, state, rest, &Hint::from(advice)));
            mark(&mut review);
            watch(&review);
        }
        if let Some(budget) = how.proof.filter(|_| self.view().solvers.prove) {
            let told = how.reveal || !self.state().conceals();
            let found = fate(&states, &budget, told, cancel)?;
            // Where nothing is hidden the player could know that a move loses.
            if let (true, false, Some(lost)) =
                (found.is_exact(), self.state().conceals(), found.lost)
                && let Some(point) = lost.checked_sub(1).and_then(|at| review.points.get_mut(at))
            {
                (point.mark, point.cost) = (Mark::Blunder, Some(f64::INFINITY));
            }
            review.fate = Some(found);
        }
        review.done = !cancel.is_cancelled();
        Ok(review)
    }
}

/// What is known of a position, but for what the positions after it say.
fn point(measure: Measure, state: &AnyState, rest: &[String], hint: &Hint) -> Point {
    let moves = state.moves() as usize;
    // What lies behind counts too, where values count up.
    let behind = match measure {
        Measure::WinProbability => 0.0,
        Measure::StepsToGo => moves as f64,
        Measure::Score => state.score(),
        Measure::Value => state.result(),
    };
    let whole = |value: Option<f64>| value.map(|value| behind + value);
    let played = rest.first().map(|name| {
        let legal = state.legal();
        let found = legal.into_iter().find(|m| m.name == *name);
        found.map_or_else(|| name.clone(), |m| m.label.label)
    });
    let best = hint.best.map(|best| &hint.moves[best]);
    let (value, low, high) = match (state.standing(), measure) {
        (Standing::Won, Measure::WinProbability) => (Some(1.0), None, None),
        (Standing::Over, Measure::WinProbability) => (Some(0.0), None, None),
        (Standing::Over, Measure::StepsToGo) => (None, None, None),
        (Standing::Won | Standing::Over, _) => (Some(behind), None, None),
        (Standing::Open, Measure::WinProbability) if hint.lost.is_some() => (Some(0.0), None, None),
        (Standing::Open, _) => {
            let end = |of: fn(&MoveAdvice) -> Option<f64>| whole(best.and_then(of));
            (end(|m| m.value), end(|m| m.low), end(|m| m.high))
        }
    };
    // The action that was taken: the longest whose moves were all played.
    let taken = hint.moves.iter().filter(|m| !m.moves.is_empty() && rest.starts_with(&m.moves));
    let taken = taken.max_by_key(|m| m.moves.len());
    let same = |a: &MoveAdvice, b: &MoveAdvice| a.moves == b.moves;
    let better = best.filter(|best| {
        played.is_some() && !taken.is_some_and(|taken| same(taken, best)) && !rest.is_empty()
    });
    let cost = match (best, taken) {
        _ if played.is_none() => None,
        (Some(best), Some(taken)) if same(best, taken) => Some(0.0),
        (Some(best), Some(taken)) => gone(measure, hint, best, taken),
        _ => None,
    };
    let cost = cost.map(|cost| cost.max(0.0));
    let better = better.map(|best| Better {
        moves: best.moves.clone(),
        label: best.label.clone(),
        value: whole(best.value),
    });
    let lost = hint.lost.clone().filter(|_| state.standing() == Standing::Open);
    Point { moves, value, low, high, played, cost, mark: Mark::None, better, lost }
}

/// What one move is worth less than another by the same search.
fn gone(measure: Measure, hint: &Hint, best: &MoveAdvice, taken: &MoveAdvice) -> Option<f64> {
    let sign = if hint.advice.minimising { -1.0 } else { 1.0 };
    match (best.value, taken.value) {
        // Of steps a search knows bounds only: what the move cost is known at the position after it.
        (Some(_), Some(_)) if measure == Measure::StepsToGo => None,
        (Some(best), Some(taken)) => Some(sign * (best - taken)),
        // The move is proven to lose.
        (Some(best), None) if taken.loses => Some(match measure {
            Measure::WinProbability => best,
            _ => f64::INFINITY,
        }),
        _ => None,
    }
}

/// Shares of what is at stake from which on a move is marked.
const SHARES: [(f64, Mark); 3] =
    [(0.2, Mark::Blunder), (0.1, Mark::Mistake), (0.05, Mark::Inaccuracy)];
/// The same in steps.
const STEPS: [(f64, Mark); 3] =
    [(12.0, Mark::Blunder), (5.0, Mark::Mistake), (2.0, Mark::Inaccuracy)];

/// Marks the move that led to the last position, now that it is known.
fn mark(review: &mut Review) {
    let measure = review.measure;
    let [.., before, now] = &mut review.points[..] else { return };
    // Where the search before says nothing of the move, the position after it does.
    if before.cost.is_none()
        && let (Some(was), Some(is)) = (before.value, now.value)
    {
        let gone = match measure {
            Measure::StepsToGo => is - was,
            Measure::WinProbability | Measure::Score => was - is,
            // Who is to move is known to the search alone.
            Measure::Value => 0.0,
        };
        before.cost = Some(gone.max(0.0));
    }
    let Some(cost) = before.cost else { return };
    // What two intervals leave open is no fault of the move.
    let open = match (before.low, now.high, measure) {
        (Some(low), Some(high), Measure::WinProbability | Measure::Score) => high >= low,
        _ => false,
    };
    let (scale, table) = match measure {
        Measure::WinProbability => (1.0, SHARES),
        Measure::StepsToGo => (1.0, STEPS),
        Measure::Score | Measure::Value => (before.value.unwrap_or(1.0).abs().max(1e-9), SHARES),
    };
    let found = table.iter().find(|(least, _)| cost >= least * scale);
    before.mark = found.map_or(Mark::None, |&(_, mark)| mark);
    if open && before.mark != Mark::None {
        before.mark = Mark::None;
    }
}

/// Searches for the move that lost the game: what is lost stays lost, so half of the positions are
/// ruled out by every proof.
fn fate(
    states: &[&AnyState],
    budget: &Budget,
    told: bool,
    cancel: &Cancel,
) -> Result<Fate, TableError> {
    let mut fate = Fate::default();
    let last = states.len() - 1;
    if states[last].standing() == Standing::Won {
        fate.winnable = Some(last);
        return Ok(fate);
    }
    let solver = states[0].game().solver();
    let (mut from, mut to) = (0, states.len());
    let mut line = Vec::new();
    // The last position first: where it can still be won, so could all the others.
    let mut at = last;
    while from < to && !cancel.is_cancelled() {
        fate.proofs += 1;
        let verdict = if states[at].standing() == Standing::Over {
            Verdict::Unsolvable
        } else {
            let solved = states[at].solve(solver, budget, 1, cancel, &mut |_| ())?;
            if solved.verdict.is_solved() {
                line = solved.moves;
            }
            solved.verdict
        };
        match verdict {
            Verdict::Solved | Verdict::Optimal => {
                fate.winnable = Some(at);
                from = at + 1;
            }
            Verdict::Unsolvable => {
                fate.lost = Some(at);
                to = at;
            }
            // It is not known to be lost, so what is proven lost is looked for after it.
            Verdict::Unknown => from = at + 1,
        }
        at = from + (to - from) / 2;
    }
    if told {
        fate.line = line;
    }
    Ok(fate)
}
