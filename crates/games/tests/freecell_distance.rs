//! Hints: the steps that every move leaves to go, against shortest solutions after each move.

use patience_games::FreeCell;
use patience_games::freecell::{
    Board, Distance, FreeCellTable, Metric, Optimal, OptimalSearch, Place, Rules,
    SatisficingSearch, Step, validator,
};
use patience_model::Rng;
use patience_plan::{Budget, Cancel, Estimate, Planner, Root, Search, Status, Stepped, Verdict};

/// The length of a shortest solution; `None` if there is none.
fn shortest(table: &FreeCellTable, board: &Board) -> Option<f64> {
    let mut search = OptimalSearch::new(table, board, Optimal::default());
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let found = search.finding();
    assert!(found.verdict.is_proven());
    found.value
}

fn search<'g>(table: &'g FreeCellTable, board: &Board) -> Box<dyn Search<FreeCellTable> + 'g> {
    Distance.search(table, Root::Certain(board.clone()), Rng::new(1))
}

/// The true distance after each move, the move included, in the order of the estimates.
fn truths(table: &FreeCellTable, board: &Board) -> Vec<Option<f64>> {
    let after = |estimate: Estimate<Step>| {
        let mut after = board.clone();
        validator::make(&mut after, &estimate.action);
        shortest(table, &after).map(|length| length + 1.0)
    };
    search(table, board).estimates().into_iter().map(after).collect()
}

/// Values lie between bounds, bounds enclose the truth, and what is proven is true.
fn check_estimates(estimates: &[Estimate<Step>], truths: &[Option<f64>], board: &Board) {
    for (estimate, truth) in estimates.iter().zip(truths) {
        let context = || format!("{estimate:?} {truth:?}\n{board}");
        if estimate.value == Some(f64::INFINITY) {
            assert!(estimate.proven && truth.is_none(), "{}", context());
            continue;
        }
        assert_eq!(estimate.value, estimate.high, "{}", context());
        let low = estimate.low.expect("a lower bound from the start");
        assert!(truth.is_none_or(|truth| low <= truth), "{}", context());
        if let Some(high) = estimate.high {
            assert!(low <= high && truth.is_some_and(|truth| truth <= high), "{}", context());
        }
        assert!(!estimate.proven || estimate.value == *truth, "{}", context());
    }
}

/// Steps a search to its end and checks it on the way, where bounds only get closer. The estimates
/// in the end.
fn check(table: &FreeCellTable, board: &Board) -> Vec<Estimate<Step>> {
    let truths = truths(table, board);
    let best = truths.iter().flatten().copied().reduce(f64::min);
    assert_eq!(best, shortest(table, board));
    let mut search = search(table, board);
    let mut before = search.estimates();
    while search.step() == Status::Running {
        let estimates = search.estimates();
        check_estimates(&estimates, &truths, board);
        for (before, after) in before.iter().zip(&estimates) {
            let is_lost = after.value == Some(f64::INFINITY);
            assert!(is_lost || before.low <= after.low, "{before:?} {after:?}\n{board}");
            let kept = before.high.is_none_or(|old| after.high.is_some_and(|new| new <= old));
            assert!(is_lost || kept, "{before:?} {after:?}\n{board}");
        }
        before = estimates;
        let bounds = search.finding().bounds;
        assert!(best.is_none_or(|best| bounds.lower.is_none_or(|lower| lower <= best)));
        assert!(best.is_none_or(|best| bounds.upper.is_none_or(|upper| best <= upper)));
    }
    let (estimates, found) = (search.estimates(), search.finding());
    check_estimates(&estimates, &truths, board);
    // In the end every move that loses is known, and a best one is proven.
    for (estimate, truth) in estimates.iter().zip(&truths) {
        assert_eq!(estimate.value == Some(f64::INFINITY), truth.is_none(), "{estimate:?}\n{board}");
    }
    match best {
        None => assert_eq!(found.verdict, Verdict::Unsolvable),
        Some(best) => {
            assert_eq!((found.verdict, found.value), (Verdict::Optimal, Some(best)));
            let length = validator::verify(table.rules(), table.metric(), board, &found.moves);
            assert_eq!(length.map(f64::from), Ok(best));
            let chosen = estimates.iter().find(|e| Some(e.action) == search.best()).unwrap();
            assert!(chosen.proven && chosen.value == Some(best), "{chosen:?}\n{board}");
        }
    }
    estimates
}

#[test]
fn distances_of_small_packs_are_true() {
    let (mut unsolvable, mut losing, mut proven) = (0, 0, 0);
    for (ranks, columns, cells) in [(4, 4, 1), (5, 4, 1), (5, 5, 0), (4, 3, 2)] {
        let rules = Rules { ranks, columns, cells, ..Rules::FREECELL };
        for metric in Metric::ALL {
            let table = FreeCellTable::new(FreeCell::new(rules, metric).unwrap());
            for seed in 0..12 {
                let board = Board::shuffled(&rules, &mut Rng::numbered(seed, 8));
                let estimates = check(&table, &board);
                let lost = estimates.iter().filter(|e| e.value == Some(f64::INFINITY)).count();
                unsolvable += u32::from(lost == estimates.len());
                losing += u32::from(0 < lost && lost < estimates.len());
                proven += u32::from(estimates.iter().filter(|e| e.proven).count() > lost);
            }
        }
    }
    let seen = [unsolvable, losing, proven];
    assert!(seen.iter().all(|&n| n > 10), "unsolvable, with a losing move, proven: {seen:?}");
}

#[test]
fn distances_of_late_positions_are_true() {
    let rules = Rules::FREECELL;
    for (deal, metric) in [(1, Metric::Table1), (2, Metric::Single), (5, Metric::Supermove)] {
        let table = FreeCellTable::new(FreeCell::new(rules, metric).unwrap());
        let mut board = Board::deal(&rules, deal).unwrap();
        let mut search = SatisficingSearch::new(&table, &board);
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let steps = search.finding().moves;
        for (left, step) in (1..=steps.len()).rev().zip(&steps) {
            if [40, 30, 15, 1].contains(&left) {
                check(&table, &board);
            }
            validator::make(&mut board, step);
        }
        assert!(board.is_solved(&rules));
    }
}

/// If the three of clubs takes the only cell, the aces come free; if that of spades does, nothing
/// can move again.
#[test]
fn a_move_that_loses_is_infinitely_far() {
    let rules = Rules { ranks: 3, columns: 2, cells: 1, ..Rules::FREECELL };
    let text = "Foundations: H-3 C-0 D-3 S-0\n: AS 3C\n: AC 2C 2S 3S";
    let board = Board::read(&rules, text).unwrap();
    let table = FreeCellTable::new(FreeCell::new(rules, Metric::Single).unwrap());
    let values: Vec<_> = check(&table, &board).iter().map(|e| (e.action.from, e.value)).collect();
    let [first, second] = [0, 1].map(Place::Column);
    assert_eq!(values, [(first, Some(9.0)), (second, Some(f64::INFINITY))]);

    let mut stuck = board.clone();
    validator::make(&mut stuck, &Step { from: second, to: Place::Cell(0), count: 1 });
    assert!(check(&table, &stuck).is_empty());
}
