//! Laser Tag: the map, the readings and the belief against twins that are written from the rules.

use patience_games::LaserTag;
use patience_games::laser_tag::{CELLS, Map, State};
use patience_games::tag::Action;
use patience_model::{Game, Hidden, Rng};

const WAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// How far the laser goes from a robot, if the opponent stands there.
fn distance(map: &Map, robot: u8, opponent: u8, (dx, dy): (i8, i8)) -> f64 {
    let (x, y) = map.place(robot);
    let blocks = |steps: &i8| {
        let met = map.cell((x + steps * dx, y + steps * dy));
        met.is_none() || met == Some(opponent)
    };
    let steps = (1..).find(blocks).unwrap();
    f64::from(steps) * f64::from(dx * dx + dy * dy).sqrt()
}

/// How likely a normal error of 2.5 gives this reading: Simpson's rule over its unit, tails at the ends.
fn chance(reading: u8, distance: f64) -> f64 {
    let density = |x: f64| {
        let z = (x - distance) / 2.5;
        (-0.5 * z * z).exp() / (2.5 * std::f64::consts::TAU.sqrt())
    };
    let from = if reading == 0 { distance - 25.0 } else { f64::from(reading) };
    let to = if reading == 20 { distance + 30.0 } else { f64::from(reading) + 1.0 };
    let parts = 2_000;
    let width = (to - from) / f64::from(parts);
    let weigh = |n: i32| match n {
        n if n == 0 || n == parts => 1.0,
        n if n % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=parts).map(|n| weigh(n) * density(from + width * f64::from(n))).sum();
    sum * width / 3.0
}

#[test]
fn every_map_hangs_together_and_has_eight_obstacles() {
    for number in 0..30 {
        let map = Map::numbered(number);
        let free = (0..7).flat_map(|y| (0..11).map(move |x| (x, y)));
        let free: Vec<u8> = free.filter_map(|place| map.cell(place)).collect();
        assert_eq!(free.len(), CELLS);
        let mut seen = vec![0_u8];
        for at in 0.. {
            let Some(&cell) = seen.get(at) else { break };
            let (x, y) = map.place(cell);
            for (dx, dy) in WAYS.into_iter().step_by(2) {
                seen.extend(map.cell((x + dx, y + dy)).filter(|next| !seen.contains(next)));
            }
        }
        assert_eq!(seen.len(), CELLS, "map {number}");
    }
}

/// The opponent's next cells: 0.2 stays, 0.4 along each axis, away from the robot.
fn fled(map: &Map, robot: u8, before: &[f64]) -> Vec<f64> {
    let mut after = vec![0.0; CELLS];
    for (cell, &share) in before.iter().enumerate() {
        let ((x, y), (rx, ry)) = (map.place(cell as u8), map.place(robot));
        let mut go = |dx: i8, dy: i8, chance: f64| {
            let to = map.cell((x + dx, y + dy)).map_or(cell, usize::from);
            after[to] += share * chance;
        };
        go(0, 0, 0.2);
        match x - rx {
            0 => [-1, 1].into_iter().for_each(|dx| go(dx, 0, 0.2)),
            dx => go(dx.signum(), 0, 0.4),
        }
        match y - ry {
            0 => [-1, 1].into_iter().for_each(|dy| go(0, dy, 0.2)),
            dy => go(0, dy.signum(), 0.4),
        }
    }
    after
}

