//! The solver against search without any idea, on packs small enough to try everything.

use std::collections::HashSet;

use patience_games::klondike::solver::{Solver, SolverOptions, Verdict};
use patience_games::klondike::{Deal, Move, Position, Rules, replay};
use patience_model::Rng;
use patience_plan::Cancel;

/// All that matters of a position: which column is which does not, nor how often it was redealt.
fn key(position: &Position) -> Vec<u8> {
    let mut columns: Vec<Vec<u8>> = position
        .columns
        .iter()
        .map(|c| {
            let down = c.down.iter().flatten().map(|c| c.number());
            down.chain([60]).chain(c.up.iter().map(|c| c.number())).collect()
        })
        .collect();
    columns.sort();
    let mut key = columns.join(&61);
    key.push(62);
    key.extend(position.stock.iter().flatten().map(|c| c.number()));
    key.push(63);
    key.extend(position.waste.iter().map(|c| c.number()));
    key.extend(position.foundations);
    key
}

/// Whether a position can be won, by every move of the obvious engine; `None` if that takes more
/// than `most` positions.
fn try_everything(rules: &Rules, start: &Position, back: bool, most: usize) -> Option<bool> {
    let mut seen = HashSet::from([key(start)]);
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        if position.is_won(rules) {
            return Some(true);
        }
        if seen.len() > most {
            return None;
        }
        for m in rules.moves(&position) {
            if !back && matches!(m, Move::FoundationToColumn { .. }) {
                continue;
            }
            let mut next = position.clone();
            rules.play(&mut next, m).unwrap();
            if seen.insert(key(&next)) {
                open.push(next);
            }
        }
    }
    Some(false)
}

/// Both solvers on many deals; gives how many were won and lost.
fn compare(ranks: u8, columns: u8, draw: u32, deals: u64, most: usize) -> (u32, u32) {
    let rules = Rules::draw(draw).unwrap().with_pack(ranks, columns).unwrap();
    let (mut won, mut lost) = (0, 0);
    for back in [true, false] {
        // One that begins again after every few nodes, one that hardly ever does, one without
        // reductions.
        let mut solvers = [(true, 1), (true, 1_000), (false, u64::MAX)].map(|(prune, round)| {
            let options = SolverOptions { worrying_back: back, prune, round, ..Default::default() };
            Solver::new(rules, options).unwrap()
        });
        for seed in 0..deals {
            let mut rng = Rng::named(seed, &["small", "deal"]);
            let mut start = Position::deal(&rules, &Deal::shuffled(&rules, &mut rng));
            // Every other one is in the middle of a game.
            for _ in 0..(seed % 2) * rng.below(20) {
                let moves = rules.moves(&start);
                if moves.is_empty() || start.is_won(&rules) {
                    break;
                }
                rules.play(&mut start, rng.pick(&moves)).unwrap();
            }
            let Some(expected) = try_everything(&rules, &start, back, most) else { continue };
            *if expected { &mut won } else { &mut lost } += 1;
            for solver in &mut solvers {
                let solution = solver.solve(&start, &Cancel::new()).unwrap();
                let verdict = if expected { Verdict::Won } else { Verdict::Lost };
                assert_eq!(
                    solution.verdict, verdict,
                    "{ranks} ranks, {columns} columns, draw {draw}, back {back}, deal {seed}: \
                     {start:?}"
                );
                if expected {
                    let end = replay(&rules, &start, &solution.moves).unwrap();
                    assert!(end.is_won(&rules));
                    let backs = |m: &Move| matches!(m, Move::FoundationToColumn { .. });
                    assert!(back || !solution.moves.iter().any(backs));
                }
            }
        }
    }
    println!("{ranks} ranks, {columns} columns, draw {draw}: {won} won, {lost} lost");
    (won, lost)
}

#[test]
fn small_packs_are_judged_as_by_trying_everything() {
    let (mut won, mut lost) = (0, 0);
    for (ranks, columns, deals) in
        [(2, 2, 20), (3, 3, 30), (4, 4, 15), (5, 5, 15), (6, 6, 40), (7, 7, 100)]
    {
        for draw in [1, 2, 3] {
            let (w, l) = compare(ranks, columns, draw, deals, 300);
            (won, lost) = (won + w, lost + l);
        }
    }
    assert!(won > 200 && lost > 150, "{won} won, {lost} lost: too few to mean something");
}

/// With and without the reductions beyond the representation, on more deals than can be tried out
/// move by move.
#[test]
fn reductions_change_no_verdict() {
    let (mut won, mut lost) = (0, 0);
    for (ranks, columns) in [(3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (7, 7)] {
        for draw in [1, 2, 3] {
            let rules = Rules::draw(draw).unwrap().with_pack(ranks, columns).unwrap();
            let solver = |prune, round| {
                let options = SolverOptions { prune, round, ..SolverOptions::default() };
                Solver::new(rules, options).unwrap()
            };
            let (mut pruned, mut plain) = (solver(true, 5), solver(false, u64::MAX));
            for seed in 0..300 {
                let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
                let one = pruned.solve(&start, &Cancel::new()).unwrap().verdict;
                let other = plain.solve(&start, &Cancel::new()).unwrap().verdict;
                assert_eq!(
                    one, other,
                    "{ranks} ranks, {columns} columns, draw {draw}, deal {seed}"
                );
                *if one == Verdict::Won { &mut won } else { &mut lost } += 1;
            }
        }
    }
    assert!(won > 1_000 && lost > 400, "{won} won, {lost} lost: too few to mean something");
}

#[test]
#[ignore = "minutes"]
fn many_small_packs_are_judged_as_by_trying_everything() {
    for (ranks, columns, deals) in
        [(3, 3, 1_000), (4, 4, 600), (5, 5, 400), (6, 6, 400), (7, 7, 1_000), (8, 7, 200)]
    {
        for draw in [1, 2, 3] {
            let (won, lost) = compare(ranks, columns, draw, deals, 20_000);
            assert!(won + lost > 0);
        }
    }
}
