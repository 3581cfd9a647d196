//! Episodes under way at once, threads, and evaluators that judge many states at once.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use patience_games::{ConnectFour, TicTacToe};
use patience_model::{Encoded, Game, Hidden, Rng};
use patience_plan::uct::{Evaluate, Forest, Rollout, RootRule, Selection, Settings, Threads, Uct};
use patience_plan::{
    Asked, Budget, Cancel, Counts, Estimate, Evaluated, Evaluation, Evaluator, Judgements, Planner,
    Root, Rows, Search, States, Status, StopReason, Zero,
};

fn run<G: Game>(search: &mut dyn Search<G>, iterations: u64) {
    search.run(&Budget::iterations(iterations), &Cancel::new());
}

fn batched(batch: u32, virtual_loss: f64) -> Settings {
    Settings { batch, virtual_loss, ..Settings::default() }
}

#[test]
fn a_batch_spends_what_it_may_and_leaves_nothing_under_way() {
    for batch in [2, 7, 32, 1000] {
        let planner: Uct<_> = Uct::new(batched(batch, 0.3), Rollout::default()).unwrap();
        let start = ConnectFour.start(&mut Rng::new(0));
        let mut search = planner.search(&ConnectFour, Root::Certain(start), Rng::new(1));
        for episodes in [1, 50, 333, 2_000] {
            run(&mut *search, episodes);
            assert_eq!(search.counts().iterations, episodes);
            let visits: u64 = search.estimates().iter().map(|e| e.visits).sum();
            assert_eq!(visits, episodes, "batch {batch}");
        }
        assert_eq!(search.best().map(|column| column.0), Some(3), "the middle, batch {batch}");
    }
}

#[test]
fn threads_change_nothing() {
    let estimates = |threads: usize| -> (Vec<Estimate<_>>, u64) {
        let leaf = Threads { leaf: Rollout::default(), threads };
        let planner: Uct<_> = Uct::new(batched(16, 0.3), leaf).unwrap();
        let start = ConnectFour.start(&mut Rng::new(0));
        let mut search = planner.search(&ConnectFour, Root::Certain(start), Rng::new(1));
        run(&mut *search, 500);
        run(&mut *search, 3_000);
        (search.estimates(), search.counts().model_calls)
    };
    let one = estimates(1);
    for threads in [2, 3, 8] {
        assert_eq!(estimates(threads), one, "{threads} threads");
    }
    assert_eq!(one.0.iter().map(|e| e.visits).sum::<u64>(), 3_000);
}

/// The twin is one search that grows the trees one after the other; at the end, in the middle of a tree, and
/// driven on in two parts.
#[test]
fn threads_grow_the_same_trees() {
    for settings in [
        Settings { trees: 5, iterations: Some(200), ..Settings::default() },
        Settings { trees: 3, iterations: Some(100), batch: 8, ..Settings::default() },
        Settings {
            trees: 4,
            iterations: Some(60),
            width: Some(1),
            recommend: patience_plan::uct::Recommend::Visits,
            ..Settings::default()
        },
    ] {
        let leaf = Threads { leaf: Rollout::default(), threads: 1 };
        let found = |planner: &dyn Planner<ConnectFour>, budgets: &[u64]| {
            let start = ConnectFour.start(&mut Rng::new(0));
            let mut search = planner.search(&ConnectFour, Root::Certain(start), Rng::new(1));
            budgets.iter().for_each(|&episodes| run(&mut *search, episodes));
            let Counts { iterations, model_calls, nodes, .. } = search.counts();
            (search.estimates(), search.best(), iterations, model_calls, nodes)
        };
        let alone: Uct<_> = Uct::new(settings, leaf).unwrap();
        for budgets in [&[u64::MAX][..], &[30], &[150, 270], &[100, 200, 240]] {
            let one = found(&alone, budgets);
            for threads in [1, 2, 3, 8] {
                let forest = Forest::new(settings, leaf, false, threads).unwrap();
                assert_eq!(found(&forest, budgets), one, "{threads} threads, {budgets:?}");
            }
        }
    }
}

