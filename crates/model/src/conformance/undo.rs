//! Taking moves back.

use std::fmt::Debug;

use super::{Play, Property, Suite, Violation};
use crate::Undo;

/// Applies every action of every position once, and every play as a whole, and takes all back.
pub(super) fn restores<G: Undo>(suite: &Suite<'_, G>, plays: &[Play<G>]) -> Result<u64, Violation>
where
    G::State: PartialEq + Debug,
{
    let game = suite.game;
    let mut comparisons = 0;
    for play in plays {
        let fail = |property, moves, detail| {
            Err(suite.violation(property, play.number, Some(moves), detail))
        };
        let mut state = play.start.clone();
        let mut tokens = Vec::new();
        for (i, moment) in play.moves.iter().enumerate() {
            for &action in &moment.actions {
                let (mut rng, mut twin_rng) = (moment.stream.clone(), moment.stream.clone());
                let mut twin = state.clone();
                let (step, token) = game.apply(&mut state, action, &mut rng);
                let twin_step = game.step(&mut twin, action, &mut twin_rng);
                if step != twin_step || state != twin || rng != twin_rng {
                    let detail = format!(
                        "{action:?} in {:?}: {step:?} and {state:?}, not {twin_step:?} and {twin:?}",
                        moment.before
                    );
                    return fail(Property::ApplySteps, i, detail);
                }
                game.undo(&mut state, token);
                if let Some(detail) = differs(suite, &moment.before, &state) {
                    return fail(Property::UndoRestores, i, format!("{action:?} back: {detail}"));
                }
                comparisons += 2;
            }
            let mut rng = moment.stream.clone();
            tokens.push(game.apply(&mut state, moment.action, &mut rng).1);
        }
        for (i, (moment, token)) in play.moves.iter().zip(tokens).enumerate().rev() {
            game.undo(&mut state, token);
            if let Some(detail) = differs(suite, &moment.before, &state) {
                let detail = format!("taking the whole play back: {detail}");
                return fail(Property::UndoRestores, i, detail);
            }
            comparisons += 1;
        }
    }
    Ok(comparisons)
}

/// How a restored state differs from the one before, by itself, its actions or its key.
fn differs<G: Undo>(suite: &Suite<'_, G>, before: &G::State, after: &G::State) -> Option<String>
where
    G::State: PartialEq + Debug,
{
    if before != after {
        return Some(format!("{after:?}, not {before:?}"));
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    suite.game.actions(before, &mut first);
    suite.game.actions(after, &mut second);
    if first != second {
        return Some(format!("actions {second:?}, not {first:?}"));
    }
    let key = suite.key_text?;
    let (first, second) = (key(suite.game, before), key(suite.game, after));
    (first != second).then(|| format!("key {second}, not {first}"))
}
