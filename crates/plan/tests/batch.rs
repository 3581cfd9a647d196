//! Episodes under way at once, threads, and evaluators that judge many states at once.

use std::sync::Mutex;

use patience_games::{ConnectFour, TicTacToe};
use patience_model::{Encoded, Game, Rng};
use patience_plan::uct::{Rollout, RootRule, Selection, Settings, Threads, Uct};
use patience_plan::{
    Budget, Cancel, Estimate, Evaluated, Evaluator, Judgements, Planner, Root, Search, States,
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