/// So is a tree of beliefs, of which one thread draws at a time.
#[test]
fn threads_grow_the_same_trees_of_beliefs() {
    let game = patience_games::tiger::Tiger::new(6, 0.95).unwrap();
    let settings = Settings { trees: 6, iterations: Some(150), ..Settings::default() };
    let found = |planner: &dyn Planner<patience_games::tiger::Tiger>| {
        let known = game.known(&game.start(&mut Rng::new(0)));
        let root = Root::Belief(Box::new(patience_plan::Guess(known)));
        let mut search = planner.search(&game, root, Rng::new(1));
        run(&mut *search, 800);
        search.estimates()
    };
    let alone: Uct<_> = Uct::new(settings, Rollout::default()).unwrap();
    let one = found(&alone);
    for threads in [1, 2, 4] {
        let forest = Forest::new(settings, Rollout::default(), false, threads).unwrap();
        assert_eq!(found(&forest), one, "{threads} threads");
    }
}

/// Notes on which threads it is asked.
#[derive(Clone, Default)]
struct Threaded(Arc<Mutex<HashSet<ThreadId>>>);

impl Evaluation<ConnectFour> for Threaded {
    fn value(&self, _game: &ConnectFour, _state: &<ConnectFour as Game>::State) -> f64 {
        self.0.lock().unwrap().insert(std::thread::current().id());
        0.0
    }
}

/// A limit of memory, which people always have, leaves the trees on their threads, and ends them all.
#[test]
fn trees_share_the_memory() {
    let settings = Settings { trees: 4, iterations: Some(20_000), ..Settings::default() };
    let search_with = |memory: Option<u64>| {
        let asked = Threaded::default();
        let forest = Forest::new(settings, Evaluate(asked.clone()), false, 4).unwrap();
        let start = ConnectFour.start(&mut Rng::new(0));
        let mut search = forest.search(&ConnectFour, Root::Certain(start), Rng::new(1));
        let stats = search.run(&Budget { memory, ..Budget::default() }, &Cancel::new());
        let threads = asked.0.lock().unwrap().len();
        (search.estimates(), stats.stop, stats.counts.bytes, threads)
    };
    let (free, _, most, _) = search_with(None);
    let (huge, stop, _, threads) = search_with(Some(1 << 40));
    assert_eq!(huge, free);
    assert_eq!((stop, threads), (Some(StopReason::Complete), 4));
    let (_, stop, bytes, _) = search_with(Some(most / 2));
    assert_eq!(stop, Some(StopReason::Memory));
    assert!(bytes < most * 3 / 4, "{bytes} of {most}");
}

/// Knows the value of tic-tac-toe's centre, and counts how it is asked.
#[derive(Default)]
struct Counting {
    asked: Mutex<Vec<usize>>,
}

impl Evaluator for Counting {
    fn evaluate(&self, states: States<'_>, judgements: Judgements<'_>) {
        self.asked.lock().unwrap().push(states.count);
        let (width, moves) = (TicTacToe.highest().len(), TicTacToe.moves());
        assert_eq!(states.observations.len(), states.count * width);
        assert_eq!(states.legal.len(), states.count * moves);
        for row in 0..states.count {
            let legal = &states.legal[row * moves..(row + 1) * moves];
            assert!(legal.contains(&1), "a game that is over is not asked about");
            judgements.values[row] = 0.0;
            // Likes the centre.
            judgements.logits[row * moves + 4] = 3.0;
        }
    }
}

