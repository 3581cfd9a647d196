//! Benchmarks of SameGame: rollouts of each policy, nested search, NRPA and the beam.

use std::time::{Duration, Instant};

use patience_catalogue::{Benchmark, Measured, Work};
use patience_model::{Game, Rng};
use patience_plan::beam::{Beam, BeamSettings, Sampled};
use patience_plan::nested::BasePolicy;
use patience_plan::{Budget, Cancel, Root, Stepped};

use super::{Grid, RandomPolicy, SameGame, Scoring, TabuBandit, TabuColor, Word};

/// Repetitions go on until they took so long together.
const LONG_ENOUGH: Duration = Duration::from_millis(1500);

pub(super) const BENCHMARKS: &[Benchmark] = &[
    rollouts("samegame/rollouts/random", |cancel| small(&RandomPolicy, cancel)),
    rollouts("samegame/rollouts/tabu", |cancel| small(&TabuColor, cancel)),
    rollouts("samegame/rollouts/informed", |cancel| small(&TabuBandit::default(), cancel)),
    rollouts("samegame/rollouts/random-20x20x10", |cancel| {
        let game = SameGame::<u128, 32>::new(20, 20, 10, Scoring::default());
        measure(&game.map_err(|error| error.to_string())?, &RandomPolicy, cancel)
    }),
    Benchmark {
        name: "samegame/nmcts/40k",
        what: "informed rollouts of nested search of level 2, one thread",
        unit: "1/s",
        work: Work::Speed {
            game: "samegame",
            planner: "nmcts(iterations=250/1000, c=0.1/0, scale=3000, policy=informed)",
            iterations: 40_000,
        },
    },
    Benchmark {
        name: "samegame/nrpa/20k",
        what: "playouts of NRPA, adaptations included, one thread",
        unit: "1/s",
        work: Work::Speed {
            game: "samegame",
            planner: "nrpa(coding=plain, starts=inf)",
            iterations: 20_000,
        },
    },
    Benchmark::own(
        "samegame/beam/width-100",
        "children judged by a rollout each, one thread",
        "1/s",
        beam,
    ),
];

const fn rollouts(name: &'static str, measure: fn(&Cancel) -> Measured) -> Benchmark {
    Benchmark::own(name, "rollouts from the start of 20 boards, one thread", "1/s", measure)
}

fn small<P: BasePolicy<SameGame>>(policy: &P, cancel: &Cancel) -> Measured {
    let game = SameGame::new(15, 15, 5, Scoring::default());
    measure(&game.map_err(|error| error.to_string())?, policy, cancel)
}

/// Rollouts of each board in a pass.
const ROLLOUTS: u64 = 200;

/// The best of several passes over 20 boards. The signature is that of the first.
fn measure<W: Word, const N: usize, P: BasePolicy<SameGame<W, N>>>(
    game: &SameGame<W, N>,
    policy: &P,
    cancel: &Cancel,
) -> Measured {
    let boards: Vec<_> =
        (0..20).map(|seed| game.start(&mut Rng::named(seed, &["bench"]))).collect();
    let pass = || {
        let mut rng = Rng::named(1, &["bench", "rollouts"]);
        let (mut moves, mut length, mut score) = (Vec::new(), 0, 0.0);
        let begin = Instant::now();
        for board in &boards {
            let mut memory = policy.begin(game, board);
            for _ in 0..ROLLOUTS {
                moves.clear();
                let value = policy.play(&mut memory, game, *board, &mut rng, &mut moves);
                policy.learn(&mut memory, value);
                score += value;
                length += moves.len();
            }
        }
        (begin.elapsed(), length, score)
    };
    let count = ROLLOUTS * boards.len() as u64;
    let (mut best, length, score) = pass();
    let begin = Instant::now();
    while !cancel.is_cancelled() && begin.elapsed() < LONG_ENOUGH {
        best = best.min(pass().0);
    }
    Ok((rate(count, best), format!("rollouts={count} moves={length} score={score}")))
}

fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}

fn beam(cancel: &Cancel) -> Measured {
    let fault = |error: &dyn std::fmt::Display| error.to_string();
    let grid = Grid::seeded(15, 15, 5, 1).map_err(|error| fault(&error))?;
    let game: SameGame = SameGame::on(&grid, Scoring::default()).map_err(|error| fault(&error))?;
    let board = game.board(&grid).map_err(|error| fault(&error))?;
    let settings = BeamSettings { runs: Some(1), ..BeamSettings::default() };
    let judge = Sampled { policy: TabuColor, rollouts: 1 };
    let beam = Beam::new(settings, judge).map_err(|error| fault(&error))?;
    let mut best: Option<(f64, String)> = None;
    let begin = Instant::now();
    while best.is_none() || (!cancel.is_cancelled() && begin.elapsed() < LONG_ENOUGH) {
        let mut search = beam.solver(&game, &Root::Certain(board), Rng::new(1));
        let stats = search.run(&Budget::UNLIMITED, cancel);
        // Every child is stepped to once, and every member of a layer once more.
        let children = stats.counts.model_calls - stats.counts.nodes;
        let rate = children as f64 / stats.seconds.max(1e-9);
        let signature = format!("children={children} states={}", stats.counts.iterations);
        best = Some(match best {
            Some((old, signature)) => (old.max(rate), signature),
            None => (rate, signature),
        });
    }
    best.ok_or_else(|| "no run".to_owned())
}
