//! Sailing against its slow twin, and V* against plain value iteration and play.

use std::f64::consts::SQRT_2;
use std::sync::Arc;

use patience_games::Sailing;
use patience_games::sailing::{Direction, Optimal, Perturbed, State, Tack};
use patience_model::{Game, Keyed, Outcomes, Rng, Shown, Standing};
use proptest::prelude::*;

/// The wind's transition matrix as printed in the docs, N to NW both ways.
const WIND: [[f64; 8]; 8] = [
    [0.4, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3],
    [0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.4, 0.3, 0.3, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.4, 0.2, 0.4, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.3, 0.3, 0.4, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.3, 0.4],
    [0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.3],
];

/// A direction as a vector, east and north.
fn vector(direction: Direction) -> (f64, f64) {
    let name = direction.to_string();
    let has = |c| f64::from(u8::from(name.contains(c)));
    (has('E') - has('W'), has('N') - has('S'))
}

/// A leg by vector geometry: its minutes and tack, or `None` if it is forbidden.
fn leg(wind: Direction, heading: Direction, before: Tack) -> Option<(f64, Tack)> {
    let ((hx, hy), (wx, wy)) = (vector(heading), vector(wind));
    let length = hx.hypot(hy);
    let angle = ((hx * wx + hy * wy) / (length * wx.hypot(wy))).clamp(-1.0, 1.0).acos();
    let rate = match angle.to_degrees().round() as u32 {
        0 => 1.0,
        45 => 2.0,
        90 => 3.0,
        135 => 4.0,
        _ => return None,
    };
    // The wind comes from (−wx, −wy); it is on the left if turning left from the heading meets it.
    let side = hx * -wy - hy * -wx;
    let tack = if angle.to_degrees() < 1.0 {
        Tack::Neither
    } else if side > 0.0 {
        Tack::Port
    } else {
        Tack::Starboard
    };
    let changed = before != Tack::Neither && tack != Tack::Neither && before != tack;
    Some((rate * length + if changed { 3.0 } else { 0.0 }, tack))
}

fn states(lake: &Sailing) -> impl Iterator<Item = State> + '_ {
    (0..lake.states() as u32).map(|key| lake.state(key).unwrap())
}

#[test]
fn every_leg_of_a_lake_equals_its_twin() {
    for size in [2, 3, 5] {
        let lake = Sailing::new(size).unwrap();
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        for state in states(&lake) {
            let (x, y) = state.position();
            let goal = u32::from(x) + 1 == size && u32::from(y) + 1 == size;
            let mut expected = Vec::new();
            for heading in Direction::ALL {
                let (dx, dy) = vector(heading);
                let to = (f64::from(x) + dx, f64::from(y) + dy);
                let range = 0.0..f64::from(size);
                let inside = range.contains(&to.0) && range.contains(&to.1);
                let Some((minutes, tack)) = leg(state.wind(), heading, state.tack()) else {
                    continue;
                };
                if goal || !inside {
                    continue;
                }
                expected.push(heading);
                lake.outcomes(&state, heading, &mut outcomes);
                let mut row = [0.0; 8];
                for outcome in &outcomes {
                    assert!((outcome.step.reward + minutes).abs() < 1e-12, "{state:?} {heading}");
                    assert_eq!(outcome.state.tack(), tack, "{state:?} {heading}");
                    let (x, y) = outcome.state.position();
                    assert_eq!((f64::from(x), f64::from(y)), to, "{state:?} {heading}");
                    assert_eq!(outcome.step.obs, outcome.state.wind());
                    row[outcome.step.obs as usize] += outcome.probability;
                }
                assert_eq!(row, WIND[state.wind() as usize]);
            }
            lake.actions(&state, &mut actions);
            assert_eq!(actions, expected, "{state:?}");
        }
    }
}

