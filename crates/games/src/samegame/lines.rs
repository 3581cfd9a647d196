//! Lines that are found by NRPA, improved by searching again from the middle of them, and weeded out.
//!
//! A line that NRPA has settled on is improved by cutting it at a random move and searching anew from
//! there, with a policy that was moved a little towards the rest of the line: a search near what is
//! known. What is as good or better takes its place. How far that leads depends on the line, so a few
//! are made, with different tabu colours, and the worse half is dropped from time to time. The
//! numbers were tried on boards of own seeds, except how many lines there are: there three lines were
//! ahead of one by 112 ± 65 points (standard error, 22 boards, 1.5 s), and what stands here is a middle.

use std::time::{Duration, Instant};

use patience_model::{Game, Rng};
use patience_plan::nested::Solution;
use patience_plan::nrpa::{Nrpa, NrpaSearch, NrpaSettings};
use patience_plan::{Budget, Counts, Root, Status, Stepped};

use super::board::{Board, Cell};
use super::codes::GroupCodes;
use super::rules::SameGame;
use super::word::Word;

/// A move of the tabu colour is played e⁵ times more rarely at first. Without it the mean falls by
/// several hundred points.
pub const TABU_BIAS: f32 = -5.0;

/// The part of the budget in which lines are found; the rest improves them.
const FINDING: f64 = 0.25;
/// Rollouts for each line: so many lines there are.
const PER_LINE: u64 = 80_000;
const MOST_LINES: u64 = 16;
/// A line is cut within this part of it: the last moves are found by every search.
const CUT: f64 = 0.8;
/// How often the policy is moved towards the rest of the line.
const LESSONS: u32 = 2;
/// Rollouts of the first cycle if nothing is limited; each cycle has twice those of the last.
const FIRST_CYCLE: u64 = 500_000;
/// Tabu colours of the lines, by how many tiles they have: the most frequent is tried most often.
const COLOURS: [u64; 4] = [0, 1, 0, 2];
/// Rollouts of a step at most.
const SLICE: u64 = 100;
/// What a thread does in a second, in round numbers, where only the time is known.
const ROLLOUTS_PER_SECOND: f64 = 100_000.0;

/// The lines of one thread.
#[derive(Debug)]
pub(super) struct Lines<'g, W: Word, const N: usize> {
    game: &'g SameGame<W, N>,
    board: Board<W, N>,
    /// The thread's number, by which tabu colours are ordered.
    number: u64,
    rng: Rng,
    /// No score is higher.
    bound: f64,
    best: Option<Solution<Cell>>,
    cycle: Cycle,
    /// Rollouts of the next cycle if nothing is limited.
    next_cycle: u64,
    hand: Option<Hand<'g, W, N>>,
    counts: Counts,
    budget: Budget,
    /// Time spent in steps since the budget was told.
    worked: Duration,
}

/// Lines that are found one after the other, and of which the better half goes on in each round until
/// there are two or one.
#[derive(Debug, Default)]
struct Cycle {
    /// About how many rollouts it has, and how many there were before it.
    rollouts: u64,
    since: u64,
    /// How many lines there are to find.
    count: u64,
    found: u64,
    lines: Vec<Solution<Cell>>,
    rounds: u32,
    round: u32,
    /// The line whose turn it is in this round.
    turn: usize,
}

impl Cycle {
    fn new(rollouts: u64, since: u64) -> Self {
        let count = (rollouts / PER_LINE).clamp(1, MOST_LINES);
        let rounds = count.ilog2().max(1);
        Cycle { rollouts, since, count, rounds, ..Cycle::default() }
    }

    /// Up to which part of the budget it is the turn of the line in hand.
    fn until(&self) -> f64 {
        let (from, all) = (f64::from(self.round) / f64::from(self.rounds), self.lines.len() as f64);
        let part = from + (self.turn as f64 + 1.0) / all / f64::from(self.rounds);
        FINDING + (1.0 - FINDING) * part
    }

    fn weed_out(&mut self) {
        self.lines.sort_by(|a, b| b.value.total_cmp(&a.value));
        self.lines.truncate(self.lines.len().div_ceil(2));
    }
}

