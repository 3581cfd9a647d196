//! Benchmarks of described games: random playouts on each engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use patience_catalogue::{Benchmark, Measured};
use patience_model::Rng;
use patience_plan::{Cancel, Halt};
use serde::Serialize;

use crate::export::gpu_playouts;
use crate::{
    Description, Diagnostic, EngineError, Exact, GdlGame, GroundError, GroundLimits, Lifted,
    Network, Reasoner, RuleError, RuleFile, Sizes, Sliced, built_in, ground,
};

pub(crate) const BENCHMARKS: &[Benchmark] = &[
    Benchmark::own(
        "gdl/tictactoe/playouts",
        "random playouts of tic-tac-toe described in GDL, 256 side by side, one thread",
        "1/s",
        playouts,
    ),
    Benchmark::own(
        "gdl/mastermind/proof",
        "the certified optimum of Mastermind described in GDL",
        "s",
        proof,
    ),
];

/// Playouts of the fixed signature.
const FIXED: u64 = 25_600;

fn built_in_network(name: &str) -> Result<Network, String> {
    let source = built_in(name).ok_or("the game is missing")?;
    let rules = RuleFile::read(source).map_err(|error| error.to_string())?;
    ground(&rules.description, &GroundLimits::default()).map_err(|error| error.to_string())
}

fn playouts(cancel: &Cancel) -> Measured {
    let network = built_in_network("tictactoe")?;
    let tally = Sliced::new(&network).run(&mut Rng::new(1), FIXED, MOST_MOVES);
    let speed = side_by_side(&network, Duration::from_secs(1), cancel);
    Ok((speed.playouts, format!("playouts={} moves={}", tally.playouts, tally.moves)))
}

fn proof(_: &Cancel) -> Measured {
    let game = GdlGame::new(Arc::new(built_in_network("mastermind")?), "player");
    let game = game.map_err(|error| error.to_string())?;
    let begin = Instant::now();
    let mut exact = Exact::new(game, 1_000_000);
    let value = exact.value().map_err(|error| error.to_string())?;
    let seconds = begin.elapsed().as_secs_f64();
    let (beliefs, plays) = (exact.beliefs(), exact.plays());
    Ok((seconds, format!("value={value:.4} beliefs={beliefs} model_calls={plays}")))
}

/// Moves after which a playout is given up.
const MOST_MOVES: u32 = 2_000;

/// How fast an engine plays at random, one thread, seconds of processor time.
#[derive(Clone, Debug, Serialize)]
pub struct EngineSpeed {
    /// The engine: `grounded` (one position), `sliced` (256 playouts side by side on the same
    /// network), `gpu` (the same network on a GPU) or `lifted`.
    pub engine: &'static str,
    /// Playouts per second.
    pub playouts: f64,
    /// States per second.
    pub states: f64,
}

/// How fast a described game is.
#[derive(Clone, Debug, Serialize)]
pub struct GdlSpeed {
    /// The rule file.
    pub file: String,
    /// Seconds of grounding.
    pub ground_seconds: f64,
    /// The size of the network.
    pub sizes: Option<Sizes>,
    /// Why there is none.
    pub not_grounded: Option<String>,
    /// The engines.
    pub engines: Vec<EngineSpeed>,
}

/// Measures random playouts of a rule file for so long per engine, with `gpu` also on a GPU.
///
/// # Errors
/// If the file cannot be played, or there is no GPU.
pub fn speed(
    file: &str,
    span: Duration,
    gpu: bool,
    cancel: &Cancel,
) -> Result<GdlSpeed, RuleError> {
    let rules = RuleFile::open(file)?;
    rules.playable()?;
    let _halt = Halt::new(cancel, None);
    let begin = Instant::now();
    let network = ground(&rules.description, &GroundLimits::default());
    let ground_seconds = begin.elapsed().as_secs_f64();
    let wrong = |finding: &Diagnostic| RuleError::Rules(finding.render(&rules.source));
    let mut engines = Vec::new();
    let (sizes, not_grounded) = match network {
        Ok(network) => {
            let speed = one_position(&network, span, cancel);
            if speed.playouts == 0.0 && !cancel.is_cancelled() {
                let why = format!(
                    "no random match ended within {MOST_MOVES} moves, each role having one"
                );
                return Err(RuleError::Unfinished(format!("{file}: {why}")));
            }
            engines.push(speed);
            engines.push(side_by_side(&network, span, cancel));
            if gpu && !cancel.is_cancelled() {
                engines.push(on_gpu(&network, span).map_err(RuleError::Gpu)?);
            }
            (Some(network.sizes()), None)
        }
        Err(GroundError::Diagnostic(finding)) => return Err(wrong(&finding)),
        Err(stopped @ GroundError::Stopped { .. }) => {
            return Err(RuleError::Unfinished(format!("{file}: {stopped}")));
        }
        Err(reason) => (None, Some(reason.to_string())),
    };
    engines.push(lifted(&rules.description, span, cancel).map_err(|error| rules.blame(&error))?);
    Ok(GdlSpeed { file: file.to_owned(), ground_seconds, sizes, not_grounded, engines })
}

