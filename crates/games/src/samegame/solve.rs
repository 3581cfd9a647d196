//! The best solver: a portfolio of improved lines in each thread ([`super::portfolio`]).
//!
//! Threads search independently, each with its own stream and its own order of tabu colours:
//! results of single runs vary a lot, so several that differ are worth more than a faster one.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use patience_model::{Game, Rng};
use patience_plan::nested::Solution;
use patience_plan::{Cancel, Search, Status, StopReason};

use super::board::Cell;
use super::grid::Grid;
use super::portfolio::Portfolio;
use super::rules::{LargeSameGame, SameGame};
use super::word::Word;
use super::{SameGameError, Scoring};

/// How long and how to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveOptions {
    /// Rollouts of each thread; `None`: no limit. With a limit on rollouts alone the result depends
    /// on the number of threads, but not on the machine.
    pub rollouts: Option<u64>,
    /// Wall-clock time; `None`: no limit.
    pub time: Option<Duration>,
    /// Threads; `None`: one per core, or a single one if rollouts are limited.
    pub threads: Option<NonZeroUsize>,
    /// The seed of all randomness.
    pub seed: u64,
}

impl Default for SolveOptions {
    fn default() -> Self {
        let time = Some(Duration::from_secs(10));
        SolveOptions { rollouts: None, time, threads: None, seed: 1 }
    }
}

impl SolveOptions {
    /// How many threads are meant. Who counts rollouts wants the same result everywhere, so the
    /// machine's cores do not decide then.
    fn threads(&self) -> NonZeroUsize {
        match (self.threads, self.rollouts) {
            (Some(threads), _) => threads,
            (None, Some(_)) => NonZeroUsize::MIN,
            (None, None) => thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The best score.
    pub score: f64,
    /// Whether its solution clears the board.
    pub cleared: bool,
    /// Its moves.
    pub solution: Vec<Cell>,
    /// Rollouts of all threads.
    pub rollouts: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Why the search ended.
    pub stop: StopReason,
}

/// What is known while the search runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveProgress {
    /// The best score so far, once there is one.
    pub score: Option<f64>,
    /// Rollouts of all threads.
    pub rollouts: u64,
    /// Wall-clock seconds so far.
    pub seconds: f64,
}

/// Solves a board as well as the budget allows; `watch` is called about ten times a second. Ends
/// when the budget is spent, when `cancel` is raised, or when no score can be higher.
///
/// ```
/// use patience_games::samegame::{Grid, Scoring, SolveOptions, solve, solution_text, verify};
/// use patience_plan::Cancel;
/// let grid = Grid::seeded(6, 6, 3, 1)?;
/// let options = SolveOptions { rollouts: Some(500), time: None, ..SolveOptions::default() };
/// let solved = solve(&grid, Scoring::STANDARD, &options, &Cancel::new(), &mut |_| ())?;
/// let verified = verify(&grid, Scoring::STANDARD, &solution_text(&solved.solution))?;
/// assert_eq!(verified.score, solved.score);
/// # Ok::<(), patience_games::samegame::SameGameError>(())
/// ```
///
/// # Errors
/// If the board does not fit the engine.
pub fn solve(
    grid: &Grid,
    scoring: Scoring,
    options: &SolveOptions,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&SolveProgress),
) -> Result<Solved, SameGameError> {
    if SameGame::<u64, 16>::fits(grid.columns().len().max(1), grid.height().max(1)) {
        let game: SameGame = SameGame::on(grid, scoring)?;
        Ok(solve_on(&game, grid, options, cancel, watch))
    } else {
        Ok(solve_on(&LargeSameGame::on(grid, scoring)?, grid, options, cancel, watch))
    }
}

/// Rollouts between two looks at the clock, the flag and the other threads.
const SLICE: u64 = 100;