/// The search in hand: from where a line stands after `cut` moves, which bring `before`.
#[derive(Debug)]
struct Hand<'g, W: Word, const N: usize> {
    search: NrpaSearch<'g, SameGame<W, N>, GroupCodes>,
    line: usize,
    cut: usize,
    before: f64,
}

impl<'g, W: Word, const N: usize> Lines<'g, W, N> {
    pub(super) fn new(game: &'g SameGame<W, N>, board: Board<W, N>, number: u64, rng: Rng) -> Self {
        let over = board.is_over();
        Lines {
            game,
            board,
            number,
            rng,
            bound: if over { 0.0 } else { game.bound(&board) },
            best: over.then(|| Solution { value: 0.0, moves: Vec::new() }),
            cycle: Cycle::default(),
            next_cycle: FIRST_CYCLE,
            hand: None,
            counts: Counts::default(),
            budget: Budget::UNLIMITED,
            worked: Duration::ZERO,
        }
    }

    /// The best line so far.
    pub(super) fn best(&self) -> Option<&Solution<Cell>> {
        self.best.as_ref()
    }

    /// No score is higher.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    /// Whether no line can be better than the best one.
    pub(super) fn is_complete(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.value >= self.bound)
    }

    /// Whether the rollouts are used up.
    pub(super) fn is_spent(&self) -> bool {
        self.left() == 0
    }

    fn left(&self) -> u64 {
        self.budget.iterations.map_or(u64::MAX, |n| n.saturating_sub(self.counts.iterations))
    }

    /// About how many rollouts there will be; `None` if nothing is limited.
    fn expected(&self) -> Option<u64> {
        let timed = self.budget.time.map(|time| (time.as_secs_f64() * ROLLOUTS_PER_SECOND) as u64);
        [self.budget.iterations, timed].into_iter().flatten().min()
    }

    /// Which part of the budget is spent, or of the cycle if nothing is limited.
    fn spent(&self) -> f64 {
        let of = |done: f64, all: f64| if all > 0.0 { done / all } else { 1.0 };
        let done = self.counts.iterations;
        let rollouts = self.budget.iterations.map(|n| of(done as f64, n as f64));
        let time = self.budget.time.map(|t| of(self.worked.as_secs_f64(), t.as_secs_f64()));
        match (rollouts, time) {
            (None, None) => of((done - self.cycle.since) as f64, self.cycle.rollouts as f64),
            (a, b) => a.unwrap_or(0.0).max(b.unwrap_or(0.0)),
        }
    }

    /// Begins the next search: one that finds a line, or one that improves the line whose turn it is.
    fn next_search(&mut self) -> Hand<'g, W, N> {
        loop {
            if self.cycle.found < self.cycle.count {
                return self.find();
            }
            while self.cycle.turn < self.cycle.lines.len() {
                if self.spent() < self.cycle.until() {
                    return self.improve(self.cycle.turn);
                }
                self.cycle.turn += 1;
            }
            if self.cycle.round + 1 < self.cycle.rounds {
                self.cycle.weed_out();
                (self.cycle.round, self.cycle.turn) = (self.cycle.round + 1, 0);
            } else {
                let rollouts = self.expected().unwrap_or(self.next_cycle);
                self.cycle = Cycle::new(rollouts, self.counts.iterations);
                self.next_cycle = self.next_cycle.saturating_mul(2);
            }
        }
    }

    /// Finds a line by NRPA of level 3, with as many iterations as make its call fit the budget: a
    /// call that is cut short has hardly begun to learn at its highest level.
    fn find(&mut self) -> Hand<'g, W, N> {
        let n = self.cycle.found;
        self.cycle.found += 1;
        let rollouts = FINDING * self.cycle.rollouts as f64 / self.cycle.count as f64;
        let iterations = rollouts.cbrt().clamp(5.0, 150.0) as u32;
        let settings = NrpaSettings { iterations, ..settings(3) };
        let colour = COLOURS[(n % COLOURS.len() as u64) as usize] + self.number;
        let codes = GroupCodes::tabu(TABU_BIAS).first(colour);
        self.cycle.lines.push(Solution { value: f64::NEG_INFINITY, moves: Vec::new() });
        self.search(settings, codes, self.cycle.lines.len() - 1, 0)
    }

    /// Searches again from a move of the line on.
    fn improve(&mut self, line: usize) -> Hand<'g, W, N> {
        let moves = &self.cycle.lines[line].moves;
        let most = (moves.len() as f64 * CUT) as u64;
        let codes = GroupCodes::tabu(TABU_BIAS).of_colour(self.largest(moves));
        let cut = self.rng.below(most + 1) as usize;
        // With 12 iterations the mean fell by 220 points, with 45 it did not rise. A small table is
        // copied sooner, and few codes are met near a line.
        let settings = NrpaSettings { iterations: 25, table_bits: 14, ..settings(2) };
        self.search(settings, codes, line, cut)
    }

    /// The colour of the largest group of a line: the one that it has gathered.
    fn largest(&self, moves: &[Cell]) -> u8 {
        let (mut board, mut best) = (self.board, (0, 0));
        for &cell in moves {
            let group = board.group(usize::from(cell.column), W::place(u32::from(cell.row)));
            best = best.max((group.size(), board.colour(cell)));
            board.remove(&group);
        }
        best.1
    }

    /// A search from where a line stands after `cut` moves.
    fn search(
        &mut self,
        settings: NrpaSettings,
        codes: GroupCodes,
        line: usize,
        cut: usize,
    ) -> Hand<'g, W, N> {
        let moves = &self.cycle.lines[line].moves;
        let (mut board, mut before) = (self.board, 0.0);
        for &cell in &moves[..cut] {
            before += self.game.step(&mut board, cell, &mut self.rng).reward;
        }
        let nrpa = match Nrpa::new(settings, codes) {
            Ok(nrpa) => nrpa,
            Err(error) => unreachable!("the parameters are our own: {error}"),
        };
        let stream = Rng::new(self.rng.below(u64::MAX));
        let mut search = nrpa.solver(self.game, &Root::Certain(board), stream);
        if cut < moves.len() {
            search.teach(&moves[cut..], LESSONS);
        }
        Hand { search, line, cut, before }
    }

    /// What is no worse replaces the rest of the line.
    fn learn_from(&mut self, hand: &Hand<'g, W, N>) {
        let line = &mut self.cycle.lines[hand.line];
        let Some(found) = hand.search.solution() else { return };
        let value = hand.before + found.value;
        if value < line.value {
            return;
        }
        line.value = value;
        line.moves.truncate(hand.cut);
        line.moves.extend_from_slice(&found.moves);
        if self.best.as_ref().is_none_or(|best| value > best.value) {
            self.best = Some(line.clone());
        }
    }
}

