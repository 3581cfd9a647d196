//! Heuristics, dominance and solvers against breadth-first search on small deals.

use std::collections::HashMap;

use patience_games::FreeCell;
use patience_games::freecell::{
    Board, Build, Deadlock, Fill, FreeCellTable, Heuristic, Metric, Optimal, OptimalSearch, Rules,
    SatisficingSearch, Sequence, Shortest, State, Work, validator,
};
use patience_model::Rng;
use patience_plan::astar::{AStar, Finding, Problem};
use patience_plan::{Budget, Cancel, Search, Stepped, Verdict};

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
                for limit in best.saturating_sub(1)..=best {
                    // It only matters whether it exceeds the limit.
                    let asked = problem.estimate_up_to(state, limit).unwrap();
                    assert_eq!(asked > limit, best > limit, "{asked} {best}");
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

/// The estimates of successors that are updated from their parent equal those computed from
/// scratch; and no successor within the limit is pruned, nor one below the least sum that is
/// reported.
fn check_successors(heuristic: Heuristic, seeds: u64, most: usize) {
    let mut successors = 0;
    for game in small_games() {
        for seed in 0..seeds {
            let board = Board::shuffled(game.rules(), &mut Rng::numbered(seed, 6));
            let Some(all) = distances(&game, State::of(&board), most) else { continue };
            let problem = Shortest::new(&game, &board, heuristic);
            let (mut work, mut next, mut every) = (Work::default(), Vec::new(), Vec::new());
            for (state, _) in all.values() {
                problem.successors(state, u32::MAX, &mut every);
                for limit in 0..12 {
                    let pruned = problem.expand(state, None, limit, &mut work, &mut next);
                    for (after, cost) in &next {
                        let left = limit.saturating_sub(*cost);
                        assert_eq!(
                            problem.estimate_successor(after, left, &mut work),
                            problem.estimate_up_to(after, left),
                            "{}\n{}",
                            state.board(game.rules()),
                            after.board(game.rules())
                        );
                        successors += 1;
                    }
                    // Nothing within the limit is pruned.
                    for (after, cost) in &every {
                        let sum = cost + problem.estimate(after).unwrap();
                        let there = next
                            .iter()
                            .any(|(n, c)| n.below_codes() == after.below_codes() && c <= cost);
                        assert!(
                            there || sum > limit && pruned.is_some_and(|least| least <= sum),
                            "{sum} {limit} {pruned:?}\n{}\n{}",
                            state.board(game.rules()),
                            after.board(game.rules())
                        );
                    }
                }
            }
        }
    }
    assert!(successors > 100_000, "{successors}");
}

#[test]
fn successors_are_estimated_as_if_alone() {
    let [.., h2, _, _] = heuristics();
    for heuristic in [Heuristic::Deadlock(h2), Heuristic::Best] {
        check_successors(heuristic, 2, 600);
    }
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

/// A safe move home is the first move of a shortest solution, in every state that has one.
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
                    let mut search = AStar::new(problem, None);
                    let stats = search.run(&unlimited, &cancel);
                    generated[n] += stats.counts.model_calls;
                    match truth {
                        None => assert_eq!(search.finding(), Finding::Unsolvable),
                        Some(d) => {
                            assert_eq!(search.finding(), Finding::Optimal(d));
                            let path = search.path().unwrap();
                            let steps = search.problem().steps(&path).unwrap();
                            assert_eq!(verify(&steps), Ok(d));
                        }
                    }
                }
            }
            let table = FreeCellTable::new(game.clone());
            let mut any = SatisficingSearch::new(&table, &board);
            any.run(&unlimited, &cancel);
            let mut shortest = OptimalSearch::new(&table, &board, Optimal::default());
            shortest.run(&unlimited, &cancel);
            let (any, shortest) = (any.finding(), shortest.finding());
            match truth {
                None => {
                    unsolvable += 1;
                    assert_eq!(any.verdict, Verdict::Unsolvable);
                    assert_eq!(shortest.verdict, Verdict::Unsolvable);
                }
                Some(d) => {
                    solvable += 1;
                    assert_eq!(any.verdict, Verdict::Solved);
                    assert!(verify(&any.moves).unwrap() >= d);
                    assert_eq!(shortest.verdict, Verdict::Optimal);
                    assert_eq!(verify(&shortest.moves), Ok(d));
                }
            }
        }
    }
    assert!(solvable > 100 && unsolvable > 50, "{solvable} solvable, {unsolvable} not");
    // Each pruning rule prunes something, or its test says nothing.
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

/// Verdicts and lengths of the search that solvers use, in ten positions of every deal: those that can be
/// reached from it, however little sense they make.
fn check_positions(positions: u64, most: usize) {
    let games = small_games();
    let (mut compared, mut solvable, mut longest) = (0, 0, 0);
    for seed in 0.. {
        for game in &games {
            if compared >= positions {
                println!("{compared} positions, {solvable} solvable, the longest in {longest}");
                assert!(solvable > positions / 5 && solvable < positions * 4 / 5, "{solvable}");
                return;
            }
            let rules = game.rules();
            let mut rng = Rng::numbered(seed, 6);
            let deal = State::of(&Board::shuffled(rules, &mut rng));
            let Some(all) = distances(game, deal, most) else { continue };
            let mut keys: Vec<_> = all.keys().copied().collect();
            keys.sort_unstable();
            for _ in 0..10 {
                let (state, truth) = all[&rng.pick(&keys)];
                let board = state.board(rules);
                let problem = Shortest::new(game, &board, Heuristic::Best);
                let mut search = AStar::new(problem, None);
                search.run(&Budget::UNLIMITED, &Cancel::new());
                compared += 1;
                let what = || format!("seed {seed}, {rules:?}, {:?}:\n{board}", game.metric());
                let Some(length) = truth else {
                    assert_eq!(search.finding(), Finding::Unsolvable, "{}", what());
                    continue;
                };
                (solvable, longest) = (solvable + 1, longest.max(length));
                assert_eq!(search.finding(), Finding::Optimal(length), "{}", what());
                let steps = search.problem().steps(&search.path().unwrap()).unwrap();
                let verified = validator::verify(rules, game.metric(), &board, &steps);
                assert_eq!(verified, Ok(length), "{}", what());
            }
        }
    }
}

#[test]
fn positions_are_solved_as_by_breadth_first_search() {
    check_positions(2000, 2000);
}

#[test]
#[ignore = "minutes: 100,000 positions"]
fn a_hundred_thousand_positions_are_solved_as_by_breadth_first_search() {
    check_positions(100_000, 4000);
}
