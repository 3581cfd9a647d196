//! Games played with hidden cards: `klondike_play PLANNER FIRST LAST ITERATIONS [TREES] [WIDTH]`,
//! where PLANNER is `uct` (random playouts, the paper's) or `best` (the solver at the leaf).

use std::time::Instant;

use patience_games::klondike::{Deal, Klondike, Rules, SolverLeaf, UniformPlay};
use patience_model::{Game, Hidden, Rng};
use patience_plan::uct::{Rollout, Selection, Settings, Uct};
use patience_plan::{Budget, Cancel, Guess, Planner, Root, Search};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: u64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(default);
    let real =
        |i: usize, default: f64| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(default);
    let best = words.first().is_some_and(|word| word == "best");
    let (first, last, iterations) = (number(1, 1), number(2, 100), number(3, 100));
    let (trees, width) = (number(4, 1) as u32, number(5, 0) as u32);
    let (c, unknown, nodes) =
        (real(6, if best { 0.5 } else { 1.0 }), real(7, 0.2), number(8, 1000));
    let game = Klondike::new(Rules::default()).expect("these rules are covered");
    let settings = Settings {
        trajectories: Some(iterations),
        trees,
        width: (width > 0).then_some(width),
        selection: Selection::Ucb1 { c },
        ..Settings::default()
    };
    let rollout = Rollout { policy: UniformPlay, limit: 10_000 };
    let leaf = SolverLeaf::new(nodes, unknown).expect("the leaf is fine");
    let planner: Box<dyn Planner<Klondike>> = if best {
        Box::new(Uct::<_>::new(settings, leaf).expect("the settings are fine"))
    } else {
        Box::new(Uct::<_>::new(settings, rollout).expect("the settings are fine"))
    };
    let begin = Instant::now();
    let (mut won, mut decisions, mut actions) = (0u64, 0u64, Vec::new());
    for seed in first..=last {
        let mut state = game.deal(&Deal::seeded(game.rules(), seed)).expect("a deal");
        let mut search: Option<Box<dyn Search<Klondike> + '_>> = None;
        for number in 0u64.. {
            game.actions(&state, &mut actions);
            let action = match actions[..] {
                [] => break,
                [only] => only,
                _ => {
                    decisions += 1;
                    let root = || {
                        if best {
                            Root::Belief(Box::new(Guess(game.known(&state))))
                        } else {
                            Root::Certain(game.open(&state))
                        }
                    };
                    let rng = Rng::named(seed, &["play", &number.to_string()]);
                    // Each search starts in the memory of the last one.
                    let kept = search.as_mut().is_some_and(|old| old.restart(root(), rng.clone()));
                    let this = match &mut search {
                        Some(old) if kept => old,
                        none => none.insert(planner.search(&game, root(), rng)),
                    };
                    this.run(&Budget::UNLIMITED, &Cancel::new(), &mut |_| ());
                    this.best().expect("there is an action")
                }
            };
            game.step(&mut state, action, &mut Rng::new(0));
        }
        won += u64::from(game.is_won(&state));
    }
    let games = last + 1 - first;
    let share = won as f64 / games as f64;
    let error = 1.96 * (share * (1.0 - share) / games as f64).sqrt();
    println!(
        "{words:?}: {won} of {games}: {:.2}% ± {:.2} (95%), {:.3} s/game, {:.1} decisions/game",
        100.0 * share,
        100.0 * error,
        begin.elapsed().as_secs_f64() / games as f64,
        decisions as f64 / games as f64
    );
}
