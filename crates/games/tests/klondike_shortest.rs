//! Shortest solutions against search without any idea, and against lengths that others have published.

use std::collections::HashMap;

use patience_games::klondike::solver::{Optimal, OptimalSearch, Shortest, Thoughtful};
use patience_games::klondike::{
    Deal, KlondikeTable, Move, Position, Rules, Scoring, length, replay,
};
use patience_model::Rng;
use patience_plan::{Budget, Cancel, Planner, Root, Search, Stepped, Verdict};

use crate::klondike_solver::key;

/// The length of a shortest solution by every move of the obvious engine, those positions first that may
/// be part of a shorter one: a card that is not home takes a move home, and turning the waste over costs
/// nothing. `Some(None)` if there is none, `None` if that takes more than `most` positions.
pub(crate) fn try_everything(rules: &Rules, start: &Position, most: usize) -> Option<Option<u32>> {
    let not_home = |position: &Position| rules.pack_size() as u32 - position.home();
    let mut least = HashMap::from([(key(start), 0)]);
    // By cost and cards that are not home; the last ones are likely to be near the end.
    let mut open = vec![Vec::new(); not_home(start) as usize];
    open.push(vec![(start.clone(), 0)]);
    let mut sum = not_home(start) as usize;
    while sum < open.len() {
        let Some((position, cost)) = open[sum].pop() else {
            sum += 1;
            continue;
        };
        if least[&key(&position)] < cost {
            continue;
        }
        if position.is_won(rules) {
            return Some(Some(cost));
        }
        if least.len() > most {
            return None;
        }
        for m in rules.moves(&position) {
            let mut next = position.clone();
            rules.play(&mut next, m).unwrap();
            let cost = cost + u32::from(m != Move::Redeal);
            let known = least.entry(key(&next)).or_insert(u32::MAX);
            if cost < *known {
                *known = cost;
                let sum = (cost + not_home(&next)) as usize;
                open.resize(open.len().max(sum + 1), Vec::new());
                open[sum].push((next, cost));
            }
        }
    }
    Some(None)
}

/// Some moves at random from a position.
fn wander(rules: &Rules, position: &mut Position, moves: u64, rng: &mut Rng) {
    for _ in 0..moves {
        let moves = rules.moves(position);
        if moves.is_empty() || position.is_won(rules) {
            break;
        }
        rules.play(position, rng.pick(&moves)).unwrap();
    }
}

/// A deal, or a position in the middle of a game.
fn position(rules: &Rules, seed: u64) -> Position {
    let mut rng = Rng::named(seed, &["shortest", "deal"]);
    let mut position = Position::deal(rules, &Deal::shuffled(rules, &mut rng));
    let moves = (seed % 3) * rng.below(25);
    wander(rules, &mut position, moves, &mut rng);
    position
}

/// The last moves of a game that is won, left at random.
fn late(rules: &Rules, seed: u64) -> Option<Position> {
    let table = KlondikeTable::new(*rules, Scoring::Win);
    let mut rng = Rng::named(seed, &["shortest", "late"]);
    let mut position = Position::deal(rules, &Deal::shuffled(rules, &mut rng));
    let mut search =
        Thoughtful::default().search(&table, Root::Certain(position.clone()), Rng::new(0));
    search.run(&Budget::iterations(20_000), &Cancel::new());
    let moves = search.finding().moves;
    let played = moves.len().checked_sub(20 + rng.below(25) as usize)?;
    for &m in &moves[..played] {
        rules.play(&mut position, m).unwrap();
    }
    let moves = rng.below(4);
    wander(rules, &mut position, moves, &mut rng);
    Some(position)
}

fn solve(table: &KlondikeTable, start: &Position) -> (Verdict, Vec<Move>) {
    let mut search = OptimalSearch::new(table, start.clone(), Optimal::default());
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let found = search.finding();
    assert!(found.verdict.is_proven(), "{found:?}");
    (found.verdict, found.moves)
}

/// Both on many positions; gives how many were won and lost.
fn compare(ranks: u8, columns: u8, draw: u32, positions: u64, most: usize) -> (u32, u32) {
    let rules = Rules::draw(draw).unwrap().with_pack(ranks, columns).unwrap();
    let table = KlondikeTable::new(rules, Scoring::Win);
    let (mut won, mut lost, mut back) = (0, 0, 0);
    for seed in 0..positions {
        let start = match ranks {
            ..6 => position(&rules, seed),
            _ => match late(&rules, seed) {
                Some(start) => start,
                None => continue,
            },
        };
        let Some(truth) = try_everything(&rules, &start, most) else { continue };
        let what =
            || format!("{ranks} ranks, {columns} columns, draw {draw}, seed {seed}: {start:?}");
        let (verdict, moves) = solve(&table, &start);
        let Some(truth) = truth else {
            lost += 1;
            assert_eq!(verdict, Verdict::Unsolvable, "{}", what());
            continue;
        };
        won += 1;
        assert_eq!(verdict, Verdict::Optimal, "{}", what());
        assert!(replay(&rules, &start, &moves).unwrap().is_won(&rules), "{}", what());
        assert_eq!(length(&moves) as u32, truth, "{}", what());
        // What is left to do on the way is never more than the bound says.
        let mut on_the_way = start.clone();
        for played in 0..=moves.len() {
            let left = length(&moves[played..]) as u32;
            let bound = Shortest::new(&rules, &on_the_way).unwrap().least();
            assert!(bound.is_some_and(|bound| bound <= left), "{bound:?} > {left}: {on_the_way:?}");
            if let Some(&m) = moves.get(played) {
                rules.play(&mut on_the_way, m).unwrap();
            }
        }
        let takes_back = |m: &Move| matches!(m, Move::FoundationToColumn { .. });
        back += u32::from(moves.iter().any(takes_back));
    }
    println!(
        "{ranks} ranks, {columns} columns, draw {draw}: {won} won, {back} of them by taking back, {lost} lost"
    );
    (won, lost)
}

