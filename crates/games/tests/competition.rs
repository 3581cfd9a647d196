//! Tag, SysAdmin and Game of Life against slow twins that are written from the rules.

use patience_games::tag::Action;
use patience_games::{GameOfLife, SysAdmin, Tag, game_of_life, sysadmin};
use patience_model::{Game, Hidden, Keyed, Outcomes, Rng};
use patience_plan::{Budget, Cancel, Root, Search, Stepped, ValueIteration};

fn value<G: Outcomes + Keyed>(game: &G, state: G::State) -> f64 {
    let planner = ValueIteration::new(1e-13).unwrap();
    let mut search = planner.start(game, Root::Certain(state), Rng::new(0));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    search.estimates().iter().filter_map(|e| e.value).fold(f64::NEG_INFINITY, f64::max)
}

/// A ring of three, where each has both others as neighbours: the best sum in so many moves.
fn ring(up: [bool; 3], left: u32) -> f64 {
    if left == 0 {
        return 0.0;
    }
    let running = up.iter().filter(|&&up| up).count() as f64;
    let mut best = f64::NEG_INFINITY;
    for reboot in [None, Some(0), Some(1), Some(2)] {
        let mut sum = running - if reboot.is_some() { 0.75 } else { 0.0 };
        for next in (0..8).map(|n| [n & 1 == 1, n & 2 == 2, n & 4 == 4]) {
            let mut probability = 1.0;
            for computer in 0..3 {
                let p = match up[computer] {
                    _ if reboot == Some(computer) => 1.0,
                    true => 0.45 + 0.5 * running / 3.0,
                    false => 0.05,
                };
                probability *= if next[computer] { p } else { 1.0 - p };
            }
            if probability > 0.0 {
                sum += probability * ring(next, left - 1);
            }
        }
        best = best.max(sum);
    }
    best
}

#[test]
fn three_computers_run_as_long_as_can_be() {
    let game = SysAdmin::new(3, 4).unwrap();
    for running in 0..8_u16 {
        let up = [0, 1, 2].map(|computer| running >> computer & 1 == 1);
        let found = value(&game, sysadmin::State { running, left: 4 });
        let exact = ring(up, 4);
        assert!((found - exact).abs() < 1e-9, "{running}: {found} {exact}");
    }
}

/// In a square of two by two each cell has the three others as neighbours.
fn square(alive: [bool; 4], left: u32) -> f64 {
    if left == 0 {
        return 0.0;
    }
    let living = alive.iter().filter(|&&alive| alive).count();
    let mut best = f64::NEG_INFINITY;
    for set in [None, Some(0), Some(1), Some(2), Some(3)] {
        let mut sum = living as f64 - if set.is_some() { 1.0 } else { 0.0 };
        for next in (0..16).map(|n| [n & 1 == 1, n & 2 == 2, n & 4 == 4, n & 8 == 8]) {
            let mut probability = 1.0;
            for cell in 0..4 {
                let around = living - usize::from(alive[cell]);
                let rule = around == 3 || around == 2 && alive[cell] || set == Some(cell);
                probability *= if next[cell] == rule { 0.9 } else { 0.1 };
            }
            sum += probability * square(next, left - 1);
        }
        best = best.max(sum);
    }
    best
}

#[test]
fn four_cells_live_as_long_as_can_be() {
    let game = GameOfLife::new(2, 0.1, 3).unwrap();
    for alive in 0..16_u16 {
        let cells = [0, 1, 2, 3].map(|cell| alive >> cell & 1 == 1);
        let found = value(&game, game_of_life::State { alive, left: 3 });
        let exact = square(cells, 3);
        assert!((found - exact).abs() < 1e-9, "{alive}: {found} {exact}");
    }
}

/// A blinker turns, and a block stays.
#[test]
fn known_patterns_do_what_is_known_of_them() {
    let game = GameOfLife::new(3, 0.0, 1).unwrap();
    assert_eq!(game.rule(0b000_111_000, None), 0b010_010_010);
    assert_eq!(game.rule(0b010_010_010, None), 0b000_111_000);
    assert_eq!(game.rule(0b110_110_000, None), 0b110_110_000);
    assert_eq!(game.rule(0, Some(4)), 0b000_010_000);
}

/// The cells of Tag as a picture, north on top.
const MAP: [&str; 5] = ["     ###  ", "     ###  ", "     ###  ", "##########", "##########"];

/// The cells in the order of their numbers: from the south, from the west.
fn cells() -> Vec<(i32, i32)> {
    let rows = MAP.iter().rev().enumerate();
    rows.flat_map(|(y, row)| {
        let tiles = row.chars().enumerate().filter(|(_, tile)| *tile == '#');
        tiles.map(move |(x, _)| (x as i32, y as i32)).collect::<Vec<_>>()
    })
    .collect()
}

