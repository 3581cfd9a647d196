//! The benchmark problems of the field, against values that others have found or that follow by hand.

use patience_games::rock_sample::{self, Action};
use patience_games::{FrozenLake, RockSample, Taxi};
use patience_model::{Game, Hidden, Keyed, Outcomes, Rng};
use patience_plan::{Budget, Cancel, Root, Search, Stepped, ValueIteration};

/// The value of a state by value iteration.
fn value<G: Outcomes + Keyed>(game: &G, state: G::State) -> (f64, usize) {
    let planner = ValueIteration::new(1e-13).unwrap();
    let mut search = planner.start(game, Root::Certain(state), Rng::new(0));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let best = search.estimates().iter().filter_map(|e| e.value).fold(f64::NEG_INFINITY, f64::max);
    (best, search.values().count())
}

/// Without a discount the best play of the small lake reaches the goal with probability 14/17, the value
/// that textbooks print as 0.82; with 0.99 it is 0.542, which is printed too.
#[test]
fn frozen_lake_has_the_values_of_the_textbooks() {
    let (all, states) = value(&FrozenLake::new(4, true, 1.0).unwrap(), 0);
    assert!((all - 14.0 / 17.0).abs() < 1e-9, "{all}");
    assert_eq!(states, 16);
    let (discounted, _) = value(&FrozenLake::new(4, true, 0.99).unwrap(), 0);
    assert!((discounted - 0.542).abs() < 5e-4, "{discounted}");
    // On ice that is not slippery the shortest way has six moves, on the large map fourteen.
    let (sure, _) = value(&FrozenLake::new(4, false, 0.9).unwrap(), 0);
    assert!((sure - 0.9f64.powi(5)).abs() < 1e-12, "{sure}");
    let (sure, _) = value(&FrozenLake::new(8, false, 0.9).unwrap(), 0);
    assert!((sure - 0.9f64.powi(13)).abs() < 1e-12, "{sure}");
}

/// Of 500 states 400 have the passenger waiting elsewhere than at the destination or in the taxi; the
/// four at home are the others. From a start 400 can be reached, but for those with another destination.
#[test]
fn the_taxi_takes_the_shortest_way() {
    let game = Taxi::new(1.0).unwrap();
    for seed in 0..40 {
        let state = game.start(&mut Rng::new(seed));
        let (best, states) = value(&game, state);
        // 20 for the last move, −1 for each before it: at least a pick-up, at most a lap of the town.
        assert!(
            (20.0 - 20.0..=20.0 - 3.0).contains(&best) && best.fract() == 0.0,
            "{seed}: {best}"
        );
        assert!(states <= 126, "{states}: 25 cells by four places or aboard, and home");
    }
}

#[test]
fn a_look_is_as_good_as_its_distance_says() {
    let game = RockSample::new(7, 0.95).unwrap();
    let (mut right, looks) = (0, 20_000);
    let mut rng = Rng::new(1);
    for _ in 0..looks {
        let mut state = game.start(&mut rng);
        // Rock b lies two cells south of the start: (1 + 2^(−2/20))/2 = 0.9665.
        let told = game.step(&mut state, Action::Look(1), &mut rng).obs.unwrap();
        let good = game.known(&state).good(1);
        assert!((good - if told { 0.9665 } else { 0.0335 }).abs() < 1e-4, "{good}");
        for step in [Action::South, Action::South] {
            game.step(&mut state, step, &mut rng);
        }
        let reward = game.step(&mut state, Action::Sample, &mut rng).reward;
        right += u32::from((reward == 10.0) == told);
        assert_eq!(game.known(&state).good(1), 0.0, "a rock that was sampled is bad");
    }
    // Four standard errors.
    assert!((f64::from(right) / f64::from(looks) - 0.9665).abs() < 0.0051, "{right}");
}

/// Straight to the east: seven moves, the last brings 10.
#[test]
fn leaving_ends_the_game() {
    let game = RockSample::new(7, 0.95).unwrap();
    let mut state = game.start(&mut Rng::new(1));
    let rewards: Vec<f64> =
        (0..7).map(|_| game.step(&mut state, Action::East, &mut Rng::new(0)).reward).collect();
    assert_eq!(rewards, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 10.0]);
    let mut legal = Vec::new();
    game.actions(&state, &mut legal);
    assert!(legal.is_empty());
    assert_eq!(game.rocks(), 8);
    assert_eq!(rock_sample::MOST_ROCKS, 11);
}