#[test]
fn there_are_no_dead_ends_and_costs_are_the_papers() {
    let (mut cheapest, mut dearest) = (f64::INFINITY, 0.0f64);
    for size in 2..8 {
        let lake = Sailing::new(size).unwrap();
        let mut actions = Vec::new();
        for state in states(&lake) {
            lake.actions(&state, &mut actions);
            if lake.is_goal(&state) {
                assert_eq!(actions, []);
            } else {
                assert!((2..=7).contains(&actions.len()), "{state:?}: {actions:?}");
            }
            for action in &actions {
                cheapest = cheapest.min(lake.minutes(&state, *action));
                dearest = dearest.max(lake.minutes(&state, *action));
            }
        }
    }
    assert_eq!(cheapest, 1.0);
    assert!((dearest - (4.0 * SQRT_2 + 3.0)).abs() < 1e-12);
}

proptest! {
    #[test]
    fn keys_number_the_states(size in 2u32..=1000, pick: u32) {
        let lake = Sailing::new(size).unwrap();
        let key = pick % lake.states() as u32;
        prop_assert_eq!(lake.key(&lake.state(key).unwrap()), key);
        prop_assert_eq!(lake.state(lake.states() as u32), None);
    }
}

#[test]
fn random_states_are_all_but_the_goal() {
    let lake = Sailing::new(3).unwrap();
    let mut counts = vec![0u64; lake.states()];
    let mut rng = Rng::named(1, &["states"]);
    let n = 192_000;
    for _ in 0..n {
        counts[lake.key(&lake.random_state(&mut rng)) as usize] += 1;
    }
    let mean = n as f64 / 192.0;
    for state in states(&lake) {
        let count = counts[lake.key(&state) as usize] as f64;
        if lake.is_goal(&state) {
            assert_eq!(count, 0.0);
        } else {
            assert!((count - mean).abs() < 6.0 * mean.sqrt(), "{state:?}: {count}");
        }
    }
}

/// Q by the listed outcomes and a table of values.
fn backup(lake: &Sailing, values: impl Fn(&State) -> f64, state: &State) -> Vec<(Direction, f64)> {
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    lake.actions(state, &mut actions);
    let value = |action| {
        lake.outcomes(state, action, &mut outcomes);
        outcomes.iter().map(|o| o.probability * (o.step.reward + values(&o.state))).sum()
    };
    let q: Vec<f64> = actions.iter().copied().map(value).collect();
    actions.into_iter().zip(q).collect()
}

fn best(values: &[(Direction, f64)]) -> f64 {
    values.iter().map(|v| v.1).reduce(f64::max).unwrap_or(0.0)
}

#[test]
fn optimal_values_equal_plain_value_iteration() {
    for size in [2, 3, 6] {
        let lake = Sailing::new(size).unwrap();
        let mut table = vec![0.0; lake.states()];
        loop {
            let value = |s: &State| table[lake.key(s) as usize];
            let next: Vec<f64> = states(&lake).map(|s| best(&backup(&lake, value, &s))).collect();
            let change = next.iter().zip(&table).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            table = next;
            if change < 1e-13 {
                break;
            }
        }
        let optimal = Optimal::solve(&lake);
        let mut action_values = Vec::new();
        for state in states(&lake) {
            let plain = table[lake.key(&state) as usize];
            assert!((optimal.value(&state) - plain).abs() < 1e-9, "{state:?}");
            optimal.action_values(&state, &mut action_values);
            let plain = backup(&lake, |s| table[lake.key(s) as usize], &state);
            assert_eq!(action_values.len(), plain.len());
            for (ours, theirs) in action_values.iter().zip(&plain) {
                assert_eq!(ours.0, theirs.0);
                assert!((ours.1 - theirs.1).abs() < 1e-9, "{state:?} {ours:?}");
                assert_eq!(optimal.action_value(&state, ours.0), ours.1);
            }
        }
    }
}

