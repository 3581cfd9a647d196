//! Root-parallel search: several trees for one decision, grown wherever there is a processor, and
//! what they say together.
//!
//! Tree i of a seed is the search with the seed [`tree_seed`]. It does not depend on where or in
//! which order trees are grown, so what [`merge_trees`] says of them is the same on one machine and
//! on many.

use patience_model::Rng;
use patience_plan::{Counts, Stats, StopReason};

use crate::advice::{Advice, MoveAdvice};
use crate::think::student;

/// The seed of a tree.
pub fn tree_seed(seed: u64, tree: u64) -> u64 {
    Rng::named(seed, &["tree", &tree.to_string()]).next_u64()
}

/// Why trees cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnsembleError {
    /// There is none.
    #[error("there is no tree to merge")]
    Empty,
    /// They are not of the same decision.
    #[error("tree {0} is not of the same position and planner as the first")]
    Other(usize),
}

/// What the trees of one decision say together, in the order of their numbers: values are averaged
/// over the trees that have one, each alike, as in Ensemble-UCT, and have Student's interval, because
/// trees are independent; visits and counts are added up. `minimising` tells for whom the best move
/// is sought.
///
/// # Errors
/// If there is no tree, or they are not of the same decision.
pub fn merge_trees(trees: &[Advice], seed: u64, minimising: bool) -> Result<Advice, EnsembleError> {
    let first = trees.first().ok_or(EnsembleError::Empty)?;
    for (i, tree) in trees.iter().enumerate() {
        let actions =
            |advice: &Advice| advice.moves.iter().map(|m| m.action.clone()).collect::<Vec<_>>();
        let same = (&tree.game, &tree.planner, &tree.position)
            == (&first.game, &first.planner, &first.position);
        if !same || actions(tree) != actions(first) {
            return Err(EnsembleError::Other(i));
        }
    }
    let moves: Vec<MoveAdvice> = (0..first.moves.len()).map(|i| merged(trees, i)).collect();
    let sign = if minimising { -1.0 } else { 1.0 };
    let mut best: Option<&MoveAdvice> = None;
    for m in &moves {
        let worth = |m: &MoveAdvice| m.value.map_or(f64::NEG_INFINITY, |value| sign * value);
        if best.is_none_or(|best| worth(m) > worth(best)) {
            best = Some(m);
        }
    }
    let best = best.map(|m| m.action.clone());
    let why = first.why.clone().filter(|_| best == first.best);
    Ok(Advice { seed, best, why, moves, stats: spent(trees), ..first.clone() })
}

/// What the trees say of one move.
fn merged(trees: &[Advice], index: usize) -> MoveAdvice {
    let (mut count, mut mean, mut deviation, mut visits) = (0u32, 0.0, 0.0, 0);
    for tree in trees {
        let m = &tree.moves[index];
        visits += m.visits;
        let Some(value) = m.value else { continue };
        count += 1;
        let before = value - mean;
        mean += before / f64::from(count);
        deviation += before * (value - mean);
    }
    let half = (count > 1).then(|| {
        let freedom = f64::from(count - 1);
        let error = (deviation.max(0.0) / freedom / f64::from(count)).sqrt();
        student(u64::from(count) - 1) * error
    });
    MoveAdvice {
        value: (count > 0).then_some(mean),
        low: half.map(|half| mean - half),
        high: half.map(|half| mean + half),
        visits,
        samples: visits,
        sure: trees.iter().all(|tree| tree.moves[index].sure),
        ..trees[0].moves[index].clone()
    }
}

/// What all trees have spent; the seconds are those of the longest.
fn spent(trees: &[Advice]) -> Stats {
    let mut counts = Counts::default();
    let (mut seconds, mut stop) = (0.0f64, trees[0].stats.stop);
    for Stats { counts: own, seconds: took, stop: why } in trees.iter().map(|tree| tree.stats) {
        counts.iterations += own.iterations;
        counts.model_calls += own.model_calls;
        counts.nodes += own.nodes;
        counts.bytes += own.bytes;
        seconds = seconds.max(took);
        // One that was cut says more than those that were not.
        if matches!(why, Some(StopReason::Cancelled | StopReason::Memory)) {
            stop = why;
        }
    }
    Stats { counts, seconds, stop }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::Measure;

    fn tree(value: Option<f64>) -> Advice {
        let m = MoveAdvice {
            action: "a".to_owned(),
            moves: Vec::new(),
            label: String::new(),
            value,
            low: None,
            high: None,
            visits: 10,
            samples: 10,
            sure: false,
            loses: false,
            again: false,
        };
        Advice {
            game: "g".to_owned(),
            planner: "p".to_owned(),
            seed: 1,
            position: String::new(),
            measure: Measure::Value,
            best: None,
            why: None,
            moves: vec![m],
            lost: None,
            stats: Stats { counts: Counts::default(), seconds: 0.0, stop: None },
            minimising: false,
        }
    }

    /// Student's interval of n values has n − 1 degrees of freedom: t = 12.706 for two values and
    /// 2.776 for five (tables of any book).
    #[test]
    fn the_interval_has_one_degree_of_freedom_less_than_trees() {
        let of = |values: &[f64]| {
            let mut trees: Vec<Advice> = values.iter().map(|value| tree(Some(*value))).collect();
            trees.push(tree(None)); // A tree that never tried the move counts for nothing.
            merge_trees(&trees, 1, false).unwrap().moves.remove(0)
        };
        // Mean 1, standard deviation √2, standard error 1.
        let two = of(&[0.0, 2.0]);
        assert!((two.low.unwrap() - (1.0 - 12.7062)).abs() < 1e-3, "{two:?}");
        assert!((two.high.unwrap() - (1.0 + 12.7062)).abs() < 1e-3, "{two:?}");
        // Mean 3, variance 10 / 4, standard error √(1/2).
        let five = of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let half = 2.7764 * 0.5f64.sqrt();
        assert!((five.high.unwrap() - (3.0 + half)).abs() < 1e-3, "{five:?}");
        assert_eq!((five.value, five.visits), (Some(3.0), 60));
        assert_eq!((of(&[3.0]).low, of(&[3.0]).value), (None, Some(3.0)));
    }
}
