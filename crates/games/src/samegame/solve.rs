//! The best solver: NRPA with a bias against the tabu colour, one search per thread.
//!
//! Threads search independently, each with its own stream and its own order of tabu colours:
//! results of single runs vary a lot, so several that differ are worth more than a faster one.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use patience_model::Rng;
use patience_plan::nested::{Solution, Solver};
use patience_plan::nrpa::{Nrpa, NrpaSettings};
use patience_plan::{Cancel, Root, Search, Status, StopReason};

use super::board::Cell;
use super::codes::GroupCodes;
use super::grid::Grid;
use super::rules::{LargeSameGame, SameGame};
use super::word::Word;
use super::{SameGameError, Scoring};

/// How long and how to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveOptions {
    /// Rollouts of each thread; `None`: no limit. With a limit on rollouts alone the result does
    /// not depend on the machine.
    pub rollouts: Option<u64>,
    /// Wall-clock time; `None`: no limit.
    pub time: Option<Duration>,
    /// Threads; `None`: one per core.
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

/// A move of the tabu colour is played e⁵ times more rarely at first. Found, like level 3, on
/// boards of own seeds: without it the mean falls by several hundred points.
pub const TABU_BIAS: f32 = -5.0;

/// What a thread does in a second, in round numbers, where only the time is known.
const ROLLOUTS_PER_SECOND: f64 = 40_000.0;

/// Level 3 with as many iterations as make its call fit the budget: a call that is cut short has
/// hardly begun to learn at its highest level.
fn settings(options: &SolveOptions) -> NrpaSettings {
    let timed = options.time.map(|time| time.as_secs_f64() * ROLLOUTS_PER_SECOND);
    let rollouts = options.rollouts.map_or(f64::INFINITY, |n| n as f64);
    let budget = rollouts.min(timed.unwrap_or(f64::INFINITY));
    let iterations = budget.cbrt().clamp(10.0, 150.0) as u32;
    NrpaSettings { level: 3, iterations, longest: 1024, ..NrpaSettings::default() }
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
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = options.threads.unwrap_or_else(cores).get();
    let shared = Mutex::new(Shared { best: None, rollouts: 0, running: threads, stop: None });
    let ended = Condvar::new();
    thread::scope(|scope| {
        for number in 0..threads {
            let (shared, ended) = (&shared, &ended);
            scope.spawn(move || {
                let stop = work(game, grid, options, number as u64, begin, cancel, shared);
                let mut shared = lock(shared);
                shared.running -= 1;
                // One that saw that nothing can be better says more than one whose time was up.
                if shared.stop != Some(StopReason::Complete) {
                    shared.stop = Some(stop);
                }
                ended.notify_all();
            });
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
    let bound = game.bound(&board);
    let Ok(nrpa) = Nrpa::new(settings(options), GroupCodes::tabu(TABU_BIAS).first(number)) else {
        return StopReason::Complete;
    };
    let mut search = nrpa.solver(game, &Root::Certain(board), rng);
    let mut told = f64::NEG_INFINITY;
    loop {
        if cancel.is_cancelled() {
            return StopReason::Cancelled;
        }
        if options.time.is_some_and(|time| begin.elapsed() >= time) {
            return StopReason::Time;
        }
        let before = search.counts().iterations;
        let goal = options.rollouts.map_or(before + SLICE, |n| n.min(before + SLICE));
        if before >= goal {
            return StopReason::Iterations;
        }
        while search.counts().iterations < goal && search.step() == Status::Running {}
        let mut shared = lock(shared);
        shared.rollouts += search.counts().iterations - before;
        if let Some(found) = search.solution().filter(|found| found.value > told) {
            told = found.value;
            if shared.best.as_ref().is_none_or(|best| better(found, best)) {
                shared.best = Some(found.clone());
            }
        }
        // Only by its own solution: what others find must not decide how far this thread goes.
        if told >= bound || board.is_over() {
            return StopReason::Complete;
        }
    }
}

/// Of equal solutions the one that comes first in order, so that threads cannot race for it.
fn better(a: &Solution<Cell>, b: &Solution<Cell>) -> bool {
    a.value > b.value || a.value == b.value && a.moves < b.moves
}
