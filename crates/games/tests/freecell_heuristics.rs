//! Heuristics, dominance and solvers against breadth-first search on small deals.

use std::collections::HashMap;

use patience_games::FreeCell;
use patience_games::freecell::{
    Board, Build, Card, Deadlock, Fill, Heuristic, Metric, Rules, Sequence, Shortest, Shown, State,
    Step, Verdict, Work, optimal, solve, validator,
};
use patience_model::Rng;
use patience_plan::astar::{AStar, Finding, Problem};
use patience_plan::{Budget, Cancel};

/// States by key, each with what a shortest solution of it costs, if it has one.
type Distances = HashMap<[u8; 52], (State, Option<u32>)>;

/// All states that can be reached, with what a shortest solution of each costs; `None` if there
/// are more than `most`.
fn distances(game: &FreeCell, start: State, most: usize) -> Option<Distances> {
    let mut states = vec![start];
    let mut number = HashMap::from([(start.below_codes(), 0usize)]);
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut moves = Vec::new();
    let mut at = 0;
    while at < states.len() {
        if states.len() > most {
            return None;
        }
        moves.clear();
        game.moves(&states[at], &mut moves);
        for &m in &moves {
            let mut next = states[at];
            game.make(&mut next, m);
            let n = *number.entry(next.below_codes()).or_insert_with(|| {
                states.push(next);
                before.push(Vec::new());
                states.len() - 1
            });
            before[n].push(at);
        }
        at += 1;
    }
    let mut distance: Vec<Option<u32>> =
        states.iter().map(|s| s.is_solved(game.rules()).then_some(0)).collect();
    let mut layer: Vec<usize> = (0..states.len()).filter(|&n| distance[n].is_some()).collect();
    for d in 1.. {
        let mut next = Vec::new();
        for n in layer.iter().flat_map(|&n| &before[n]) {
            if distance[*n].is_none() {
                distance[*n] = Some(d);
                next.push(*n);
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Some(states.iter().zip(distance).map(|(s, d)| (s.below_codes(), (*s, d))).collect())
}

/// Small games of every kind: build, fill, sequence, metric.
fn small_games() -> Vec<FreeCell> {
    let mut games = Vec::new();
    for (build, ranks, columns, cells) in [
        (Build::AlternatingColour, 3, 3, 1),
        (Build::AlternatingColour, 4, 3, 1),
        (Build::AlternatingColour, 3, 4, 2),
        (Build::AlternatingColour, 5, 3, 0),
        (Build::AlternatingColour, 4, 4, 0),
        (Build::Suit, 4, 3, 1),
        (Build::Suit, 3, 4, 2),
        (Build::Rank, 4, 4, 0),
        (Build::Rank, 3, 3, 1),
    ] {
        for fill in [Fill::Any, Fill::Kings] {
            for sequence in [Sequence::Single, Sequence::Room, Sequence::Unlimited] {
                for metric in Metric::ALL {
                    let rules =
                        Rules { build, ranks, columns, cells, fill, sequence, ..Rules::FREECELL };
                    games.extend(FreeCell::new(rules, metric).ok());
                }
            }
        }
    }
    let stuck =
        Rules { ranks: 4, columns: 4, cells: 2, filled: 2, refill: false, ..Rules::FREECELL };
    games.extend(FreeCell::new(stuck, Metric::Single).ok());
    games
}

fn heuristics() -> [Deadlock; 5] {
    [0, 1, 2, 3, 4].map(|p| Deadlock::new(p).unwrap())
}

/// h0 ≤ h1 ≤ h2 ≤ h3 ≤ h4 ≤ the truth, and no move makes an estimate fall by more than its cost.
fn check_heuristics(seeds: u64, most: usize) {
    let (mut deals, mut solvable, mut sharper, mut beyond) = (0, 0, [0; 5], 0);
    for game in small_games() {
        for seed in 0..seeds {
            let mut rng = Rng::numbered(seed, 5);
            let board = Board::shuffled(game.rules(), &mut rng);
            let start = State::of(&board);
            let Some(all) = distances(&game, start, most) else { continue };
            deals += 1;
            solvable += u64::from(all[&start.below_codes()].1.is_some());
            let problem = Shortest::new(&game, &board, Heuristic::Best);
            let mut moves = Vec::new();
            for (state, truth) in all.values() {
                let values = heuristics().map(|h| h.estimate(&game, state));
                let best = Heuristic::Best.estimate(&game, state);
                assert!(values[2] <= best, "{values:?} {best}\n{}", state.board(game.rules()));
                beyond += u64::from(best > values[4]);
                for enough in best.saturating_sub(1)..=best {
                    // Asked only whether it is more than this.
                    let asked = problem.estimate_for(state, enough).unwrap();
                    assert_eq!(asked > enough, best > enough, "{asked} {best}");
                    assert!(asked <= best, "{asked} {best}");
                }
                assert!(values.is_sorted(), "{values:?}\n{}", state.board(game.rules()));
                for p in 1..5 {
                    sharper[p] += u32::from(values[p] > values[p - 1]);
                }
                if let Some(truth) = truth {
                    assert!(
                        values[4].max(best) <= *truth,
                        "{values:?} {best} > {truth} {game:?}\n{}",
                        state.board(game.rules())
                    );
                }
                moves.clear();
                game.moves(state, &mut moves);
                for &m in &moves {
                    let mut next = *state;
                    game.make(&mut next, m);
                    for (h, before) in heuristics().into_iter().zip(values) {
                        let after = h.estimate(&game, &next);
                        assert!(before <= after + 1, "{h:?} falls from {before} to {after}");
                    }
                }
            }
        }
    }
    assert!(deals > 40 * seeds && solvable > 8 * seeds, "{deals} deals, {solvable} solvable");
    assert!(beyond > 100, "what goes beyond h4 is seen {beyond} times");
    // Each p says more than the one before somewhere, or its test says nothing; four suits in one
    // cycle are rare, and have a test of their own.
    assert!(sharper[1..4].iter().all(|&n| n > 0), "{sharper:?}");
}

/// A shortest solution by A* with the paper's h2 and no further rule; `None` if that takes too long,
/// or there is none.
fn shortest_by_h2(game: &FreeCell, board: &Board) -> Option<Vec<Step>> {
    let h2 = Heuristic::Deadlock(Deadlock::new(2).unwrap());
    let problem = Shortest::new(game, board, h2).in_any_order().without_late_moves();
    let mut search = AStar::new(&problem, None);
    let budget = Budget { iterations: Some(20_000), ..Budget::UNLIMITED };
    search.run(&budget, &Cancel::new(), &mut |_, _| {});
    match search.finding() {
        Finding::Optimal(_) => problem.steps(&search.path()?),
        _ => None,
    }
}

/// A position with some cards home and runs in its columns.
fn position(rules: &Rules, rng: &mut Rng) -> Board {
    let home = [0; 4].map(|_| rng.below(u64::from(rules.ranks) - 1) as u8 * rng.below(2) as u8);
    let mut cards: Vec<Card> = (0..rules.cards())
        .map(Card::from_index)
        .filter(|card| card.rank() > home[usize::from(card.suit())])
        .collect();
    rng.shuffle(&mut cards);
    let mut cells = vec![None; usize::from(rules.cells)];
    for cell in cells.iter_mut().take(rng.index(usize::from(rules.cells) + 1)) {
        *cell = cards.pop();
    }
    let mut columns = vec![Vec::new(); usize::from(rules.columns)];
    let sorted = rng.unit();
    while let Some(last) = cards.pop() {
        let column: &mut Vec<Card> = &mut columns[rng.index(usize::from(rules.columns))];
        let mut card = last;
        if let Some(&top) = column.last()
            && rng.chance(sorted)
            && let Some(fit) = cards.iter().position(|&card| rules.builds(card, top))
        {
            card = std::mem::replace(&mut cards[fit], last);
        }
        column.push(card);
    }
    Board { columns, cells, home }
}

/// Positions of games too large for breadth-first search: what goes beyond h2 is no more than the
/// truth either, all along a shortest solution, and with all rules that leave something out the
/// same length is found.
fn check_contention(positions: u64) {
    let (mut beyond, mut checked) = (0, 0);
    for n in 0..positions {
        let mut rng = Rng::numbered(7, n);
        let alternating = Build::AlternatingColour;
        let rules = Rules {
            ranks: rng.below(5) as u8 + 4,
            columns: rng.below(4) as u8 + 4,
            cells: rng.below(5) as u8,
            build: rng.pick(&[alternating, alternating, alternating, Build::Suit, Build::Rank]),
            fill: rng.pick(&[Fill::Any, Fill::Any, Fill::Kings]),
            sequence: rng.pick(&[Sequence::Room, Sequence::Room, Sequence::Unlimited]),
            ..Rules::FREECELL
        };
        let Ok(game) = FreeCell::new(rules, rng.pick(&Metric::ALL)) else { continue };
        let mut board = position(game.rules(), &mut rng);
        let state = State::of(&board);
        let best = Heuristic::Best.estimate(&game, &state);
        let is_beyond = best > Deadlock::new(2).unwrap().estimate(&game, &state);
        beyond += u64::from(is_beyond);
        if !is_beyond && !rng.chance(0.1) {
            continue;
        }
        let Some(steps) = shortest_by_h2(&game, &board) else { continue };
        checked += u64::from(is_beyond);
        let truth = steps.len() as u32;
        for heuristic in [Heuristic::Best, Heuristic::Deadlock(Deadlock::new(2).unwrap())] {
            let problem = Shortest::new(&game, &board, heuristic);
            let mut search = AStar::new(&problem, None);
            search.run(&Budget::UNLIMITED, &Cancel::new(), &mut |_, _| {});
            assert_eq!(search.finding(), Finding::Optimal(truth), "{game:?}\n{board}");
        }
        for (left, step) in (1..=truth).rev().zip(&steps) {
            let best = Heuristic::Best.estimate(&game, &State::of(&board));
            assert!(best <= left, "{best} > {left} {game:?}\n{board}");
            validator::make(&mut board, step);
        }
    }
    assert!(4 * checked > beyond && 20 * beyond > positions, "{checked} of {beyond}");
}

#[test]
fn contention_never_says_too_much() {
    check_contention(20_000);
}

#[test]
#[ignore = "minutes: more positions"]
fn contention_never_says_too_much_of_many_positions() {
    check_contention(1_000_000);
}

/// Positions in which something was overlooked once: a card that moves anyway takes a cell so that
/// two others find a place; one that could have gone home stays where it went and takes another,
/// or carries its run, or is carried; a card is lain on another that then makes way with it; and one
/// that was carried comes to lie on what it lay over.
#[test]
fn contention_sees_every_way_to_make_room() {
    let rules = |ranks, columns, cells| Rules { ranks, columns, cells, ..Rules::FREECELL };
    for (metric, rules, truth, text) in [
        (Metric::Single, rules(4, 4, 1), 19, "3S 3H 2S 4C|AS AD 2C 3C|2H 4D 4S AH|4H 3D AC 2D|-"),
        (
            Metric::Single,
            rules(6, 5, 1),
            29,
            "6S 4S AH 3C 3D|3H 5H 2H 4D AS|AD 2D 2C 2S 3S|6C 5C 5D 6D|4C 4H 6H AC|5S",
        ),
        (
            Metric::Table1,
            rules(5, 5, 2),
            23,
            "4H AC 4C 3D|5C 3S 3H AS|5S 2D 2H 3C|2S 4D 5D|AH 5H 2C|AD 4S",
        ),
        (
            Metric::Supermove,
            rules(6, 4, 2),
            32,
            "2C 5H 4C 6H 5C 3C|AD AC 2D 6S AS 4D|6D 3H 6C 4H 2S 5S|3D 4S 5D AH 3S|2H -",
        ),
        (
            Metric::Table1,
            rules(7, 4, 1),
            25,
            "AC 7H 2C 4S 3H|7S 6S 5S 5H|6H 4H 3S 6D 5D 4D|7D 3D 7C 6C 5C 4C 3C|-|C-0 D-2 H-2 S-2",
        ),
        (
            Metric::Supermove,
            rules(13, 4, 2),
            48,
            "5H KC KS 4D 5S 4H 3S|KD 6D|QC 5C|JC TC 9C 8C 7C 6C 4C QS JS TS 9S 8S 7S 6S QD JD TD 9D \
             8D 7D 5D 4S 3D 2S KH QH JH TH 9H 8H 7H 6H|- -|C-3 D-2 H-3 S-A",
        ),
    ] {
        let game = FreeCell::new(rules, metric).unwrap();
        let columns = usize::from(game.rules().columns);
        let (columns, rest) = text.split_at(text.match_indices('|').nth(columns - 1).unwrap().0);
        let (cells, home) = rest[1..].split_once('|').unwrap_or((&rest[1..], "H-0"));
        let columns = columns.replace('|', "\n: ");
        let text = format!("Foundations: {home}\nFreecells: {cells}\n: {columns}\n");
        let board = Board::read(game.rules(), &text).unwrap();
        let steps = shortest_by_h2(&game, &board).unwrap();
        assert_eq!(steps.len(), truth as usize);
        let best = Heuristic::Best.estimate(&game, &State::of(&board));
        assert!(best <= truth, "{best} > {truth}\n{board}");
    }
}

/// What is worked out for a state and used for those that follow from it says the same as working
/// it out anew; and what follows comes to as much as is said of what is left out.
fn check_followers(seeds: u64, most: usize) {
    let mut followers = 0;
    for game in small_games() {
        for seed in 0..seeds {
            let board = Board::shuffled(game.rules(), &mut Rng::numbered(seed, 6));
            let Some(all) = distances(&game, State::of(&board), most) else { continue };
            let problem = Shortest::new(&game, &board, Heuristic::Best);
            let (mut work, mut next, mut every) = (Work::default(), Vec::new(), Vec::new());
            for (state, _) in all.values() {
                problem.successors(state, u32::MAX, &mut every);
                for room in 0..12 {
                    let rest = problem.expand(state, None, room, &mut work, &mut next);
                    for (after, cost) in &next {
                        let enough = room.saturating_sub(*cost);
                        assert_eq!(
                            problem.estimate_next(after, enough, &mut work),
                            problem.estimate_for(after, enough),
                            "{}\n{}",
                            state.board(game.rules()),
                            after.board(game.rules())
                        );
                        followers += 1;
                    }
                    // Nothing is left out for which there is room.
                    for (after, cost) in &every {
                        let comes_to = cost + problem.estimate(after).unwrap();
                        let there = next
                            .iter()
                            .any(|(n, c)| n.below_codes() == after.below_codes() && c <= cost);
                        assert!(
                            there || comes_to > room && rest.is_some_and(|rest| rest <= comes_to),
                            "{comes_to} {room} {rest:?}\n{}\n{}",
                            state.board(game.rules()),
                            after.board(game.rules())
                        );
                    }
                }
            }
        }
    }
    assert!(followers > 100_000, "{followers}");
}

#[test]
fn followers_are_judged_as_if_alone() {
    check_followers(2, 600);
}

/// A ring of twos, each over the ace of the next suit: p suits in one cycle are seen by h_p, not
/// by h_(p − 1).
#[test]
fn each_heuristic_sees_its_cycle() {
    let rules = Rules { ranks: 2, columns: 4, cells: 1, ..Rules::FREECELL };
    let suits = ['C', 'D', 'H', 'S'];
    for length in 1..=4 {
        let mut text = String::new();
        for n in 0..4 {
            let over = if n < length { (n + 1) % length } else { n };
            // Suits outside the ring lie with the ace on the two.
            text += &if n < length {
                format!(": A{} 2{}\n", suits[over], suits[n])
            } else {
                format!(": 2{} A{}\n", suits[n], suits[n])
            };
        }
        let board = Board::read(&rules, &text).unwrap();
        let game = FreeCell::new(rules, Metric::Single).unwrap();
        let values = heuristics().map(|h| h.estimate(&game, &State::of(&board)));
        for (p, value) in values.into_iter().enumerate() {
            assert_eq!(value, 8 + u32::from(p >= length), "h{p}, {length} suits");
        }
        let all = distances(&game, State::of(&board), 100_000).unwrap();
        assert_eq!(all[&State::of(&board).below_codes()].1, Some(9));
    }
}

#[test]
fn heuristics_keep_their_guarantees() {
    check_heuristics(30, 1500);
}

#[test]
#[ignore = "minutes: larger deals"]
fn heuristics_keep_their_guarantees_on_larger_deals() {
    check_heuristics(24, 20_000);
}

/// Sending cards home that can safely go there keeps the distance to the goal, wherever it is
/// done.
fn check_safe_moves(seeds: u64, most: usize) {
    let mut made = 0;
    for game in small_games() {
        for seed in 100..100 + seeds {
            let board = Board::shuffled(game.rules(), &mut Rng::numbered(seed, 5));
            let Some(all) = distances(&game, State::of(&board), most) else { continue };
            for (state, truth) in all.values() {
                let Some(m) = game.safe_home_move(state) else { continue };
                let mut next = *state;
                game.make(&mut next, m);
                let after = all[&next.below_codes()].1;
                assert_eq!(after.map(|d| d + 1), *truth, "{m:?}\n{}", state.board(game.rules()));
                made += 1;
            }
        }
    }
    assert!(made > 10_000, "{made}");
}

#[test]
fn safe_moves_lie_on_shortest_solutions() {
    check_safe_moves(24, 1000);
}

#[test]
#[ignore = "minutes: larger deals"]
fn safe_moves_lie_on_shortest_solutions_of_larger_deals() {
    check_safe_moves(40, 40_000);
}

/// A* with every heuristic, with and without safe moves, and the solvers: lengths and verdicts of
/// breadth-first search, every solution replayed.
fn check_solvers(seeds: u64, most: usize) {
    let (mut solvable, mut unsolvable, mut generated) = (0, 0, [0; 5]);
    let (unlimited, cancel) = (Budget::UNLIMITED, Cancel::new());
    for game in small_games() {
        let rules = game.rules();
        for seed in 200..200 + seeds {
            let board = Board::shuffled(rules, &mut Rng::numbered(seed, 5));
            let Some(all) = distances(&game, State::of(&board), most) else { continue };
            let truth = all[&State::of(&board).below_codes()].1;
            let verify = |steps: &[_]| validator::verify(rules, game.metric(), &board, steps);
            let deadlocks = heuristics().map(Heuristic::Deadlock);
            for heuristic in deadlocks.into_iter().chain([Heuristic::Best]) {
                let problem = Shortest::new(&game, &board, heuristic);
                let variants = [
                    problem.clone(),
                    problem.clone().in_any_order(),
                    problem.clone().without_late_moves(),
                    problem.clone().without_safe_moves(),
                    problem.without_safe_moves().without_late_moves(),
                ];
                for (n, problem) in variants.into_iter().enumerate() {
                    let mut search = AStar::new(&problem, None);
                    let stats = search.run(&unlimited, &cancel, &mut |_, _| {});
                    generated[n] += stats.counts.model_calls;
                    match truth {
                        None => assert_eq!(search.finding(), Finding::Unsolvable),
                        Some(d) => {
                            assert_eq!(search.finding(), Finding::Optimal(d));
                            let steps = problem.steps(&search.path().unwrap()).unwrap();
                            assert_eq!(verify(&steps), Ok(d));
                        }
                    }
                }
            }
            let (verdict, _) = solve(&game, &board, &unlimited, &cancel);
            let (shown, _) =
                optimal(&game, &board, Heuristic::Best, &unlimited, &cancel, &mut |_| {});
            match truth {
                None => {
                    unsolvable += 1;
                    assert_eq!(verdict, Verdict::Unsolvable);
                    assert_eq!(shown, Shown::Unsolvable);
                }
                Some(d) => {
                    solvable += 1;
                    let Verdict::Solved(steps) = verdict else { panic!("{verdict:?}") };
                    assert!(verify(&steps).unwrap() >= d);
                    let Shown::Optimal(steps) = shown else { panic!("{shown:?}") };
                    assert_eq!(verify(&steps), Ok(d));
                }
            }
        }
    }
    assert!(solvable > 100 && unsolvable > 50, "{solvable} solvable, {unsolvable} not");
    // Each of the rules leaves something out, or its test says nothing.
    assert!(generated[1..].iter().all(|&n| n > generated[0]), "{generated:?}");
}

#[test]
fn solvers_agree_with_breadth_first_search() {
    check_solvers(8, 2000);
}

#[test]
#[ignore = "minutes: larger deals"]
fn solvers_agree_with_breadth_first_search_on_larger_deals() {
    check_solvers(24, 40_000);
}
