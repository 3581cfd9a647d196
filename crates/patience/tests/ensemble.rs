//! Root-parallel search: trees grown anywhere say together what they say on one machine.

use patience::plan::{Budget, Cancel};
use patience::{Advice, AnyState, EnsembleError, merge_trees, tree_seed};

fn tree(state: &AnyState, planner: &str, seed: u64, number: u64) -> Advice {
    let budget = Budget::iterations(60);
    let seed = tree_seed(seed, number);
    state.advise(planner, &budget, seed, &Cancel::new(), &mut |_| ()).unwrap()
}

#[test]
fn values_are_means_over_trees_with_an_interval() {
    let state = patience::registry().game("connect-four").unwrap().start(1);
    let trees: Vec<Advice> = (0..6).map(|i| tree(&state, "uct", 3, i)).collect();
    let merged = merge_trees(&trees, 3, state.minimising()).unwrap();
    assert_eq!((merged.seed, merged.stats.counts.iterations), (3, 360));
    let mut best = (f64::NEG_INFINITY, String::new());
    for (place, m) in merged.moves.iter().enumerate() {
        let values: Vec<f64> = trees.iter().filter_map(|t| t.moves[place].value).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let value = m.value.unwrap();
        assert!((value - mean).abs() < 1e-12);
        assert!(m.low.unwrap() < value && value < m.high.unwrap());
        assert_eq!(m.visits, trees.iter().map(|t| t.moves[place].visits).sum::<u64>());
        if value > best.0 {
            best = (value, m.action.clone());
        }
    }
    assert_eq!(merged.best, Some(best.1));
    // Whoever wants small values gets the other end.
    let least = merge_trees(&trees, 3, true).unwrap().best.unwrap();
    let values = |action: &str| {
        merged.moves.iter().find(|m| m.action == action).and_then(|m| m.value).unwrap()
    };
    assert!(merged.moves.iter().all(|m| values(&least) <= m.value.unwrap()));
}

#[test]
fn trees_differ_and_are_the_same_wherever_they_grow() {
    let game = patience::registry().game("klondike").unwrap();
    let here: Vec<Advice> = (0..4).map(|i| tree(&game.start(2), "uct(c=1)", 9, i)).collect();
    let elsewhere: Vec<Advice> = std::thread::scope(|scope| {
        let grow = |i| {
            let state = game.start(2);
            scope.spawn(move || tree(&state, "uct(c=1)", 9, i))
        };
        let threads: Vec<_> = (0..4).map(grow).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let told = |trees: &[Advice]| {
        let merged = merge_trees(trees, 9, false).unwrap();
        (merged.best, merged.moves, merged.stats.counts)
    };
    assert_eq!(told(&here), told(&elsewhere));
    assert_ne!(here[0].moves, here[1].moves);
}

#[test]
fn what_is_not_of_one_decision_is_refused() {
    let game = patience::registry().game("connect-four").unwrap();
    let mut other = game.start(1);
    other.step(0);
    let a = tree(&game.start(1), "uct", 1, 0);
    let b = tree(&other, "uct", 1, 1);
    assert_eq!(merge_trees(&[], 1, false), Err(EnsembleError::Empty));
    assert_eq!(merge_trees(&[a.clone(), b], 1, false), Err(EnsembleError::Other(1)));
    let c = tree(&game.start(1), "uct(c=1)", 1, 1);
    assert_eq!(merge_trees(&[a, c], 1, false), Err(EnsembleError::Other(1)));
}

/// By name too: leaves of a batch and trees have streams of their own.
#[test]
fn the_number_of_threads_changes_nothing() {
    for (game, planner) in [
        ("connect-four", "batch=16"),
        ("connect-four", "trees=6, iterations=80"),
        ("connect-four", "trees=3, iterations=150, batch=8"),
        ("tiger", "trees=5, iterations=90"),
        ("tic-tac-toe", "prove=false, batch=8, selection=puct"),
    ] {
        let game = patience::registry().game(game).unwrap();
        let found = |threads: u32| {
            let planner = format!("uct({planner}, threads={threads})");
            let advice = game.advise(&planner, &Budget::iterations(400), 3).unwrap();
            (format!("{:?}", advice.moves), advice.best, advice.stats.counts.model_calls)
        };
        let one = found(1);
        for threads in [2, 3] {
            assert_eq!(found(threads), one, "{planner} on {game} with {threads} threads");
        }
    }
}
