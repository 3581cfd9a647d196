//! The benchmark problems of the field, against values that others have found or that follow by hand.

use patience_games::rock_sample::{self, Action, Foresight};
use patience_games::{FrozenLake, RockSample, Taxi};
use patience_model::{Game, Hidden, Keyed, Outcomes, Rng};
use patience_plan::{Budget, Cancel, Evaluation, Root, Search, Stepped, ValueIteration};

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

/// The twin: the small field with nothing hidden, by sweeps over all cells and sets of good rocks.
fn field_in_sight() -> Vec<f64> {
    let rocks = [(3, 1), (2, 1), (1, 3), (1, 0)];
    let at = |x: i32, y: i32, good: usize| (x + 4 * y) as usize * 16 + good;
    let mut values = vec![0.0_f64; 16 * 16];
    for _ in 0..200 {
        for (x, y, good) in (0..256).map(|i| (i / 16 % 4, i / 64, i as usize % 16)) {
            let mut best = if x == 3 { 10.0 } else { 0.95 * values[at(x + 1, y, good)] };
            for (x, y) in [(x - 1, y), (x, y - 1), (x, y + 1)] {
                if x >= 0 && (0..4).contains(&y) {
                    best = best.max(0.95 * values[at(x, y, good)]);
                }
            }
            if let Some(rock) = rocks.iter().position(|&rock| rock == (x, y)) {
                let reward = if good >> rock & 1 == 1 { 10.0 } else { -10.0 };
                best = best.max(reward + 0.95 * values[at(x, y, good & !(1 << rock))]);
            }
            values[at(x, y, good)] = best;
        }
    }
    values
}

#[test]
fn foresight_is_the_value_with_nothing_hidden() {
    let game = RockSample::new(4, 0.95).unwrap();
    let (values, foresight) = (field_in_sight(), Foresight::new(&game));
    let (mut legal, mut seen) = (Vec::new(), 0);
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        for _ in 0..30 {
            game.actions(&state, &mut legal);
            if legal.is_empty() {
                break;
            }
            let good = (0..4).fold(0, |set, rock| set | usize::from(state.is_good(rock)) << rock);
            let (x, y) = state.place();
            let exact = values[usize::from(x + 4 * y) * 16 + good];
            let found = foresight.value(&game, &state);
            assert!((found - exact).abs() < 1e-9, "{state:?}: {found} {exact}");
            seen += 1;
            let action = rng.pick(&legal);
            game.step(&mut state, action, &mut rng);
        }
    }
    assert!(seen > 1_000, "{seen}");
}
