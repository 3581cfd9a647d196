//! The best solver: a portfolio of improved lines in each thread ([`super::lines`]).
//!
//! Threads search independently, each with its own stream and its own order of tabu colours:
//! results of single runs vary a lot, so several that differ are worth more than a faster one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use patience_model::{Game, Rng};
use patience_plan::nested::Solution;
use patience_plan::{
    Bounds, Budget, Cancel, Counts, Finding, Planner, Root, Search, Stats, Status, Stepped,
    StopReason, Verdict, drive,
};

use super::board::{Board, Cell};
use super::lines::Lines;
use super::rules::SameGame;
use super::word::Word;

/// The planner for [`PortfolioSearch`].
///
/// ```
/// use patience_games::SameGame;
/// use patience_games::samegame::{Grid, Portfolio, Scoring, solution_text, verify};
/// use patience_model::{Game, Rng};
/// use patience_plan::{Budget, Cancel, Planner, Root, Search, Stepped};
/// let grid = Grid::seeded(6, 6, 3, 1)?;
/// let game: SameGame = SameGame::on(&grid, Scoring::STANDARD)?;
/// let mut rng = Rng::new(1);
/// let root = Root::Certain(game.start(&mut rng));
/// let mut search = Portfolio::default().search(&game, root, rng);
/// search.run(&Budget::iterations(500), &Cancel::new());
/// let found = search.finding();
/// let verified = verify(&grid, Scoring::STANDARD, &solution_text(&found.moves))?;
/// assert_eq!(Some(verified.score), found.value);
/// # Ok::<(), patience_games::samegame::SameGameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portfolio {
    /// Threads; the result depends on how many there are, but not on which is faster, unless time
    /// ends the search.
    pub threads: usize,
}

impl Default for Portfolio {
    fn default() -> Self {
        Portfolio { threads: 1 }
    }
}

impl<W: Word, const N: usize> Planner<SameGame<W, N>> for Portfolio {
    fn search<'g>(
        &self,
        game: &'g SameGame<W, N>,
        root: Root<SameGame<W, N>>,
        mut rng: Rng,
    ) -> Box<dyn Search<SameGame<W, N>> + 'g> {
        let board = root.sample(game, &mut rng);
        Box::new(PortfolioSearch::new(game, board, *self, rng))
    }

    fn ends(&self) -> bool {
        false
    }
}

/// Looks for the best score from a board.
///
/// Guarantees: anytime; [`Verdict::Optimal`] is a proof, by the bound of [`SameGame::bound`], but one
/// that few boards allow. An iteration is a rollout. What may be spent is divided evenly among the
/// threads, but each has all of the time. With a limit on rollouts alone the result depends on the
/// stream and the number of threads only: then each thread uses up its share, unless its own line
/// cannot be beaten. Otherwise the first such line ends the search.
#[derive(Debug)]
pub struct PortfolioSearch<'g, W: Word, const N: usize> {
    /// The first legal move: better than none before the first rollout.
    first: Option<Cell>,
    /// One for each thread.
    threads: Vec<Lines<'g, W, N>>,
    budget: Budget,
}

impl<'g, W: Word, const N: usize> PortfolioSearch<'g, W, N> {
    /// A search from a board. A key is drawn from `rng`, and thread n, from 0, has the stream
    /// `Rng::numbered(key, n)`.
    pub fn new(
        game: &'g SameGame<W, N>,
        board: Board<W, N>,
        settings: Portfolio,
        mut rng: Rng,
    ) -> Self {
        let key = rng.next_u64();
        let lines = |n| Lines::new(game, board, n, Rng::numbered(key, n));
        let threads = (0..settings.threads.max(1) as u64).map(lines).collect();
        let mut legal = Vec::new();
        game.actions(&board, &mut legal);
        PortfolioSearch { first: legal.first().copied(), threads, budget: Budget::UNLIMITED }
    }

    /// The best line so far.
    fn line(&self) -> Option<&Solution<Cell>> {
        best_of(self.threads.iter().filter_map(Lines::best))
    }
}

/// The best of some lines. Of equal ones the first in order, so that threads cannot race for it.
fn best_of<'a>(lines: impl Iterator<Item = &'a Solution<Cell>>) -> Option<&'a Solution<Cell>> {
    lines.max_by(|a, b| a.value.total_cmp(&b.value).then_with(|| b.moves.cmp(&a.moves)))
}

/// What one of several threads may spend.
fn share(budget: &Budget, number: usize, threads: usize) -> Budget {
    let (number, threads) = (number as u64, threads as u64);
    let part = |all: Option<u64>| all.map(|n| n / threads + u64::from(number < n % threads));
    Budget {
        iterations: part(budget.iterations),
        model_calls: part(budget.model_calls),
        memory: part(budget.memory),
        time: budget.time,
    }
}

/// The lines of one thread, which end when those of another cannot be beaten, if that counts.
struct Member<'a, 'g, W: Word, const N: usize> {
    lines: &'a mut Lines<'g, W, N>,
    unbeaten: Option<&'a AtomicBool>,
}

