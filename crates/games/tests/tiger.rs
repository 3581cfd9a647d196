//! The tiger: the posterior against enumeration, rewards, ends and errors.

use std::collections::HashMap;

use patience_games::Tiger;
use patience_games::tiger::{ACCURACY, Action, Door, Heard, Known, State, TigerError};
use patience_model::{Game, Hidden, Outcomes, Rng};
use proptest::prelude::*;

fn known(heard_left: u16, heard_right: u16) -> Known {
    Known { heard_left, heard_right, opened: None }
}

#[test]
fn the_posterior_is_the_textbook_one() {
    for (left, right, probability) in [
        (0, 0, 0.5),
        (1, 0, 0.85),
        (0, 1, 0.15),
        (2, 0, 0.7225 / 0.745),
        (1, 1, 0.5),
        (3, 1, 0.7225 / 0.745),
        (0, 3, 0.003375 / 0.6175),
    ] {
        let posterior = known(left, right).left();
        assert!((posterior - probability).abs() < 1e-12, "{left} {right}: {posterior}");
    }
    // Far beyond what floating point can tell from certainty.
    assert_eq!(known(10_000, 0).left(), 1.0);
    assert_eq!(known(0, 10_000).left(), 0.0);
}

proptest! {
    /// Bayes' rule by the model's own outcomes: the probability of all that was heard, for a tiger
    /// on the left and on the right.
    #[test]
    fn the_posterior_follows_from_the_outcomes(heard in prop::collection::vec(any::<bool>(), 0..12)) {
        let game = Tiger::new(20, 0.95).unwrap();
        let mut joint = [0.0, 0.0];
        let mut seen = known(0, 0);
        for (which, tiger) in [Door::Left, Door::Right].into_iter().enumerate() {
            let mut rng = Rng::new(0);
            let mut state = std::iter::repeat_with(|| game.start(&mut rng))
                .find(|s| s.tiger() == tiger)
                .unwrap();
            let mut probability = 0.5;
            let mut outcomes = Vec::new();
            for &left in &heard {
                let door = if left { Door::Left } else { Door::Right };
                game.outcomes(&state, Action::Listen, &mut outcomes);
                let outcome = outcomes.iter().find(|o| o.step.obs == Some(door)).unwrap();
                probability *= outcome.probability;
                prop_assert_eq!(outcome.step.reward, -1.0);
                state = outcome.state;
            }
            joint[which] = probability;
            seen = game.known(&state);
        }
        let exact = joint[0] / (joint[0] + joint[1]);
        prop_assert!((seen.left() - exact).abs() < 1e-12);
    }
}

/// The best expected sum from two weighted worlds, by trying everything.
fn expectimax(game: &Tiger, worlds: &[(f64, State)]) -> f64 {
    values(game, worlds).into_iter().map(|v| v.1).reduce(f64::max).unwrap_or(0.0)
}

/// Every action's expected sum, with the worlds' weights not brought to sum 1.
fn values(game: &Tiger, worlds: &[(f64, State)]) -> Vec<(Action, f64)> {
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    game.actions(&worlds[0].1, &mut actions);
    let mut value = |action: Action| {
        let mut sum = 0.0;
        let mut after: HashMap<Heard, Vec<(f64, State)>> = HashMap::new();
        for (weight, state) in worlds {
            game.outcomes(state, action, &mut outcomes);
            for outcome in &outcomes {
                let weight = weight * outcome.probability;
                sum += weight * outcome.step.reward;
                after.entry(outcome.step.obs).or_default().push((weight, outcome.state));
            }
        }
        sum + game.discount() * after.values().map(|w| expectimax(game, w)).sum::<f64>()
    };
    actions.iter().map(|&a| (a, value(a))).collect()
}

#[test]
fn optimal_values_equal_trying_everything() {
    for (horizon, discount) in [(1, 1.0), (2, 0.95), (3, 0.5), (7, 0.95), (7, 1.0)] {
        let game = Tiger::new(horizon, discount).unwrap();
        let mut rng = Rng::new(1);
        let (known, mut worlds) = (known(0, 0), Vec::new());
        for tiger in [Door::Left, Door::Right] {
            let world = std::iter::repeat_with(|| game.draw(&known, &mut rng))
                .find(|s| s.tiger() == tiger)
                .unwrap();
            worlds.push((0.5, world));
        }
        let (exact, tried) = (game.optimal_values(&known), values(&game, &worlds));
        assert_eq!(exact.len(), tried.len());
        for (ours, theirs) in exact.iter().zip(&tried) {
            assert_eq!(ours.0, theirs.0);
            assert!((ours.1 - theirs.1).abs() < 1e-9, "{horizon} {ours:?} {theirs:?}");
        }
    }
}

