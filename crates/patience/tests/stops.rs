//! Every planner and solver stops at once. The loop that drives a search looks for the word between
//! steps, so what is done after it is at most one step: no step of any search of the catalogue, on any
//! game, is long. Work is counted, in moves of the model, not timed.

use patience::plan::Counts;
use patience::prelude::*;
use patience::run::{Start, Streams};

/// The most moves of the model in a step. The slowest model here makes about half a million moves a
/// second, so that these are some 40 ms. FreeCell need not end: a rollout there is cut after 100,000 moves,
/// of which its engine makes 15 million a second, so that these are some 8 ms.
fn longest_step(game: &str) -> u64 {
    if game == "freecell" { 120_000 } else { 20_000 }
}

/// How far into the search steps are looked at: the first ones, and some later.
const STEPS: [u64; 9] = [0, 1, 2, 3, 5, 9, 20, 60, 150];

/// What a solver spends on a deal of a game, on the table or in the planners' game.
fn solving(game: &AnyGame, solver: &str, budget: &Budget, cancel: &Cancel) -> Counts {
    let stream = |_: &str| Rng::new(1);
    let streams = Streams { shared: &stream, own: &stream };
    let solves = game.solving(solver, budget).unwrap();
    match solves.solve(Start::Chance, &streams, cancel) {
        Ok(solved) => solved.stats.counts,
        Err(patience::run::RunError::Interrupted) => Counts::default(),
        Err(patience::run::RunError::Failed(why)) => panic!("{solver}: {why}"),
    }
}

/// The same of a planner.
fn advising(game: &AnyGame, planner: &str, budget: &Budget, cancel: &Cancel) -> Counts {
    let advise = |game: &AnyGame| {
        let state = game.deal(game.info().first_deal(), 1).unwrap();
        state.advise(planner, budget, 1, cancel, &mut |_| ())
    };
    let advice = advise(game).or_else(|_| advise(&game.table())).unwrap();
    advice.stats.counts
}

/// What was spent when a search was stopped after so many iterations.
type Spent<'a> = dyn Fn(u64) -> Counts + 'a;

/// The longest of some steps, in moves of the model, and the iteration after which it came.
fn longest(spent: &Spent<'_>) -> (u64, u64) {
    let mut longest = (spent(0).model_calls, 0);
    for start in STEPS {
        let before = spent(start);
        // A step may do several iterations: the next stop is where it ends.
        let after = spent(before.iterations + 1);
        longest = longest.max((after.model_calls - before.model_calls, before.iterations));
        if after.iterations == before.iterations || after.model_calls > 300_000 {
            break;
        }
    }
    longest
}

#[test]
fn no_step_of_a_search_is_long() {
    let registry = patience::registry();
    let mut looked_at = 0;
    let mut long = Vec::new();
    for info in registry.games() {
        let game = registry.played(info.name).unwrap();
        for planner in game.planners() {
            let spent = |iterations| {
                let budget = Budget { memory: Some(200 << 20), ..Budget::iterations(iterations) };
                advising(&game, planner.name, &budget, &Cancel::new())
            };
            looked_at += 1;
            let (calls, at) = longest(&spent);
            if calls > longest_step(info.name) {
                long.push(format!("{} on {}: {calls} after {at}", planner.name, info.name));
            }
        }
        for solver in game.solvers() {
            let spent = |iterations| {
                let budget = Budget { memory: Some(200 << 20), ..Budget::iterations(iterations) };
                solving(&game, solver.name, &budget, &Cancel::new())
            };
            looked_at += 1;
            let (calls, at) = longest(&spent);
            if calls > longest_step(info.name) {
                long.push(format!("{} on {}: {calls} after {at}", solver.name, info.name));
            }
        }
    }
    assert!(looked_at > 60, "{looked_at}");
    assert!(long.is_empty(), "too long:\n{}", long.join("\n"));
}

/// A word that came before the search began is heeded as well: next to nothing is done.
#[test]
fn who_is_stopped_before_the_start_does_nothing() {
    let cancel = Cancel::new();
    cancel.cancel();
    let registry = patience::registry();
    for info in registry.games() {
        let game = registry.played(info.name).unwrap();
        for planner in game.planners() {
            let calls = advising(&game, planner.name, &Budget::UNLIMITED, &cancel).model_calls;
            assert!(calls <= longest_step(info.name), "{} on {}: {calls}", planner.name, info.name);
        }
        for solver in game.solvers() {
            let budget = Budget::UNLIMITED.with_memory(200 << 20);
            let calls = solving(&game, solver.name, &budget, &cancel).model_calls;
            assert!(calls <= longest_step(info.name), "{} on {}: {calls}", solver.name, info.name);
        }
    }
}

/// How long after the word a search ends, by the clock: for a machine that is free, so it is printed and not
/// judged closely. `longest_step` judges by counts.
#[test]
#[ignore = "measures times for a minute; for a machine that is free"]
fn how_soon_searches_end() {
    let registry = patience::registry();
    let mut all: Vec<(f64, String)> = Vec::new();
    let mut measure = |name: String, search: &dyn Fn(&Cancel)| {
        let cancel = Cancel::new();
        let word = std::thread::scope(|scope| {
            let flag = cancel.clone();
            let teller = scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(100));
                flag.cancel();
                std::time::Instant::now()
            });
            search(&cancel);
            let end = std::time::Instant::now();
            // Who has ended before the word was finished.
            teller.join().ok().map(|word| end.saturating_duration_since(word))
        });
        let took = word.map_or(0.0, |took| took.as_secs_f64());
        all.push((1000.0 * took, name));
    };
    for info in registry.games() {
        let game = registry.played(info.name).unwrap();
        for planner in game.planners() {
            let name = format!("{} on {}", planner.name, info.name);
            let budget = Budget::UNLIMITED.with_memory(200 << 20);
            measure(name, &|cancel| {
                advising(&game, planner.name, &budget, cancel);
            });
        }
        for solver in game.solvers() {
            let name = format!("{} on {}", solver.name, info.name);
            let budget = Budget::UNLIMITED.with_memory(200 << 20);
            measure(name, &|cancel| {
                solving(&game, solver.name, &budget, cancel);
            });
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{} searches; milliseconds after the word, the longest first:", all.len());
    for (took, name) in all.iter().take(15) {
        println!("{took:8.1} {name}");
    }
    assert!(all.len() > 60 && all[0].0 < 2000.0, "{:?}", all[0]);
}
