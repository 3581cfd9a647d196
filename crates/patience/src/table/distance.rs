//! Hints for FreeCell: how many steps every move leaves to go, between proven bounds.
//!
//! 1. The estimate h2 bounds every move's distance from below at once.
//! 2. A solution after each move bounds it from above; what cannot be solved is proven to lose.
//! 3. A* on the position raises the lower bound until the best is proven (Paul and Helmert 2016).

use std::time::{Duration, Instant};

use patience_games::freecell::{
    Deadlock, Heuristic, News, Shown, State, Step, Verdict, optimal, solve, validator,
};
use patience_plan::{Budget, Cancel, Counts, Stats, StopReason};

use super::freecell::{FreeCellSeat, name};
use super::{Hint, HintMove, Measure};
use crate::advice::{Advice, MoveAdvice};

/// The name of what hints at FreeCell and its family if no planner is named: it tells the steps to go,
/// between proven bounds.
pub const DISTANCE: &str = "distance";

/// One look at one move, at first.
const GLANCE: Duration = Duration::from_millis(40);
/// All of the moves must leave this much of the time for the proof.
const FOR_PROOF: f64 = 0.4;

struct Known<'s> {
    seat: &'s FreeCellSeat,
    game: &'s str,
    begin: Instant,
    counts: Counts,
    moves: Vec<(Step, HintMove)>,
    /// No solution of the position is shorter.
    lower: u32,
    lost: Option<String>,
}

pub(super) fn hint(
    seat: &FreeCellSeat,
    game: &str,
    budget: &Budget,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&Hint),
) -> Hint {
    let mut known = Known::new(seat, game);
    watch(&known.hint(None));
    let time = budget.time.unwrap_or(Duration::from_secs(5));
    let left = |begin: Instant| time.saturating_sub(begin.elapsed());
    let memory = budget.memory.unwrap_or(256 << 20);
    // Every move gets a glance, then a longer look, until the time for this is up.
    let mut glance = GLANCE;
    while known.moves.iter().any(|(_, m)| m.high.is_none() && !m.loses)
        && left(known.begin) > time.mul_f64(FOR_PROOF)
        && !cancel.is_cancelled()
    {
        for place in 0..known.moves.len() {
            let (_, m) = &known.moves[place];
            if m.high.is_none() && !m.loses && !cancel.is_cancelled() {
                let slice = Budget::time(glance.min(left(known.begin))).with_memory(memory);
                known.look(place, &slice, cancel);
                watch(&known.hint(None));
            }
        }
        glance *= 3;
    }
    let open = known.moves.iter().any(|(_, m)| !m.loses);
    if !open && !known.moves.is_empty() {
        known.lost = Some(
            "There is no solution: after every move, all positions that can be reached were \
             looked at."
                .to_owned(),
        );
    }
    let mut stop = StopReason::Complete;
    if open && !cancel.is_cancelled() {
        stop = known.prove(&Budget::time(left(known.begin)).with_memory(memory), cancel, watch);
    }
    if cancel.is_cancelled() {
        stop = StopReason::Cancelled;
    }
    known.hint(Some(stop))
}

impl<'s> Known<'s> {
    fn new(seat: &'s FreeCellSeat, game: &'s str) -> Self {
        let moves = seat.steps().into_iter().map(|step| {
            let mut after = seat.board.clone();
            validator::make(&mut after, &step);
            let below = Deadlock::TWO.estimate(&seat.engine, &State::of(&after));
            let described = seat.described(&step);
            let m = HintMove {
                action: name(&step),
                moves: vec![described.name],
                label: described.label,
                value: None,
                low: Some(f64::from(1 + below)),
                high: None,
                visits: 0,
                again: false,
                loses: false,
                sure: false,
            };
            (step, m)
        });
        Known {
            seat,
            game,
            begin: Instant::now(),
            counts: Counts::default(),
            moves: moves.collect(),
            lower: 0,
            lost: None,
        }
    }

    fn spent(&mut self, stats: &Stats) {
        self.counts.iterations += stats.counts.iterations;
        self.counts.model_calls += stats.counts.model_calls;
        self.counts.nodes = self.counts.nodes.max(stats.counts.nodes);
        self.counts.bytes = self.counts.bytes.max(stats.counts.bytes);
    }