/// All eight readings count for every cell in the twin; in the game only the beam that the cell is in.
#[test]
fn the_belief_is_that_of_the_rules() {
    let game = LaserTag::new(3, 0.95).unwrap();
    let map = game.map();
    let (mut told, mut met) = (0, 0);
    for seed in 0..15 {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        let mut belief = vec![1.0 / CELLS as f64; CELLS];
        for _ in 0..25 {
            let all = [Action::North, Action::East, Action::South, Action::West, Action::Tag];
            let mut action = rng.pick(&all);
            // It is chased mostly, so that it is met.
            let ((x, y), (ox, oy)) = (map.place(state.robot()), map.place(state.opponent()));
            if rng.chance(0.8) {
                action = match (ox - x, oy - y) {
                    (1.., _) => Action::East,
                    (..0, _) => Action::West,
                    (0, 1..) => Action::North,
                    (0, ..0) => Action::South,
                    (0, 0) => action,
                };
            }
            let (before, most) = (state.robot(), game.most(&state));
            let here = state.opponent() == before;
            // On average no move makes more than the bound says. What it comes to varies by 2 or so: four
            // standard errors of 100 moves.
            if !(action == Action::Tag && here) {
                let moved = (0..100).map(|_| {
                    let mut next = state;
                    let reward = game.step(&mut next, action, &mut rng).reward;
                    reward + 0.95 * game.most(&next)
                });
                assert!(moved.sum::<f64>() / 100.0 <= most + 0.8);
            }
            let step = game.step(&mut state, action, &mut rng);
            if action == Action::Tag && here {
                assert_eq!((step.reward, step.obs, most), (10.0, None, 10.0));
                break;
            }
            assert_eq!(step.reward, if action == Action::Tag { -10.0 } else { -1.0 });
            if action == Action::Tag {
                belief[usize::from(before)] = 0.0;
            }
            belief = fled(map, before, &belief);
            let robot = state.robot();
            for (cell, share) in belief.iter_mut().enumerate() {
                *share *= match step.obs {
                    None => f64::from(u8::from(cell == usize::from(robot))),
                    Some(_) if cell == usize::from(robot) => 0.0,
                    Some(readings) => {
                        let readings = readings.iter().zip(WAYS);
                        readings
                            .map(|(&r, way)| chance(r, distance(map, robot, cell as u8, way)))
                            .product()
                    }
                };
            }
            let sum: f64 = belief.iter().sum();
            belief.iter_mut().for_each(|share| *share /= sum);
            for (cell, &share) in belief.iter().enumerate() {
                let ours = game.known(&state).chance(cell);
                assert!((ours - share).abs() < 2e-3, "{cell}: {ours} {share}");
            }
            told += usize::from(step.obs.is_some());
            met += usize::from(step.obs.is_none());
        }
    }
    assert!(told > 100 && met > 0, "{told} {met}");
}

/// Readings come as often as a normal error says: within five standard errors of 20,000.
#[test]
fn readings_are_normal() {
    let game = LaserTag::new(3, 0.95).unwrap();
    let mut rng = Rng::new(5);
    let start = game.start(&mut rng);
    let mut seen = vec![[0.0; 21]; 8];
    let mut expected = vec![[0.0; 21]; 8];
    let draws = 20_000;
    let mut known: Vec<(State, [[f64; 21]; 8])> = Vec::new();
    for _ in 0..draws {
        let mut state = start;
        let Some(readings) = game.step(&mut state, Action::North, &mut rng).obs else { continue };
        let place = known.iter().position(|(other, _)| other.opponent() == state.opponent());
        let place = place.unwrap_or_else(|| {
            let (robot, opponent) = (state.robot(), state.opponent());
            let row = |way| {
                let far = distance(game.map(), robot, opponent, way);
                std::array::from_fn(|reading| chance(reading as u8, far))
            };
            known.push((state, WAYS.map(row)));
            known.len() - 1
        });
        for way in 0..8 {
            seen[way][usize::from(readings[way])] += 1.0 / f64::from(draws);
            for (sum, chance) in expected[way].iter_mut().zip(known[place].1[way]) {
                *sum += chance / f64::from(draws);
            }
        }
    }
    for (seen, expected) in seen.iter().flatten().zip(expected.iter().flatten()) {
        let error = (expected * (1.0 - expected) / f64::from(draws)).sqrt();
        assert!((seen - expected).abs() < 5.0 * error + 1e-4, "{seen} {expected}");
    }
}
