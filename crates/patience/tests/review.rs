//! Games looked back at, searches written down, and cards that go home by themselves.

use std::collections::HashMap;

use patience::model::{Scene, Standing};
use patience::plan::{Budget, Cancel, Verdict};
use patience::prelude::*;
use patience::{Mark, Measure, Reviewing, Setup, Table};

fn dealt(game: &str, deal: &str) -> Table {
    Table::open(patience::registry(), &Setup::deal(game, deal), &[]).unwrap()
}

fn counted(iterations: u64) -> Budget {
    Budget { iterations: Some(iterations), ..Budget::UNLIMITED }
}

fn reviewing(iterations: u64, proof: u64) -> Reviewing {
    let (budget, proof) = (counted(iterations), Some(counted(proof)));
    Reviewing { planner: None, budget, proof, reveal: false, seed: 1 }
}

fn play_at_random(table: &mut Table, most: usize, rng: &mut Rng) {
    for _ in 0..most {
        let legal = table.view().legal;
        if legal.is_empty() || table.state().standing() != Standing::Open {
            return;
        }
        table.play(&legal[rng.index(legal.len())].name).unwrap();
    }
}

#[test]
fn a_shortest_solution_costs_nothing() {
    let mut table = dealt("freecell(ranks=4)", "1");
    let solved = table.solve(&Budget::UNLIMITED, &Cancel::new(), &mut |_| ()).unwrap();
    for name in &solved.moves {
        table.play(name).unwrap();
    }
    let review = table.review(&reviewing(20_000, 10_000), &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!((review.measure, review.standing), (Measure::StepsToGo, Standing::Won));
    assert_eq!(review.points.len(), solved.moves.len() + 1);
    for point in &review.points {
        assert_eq!(point.value, solved.value, "{point:?}");
        assert_eq!((point.mark, point.cost.unwrap_or(0.0)), (Mark::None, 0.0), "{point:?}");
    }
    assert_eq!(review.fate.unwrap().winnable, Some(solved.moves.len()));
}

#[test]
fn the_move_that_lost_is_the_one_that_asking_everywhere_finds() {
    let (mut rng, mut exact) = (Rng::new(5), 0);
    for deal in ["1", "2", "3", "4", "5"] {
        let mut table = dealt("freecell(ranks=4, cells=1, columns=4)", deal);
        play_at_random(&mut table, 14, &mut rng);
        let review = table.review(&reviewing(50, 200_000), &Cancel::new(), &mut |_| ()).unwrap();
        let fate = review.fate.unwrap();
        // Every position asked, one by one.
        let lost = |moves: usize| {
            let moves = &table.moves()[..moves];
            let there = Table::open(patience::registry(), table.setup(), moves).unwrap();
            there.state().standing() != Standing::Won
                && there.prove(&Budget::UNLIMITED, &Cancel::new()).unwrap().verdict
                    == Verdict::Unsolvable
        };
        let all: Vec<bool> = (0..=table.moves().len()).map(lost).collect();
        assert_eq!(fate.lost, all.iter().position(|lost| *lost), "{deal}: {all:?}");
        assert!(fate.proofs <= 6, "{}", fate.proofs);
        if fate.is_exact() && fate.lost > Some(0) {
            exact += 1;
            assert_eq!(review.points[fate.lost.unwrap() - 1].mark, Mark::Blunder);
        }
    }
    assert!(exact > 0, "no game was lost by a move");
}

#[test]
fn a_review_tells_no_line_that_the_player_could_not_know() {
    let mut table = dealt("klondike(draw=1)", "seed:1");
    play_at_random(&mut table, 6, &mut Rng::new(2));
    let mut how = reviewing(30, 20_000);
    let seen = table.review(&how, &Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(seen.measure, Measure::WinProbability);
    assert!(seen.points.iter().all(|p| p.value.is_none_or(|v| (0.0..=1.0).contains(&v))));
    assert!(seen.fate.as_ref().unwrap().line.is_empty());
    how.reveal = true;
    let fate = table.review(&how, &Cancel::new(), &mut |_| ()).unwrap().fate.unwrap();
    if let Some(at) = fate.winnable {
        // The line that is told wins from there.
        let moves = [&table.moves()[..at], &fate.line[..]].concat();
        let end = Table::open(patience::registry(), table.setup(), &moves).unwrap();
        assert_eq!(end.state().standing(), Standing::Won);
    }
}

#[test]
fn a_trace_is_the_search_iteration_by_iteration() {
    for (game, planner) in [
        ("tic-tac-toe", "uct(c=1)"),
        ("pgame(depth=4)", "uct(c=0.5, backup=max)"),
        ("sailing(size=5)", "uct(c=10)"),
        ("connect-four", "uct(c=1, selection=tuned)"),
        ("klondike(draw=1, view=plus)", "best"),
        ("klondike(draw=3, view=plus)", "best(c=1)"),
    ] {
        let table = dealt(game, "seed:1");
        let (budget, cancel) = (counted(60), Cancel::new());
        let trace = table.trace(Some(planner), &budget, 3, &cancel).unwrap();
        assert_eq!(trace.episodes.len(), 60, "{game}");
        let tree = table.tree(Some(planner), &budget, 3, &cancel, 1).unwrap();
        // The root stands at the end as it stands in the search itself.
        let last = &trace.episodes.last().unwrap().edges[0];
        let known: HashMap<&str, (u64, f64)> =
            last.iter().map(|e| (e.action.as_str(), (e.visits, e.value))).collect();
        assert_eq!(known.len(), tree.len(), "{game}");
        for twig in &tree {
            assert_eq!(known[twig.action.as_str()], (twig.visits, twig.value), "{game}");
        }
        let mut before: HashMap<usize, Vec<patience::TracedEdge>> = HashMap::new();
        for (number, episode) in trace.episodes.iter().enumerate() {
            assert_eq!(episode.path[0], 0);
            for pair in episode.path.windows(2) {
                assert_eq!(trace.nodes[pair[1]].parent, Some(pair[0]));
            }
            let root: u64 = episode.edges[0].iter().map(|e| e.visits).sum();
            assert_eq!(root, number as u64 + 1, "{game}: every iteration goes through the root");
            // Where all actions had been tried, the one with the largest sum was taken.
            for (place, node) in episode.path.iter().enumerate() {
                let (now, was) = (&episode.edges[place], before.get(node));
                let Some(was) = was.filter(|was| was.len() == now.len() && was.len() > 1) else {
                    continue;
                };
                let grown = |e: &&patience::TracedEdge| {
                    was.iter().any(|old| old.action == e.action && old.visits < e.visits)
                };
                let Some(taken) = now.iter().find(grown) else { continue };
                let sign = if trace.nodes[*node].minimising { -1.0 } else { 1.0 };
                let sum = |e: &patience::TracedEdge| sign * e.value + e.bonus.unwrap_or(0.0);
                let best = was.iter().map(sum).fold(f64::NEG_INFINITY, f64::max);
                let old = was.iter().find(|old| old.action == taken.action).unwrap();
                assert!(sum(old) >= best - 1e-3, "{game}, iteration {number}: {was:?}");
            }
            for (node, edges) in episode.path.iter().zip(&episode.edges) {
                before.insert(*node, edges.clone());
            }
        }
    }
    let none = dealt("klondike", "seed:1").trace(Some("greedy"), &counted(5), 1, &Cancel::new());
    assert_eq!(none.unwrap().nodes.len(), 1, "a planner without a tree has a root alone");
}

fn hidden(table: &Table) -> usize {
    let Scene::Cards { piles } = table.view().scene else { return 0 };
    piles.iter().flat_map(|pile| &pile.cards).filter(|card| *card == "??").count()
}

#[test]
fn what_goes_home_is_legal_and_tells_nothing_that_is_face_down() {
    let mut rng = Rng::new(8);
    for (game, deal) in [("klondike(draw=1)", "seed:3"), ("freecell", "7"), ("golf", "seed:1")] {
        for _ in 0..6 {
            let mut table = dealt(game, deal);
            play_at_random(&mut table, 25, &mut rng);
            for only_safe in [false, true] {
                let gathered = table.gathered(only_safe);
                let mut then = table.clone();
                for (place, name) in gathered.moves.iter().enumerate() {
                    let before = hidden(&then);
                    then.play(name).unwrap();
                    let last = place + 1 == gathered.moves.len();
                    assert!(last || hidden(&then) == before, "{game}: a card was turned up");
                }
                assert_eq!(
                    gathered.wins,
                    !gathered.moves.is_empty() && then.state().standing() == Standing::Won
                );
            }
        }
    }
}

#[test]
fn a_safe_move_costs_nothing() {
    let (mut rng, mut found) = (Rng::new(4), 0);
    let length = |table: &Table| {
        let solved = table.solve(&Budget::UNLIMITED, &Cancel::new(), &mut |_| ()).unwrap();
        solved.value
    };
    for deal in ["1", "2", "3", "4", "5", "6"] {
        let mut table = dealt("freecell(ranks=4)", deal);
        play_at_random(&mut table, 8, &mut rng);
        let safe = table.view().legal.into_iter().find(|m| m.label.safe);
        let Some(safe) = safe.filter(|_| table.state().standing() == Standing::Open) else {
            continue;
        };
        let mut after = table.clone();
        after.play(&safe.name).unwrap();
        if let Some(before) = length(&table) {
            found += 1;
            let rest =
                if after.state().standing() == Standing::Won { Some(0.0) } else { length(&after) };
            assert_eq!(rest, Some(before - 1.0), "{deal}: {}", safe.name);
        }
    }
    assert!(found > 1, "{found} safe moves were met");
}