#[test]
fn the_largest_lake_of_the_paper_is_solved() {
    let lake = Sailing::new(40).unwrap();
    let optimal = Optimal::solve(&lake);
    for state in states(&lake) {
        let value = optimal.value(&state);
        let again = best(&backup(&lake, |s| optimal.value(s), &state));
        assert!((value - again).abs() < 1e-9, "{state:?}");
        // Each leg takes a minute or more, and so many are needed.
        let (x, y) = state.position();
        let legs = f64::from((39 - x).max(39 - y));
        assert!(value <= -legs, "{state:?}: {value}");
    }
}

#[test]
fn sailing_by_optimal_values_takes_as_long_as_they_say() {
    let lake = Sailing::new(5).unwrap();
    let optimal = Optimal::solve(&lake);
    let mut rng = Rng::named(1, &["sailing"]);
    let (mut sum, mut squares) = (0.0, 0.0);
    let n = 20_000;
    let mut values = Vec::new();
    for _ in 0..n {
        let mut state = lake.random_state(&mut rng);
        let mut surplus = -optimal.value(&state);
        while !lake.is_goal(&state) {
            optimal.action_values(&state, &mut values);
            let (action, _) = values.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            surplus += lake.step(&mut state, action, &mut rng).reward;
        }
        sum += surplus;
        squares += surplus * surplus;
    }
    let n = f64::from(n);
    let error = (squares / n).sqrt() / n.sqrt();
    assert!((sum / n).abs() < 5.0 * error, "{} ± {error}", sum / n);
}

#[test]
fn the_evaluation_function_is_off_by_at_most_a_tenth_and_fixed() {
    let lake = Sailing::new(10).unwrap();
    let optimal = Arc::new(Optimal::solve(&lake));
    let runs = [1, 2].map(|run| Perturbed::new(Arc::clone(&optimal), Perturbed::EPSILON, run));
    let epsilon = |run: &Perturbed, s: &State| run.value(s) / optimal.value(s) - 1.0;
    let (mut sum, mut squares, mut product, mut n) = (0.0, 0.0, 0.0, 0.0);
    for state in states(&lake) {
        if lake.is_goal(&state) {
            assert_eq!(runs[0].value(&state), 0.0);
            continue;
        }
        assert_eq!(runs[0].value(&state), runs[0].clone().value(&state));
        let (first, second) = (epsilon(&runs[0], &state), epsilon(&runs[1], &state));
        assert!(first.abs() <= 0.1 + 1e-12, "{state:?}: {first}");
        sum += first;
        squares += first * first;
        product += first * second;
        n += 1.0;
    }
    // Uniform in [−0.1, 0.1]: mean 0, variance 1/300; another run is independent of it.
    let variance = 1.0 / 300.0;
    assert!((sum / n).abs() < 5.0 * (variance / n).sqrt(), "{}", sum / n);
    assert!((squares / n - variance).abs() < 0.1 * variance, "{}", squares / n);
    assert!((product / n).abs() < 5.0 * variance / n.sqrt(), "{}", product / n);
}

#[test]
fn wrong_sizes_are_refused() {
    for size in [0, 1, 1001, u32::MAX] {
        let message = Sailing::new(size).unwrap_err().to_string();
        assert_eq!(message, format!("the size of a lake must be from 2 to 1000, not {size}"));
    }
}

#[test]
fn a_leg_is_named_with_its_minutes_and_the_goal_is_a_win() {
    let lake = Sailing::new(2).unwrap();
    let of = |x, y, wind, tack| {
        let all = (0..lake.states() as u32).filter_map(|key| lake.state(key));
        let is = |s: &State| (s.position(), s.wind(), s.tack()) == ((x, y), wind, tack);
        all.into_iter().find(is).unwrap()
    };
    let start = of(0, 0, Direction::E, Tack::Neither);
    assert_eq!(lake.label(&start, Direction::NE).label, "sail NE, 2.8 minutes");
    assert_eq!(lake.label(&start, Direction::E).points, Some(-1.0));
    assert_eq!(lake.standing(&start), Standing::Open);
    assert_eq!(lake.standing(&of(1, 1, Direction::E, Tack::Port)), Standing::Won);
}