fn settings(level: u32) -> NrpaSettings {
    NrpaSettings { level, starts: Some(1), longest: 1024, ..NrpaSettings::default() }
}

impl<W: Word, const N: usize> Stepped for Lines<'_, W, N> {
    /// Some rollouts of the search in hand. An iteration is a rollout.
    fn step(&mut self) -> Status {
        if self.is_complete() {
            return Status::Complete;
        }
        let begin = Instant::now();
        let mut hand = self.hand.take().unwrap_or_else(|| self.next_search());
        // Who goes on beyond the budget is not kept waiting.
        let rollouts = if self.is_spent() { SLICE } else { self.left().min(SLICE) };
        let before = hand.search.counts();
        let going = (0..rollouts).all(|_| hand.search.step() == Status::Running);
        let after = hand.search.counts();
        self.counts.iterations += after.iterations - before.iterations;
        self.counts.model_calls += after.model_calls - before.model_calls;
        self.learn_from(&hand);
        self.hand = going.then_some(hand);
        self.worked += begin.elapsed();
        if self.is_complete() { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        let held = self.hand.as_ref().map(|hand| hand.search.counts()).unwrap_or_default();
        Counts { nodes: held.nodes, bytes: held.bytes, ..self.counts }
    }

    /// With a time, phases are planned by the time that steps have taken since now.
    fn within(&mut self, budget: &Budget) {
        (self.budget, self.worked) = (*budget, Duration::ZERO);
    }
}
