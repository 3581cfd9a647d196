//! The solver against search without any idea, on packs small enough to try everything.

use std::collections::HashSet;

use patience_games::klondike::solver::{SolveError, Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{Deal, KlondikeTable, Move, Position, Rules, Scoring, View, replay};
use patience_model::Rng;
use patience_plan::{Budget, Cancel, Counts, Finding, Planner, Root, Search, StopReason, Verdict};

/// A position solved in the memory of another search.
fn solve(search: &mut dyn Search<KlondikeTable>, start: &Position) -> Finding<Move> {
    assert!(search.restart(Root::Certain(start.clone()), Rng::new(0)));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    search.finding()
}

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
    let table = KlondikeTable::new(rules, Scoring::Win);
    let first = Position::deal(&rules, &Deal::seeded(&rules, 0));
    let (mut won, mut lost) = (0, 0);
    for back in [true, false] {
        // One that begins again after every few nodes, one that hardly ever does, one without
        // reductions.
        let mut solvers = [(true, 1), (true, 1_000), (false, u64::MAX)].map(|(prune, round)| {
            let options = Thoughtful { take_back: back, prune, round };
            ThoughtfulSearch::new(&table, first.clone(), options).unwrap()
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
                let solution = solve(solver, &start);
                let verdict = if expected { Verdict::Solved } else { Verdict::Unsolvable };
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
            let table = KlondikeTable::new(rules, Scoring::Win);
            let first = Position::deal(&rules, &Deal::seeded(&rules, 0));
            let solver = |prune, round| {
                let options = Thoughtful { prune, round, ..Thoughtful::default() };
                ThoughtfulSearch::new(&table, first.clone(), options).unwrap()
            };
            let (mut pruned, mut plain) = (solver(true, 5), solver(false, u64::MAX));
            for seed in 0..300 {
                let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
                let one = solve(&mut pruned, &start).verdict;
                let other = solve(&mut plain, &start).verdict;
                assert_eq!(
                    one, other,
                    "{ranks} ranks, {columns} columns, draw {draw}, deal {seed}"
                );
                *if one == Verdict::Solved { &mut won } else { &mut lost } += 1;
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

/// What was spent, but for the memory: that which is kept from one deal to the next counts too.
fn spent(search: &dyn Search<KlondikeTable>) -> Counts {
    Counts { bytes: 0, ..search.counts() }
}

/// However often a search is interrupted, it finds the same in the same number of nodes; and a
/// budget of so many nodes is one of exactly so many.
#[test]
fn an_interrupted_search_goes_on_as_if_it_had_not_been() {
    for draw in [1, 3] {
        let table = KlondikeTable::new(Rules::draw(draw).unwrap(), Scoring::Win);
        for seed in 1..=30 {
            let start = table.deal(&format!("seed:{seed}")).unwrap();
            let begin =
                || Thoughtful::default().search(&table, Root::Certain(start.clone()), Rng::new(0));
            let mut whole = begin();
            whole.run(&Budget::iterations(3_000), &Cancel::new());
            for slice in [1, 7, 300] {
                let (mut search, mut most) = (begin(), 0);
                loop {
                    most = (most + slice).min(3_000);
                    let stats = search.run(&Budget::iterations(most), &Cancel::new());
                    if stats.stop == Some(StopReason::Complete) || most == 3_000 {
                        break;
                    }
                    assert_eq!(stats.counts.nodes, most);
                    assert_eq!(search.finding(), Finding::default());
                }
                assert_eq!(search.finding(), whole.finding(), "seed {seed}, slices of {slice}");
                assert_eq!(spent(&*search), spent(&*whole), "seed {seed}, slices of {slice}");
            }
        }
    }
}

/// A search in the memory of another is a new search, whatever memory either had.
#[test]
fn a_search_started_anew_is_a_new_search() {
    let table = KlondikeTable::new(Rules::draw(3).unwrap(), Scoring::Win);
    let first = Root::Certain(table.deal("seed:1").unwrap());
    let mut old = Thoughtful::default().search(&table, first, Rng::new(0));
    for seed in 1..=60 {
        let start = table.deal(&format!("seed:{seed}")).unwrap();
        let mut new =
            Thoughtful::default().search(&table, Root::Certain(start.clone()), Rng::new(0));
        assert!(old.restart(Root::Certain(start), Rng::new(0)));
        // Sometimes a table so small that it forgets.
        let memory = if seed % 3 == 0 { 1 << 14 } else { 1 << 26 };
        let budget = Budget::iterations(20_000).with_memory(memory);
        for search in [&mut old, &mut new] {
            let stats = search.run(&budget, &Cancel::new());
            assert_ne!(stats.stop, Some(StopReason::Memory), "a full table forgets");
            assert!(stats.counts.bytes < memory);
        }
        assert_eq!(old.finding(), new.finding(), "seed {seed}");
        assert_eq!(spent(&*old), spent(&*new), "seed {seed}");
    }
}

/// What the solver cannot answer is refused, and a search that was started all the same finds nothing.
#[test]
fn what_cannot_be_solved_is_refused() {
    let rules = Rules::draw(3).unwrap();
    let open = KlondikeTable::new(rules, Scoring::Win);
    let limited = KlondikeTable::new(rules.with_redeals(Some(2)), Scoring::Win);
    let start = open.deal("seed:1").unwrap();
    let refused = |table, start: &Position| {
        let mut search =
            Thoughtful::default().search(table, Root::Certain(start.clone()), Rng::new(0));
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        assert_eq!((stats.counts.nodes, stats.stop), (0, Some(StopReason::Complete)));
        assert_eq!(search.finding().verdict, Verdict::Unknown);
        ThoughtfulSearch::new(table, start.clone(), Thoughtful::default()).unwrap_err()
    };
    assert_eq!(refused(&limited, &start), SolveError::LimitedRedeals(2));
    let unknown = refused(&open, &start.seen(View::Plus));
    assert!(matches!(unknown, SolveError::Position(_)), "{unknown}");
}