#[test]
fn an_evaluator_is_asked_of_many_states_at_once() {
    for (batch, selection, root) in [
        (1, Selection::Puct { c: 1.25 }, RootRule::AsBelow),
        (8, Selection::Puct { c: 1.25 }, RootRule::AsBelow),
        (1, Selection::Improved { scale: 0.1 }, RootRule::Gumbel { considered: 9, scale: 0.1 }),
    ] {
        let evaluator = std::sync::Arc::new(Counting::default());
        let settings = Settings { batch, selection, root, ..Settings::default() };
        let leaf = Evaluated(std::sync::Arc::clone(&evaluator));
        let planner: Uct<_> = Uct::new(settings, leaf).unwrap();
        let start = TicTacToe.start(&mut Rng::new(0));
        let mut search = planner.search(&TicTacToe, Root::Certain(start), Rng::new(1));
        run(&mut *search, 800);
        let visits: u64 = search.estimates().iter().map(|e| e.visits).sum();
        assert_eq!(visits, 800);
        let asked = evaluator.asked.lock().unwrap();
        assert_eq!(asked[0], 1, "the root first");
        if batch == 1 {
            assert!(asked.iter().all(|&count| count == 1));
        } else {
            let mean = asked.iter().sum::<usize>() as f64 / asked.len() as f64;
            assert!(mean > 5.0, "{mean} states at a time");
        }
        if root == RootRule::AsBelow {
            let most = search.estimates().into_iter().max_by_key(|e| e.visits).unwrap();
            assert_eq!(most.action.0, 4, "the centre has the largest prior");
        }
    }
}

/// Each thread asks of its share of a batch at once, and what is found is the same.
#[test]
fn an_evaluator_of_several_threads_is_asked_of_shares() {
    let found = |threads: usize| {
        let evaluator = std::sync::Arc::new(Counting::default());
        let selection = Selection::Puct { c: 1.25 };
        let settings = Settings { batch: 16, selection, ..Settings::default() };
        let leaf = Threads { leaf: Evaluated(std::sync::Arc::clone(&evaluator)), threads };
        let planner: Uct<_> = Uct::new(settings, leaf).unwrap();
        let start = TicTacToe.start(&mut Rng::new(0));
        let mut search = planner.search(&TicTacToe, Root::Certain(start), Rng::new(1));
        run(&mut *search, 640);
        let asked = evaluator.asked.lock().unwrap();
        // All but the root, which is asked about alone, and games that are over.
        let mean = asked[1..].iter().sum::<usize>() as f64 / (asked.len() - 1) as f64;
        assert!(mean > 0.6 * 16.0 / threads as f64, "{threads}: {mean} states at a time");
        search.estimates()
    };
    let one = found(1);
    for threads in [2, 3] {
        assert_eq!(found(threads), one, "{threads} threads");
    }
}

/// Thinks something of every state, and of each move something else.
#[derive(Clone)]
struct Opinion;

impl Evaluator for Opinion {
    fn evaluate(&self, states: States<'_>, judgements: Judgements<'_>) {
        let width = ConnectFour.highest().len();
        for row in 0..states.count {
            let seen = &states.observations[row * width..(row + 1) * width];
            let sum: usize = seen.iter().enumerate().map(|(i, &seen)| i * seen as usize).sum();
            judgements.values[row] = (sum % 21) as f64 / 10.0 - 1.0;
            assert_eq!(states.minimising[row], seen[42] == 1);
            for (number, logit) in judgements.logits[row * 7..(row + 1) * 7].iter_mut().enumerate()
            {
                *logit = (sum * (number + 3) % 11) as f32 / 4.0;
            }
        }
    }
}

