//! Lines that are found by NRPA, improved by searching again from the middle of them, and weeded out.
//!
//! A line that NRPA has settled on is improved by cutting it at a random move and searching anew from
//! there, with a policy that was moved a little towards the rest of the line: a search near what is
//! known. What is as good or better takes its place. How far that leads depends on the line, so a few
//! are made, with different tabu colours, and the worse half is dropped from time to time. The
//! numbers were tried on boards of own seeds, except how many lines there are: there three lines were
//! ahead of one by 112 ± 65 points (standard error, 22 boards, 1.5 s), and what stands here is a middle.

use patience_model::{Game, Rng};
use patience_plan::nrpa::{Nrpa, NrpaSettings};
use patience_plan::{Root, StopReason};

use super::board::{Board, Cell};
use super::codes::GroupCodes;
use super::rules::SameGame;
use super::solve::Pace;
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

/// A way to the end of the game.
struct Line {
    value: f64,
    moves: Vec<Cell>,
}

/// The lines of one thread.
pub(super) struct Portfolio<'g, 'p, W: Word, const N: usize> {
    game: &'g SameGame<W, N>,
    board: Board<W, N>,
    /// The thread's number, by which tabu colours are ordered.
    number: u64,
    rng: Rng,
    pace: Pace<'p>,
}

/// Everything stops, for this reason.
struct Stop(StopReason);

impl<'g, 'p, W: Word, const N: usize> Portfolio<'g, 'p, W, N> {
    pub(super) fn new(
        game: &'g SameGame<W, N>,
        board: Board<W, N>,
        number: u64,
        rng: Rng,
        pace: Pace<'p>,
    ) -> Self {
        Portfolio { game, board, number, rng, pace }
    }

    /// Searches until the budget is spent, nothing can be better, or somebody cancels.
    pub(super) fn run(mut self) -> StopReason {
        let mut cycle = FIRST_CYCLE;
        loop {
            let budget = self.pace.budget().unwrap_or(cycle);
            self.pace.begin_cycle(budget);
            if let Err(Stop(reason)) = self.cycle(budget) {
                return reason;
            }
            cycle = cycle.saturating_mul(2);
        }
    }

    fn cycle(&mut self, budget: u64) -> Result<(), Stop> {
        let count = (budget / PER_LINE).clamp(1, MOST_LINES);
        let share = FINDING * budget as f64 / count as f64;
        let mut lines = Vec::new();
        for n in 0..count {
            lines.push(self.find(n, share)?);
        }
        // Rounds in which the better half goes on, until there are two or one.
        let rounds = count.ilog2().max(1);
        for round in 0..rounds {
            let (from, all) = (f64::from(round) / f64::from(rounds), lines.len() as f64);
            for (n, line) in lines.iter_mut().enumerate() {
                let part = from + (n as f64 + 1.0) / all / f64::from(rounds);
                while self.pace.spent() < FINDING + (1.0 - FINDING) * part {
                    self.improve(line)?;
                }
            }
            lines.sort_by(|a, b| b.value.total_cmp(&a.value));
            lines.truncate(lines.len().div_ceil(2));
        }
        Ok(())
    }

    /// Finds a line by NRPA of level 3, with as many iterations as make its call fit the budget: a
    /// call that is cut short has hardly begun to learn at its highest level.
    fn find(&mut self, n: u64, rollouts: f64) -> Result<Line, Stop> {
        let iterations = rollouts.cbrt().clamp(5.0, 150.0) as u32;
        let settings = NrpaSettings { iterations, ..settings(3) };
        let colour = COLOURS[(n % COLOURS.len() as u64) as usize] + self.number;
        let codes = GroupCodes::tabu(TABU_BIAS).first(colour);
        let mut line = Line { value: f64::NEG_INFINITY, moves: Vec::new() };
        self.search(settings, codes, &mut line, 0)?;
        Ok(line)
    }

    /// Searches again from a move of the line on.
    fn improve(&mut self, line: &mut Line) -> Result<(), Stop> {
        let most = (line.moves.len() as f64 * CUT) as u64;
        let cut = self.rng.below(most + 1) as usize;
        let codes = GroupCodes::tabu(TABU_BIAS).of_colour(self.largest(&line.moves));
        // With 12 iterations the mean fell by 220 points, with 45 it did not rise. A small table is
        // copied sooner, and few codes are met near a line.
        let settings = NrpaSettings { iterations: 25, table_bits: 14, ..settings(2) };
        self.search(settings, codes, line, cut)
    }

    /// The colour of the largest group of a line: the one that it has gathered.
    fn largest(&mut self, moves: &[Cell]) -> u8 {
        let (mut board, mut best) = (self.board, (0, 0));
        for &cell in moves {
            let group = board.group(usize::from(cell.column), W::place(u32::from(cell.row)));
            best = best.max((group.size(), board.colour(cell)));
            board.remove(&group);
        }
        best.1
    }

    /// A whole search from where a line stands after `cut` moves; what is no worse replaces the rest.
    fn search(
        &mut self,
        settings: NrpaSettings,
        codes: GroupCodes,
        line: &mut Line,
        cut: usize,
    ) -> Result<(), Stop> {
        let (mut board, mut before) = (self.board, 0.0);
        for &cell in &line.moves[..cut] {
            before += self.game.step(&mut board, cell, &mut self.rng).reward;
        }
        // The parameters are our own: they are not refused.
        let Ok(nrpa) = Nrpa::new(settings, codes) else { return Err(Stop(StopReason::Complete)) };
        let stream = Rng::new(self.rng.below(u64::MAX));
        let mut search = nrpa.solver(self.game, &Root::Certain(board), stream);
        if cut < line.moves.len() {
            search.teach(&line.moves[cut..], LESSONS);
        }
        let mut complete = false;
        while !complete {
            let stop = self.pace.step(&mut search, &mut complete);
            if let Some(found) = search.solution()
                && before + found.value >= line.value
            {
                line.value = before + found.value;
                line.moves.truncate(cut);
                line.moves.extend_from_slice(&found.moves);
                if self.pace.tell(line.value, || line.moves.clone()) {
                    return Err(Stop(StopReason::Complete));
                }
            }
            if let Some(reason) = stop {
                return Err(Stop(reason));
            }
        }
        Ok(())
    }
}

fn settings(level: u32) -> NrpaSettings {
    NrpaSettings { level, starts: Some(1), longest: 1024, ..NrpaSettings::default() }
}