impl<W: Word, const N: usize> Stepped for Member<'_, '_, W, N> {
    fn step(&mut self) -> Status {
        let Some(unbeaten) = self.unbeaten else { return self.lines.step() };
        if !unbeaten.load(Ordering::Relaxed) && self.lines.step() == Status::Complete {
            unbeaten.store(true, Ordering::Relaxed);
        }
        if unbeaten.load(Ordering::Relaxed) { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        self.lines.counts()
    }
}

impl<W: Word, const N: usize> Stepped for PortfolioSearch<'_, W, N> {
    /// Some rollouts of each thread's search in hand, without threads.
    fn step(&mut self) -> Status {
        // Some get further in a step than others: those wait once they have had their share.
        let spent = self.threads.iter().all(Lines::is_spent);
        for lines in self.threads.iter_mut().filter(|lines| spent || !lines.is_spent()) {
            lines.step();
        }
        let waits = |lines: &Lines<'_, W, N>| lines.is_complete() || lines.is_spent();
        let over = self.budget.iterations.is_none() || self.threads.iter().all(waits);
        let complete = over && self.threads.iter().any(Lines::is_complete);
        if complete { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        self.threads.iter().map(Stepped::counts).fold(Counts::default(), |all, own| Counts {
            iterations: all.iterations + own.iterations,
            model_calls: all.model_calls + own.model_calls,
            nodes: all.nodes + own.nodes,
            bytes: all.bytes + own.bytes,
        })
    }

    fn within(&mut self, budget: &Budget) {
        self.budget = *budget;
        let threads = self.threads.len();
        for (number, lines) in self.threads.iter_mut().enumerate() {
            lines.within(&share(budget, number, threads));
        }
    }

    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        let begin = Instant::now();
        let threads = self.threads.len();
        let unbeaten = AtomicBool::new(false);
        let queue = Mutex::new(self.threads.iter_mut().enumerate());
        let stops = Mutex::new(Vec::new());
        let work = || {
            // Nothing is left half-done under these locks.
            let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((number, lines)) = next() {
                let time = budget.time.map(|time| time.saturating_sub(begin.elapsed()));
                let share = Budget { time, ..share(budget, number, threads) };
                let unbeaten = budget.iterations.is_none().then_some(&unbeaten);
                let stats = drive(&mut Member { lines, unbeaten }, &share, cancel);
                stops.lock().unwrap_or_else(PoisonError::into_inner).extend(stats.stop);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // A system that allows fewer threads gets fewer: they take turns.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let stops: Vec<StopReason> = stops.into_inner().unwrap_or_else(PoisonError::into_inner);
        let seconds = begin.elapsed().as_secs_f64();
        let stop = stop_of(&stops, budget.iterations.is_some());
        Stats { counts: self.counts(), seconds, stop: Some(stop) }
    }
}

/// Why all have stopped. Where rollouts are limited, a thread that was interrupted has not had its
/// share, so that the search is not complete before it has.
fn stop_of(stops: &[StopReason], limited: bool) -> StopReason {
    use StopReason::{Cancelled, Complete, Iterations, Memory, ModelCalls, Time};
    let interrupted = [Cancelled, Time, Memory, ModelCalls];
    let interrupted = interrupted.into_iter().find(|reason| stops.contains(reason));
    let complete = stops.contains(&Complete).then_some(Complete);
    let stop = if limited { interrupted.or(complete) } else { complete.or(interrupted) };
    stop.unwrap_or(Iterations)
}

impl<W: Word, const N: usize> Search<SameGame<W, N>> for PortfolioSearch<'_, W, N> {
    fn best(&self) -> Option<Cell> {
        self.line().map_or(self.first, |line| line.moves.first().copied())
    }

    fn finding(&self) -> Finding<Cell> {
        let bound = self.threads[0].bound();
        let upper = Some(bound);
        let Some(Solution { value, moves }) = self.line() else {
            return Finding { bounds: Bounds { lower: None, upper }, ..Finding::default() };
        };
        Finding {
            verdict: if *value >= bound { Verdict::Optimal } else { Verdict::Solved },
            moves: moves.clone(),
            value: Some(*value),
            bounds: Bounds { lower: Some(*value), upper },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samegame::{Grid, Scoring};

    /// Each thread has a stream of its own, by its number, and nothing else of it depends on others.
    #[test]
    fn every_thread_has_its_own_stream() {
        let grid = Grid::seeded(10, 10, 4, 3).unwrap();
        let game: SameGame = SameGame::on(&grid, Scoring::STANDARD).unwrap();
        let board = game.start(&mut Rng::new(0));
        let key = Rng::new(4).next_u64();
        let settings = Portfolio { threads: 3 };
        let mut search = PortfolioSearch::new(&game, board, settings, Rng::new(4));
        search.within(&Budget::iterations(900));
        search.drive(&Budget::iterations(900), &Cancel::new());
        let of = |lines: &Lines<'_, _, _>| (lines.best().cloned(), lines.counts());
        let alone = |number, stream| {
            let mut lines = Lines::new(&game, board, number, Rng::numbered(key, stream));
            lines.within(&Budget::iterations(300));
            drive(&mut lines, &Budget::iterations(300), &Cancel::new());
            of(&lines)
        };
        for (number, lines) in search.threads.iter().enumerate() {
            let number = number as u64;
            assert_eq!(of(lines), alone(number, number), "thread {number}");
            for other in (0..3).filter(|other| *other != number) {
                assert_ne!(of(lines), alone(number, other), "thread {number}, stream {other}");
            }
        }
    }

    /// Whichever thread comes first, the same line is the best.
    #[test]
    fn ties_go_to_the_line_that_is_first_in_order() {
        let cell = |column, row| Cell { column, row };
        let line = |value, moves: &[Cell]| Solution { value, moves: moves.to_vec() };
        let (a, b) = (line(7.0, &[cell(0, 1), cell(2, 2)]), line(7.0, &[cell(0, 2)]));
        let (less, more) = (line(6.0, &[cell(0, 0)]), line(8.0, &[cell(3, 3)]));
        for lines in [[&a, &b, &less], [&b, &less, &a], [&less, &a, &b], [&b, &a, &less]] {
            assert_eq!(best_of(lines.into_iter()), Some(&a));
            assert_eq!(best_of(lines.into_iter().chain([&more])), Some(&more));
        }
        assert_eq!(best_of(std::iter::empty()), None);
    }
}
