//! Battleship: the belief against a list of all fleets, and what random shots come to.

use std::collections::HashMap;

use patience_games::Battleship;
use patience_games::battleship::State;
use patience_model::{Game, Hidden, Rng};

type Square = (i32, i32);

/// The twin: all fleets that agree with what was shot, by laying ships one after the other.
fn fleets(told: &HashMap<Square, bool>) -> Vec<Vec<Square>> {
    fn lay(
        told: &HashMap<Square, bool>,
        fleet: &[Square],
        left: &[i32],
        all: &mut Vec<Vec<Square>>,
    ) {
        let Some((&length, left)) = left.split_first() else {
            let hit = |(square, &hit): (&Square, &bool)| !hit || fleet.contains(square);
            if told.iter().all(hit) {
                let mut fleet = fleet.to_vec();
                fleet.sort_unstable();
                all.push(fleet);
            }
            return;
        };
        for (row, column) in (0..10).flat_map(|row| (0..10).map(move |column| (row, column))) {
            for (down, right) in [(0, 1), (1, 0)] {
                let ship: Vec<Square> =
                    (0..length).map(|n| (row + n * down, column + n * right)).collect();
                let lies = |&(r, c): &Square| {
                    let near =
                        |&(row, column): &Square| (row - r).abs().max((column - c).abs()) <= 1;
                    r < 10 && c < 10 && told.get(&(r, c)) != Some(&false) && !fleet.iter().any(near)
                };
                if ship.iter().all(lies) {
                    lay(told, &[fleet, &ship].concat(), left, all);
                }
            }
        }
    }
    let mut all = Vec::new();
    lay(told, &[], &[5, 4, 3, 2], &mut all);
    all
}

fn fleet(state: &State) -> Vec<Square> {
    let squares = (0..100).filter(|&square| state.is_ship(square));
    squares.map(|square| (i32::from(square) / 10, i32::from(square) % 10)).collect()
}

/// Every fleet that agrees with what was shot is drawn, no other, and all alike.
#[test]
fn the_belief_is_every_fleet_that_agrees_each_alike() {
    let (game, mut legal, mut looked, mut with_free_ships) = (Battleship, Vec::new(), 0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        let mut told = HashMap::new();
        for _ in 0..42 + seed % 20 {
            game.actions(&state, &mut legal);
            let shot = rng.pick(&legal);
            let hit = game.step(&mut state, shot, &mut rng).obs;
            told.insert((i32::from(shot) / 10, i32::from(shot) % 10), hit);
        }
        let all = fleets(&told);
        if all.len() > 300 {
            continue;
        }
        let known = game.known(&state);
        let draws = 100 * all.len();
        let mut seen: HashMap<Vec<Square>, usize> = HashMap::new();
        for _ in 0..draws {
            *seen.entry(fleet(&game.draw(&known, &mut rng))).or_default() += 1;
        }
        assert!(all.contains(&fleet(&state)), "the true fleet agrees");
        assert_eq!(seen.len(), all.len(), "seed {seed}");
        let chi: f64 = all.iter().map(|f| (seen[f] as f64 - 100.0).powi(2) / 100.0).sum();
        let freedom = all.len() as f64 - 1.0;
        assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0, "seed {seed}: {chi} {freedom}");
        looked += 1;
        with_free_ships += usize::from(all.len() > 20);
    }
    assert!(looked > 8 && with_free_ships > 0, "{looked} {with_free_ships}");
}

/// The last of 14 squares among 100 in random order comes 14 · 101/15 = 94.27th in the mean.
#[test]
fn random_shots_need_ninety_four() {
    let (game, mut legal, mut shots) = (Battleship, Vec::new(), 0);
    for seed in 0..1_000 {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        let mut total = 0.0;
        let before = shots;
        loop {
            game.actions(&state, &mut legal);
            if legal.is_empty() {
                break;
            }
            total += game.step(&mut state, rng.pick(&legal), &mut rng).reward;
            shots += 1;
        }
        assert_eq!(total, 100.0 - f64::from(shots - before));
        assert_eq!(fleet(&state).len(), 14);
    }
    // A standard deviation of 5.8, five standard errors of a thousand games.
    let mean = f64::from(shots) / 1_000.0;
    assert!((mean - 14.0 * 101.0 / 15.0).abs() < 0.92, "{mean}");
}
