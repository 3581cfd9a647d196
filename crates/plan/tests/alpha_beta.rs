//! Alpha-beta against plain minimax, and its count of leaves.

use crate::tiny;

use patience_games::pgame::{MoveValues, PGame};
use patience_games::{ConnectFour, TicTacToe, connect_four};
use patience_model::{Game, Rng, Undo};
use patience_plan::{
    AlphaBeta, AlphaBetaParameters, Budget, Cancel, Planner, Root, Search, StopReason, Zero,
};
use tiny::Table;

fn planner(bounds: Option<(f64, f64)>, shuffle: bool) -> AlphaBeta {
    AlphaBeta::new(AlphaBetaParameters { depth: None, bounds, shuffle }, Zero).unwrap()
}

fn complete<'g, G: Undo>(
    planner: &impl Planner<G>,
    game: &'g G,
    state: G::State,
    seed: u64,
) -> Box<dyn Search<G> + 'g> {
    let mut search = planner.search(game, Root::Certain(state), Rng::new(seed));
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    search
}

/// Value of a position and leaves below it, by the definition.
fn minimax<G: Game>(game: &G, state: &G::State) -> (f64, u64) {
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    let minimising = game.minimising(state);
    let mut best: Option<f64> = None;
    let mut leaves = 0;
    for action in actions {
        let mut next = state.clone();
        let reward = game.step(&mut next, action, &mut Rng::new(0)).reward;
        let (value, below) = minimax(game, &next);
        let value = reward + game.discount() * value;
        leaves += below;
        best = Some(match best {
            Some(b) if minimising => b.min(value),
            Some(b) => b.max(value),
            None => value,
        });
    }
    (best.unwrap_or(0.0), leaves.max(1))
}

/// The recommended action and every value that is given are exact.
fn check<G: Undo>(game: &G, state: &G::State, bounds: Option<(f64, f64)>, shuffle: bool, seed: u64)
where
    G::Action: Eq,
{
    let search = complete(&planner(bounds, shuffle), game, state.clone(), seed);
    let (value, leaves) = minimax(game, state);
    let best = search.best().expect("the game goes on");
    let mut told = None;
    for estimate in search.estimates() {
        let mut next = state.clone();
        let reward = game.step(&mut next, estimate.action, &mut Rng::new(0)).reward;
        let exact = reward + game.discount() * minimax(game, &next).0;
        if let Some(given) = estimate.value {
            assert_eq!(given, exact);
        }
        if estimate.action == best {
            told = estimate.value;
        }
    }
    assert_eq!(told, Some(value), "the best action has the minimax value");
    assert!(search.counts().iterations <= leaves, "no leaf is looked at twice");
}

#[test]
fn equals_minimax_on_p_games() {
    for values in [MoveValues::Uniform, MoveValues::PlusMinusOne] {
        for (branching, depth) in [(2, 1), (2, 8), (3, 5), (5, 4)] {
            let game = PGame::new(branching, depth, values).unwrap();
            for seed in 0..30 {
                let state = game.start(&mut Rng::new(seed));
                check(&game, &state, None, true, seed);
                check(&game, &state, Some((0.0, 1.0)), true, seed);
                check(&game, &state, Some((0.0, 1.0)), false, seed);
                // Where MIN moves first.
                let mut after = state;
                game.step(&mut after, patience_games::pgame::Move(0), &mut Rng::new(0));
                if depth > 1 {
                    check(&game, &after, Some((0.0, 1.0)), true, seed);
                }
            }
        }
    }
}

