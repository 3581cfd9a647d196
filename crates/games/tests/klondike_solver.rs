//! The solver against search without any idea, on packs small enough to try everything.

use std::collections::HashSet;

use crate::klondike_shortest;

use patience_games::klondike::solver::{SolveError, Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{
    Action, Card, Deal, Kind, KlondikeTable, Move, Position, Rules, Scoring, View, replay,
};
use patience_model::Rng;
use patience_plan::{
    Budget, Cancel, Counts, Finding, Planner, Root, Search, Stepped, StopReason, Verdict,
};

/// A position solved in the memory of another search.
fn solve(search: &mut dyn Search<KlondikeTable>, start: &Position) -> Finding<Move> {
    assert!(search.restart(Root::Certain(start.clone()), Rng::new(0)));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    search.finding()
}

/// All that matters of a position: which column is which does not, nor how often it was redealt.
pub(crate) fn key(position: &Position) -> Vec<u8> {
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

/// A position a few moves before the end of a game that the solver won, left at random: small enough to
/// try everything, and full of runs, foundations and cards that come back.
fn late(rules: &Rules, seed: u64) -> Option<Position> {
    let table = KlondikeTable::new(*rules, Scoring::Win);
    let mut rng = Rng::named(seed, &["solver", "late"]);
    let mut position = Position::deal(rules, &Deal::shuffled(rules, &mut rng));
    let mut solver = ThoughtfulSearch::new(&table, position.clone(), Thoughtful::default()).ok()?;
    solver.run(&Budget::iterations(20_000), &Cancel::new());
    let moves = solver.finding().moves;
    let played = moves.len().checked_sub(25 + rng.below(25) as usize)?;
    moves[..played].iter().for_each(|&m| rules.play(&mut position, m).unwrap());
    for _ in 0..rng.below(12) {
        let moves = rules.moves(&position);
        if moves.is_empty() {
            break;
        }
        rules.play(&mut position, rng.pick(&moves)).unwrap();
    }
    Some(position)
}

/// Late positions judged with all reductions and by trying everything; gives how many were won and lost.
fn compare_late(ranks: u8, columns: u8, seeds: std::ops::Range<u64>, most: usize) -> (u32, u32) {
    let (mut won, mut lost) = (0, 0);
    for seed in seeds {
        let rules = Rules::draw(1 + (seed % 3) as u32).unwrap();
        let rules = rules.with_pack(ranks, columns).unwrap();
        let Some(start) = late(&rules, seed) else { continue };
        let Some(least) = klondike_shortest::try_everything(&rules, &start, most) else { continue };
        let expected = least.is_some();
        *if expected { &mut won } else { &mut lost } += 1;
        let table = KlondikeTable::new(rules, Scoring::Win);
        let options = Thoughtful { round: 1 + seed % 7, ..Thoughtful::default() };
        let mut solver = ThoughtfulSearch::new(&table, start.clone(), options).unwrap();
        solver.run(&Budget::UNLIMITED, &Cancel::new());
        let verdict = if expected { Verdict::Solved } else { Verdict::Unsolvable };
        assert_eq!(solver.finding().verdict, verdict, "seed {seed}: {start:?}");
    }
    println!("{ranks} ranks, {columns} columns: {won} won, {lost} lost");
    (won, lost)
}

#[test]
fn late_positions_are_judged_as_by_trying_everything() {
    let (mut won, mut lost) = (0, 0);
    for (ranks, columns) in [(5, 5), (6, 6), (8, 7), (13, 7)] {
        let (w, l) = compare_late(ranks, columns, 0..500, 500);
        (won, lost) = (won + w, lost + l);
    }
    assert!(won > 200 && lost > 20, "{won} won, {lost} lost: too few to mean something");
}

#[test]
#[ignore = "half an hour"]
fn a_hundred_thousand_late_positions_are_judged_as_by_trying_everything() {
    let (mut won, mut lost) = (0, 0);
    for (ranks, columns) in [(5, 5), (6, 6), (8, 7), (13, 7)] {
        let (w, l) = compare_late(ranks, columns, 0..200_000, 1_000);
        (won, lost) = (won + w, lost + l);
    }
    assert!(won + lost > 100_000 && lost > 5_000, "{won} won, {lost} lost");
}

/// With all reductions and with as few as there can be, whole deals.
fn decide_alike(seeds: std::ops::RangeInclusive<u64>, most: u64) -> (u32, u32) {
    let (mut decided, mut open) = (0, 0);
    for draw in [1, 3] {
        let table = KlondikeTable::new(Rules::draw(draw).unwrap(), Scoring::Win);
        let first = table.deal("seed:1").unwrap();
        let solver = |prune| {
            let options = Thoughtful { prune, ..Thoughtful::default() };
            ThoughtfulSearch::new(&table, first.clone(), options).unwrap()
        };
        let (mut pruned, mut plain) = (solver(true), solver(false));
        for seed in seeds.clone() {
            let start = table.deal(&format!("seed:{seed}")).unwrap();
            let verdict = |search: &mut ThoughtfulSearch<'_>| {
                assert!(search.restart(Root::Certain(start.clone()), Rng::new(0)));
                search.run(&Budget::iterations(most), &Cancel::new());
                search.finding().verdict
            };
            let verdicts = [verdict(&mut pruned), verdict(&mut plain)];
            if verdicts.contains(&Verdict::Unknown) {
                open += 1;
                continue;
            }
            decided += 1;
            assert_eq!(verdicts[0], verdicts[1], "seed {seed}, draw {draw}");
        }
    }
    println!("{decided} deals decided alike, {open} not by both");
    (decided, open)
}

#[test]
fn few_reductions_decide_the_same() {
    let (decided, _) = decide_alike(1..=150, 20_000);
    assert!(decided > 200, "{decided}: too few to mean something");
}

/// As many deals as `PATIENCE_DEALS` says.
#[test]
#[ignore = "hours for a hundred thousand deals"]
fn few_reductions_decide_many_deals_the_same() {
    let deals = std::env::var("PATIENCE_DEALS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let (decided, _) = decide_alike(1..=deals, 10_000_000);
    assert!(decided > 0);
}

fn verdict(draw: u32, start: &Position, take_back: bool) -> Verdict {
    let table = KlondikeTable::new(Rules::draw(draw).unwrap(), Scoring::Win);
    let options = Thoughtful { take_back, ..Thoughtful::default() };
    let mut search = ThoughtfulSearch::new(&table, start.clone(), options).unwrap();
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let Finding { verdict, moves, .. } = search.finding();
    if verdict == Verdict::Solved {
        assert!(replay(table.rules(), start, &moves).unwrap().is_won(table.rules()));
    }
    verdict
}

/// Deals of which it is known in public that they can be won only by taking cards back: games 39209 (a
/// long way back) and 8721 of Klondike-Solver, whose generator gave the cards, and one that was made to
/// show that a card must come back to the pile which it just left.
#[test]
fn deals_that_need_cards_back_are_won() {
    let deals = [
        (
            1,
            "051073043064072074103052092123124071012011053013083042031084054132122114022102032081093041094021121034101033023063091133134113061104131014062044082024111112",
        ),
        (
            3,
            "051073043064072074103052092123124071012011053013083042031084054132122114022102032081093041094021121034101033023063091133134113061104131014062044082024111112",
        ),
        (
            3,
            "123012032064062083081124133101034073103042022134054082044014112092072121102011053094132043131074114051093111104091122021071084033041023031063113013061024052",
        ),
        (
            1,
            "011061012013133132131021051014053042134023043033032062031034022052024041054064063044121122123124111112113114101102103104091092093094081082083084071072073074",
        ),
    ];
    for (draw, deal) in deals {
        let table = KlondikeTable::new(Rules::draw(draw).unwrap(), Scoring::Win);
        let start = table.read(deal).unwrap();
        assert_eq!(verdict(draw, &start, true), Verdict::Solved, "draw {draw}: {deal}");
        assert_eq!(verdict(draw, &start, false), Verdict::Unsolvable, "draw {draw}: {deal}");
    }
}

/// Six positions of a public case (lonelybot, issue 15, draw 3) in which rules of another solver were
/// unsound: five that it called lost can be won, and one cannot. Columns are written one after the other,
/// from the bottom, then the stock; moves are those of the paper's game.
#[test]
fn positions_that_another_solver_called_lost_are_won() {
    const FIRST: &str = "TC 9D 8C 8H 9H QC 9C KC JC TH KS KD JH TD QH JS 8S 9S QS QD 8D 7H 7D 7C 7S 6S \
        6C 6D AH AD AC AS 2H 2D 2C 2S 3H 3D 3C 3S 4H 4D 4C 4S 5H 5D 5C 5S 6H TS KH JD";
    const SECOND: &str = "9C 9D 8C 9H 8H QC KC TC JC TH KS KD JH TD QH JS TS 8S 9S QS QD 7H 7D 7C 7S 6S \
        6C 6D KH JD 5C 8D 6H 5S 5H 5D AH AD AC AS 2H 2D 2C 2S 3H 3D 3C 3S 4H 4D 4C 4S";
    const X: &str = "sAC-f sAD-f sAH-f s2D-f s2H-f sAS-f s3H-f s2S-f s2C-f s3S-f s3C-f s3D-f s4C-f s4D-f \
        s4H-f s5D-f s5H-f s4S-f s6H-f s5S-f s5C-f 6D-f 6C-f 6S-f 7S-f 7C-f 7D-f 7H-f 8D-f 8C-f 9D-f sJD-c \
        sKH-c QC-c 9H-c 8H-f 9H-f TH-f JC-c KC-c";
    const Y: &str = "9C-f TC-f JC-f";
    const M: &str = "QH-c TD-f JH-f QH-f KH-f QD-c QC-f QS-c KD-c fKH-c";
    const Z: &str = "fQC-c";
    let cases = [
        (SECOND, vec![], Verdict::Solved),
        (FIRST, vec![X], Verdict::Solved),
        (FIRST, vec![X, Y], Verdict::Solved),
        (FIRST, vec![X, Y, M], Verdict::Solved),
        (FIRST, vec![X, Y, M, Z], Verdict::Solved),
        (FIRST, vec![X, Y, "QD-c"], Verdict::Unsolvable),
    ];
    let rules = Rules::draw(3).unwrap();
    let table = KlondikeTable::new(rules, Scoring::Win);
    for (deal, moves, expected) in cases {
        let cards: Vec<Card> = deal.split_whitespace().map(|card| card.parse().unwrap()).collect();
        // Row by row, as cards are dealt.
        let rows =
            (0..7).flat_map(|row| (row..7).map(move |column| column * (column + 1) / 2 + row));
        let dealt = rows.map(|i| cards[i]).chain(cards[28..].iter().copied()).collect();
        let mut position = Position::deal(&rules, &Deal::from_cards(dealt));
        position.check(&rules).unwrap();
        for word in moves.iter().flat_map(|part| part.split_whitespace()) {
            let (card, to) = word.split_once('-').unwrap();
            let (from, card) = card.split_at(card.len() - 2);
            let kind = match (from, to) {
                ("", "f") => Kind::ColumnToFoundation,
                ("", _) => Kind::ColumnToColumn,
                ("s", "f") => Kind::StockToFoundation,
                ("s", _) => Kind::StockToColumn,
                _ => Kind::FoundationToColumn,
            };
            let action = Action { kind, card: card.parse().unwrap() };
            for m in table.lower(&position, action).unwrap_or_else(|why| panic!("{word}: {why}")) {
                rules.play(&mut position, m).unwrap();
            }
        }
        assert_eq!(verdict(3, &position, true), expected, "after {moves:?}: {position:?}");
    }
}