/// What one move is worth, by hand: with one left, and after hearing the tiger twice on the left.
#[test]
fn optimal_values_by_hand() {
    let last = Tiger::new(1, 1.0).unwrap();
    assert_eq!(last.optimal_values(&known(0, 0))[0], (Action::Listen, -1.0));
    assert_eq!(last.optimal_values(&known(0, 0))[1], (Action::Open(Door::Left), -45.0));
    assert_eq!(last.optimal_values(&known(1, 0)), []);
    let sure = Tiger::new(3, 1.0).unwrap().optimal_values(&known(2, 0));
    let tiger_right = 0.0225 / 0.745;
    assert!((sure[2].1 - (10.0 - 110.0 * tiger_right)).abs() < 1e-12);
}

#[test]
fn draws_follow_the_posterior() {
    let game = Tiger::new(20, 0.95).unwrap();
    let mut rng = Rng::named(1, &["tiger"]);
    for (left, right) in [(0, 0), (1, 0), (0, 2), (4, 3)] {
        let known = known(left, right);
        let n = 100_000.0;
        let drawn = (0..n as u64)
            .filter(|_| game.draw(&known, &mut rng).tiger() == Door::Left)
            .count() as f64;
        let p = known.left();
        assert!((drawn - n * p).abs() < 5.0 * (n * p * (1.0 - p)).sqrt(), "{known:?}: {drawn}");
    }
}

#[test]
fn opening_ends_the_game() {
    let game = Tiger::new(20, 0.95).unwrap();
    let mut rng = Rng::new(1);
    let mut actions = Vec::new();
    for door in [Door::Left, Door::Right] {
        let start = game.start(&mut rng);
        let mut state = start;
        let step = game.step(&mut state, Action::Open(door), &mut rng);
        assert_eq!(step.reward, if start.tiger() == door { -100.0 } else { 10.0 });
        assert_eq!(step.obs, None);
        game.actions(&state, &mut actions);
        assert_eq!(actions, []);
    }
}

#[test]
fn the_horizon_ends_the_game() {
    let game = Tiger::new(3, 1.0).unwrap();
    let mut rng = Rng::new(1);
    let mut state = game.start(&mut rng);
    let mut actions = Vec::new();
    for _ in 0..3 {
        game.actions(&state, &mut actions);
        assert_eq!(actions.len(), 3);
        game.step(&mut state, Action::Listen, &mut rng);
    }
    game.actions(&state, &mut actions);
    assert_eq!(actions, []);
}

#[test]
fn listening_is_right_as_often_as_it_says() {
    let game = Tiger::new(1, 1.0).unwrap();
    let mut rng = Rng::named(1, &["listening"]);
    let n = 100_000;
    let right = (0..n)
        .filter(|_| {
            let mut state = game.start(&mut rng);
            let tiger = state.tiger();
            game.step(&mut state, Action::Listen, &mut rng).obs == Some(tiger)
        })
        .count() as f64;
    let n = f64::from(n);
    assert!((right - ACCURACY * n).abs() < 5.0 * (n * 0.85 * 0.15).sqrt(), "{right}");
}

#[test]
fn wrong_parameters_are_refused() {
    assert_eq!(Tiger::new(0, 1.0), Err(TigerError::Horizon(0)));
    assert_eq!(Tiger::new(10_001, 1.0), Err(TigerError::Horizon(10_001)));
    assert_eq!(Tiger::new(5, 0.0), Err(TigerError::Discount(0.0)));
    assert_eq!(Tiger::new(5, 1.5), Err(TigerError::Discount(1.5)));
    let message = Tiger::new(5, f64::NAN).unwrap_err().to_string();
    assert_eq!(message, "the tiger's discount must be above 0 and at most 1, not NaN");
}