#[test]
fn equals_minimax_with_rewards_on_the_way() {
    let mut rng = Rng::new(11);
    let mut checked = 0;
    while checked < 300 {
        for discount in [1.0, 0.5, 0.0] {
            let game = Table::random(&mut rng, 6, discount);
            if !game.states[0].is_empty() {
                check(&game, &0, None, true, checked);
                check(&game, &0, None, false, checked);
                checked += 1;
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let full = complete(&planner(None, true), &TicTacToe, TicTacToe::START, 1);
    let best = full.best().unwrap();
    let told = full.estimates().into_iter().find(|e| e.action == best).unwrap();
    assert_eq!(told.value, Some(0.0));
    // Far fewer than the 255,168 games.
    assert!(full.counts().iterations < 60_000, "{:?}", full.counts());
    let bounded = complete(&planner(Some((-1.0, 1.0)), true), &TicTacToe, TicTacToe::START, 1);
    assert!(bounded.counts().iterations < full.counts().iterations);
}

#[test]
fn leaves_are_counted_as_by_hand() {
    // min(3, 5) = 3; then 2 shows that the other move is worse, and 9 is not looked at.
    let game = Table::tree(&[3.0, 5.0, 2.0, 9.0]);
    let search = complete(&planner(None, false), &game, 0, 0);
    assert_eq!(search.counts().iterations, 3);
    assert_eq!(search.best(), Some(0));
    let estimates = search.estimates();
    assert_eq!((estimates[0].value, estimates[0].visits), (Some(3.0), 2));
    assert_eq!((estimates[1].value, estimates[1].visits), (None, 1), "only a bound is known");

    // A sure win: with the bounds known nothing more is looked at.
    let game = Table::tree(&[1.0, 1.0, 0.0, 1.0]);
    assert_eq!(complete(&planner(Some((0.0, 1.0)), false), &game, 0, 0).counts().iterations, 2);
    assert_eq!(complete(&planner(None, false), &game, 0, 0).counts().iterations, 3);
    // A sure loss is found out just as early, and some move is still recommended.
    let game = Table::tree(&[0.0, 1.0, 0.0, 1.0]);
    let search = complete(&planner(Some((0.0, 1.0)), false), &game, 0, 0);
    assert_eq!((search.counts().iterations, search.best()), (2, Some(0)));
    assert_eq!(search.estimates()[1].value, Some(0.0), "nothing is below the lower bound");
}

#[test]
fn until_complete_the_move_is_drawn_and_stays() {
    let game = PGame::new(4, 5, MoveValues::Uniform).unwrap();
    let state = game.tree(3);
    let mut drawn = [0; 4];
    for seed in 0..2000 {
        let mut search = planner(None, true).search(&game, Root::Certain(state), Rng::new(seed));
        let before = search.best().unwrap();
        drawn[usize::from(before.0)] += 1;
        if seed < 50 {
            for leaves in 1..=10 {
                search.step();
                assert_eq!(search.counts().iterations, leaves);
                assert_eq!(search.best(), Some(before));
            }
        }
    }
    assert!(drawn.iter().all(|n| (400..600).contains(n)), "{drawn:?}");
}

#[test]
fn the_evaluation_closes_the_depth_limit() {
    // Two moves ahead in a game that goes on: 10 for the position after (1, 0), else 0.
    let mut game = Table::tree(&[0.0; 8]);
    game.states[2][0][0].1 = 0.25;
    let evaluation = |_: &Table, state: &usize| if *state == 5 { 10.0 } else { 0.0 };
    let parameters = AlphaBetaParameters { depth: Some(2), bounds: None, shuffle: false };
    let planner = AlphaBeta::new(parameters, evaluation).unwrap();
    // MIN chooses between 0.25 + 10 and 0 after the second move: a draw between both moves.
    let search = complete(&planner, &game, 0, 0);
    assert_eq!((search.best(), search.estimates()[0].value), (Some(0), Some(0.0)));
    let game = Table { minimising: Vec::new(), ..game.clone() };
    let search = complete(&planner, &game, 0, 0);
    assert_eq!((search.best(), search.estimates()[1].value), (Some(1), Some(10.25)));
}

#[test]
fn finds_a_forced_win_in_connect_four() {
    // Crosses hold the middle three of the bottom row with both ends free: any defence fails.
    let mut state = ConnectFour::START;
    for column in [2, 2, 3, 3] {
        ConnectFour.step(&mut state, connect_four::Column(column), &mut Rng::new(0));
    }
    let parameters =
        AlphaBetaParameters { depth: Some(3), bounds: Some((-1.0, 1.0)), shuffle: true };
    let search = complete(&AlphaBeta::new(parameters, Zero).unwrap(), &ConnectFour, state, 4);
    let best = search.best().unwrap();
    assert!([1, 4].contains(&best.0), "{best:?}");
}

#[test]
fn a_finished_game_is_complete_at_once() {
    let game = Table::new(1.0, vec![vec![]]);
    let mut search = planner(None, true).search(&game, Root::Certain(0), Rng::new(0));
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!((stats.stop, stats.counts.iterations), (Some(StopReason::Complete), 0));
    assert_eq!(search.best(), None);
}

#[test]
fn a_game_without_end_is_cut_and_can_be_left() {
    let game = Table::new(1.0, vec![vec![vec![(1.0, 0.0, 0)]]]);
    let mut search = planner(None, true).search(&game, Root::Certain(0), Rng::new(0));
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!((stats.stop, stats.counts.iterations), (Some(StopReason::Complete), 1));
    let mut search = planner(None, true).search(&game, Root::Certain(0), Rng::new(0));
    let budget = Budget::UNLIMITED.with_memory(1 << 20);
    let stats = search.run(&budget, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Memory));
}

#[test]
fn wrong_parameters_are_refused() {
    let with = |depth, bounds| {
        let parameters = AlphaBetaParameters { depth, bounds, shuffle: true };
        AlphaBeta::new(parameters, Zero).map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(with(Some(0), None).unwrap_err(), "depth is 0, expected a whole number above 0");
    let message = "bounds is (1, 0), expected the smaller number first";
    assert_eq!(with(None, Some((1.0, 0.0))).unwrap_err(), message);
    assert!(with(None, Some((f64::NAN, 0.0))).is_err());
    assert!(with(Some(1), Some((0.0, 1.0))).is_ok());
}