/// Ranks, columns and positions of packs.
type Packs<'p> = &'p [(u8, u8, u64)];

fn compare_all(packs: Packs<'_>, most: usize) -> (u32, u32) {
    let (mut won, mut lost) = (0, 0);
    for &(ranks, columns, positions) in packs {
        for draw in [1, 2, 3] {
            let (w, l) = compare(ranks, columns, draw, positions, most);
            (won, lost) = (won + w, lost + l);
        }
    }
    (won, lost)
}

#[test]
fn lengths_are_those_of_trying_everything() {
    let packs = [(2, 2, 60), (3, 2, 120), (3, 3, 150)];
    let late = [(7, 6, 150), (9, 7, 150), (13, 7, 250)];
    let (won, lost) = compare_all(&packs, 1_000);
    assert!(won > 300 && lost > 30, "{won} won, {lost} lost: too few to mean something");
    let (won, _) = compare_all(&late, 1_000);
    assert!(won > 600, "{won} won: too few to mean something");
}

#[test]
#[ignore = "minutes"]
fn lengths_are_those_of_trying_everything_on_many_small_packs() {
    let packs = [(3, 3, 3_000), (4, 3, 2_000), (4, 4, 2_000), (5, 4, 1_000), (5, 5, 1_000)];
    let (won, lost) = compare_all(&packs, 20_000);
    assert!(won > 20_000 && lost > 800, "{won} won, {lost} lost: too few to mean something");
}

#[test]
#[ignore = "minutes"]
fn lengths_are_those_of_trying_everything_in_many_late_positions() {
    let packs = [(6, 6, 2_000), (7, 6, 2_000), (9, 7, 2_000), (13, 7, 4_000)];
    let (won, lost) = compare_all(&packs, 5_000);
    assert!(won > 15_000 && lost > 50, "{won} won, {lost} lost: too few to mean something");
}

/// Deals of which a public solver (MinimalKlondike, in its tests) gives the length of a shortest solution
/// without taking cards back. One move less is possible in the last one by taking a card back.
#[test]
fn lengths_are_those_that_others_have_published() {
    let deals = [
        (
            3,
            98,
            "122021053133044042092074131071132062123061011022101013064091114073063082034041014024103121094113102031033134072111084032023052012081112124043104083093051054",
        ),
        (
            1,
            80,
            "011061012013133132131021051014053042134023043033032062031034022052024041054064063044121122123124111112113114101102103104091092093094081082083084071072073074",
        ),
        (
            1,
            132,
            "031133054011034033084074013043104083113014052122022053114041081062021071012024111093064032123132121072063112134131101091044103082092094124102073042023061051",
        ),
        (
            1,
            138,
            "073041124122091063054034021032132093111031043064013022131103123092113074083072044114062102024134082053011033042012014104084023094112121081051071052133061101",
        ),
    ];
    for (draw, least, deal) in deals {
        let table = KlondikeTable::new(Rules::draw(draw).unwrap(), Scoring::Win);
        let start = table.read(deal).unwrap();
        let (verdict, moves) = solve(&table, &start);
        assert_eq!((verdict, length(&moves)), (Verdict::Optimal, least));
        assert!(replay(table.rules(), &start, &moves).unwrap().is_won(table.rules()));
    }
}

/// However the search ends, what it says by then holds: a solution, and bounds on both sides of the least.
#[test]
fn a_search_that_is_stopped_says_what_it_knows() {
    let table = KlondikeTable::new(Rules::draw(3).unwrap(), Scoring::Win);
    let start = table.deal("seed:5").unwrap();
    let (_, moves) = solve(&table, &start);
    let least = length(&moves) as f64;
    let mut last = 0.0;
    for iterations in [1, 100, 1_000, 10_000, 120_000] {
        let mut search = OptimalSearch::new(&table, start.clone(), Optimal::default());
        search.run(&Budget::iterations(iterations), &Cancel::new());
        let found = search.finding();
        let (lower, upper) = (found.bounds.lower.unwrap(), found.bounds.upper);
        assert!(last <= lower && lower <= least && upper.is_none_or(|upper| upper >= least));
        assert!(search.counts().iterations <= iterations);
        if found.verdict.is_solved() {
            assert_eq!(found.value, Some(length(&found.moves) as f64));
            assert!(replay(table.rules(), &start, &found.moves).unwrap().is_won(table.rules()));
        }
        last = lower;
    }
    let limited = KlondikeTable::new(table.rules().with_redeals(Some(2)), Scoring::Win);
    let mut search = OptimalSearch::new(&limited, start, Optimal::default());
    search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(search.finding().verdict, Verdict::Unknown);
}
