//! Keys.

use std::collections::HashMap;
use std::fmt::Debug;

use super::{Play, Property, Suite, Violation};
use crate::{Game, Keyed};

/// States compared pair by pair to find equal ones with different keys.
const PAIRED: usize = 600;

/// Every state of the plays, with the numbers of its game and its move.
fn states<G: Game>(plays: &[Play<G>]) -> impl Iterator<Item = (u64, usize, &G::State)> {
    plays.iter().flat_map(|play| {
        std::iter::once(&play.start)
            .chain(play.moves.iter().map(|m| &m.after))
            .enumerate()
            .map(|(i, state)| (play.number, i, state))
    })
}

/// Equal states have equal keys, different states different ones.
pub(super) fn keys<G: Keyed>(suite: &Suite<'_, G>, plays: &[Play<G>]) -> Result<u64, Violation>
where
    G::State: Debug,
{
    let game = suite.game;
    let same = suite.same_key.expect("set together with this check");
    let mut comparisons = 0;
    let mut seen: HashMap<G::Key, &G::State> = HashMap::new();
    for (number, moves, state) in states(plays) {
        let key = game.key(state);
        if game.key(&state.clone()) != key {
            let detail = format!("a clone of {state:?} has another key than {key:?}");
            return Err(suite.violation(Property::EqualKeys, number, Some(moves), detail));
        }
        let first = seen.entry(key).or_insert(state);
        if !same(first, state) {
            let detail = format!("{key:?} for {first:?} and for {state:?}");
            return Err(suite.violation(Property::DistinctKeys, number, Some(moves), detail));
        }
        comparisons += 2;
    }
    let total = states(plays).count();
    let sample: Vec<_> = states(plays).step_by(total.div_ceil(PAIRED).max(1)).collect();
    for (i, (number, moves, state)) in sample.iter().enumerate() {
        for (_, _, other) in &sample[..i] {
            let (key, other_key) = (game.key(state), game.key(other));
            if key != other_key && same(state, other) {
                let detail = format!("{key:?} and {other_key:?} for {state:?}");
                return Err(suite.violation(Property::EqualKeys, *number, Some(*moves), detail));
            }
            comparisons += 1;
        }
    }
    Ok(comparisons)
}