    /// Looks for a solution after one move.
    fn look(&mut self, place: usize, budget: &Budget, cancel: &Cancel) {
        let (step, _) = self.moves[place];
        let mut after = self.seat.board.clone();
        validator::make(&mut after, &step);
        let (verdict, stats) = solve(&self.seat.engine, &after, budget, cancel);
        self.spent(&stats);
        self.moves[place].1.visits += stats.counts.iterations;
        match verdict {
            Verdict::Solved(steps) => self.solved(place, &steps, &after),
            Verdict::Unsolvable => self.moves[place].1.loses = true,
            Verdict::Unknown => {}
        }
    }

    /// A solution after a move, once it has been replayed.
    fn solved(&mut self, place: usize, steps: &[Step], after: &patience_games::freecell::Board) {
        let length = validator::verify(self.seat.rules(), self.seat.metric(), after, steps);
        if let Ok(length) = length {
            let m = &mut self.moves[place].1;
            let high = f64::from(1 + length);
            if m.high.is_none_or(|known| high < known) {
                (m.value, m.high) = (Some(high), Some(high));
            }
        }
    }

    /// Raises the lower bound of the position, and with luck finds the shortest solution.
    fn prove(
        &mut self,
        budget: &Budget,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Hint),
    ) -> StopReason {
        let seat = self.seat;
        let (shown, stats) = {
            let mut told = |news: News<'_>| {
                let News::Gap(stats, bounds) = news else { return };
                self.lower = self.lower.max(bounds.lower);
                let before = self.counts;
                self.spent(stats);
                watch(&self.hint(None));
                self.counts = before;
            };
            optimal(&seat.engine, &seat.board, Heuristic::Best, budget, cancel, &mut told)
        };
        self.spent(&stats);
        let mut known = |steps: &[Step]| {
            let Some((first, rest)) = steps.split_first() else { return };
            let same = |(step, _): &(Step, HintMove)| name(step) == name(first);
            let Some(place) = self.moves.iter().position(same) else { return };
            let mut after = seat.board.clone();
            validator::make(&mut after, first);
            self.solved(place, rest, &after);
        };
        match &shown {
            Shown::Optimal(steps) => {
                known(steps);
                self.lower = steps.len() as u32;
            }
            Shown::Solved(steps, bounds) => {
                known(steps);
                self.lower = self.lower.max(bounds.lower);
            }
            Shown::Unsolvable => {
                let nodes = stats.counts.nodes;
                self.lost = Some(format!(
                    "There is no solution: all {nodes} positions that can be reached were looked at."
                ));
            }
            Shown::Unknown(bounds) => self.lower = self.lower.max(bounds.lower),
        }
        stats.stop.unwrap_or(StopReason::Complete)
    }

    fn hint(&self, stop: Option<StopReason>) -> Hint {
        let lower = f64::from(self.lower);
        let mut moves: Vec<HintMove> = self.moves.iter().map(|(_, m)| m.clone()).collect();
        for m in &mut moves {
            m.low = m.low.map(|low| low.max(lower)).filter(|_| !m.loses);
            m.sure = m.loses || m.low.is_some() && m.low == m.high;
        }
        moves.sort_by(|a, b| {
            let rank = |m: &HintMove| {
                (m.loses, m.value.unwrap_or(f64::INFINITY), m.low.unwrap_or(f64::INFINITY))
            };
            let ((a0, a1, a2), (b0, b1, b2)) = (rank(a), rank(b));
            a0.cmp(&b0).then(a1.total_cmp(&b1)).then(a2.total_cmp(&b2))
        });
        let best = moves.iter().position(|m| !m.loses).filter(|_| self.lost.is_none());
        let stats =
            Stats { counts: self.counts, seconds: self.begin.elapsed().as_secs_f64(), stop };
        let said = |m: &HintMove| MoveAdvice {
            action: m.action.clone(),
            value: m.value,
            low: m.low,
            high: m.high,
            visits: m.visits,
            samples: m.visits,
            sure: m.sure,
        };
        let advice = Advice {
            game: self.game.to_owned(),
            planner: DISTANCE.to_owned(),
            seed: 0,
            position: self.seat.board.to_string(),
            best: best.map(|best| moves[best].action.clone()),
            moves: moves.iter().map(said).collect(),
            stats,
        };
        let value = best.and_then(|best| moves[best].value);
        Hint { measure: Measure::StepsToGo, best, moves, lost: self.lost.clone(), value, advice }
    }
}