/// What threads tell each other.
struct Shared {
    best: Option<Solution<Cell>>,
    rollouts: u64,
    running: usize,
    stop: Option<StopReason>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    // Nothing is left half-done under this lock.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn solve_on<W: Word, const N: usize>(
    game: &SameGame<W, N>,
    grid: &Grid,
    options: &SolveOptions,
    cancel: &Cancel,
    watch: &mut dyn FnMut(&SolveProgress),
) -> Solved {
    let begin = Instant::now();
    let threads = options.threads().get();
    let shared = Mutex::new(Shared { best: None, rollouts: 0, running: threads, stop: None });
    let ended = Condvar::new();
    let search = |number: usize| {
        let stop = work(game, grid, options, number as u64, begin, cancel, &shared);
        let mut shared = lock(&shared);
        shared.running -= 1;
        // One that saw that nothing can be better says more than one whose time was up.
        if shared.stop != Some(StopReason::Complete) {
            shared.stop = Some(stop);
        }
        ended.notify_all();
    };
    thread::scope(|scope| {
        let search = &search;
        let start = |&number: &usize| {
            let goes_on = number == 0 || !cancel.is_cancelled();
            goes_on && thread::Builder::new().spawn_scoped(scope, move || search(number)).is_ok()
        };
        // A system that allows fewer threads gets fewer.
        let started = (0..threads).take_while(start).count();
        lock(&shared).running -= threads - started.max(1);
        if started == 0 {
            search(0);
        }
        let mut state = lock(&shared);
        while state.running > 0 {
            let pause = Duration::from_millis(100);
            let waited = ended.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            let progress = SolveProgress {
                score: state.best.as_ref().map(|best| best.value),
                rollouts: state.rollouts,
                seconds: begin.elapsed().as_secs_f64(),
            };
            drop(state);
            watch(&progress);
            state = lock(&shared);
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (score, solution) = shared.best.map_or((0.0, Vec::new()), |best| (best.value, best.moves));
    let mut left = grid.clone();
    for &cell in &solution {
        left.play(cell);
    }
    Solved {
        score,
        cleared: left.columns().is_empty(),
        solution,
        rollouts: shared.rollouts,
        seconds: begin.elapsed().as_secs_f64(),
        stop: shared.stop.unwrap_or(StopReason::Complete),
    }
}

/// One thread's search.
fn work<W: Word, const N: usize>(
    game: &SameGame<W, N>,
    grid: &Grid,
    options: &SolveOptions,
    number: u64,
    begin: Instant,
    cancel: &Cancel,
    shared: &Mutex<Shared>,
) -> StopReason {
    let rng = Rng::named(options.seed, &["samegame", "solve", &number.to_string()]);
    let Ok(board) = game.board(grid) else { return StopReason::Complete };
    if board.is_over() {
        return StopReason::Complete;
    }
    let bound = game.bound(&board);
    let told = f64::NEG_INFINITY;
    let pace =
        Pace { options, begin, cancel, shared, bound, told, rollouts: 0, since: 0, cycle: 0 };
    Portfolio::new(game, board, number, rng, pace).run()
}

/// What is spent and what was found, by one thread.
pub(super) struct Pace<'a> {
    options: &'a SolveOptions,
    begin: Instant,
    cancel: &'a Cancel,
    shared: &'a Mutex<Shared>,
    bound: f64,
    told: f64,
    rollouts: u64,
    /// Rollouts before the cycle in hand, and how many it has; only if nothing is limited.
    since: u64,
    cycle: u64,
}

impl Pace<'_> {
    /// About how many rollouts there will be; `None` if nothing is limited.
    pub(super) fn budget(&self) -> Option<u64> {
        let timed = self.options.time.map(|time| (time.as_secs_f64() * ROLLOUTS_PER_SECOND) as u64);
        [self.options.rollouts, timed].into_iter().flatten().min()
    }

    /// Begins a cycle of about so many rollouts.
    pub(super) fn begin_cycle(&mut self, rollouts: u64) {
        (self.since, self.cycle) = (self.rollouts, rollouts.max(1));
    }

    /// Which part of the budget is spent, or of the cycle if nothing is limited.
    pub(super) fn spent(&self) -> f64 {
        let of = |done: f64, all: f64| if all > 0.0 { done / all } else { 1.0 };
        let rollouts = self.options.rollouts.map(|n| of(self.rollouts as f64, n as f64));
        let time = self.options.time;
        let time = time.map(|t| of(self.begin.elapsed().as_secs_f64(), t.as_secs_f64()));
        match (rollouts, time) {
            (None, None) => of((self.rollouts - self.since) as f64, self.cycle as f64),
            (a, b) => a.unwrap_or(0.0).max(b.unwrap_or(0.0)),
        }
    }

    /// Steps a search for a while, not beyond the end of the budget. Gives why all must stop, if it
    /// must.
    pub(super) fn step<G: Game>(
        &mut self,
        search: &mut impl Search<G>,
        complete: &mut bool,
    ) -> Option<StopReason> {
        if self.cancel.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        if self.options.time.is_some_and(|time| self.begin.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        let left = self.options.rollouts.map_or(SLICE, |n| n - self.rollouts).min(SLICE);
        if left == 0 {
            return Some(StopReason::Iterations);
        }
        let before = search.counts().iterations;
        while !*complete && search.counts().iterations < before + left {
            *complete = search.step() == Status::Complete;
        }
        let played = search.counts().iterations - before;
        self.rollouts += played;
        lock(self.shared).rollouts += played;
        None
    }

    /// Tells the others of a line. Gives whether none can be better.
    pub(super) fn tell(&mut self, value: f64, moves: impl FnOnce() -> Vec<Cell>) -> bool {
        if value > self.told {
            self.told = value;
            let found = Solution { value, moves: moves() };
            let mut shared = lock(self.shared);
            if shared.best.as_ref().is_none_or(|best| better(&found, best)) {
                shared.best = Some(found);
            }
        }
        // Only by its own solution: what others find must not decide how far this thread goes.
        self.told >= self.bound
    }
}

/// What a thread does in a second, in round numbers, where only the time is known.
const ROLLOUTS_PER_SECOND: f64 = 100_000.0;

/// Of equal solutions the one that comes first in order, so that threads cannot race for it.
fn better(a: &Solution<Cell>, b: &Solution<Cell>) -> bool {
    a.value > b.value || a.value == b.value && a.moves < b.moves
}