/// Counts playouts and moves over the processor time they took.
struct Meter {
    begin: Instant,
    span: Duration,
    cpu: f64,
}

impl Meter {
    fn start(span: Duration) -> Meter {
        let begin = Instant::now();
        Meter { begin, span, cpu: cpu_seconds(begin) }
    }

    fn goes_on(&self, cancel: &Cancel) -> bool {
        self.begin.elapsed() < self.span && !cancel.is_cancelled()
    }

    fn speed(&self, engine: &'static str, playouts: u64, moves: u64) -> EngineSpeed {
        let seconds = (cpu_seconds(self.begin) - self.cpu).max(1e-9);
        EngineSpeed { engine, playouts: playouts as f64 / seconds, states: moves as f64 / seconds }
    }
}

/// Seconds that this thread has had a processor, where the system tells; else the wall clock. On a
/// loaded machine only the former says how fast the code is.
fn cpu_seconds(wall: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| wall.elapsed().as_secs_f64(), |n| n / 1e9)
}

fn one_position(network: &Network, span: Duration, cancel: &Cancel) -> EngineSpeed {
    let mut rng = Rng::new(1);
    let mut position = network.position();
    let (mut playouts, mut moves) = (0, 0);
    let meter = Meter::start(span);
    while meter.goes_on(cancel) {
        position.restart(network);
        // What does not come to its end is no playout.
        let played = position.playout(network, &mut rng, MOST_MOVES);
        playouts += u64::from(played.is_ok());
        moves += u64::from(played.unwrap_or_else(|moves| moves));
    }
    meter.speed("grounded", playouts, moves)
}

fn side_by_side(network: &Network, span: Duration, cancel: &Cancel) -> EngineSpeed {
    let mut rng = Rng::new(1);
    let mut sliced = Sliced::new(network);
    let (mut playouts, mut moves) = (0, 0);
    let meter = Meter::start(span);
    while meter.goes_on(cancel) {
        let tally = sliced.run(&mut rng, 256, MOST_MOVES);
        playouts += tally.playouts;
        moves += tally.moves;
    }
    meter.speed("sliced", playouts, moves)
}

fn on_gpu(network: &Network, span: Duration) -> Result<EngineSpeed, String> {
    let played = gpu_playouts(network, span)?;
    let rate = |count: u64| count as f64 / played.seconds.max(1e-9);
    let (playouts, states) = (rate(played.playouts), rate(played.moves));
    Ok(EngineSpeed { engine: "gpu", playouts, states })
}

fn lifted(
    description: &Description,
    span: Duration,
    cancel: &Cancel,
) -> Result<EngineSpeed, EngineError> {
    let mut lifted = Lifted::new(description)?;
    let mut rng = Rng::new(1);
    let mut joint = Vec::new();
    let (mut playouts, mut moves) = (0, 0);
    let meter = Meter::start(span);
    while meter.goes_on(cancel) {
        if lifted.start().is_err() {
            break;
        }
        while meter.goes_on(cancel) && matches!(lifted.terminal(), Ok(false)) {
            let played = lifted.random_joint(&mut rng, &mut joint);
            if played.and_then(|()| lifted.play(&joint)).is_err() {
                break;
            }
            moves += 1;
        }
        playouts += u64::from(matches!(lifted.terminal(), Ok(true)));
    }
    Ok(meter.speed("lifted", playouts, moves))
}