/// Runs searches whose leaves are judged from outside, all of them together.
fn answer_all(searches: &mut [Box<dyn Search<ConnectFour> + '_>], iterations: u64) {
    searches.iter_mut().for_each(|search| search.within(&Budget::iterations(iterations)));
    let mut rows = Rows::default();
    loop {
        rows.clear();
        for search in searches.iter_mut() {
            while search.asked().is_empty()
                && search.counts().iterations < iterations
                && search.step() == Status::Running
            {}
            rows.add(&ConnectFour, search.asked());
        }
        if rows.count() == 0 {
            return;
        }
        let (mut values, mut logits) = (vec![0.0; rows.count()], vec![0.0; rows.count() * 7]);
        Opinion.evaluate(rows.states(), Judgements { values: &mut values, logits: &mut logits });
        let mut row = 0;
        for search in searches.iter_mut() {
            let leaves = search.asked();
            row += Rows::answer(&ConnectFour, leaves, &values[row..], &logits[row * 7..]);
            search.answered();
        }
    }
}

#[test]
fn leaves_may_be_judged_from_outside_for_many_searches_at_once() {
    let puct = Settings { selection: Selection::Puct { c: 1.25 }, ..Settings::default() };
    let gumbel = Settings {
        selection: Selection::Improved { scale: 0.1 },
        root: RootRule::Gumbel { considered: 4, scale: 0.1 },
        ..Settings::default()
    };
    for (settings, iterations) in [
        (puct, 300),
        (Settings { batch: 8, virtual_loss: 0.5, ..puct }, 301),
        (Settings { trees: 3, iterations: Some(60), ..puct }, 180),
        (Settings { trees: 3, iterations: Some(61), batch: 4, ..puct }, 183),
        (gumbel, 64),
    ] {
        let starts: Vec<_> = (0..4)
            .map(|moves| {
                let (mut state, mut rng) = (ConnectFour::START, Rng::new(moves));
                for _ in 0..5 * moves {
                    let mut legal = Vec::new();
                    ConnectFour.actions(&state, &mut legal);
                    if let [_, ..] = legal[..] {
                        ConnectFour.step(&mut state, rng.pick(&legal), &mut Rng::new(0));
                    }
                }
                state
            })
            .collect();
        let asking: Uct<_> = Uct::new(settings, Asked).unwrap();
        let mut together: Vec<_> = starts
            .iter()
            .zip(1..)
            .map(|(&state, seed)| asking.search(&ConnectFour, Root::Certain(state), Rng::new(seed)))
            .collect();
        answer_all(&mut together, iterations);
        let alone: Uct<_> = Uct::new(settings, Evaluated(Opinion)).unwrap();
        for ((state, seed), asked) in starts.into_iter().zip(1..).zip(together) {
            let mut search = alone.search(&ConnectFour, Root::Certain(state), Rng::new(seed));
            run(&mut *search, iterations);
            assert_eq!(asked.estimates(), search.estimates());
            assert_eq!(asked.best(), search.best());
            // One that waits counts what is under way, and holds a little more for it.
            let spent = |counts: Counts| Counts { bytes: 0, ..counts };
            assert_eq!(spent(asked.counts()), spent(search.counts()));
            let policy = asked.policy();
            assert_eq!(policy, search.policy());
            let sum: f64 = policy.iter().sum();
            assert!(policy.is_empty() || (sum - 1.0).abs() < 1e-9, "{policy:?}");
        }
    }
}

/// Of one who thinks alike of all moves the search knows as much as without priors.
#[test]
fn moves_that_seem_alike_have_no_priors() {
    let settings = Settings { selection: Selection::Puct { c: 1.25 }, ..Settings::default() };
    let start = Root::Certain(TicTacToe::START);
    let even: Uct<_> = Uct::new(settings, Evaluated(Even)).unwrap();
    let mut even = even.search(&TicTacToe, start, Rng::new(1));
    let plain: Uct<_> = Uct::new(settings, Evaluate(Zero)).unwrap();
    let mut plain = plain.search(&TicTacToe, Root::Certain(TicTacToe::START), Rng::new(1));
    run(&mut *even, 2_000);
    run(&mut *plain, 2_000);
    assert_eq!(even.estimates(), plain.estimates());
}

/// Says nothing.
#[derive(Clone)]
struct Even;

impl Evaluator for Even {
    fn evaluate(&self, _: States<'_>, _: Judgements<'_>) {}
}