/// How likely the opponent is in each cell after it has moved, by the rules.
fn fled(robot: (i32, i32), before: &[f64]) -> Vec<f64> {
    let cells = cells();
    let mut after = vec![0.0; cells.len()];
    for (cell, &(x, y)) in cells.iter().enumerate() {
        let mut go = |to: (i32, i32), chance: f64| {
            let place = cells.iter().position(|&at| at == to).unwrap_or(cell);
            after[place] += chance * before[cell];
        };
        go((x, y), 0.2);
        match x.cmp(&robot.0) {
            std::cmp::Ordering::Less => go((x - 1, y), 0.4),
            std::cmp::Ordering::Greater => go((x + 1, y), 0.4),
            std::cmp::Ordering::Equal => [x - 1, x + 1].into_iter().for_each(|x| go((x, y), 0.2)),
        }
        match y.cmp(&robot.1) {
            std::cmp::Ordering::Less => go((x, y - 1), 0.4),
            std::cmp::Ordering::Greater => go((x, y + 1), 0.4),
            std::cmp::Ordering::Equal => [y - 1, y + 1].into_iter().for_each(|y| go((x, y), 0.2)),
        }
    }
    after
}

#[test]
fn the_belief_of_tag_is_that_of_the_rules() {
    let (game, cells) = (Tag::new(0.95).unwrap(), cells());
    assert_eq!(cells.len(), 29);
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        let mut belief = vec![1.0 / 29.0; 29];
        let mut robot = cells[usize::from(state.robot())];
        for _ in 0..40 {
            let action = rng.pick(&[
                (Action::North, 0, 1),
                (Action::East, 1, 0),
                (Action::South, 0, -1),
                (Action::West, -1, 0),
                (Action::Tag, 0, 0),
            ]);
            let here = cells.iter().position(|&at| at == robot).unwrap();
            let tagged = action.0 == Action::Tag && usize::from(state.opponent()) == here;
            let most = game.most(&state);
            // On average no move makes more than the bound says. What it comes to varies by 2 or so: four
            // standard errors of 400 moves.
            if !tagged && seed % 4 == 0 {
                let moved = (0..400).map(|_| {
                    let mut next = state;
                    let reward = game.step(&mut next, action.0, &mut rng).reward;
                    reward + 0.95 * game.most(&next)
                });
                assert!(moved.sum::<f64>() / 400.0 <= most + 0.4);
            }
            let step = game.step(&mut state, action.0, &mut rng);
            let reward = if tagged {
                10.0
            } else if action.0 == Action::Tag {
                -10.0
            } else {
                -1.0
            };
            assert_eq!(step.reward, reward);
            if tagged {
                assert_eq!(most, 10.0);
                break;
            }
            if action.0 == Action::Tag {
                belief[here] = 0.0;
            }
            belief = fled(robot, &belief);
            let to = (robot.0 + action.1, robot.1 + action.2);
            robot = if cells.contains(&to) { to } else { robot };
            assert_eq!(cells[usize::from(state.robot())], robot);
            for (cell, chance) in belief.iter_mut().enumerate() {
                if (cells[cell] == robot) != step.obs {
                    *chance = 0.0;
                }
            }
            let sum: f64 = belief.iter().sum();
            belief.iter_mut().for_each(|chance| *chance /= sum);
            for (cell, &chance) in belief.iter().enumerate() {
                let ours = game.known(&state).chance(cell);
                assert!((ours - chance).abs() < 1e-4, "{cell}: {ours} {chance}");
            }
        }
    }
}

/// The opponent goes where the rules say as often as they say: within five standard errors of 20,000.
#[test]
fn the_opponent_of_tag_flees() {
    let (game, cells) = (Tag::new(0.95).unwrap(), cells());
    let mut rng = Rng::new(3);
    let start = game.start(&mut rng);
    let mut before = vec![0.0; 29];
    before[usize::from(start.opponent())] = 1.0;
    let exact = fled(cells[usize::from(start.robot())], &before);
    let mut seen = vec![0.0; 29];
    for _ in 0..20_000 {
        let mut state = start;
        game.step(&mut state, Action::North, &mut rng);
        seen[usize::from(state.opponent())] += 1.0 / 20_000.0;
    }
    for (cell, (seen, exact)) in seen.iter().zip(&exact).enumerate() {
        assert!(
            (seen - exact).abs() < 5.0 * (0.25_f64 / 20_000.0).sqrt(),
            "{cell}: {seen} {exact}"
        );
    }
}
