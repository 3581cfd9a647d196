//! What is hidden stays hidden, and is drawn as it should be.

use std::fmt::Debug;

use super::outcomes::DEVIATIONS;
use super::{Play, Property, Suite, Violation, spread};
use crate::{Hidden, Rng};

/// Positions from which twins are drawn.
const POSITIONS: usize = 200;
/// Twins per position.
const TWINS: usize = 8;
/// Moves for which a twin is followed at most.
const FOLLOWED: usize = 20;
/// Positions after up to so many moves are compared in frequency.
const EARLY: u64 = 5;
/// Different states that are counted; further ones are left out.
const CLASSES: usize = 256;

/// A twin drawn from what is known cannot be told from the true state until an observation does.
pub(super) fn nothing_leaks<G: Hidden>(
    suite: &Suite<'_, G>,
    plays: &[Play<G>],
) -> Result<u64, Violation>
where
    G::State: PartialEq + Debug,
{
    let game = suite.game;
    let mut comparisons = 0;
    let mut varied = false;
    let mut rng = Rng::named(suite.seed, &["conformance", "hidden"]);
    let (mut actions, mut twin_actions) = (Vec::new(), Vec::new());
    for (play, i, moment) in spread(plays, POSITIONS) {
        for _ in 0..TWINS {
            let mut state = moment.before.clone();
            let known = game.known(&state);
            let mut twin = game.draw(&known, &mut rng);
            varied |= twin != state;
            let twin_known = game.known(&twin);
            if twin_known != known {
                let detail = format!("{known:?} became {twin_known:?}");
                return Err(suite.violation(Property::DrawAgrees, play.number, Some(i), detail));
            }
            for ahead in 0..FOLLOWED {
                let fail = |property, detail| {
                    Err(suite.violation(property, play.number, Some(i + ahead), detail))
                };
                game.actions(&state, &mut actions);
                game.actions(&twin, &mut twin_actions);
                if actions != twin_actions {
                    let detail = format!("{actions:?} in {state:?}, {twin_actions:?} in {twin:?}");
                    return fail(Property::KnownDecidesActions, detail);
                }
                if game.minimising(&state) != game.minimising(&twin) {
                    let detail = format!("another player moves in {state:?} than in {twin:?}");
                    return fail(Property::KnownDecidesActions, detail);
                }
                comparisons += 2;
                if actions.is_empty() {
                    break;
                }
                let action = rng.pick(&actions);
                let mut twin_rng = rng.clone();
                let step = game.step(&mut state, action, &mut rng);
                let twin_step = game.step(&mut twin, action, &mut twin_rng);
                if step.obs != twin_step.obs {
                    break;
                }
                let (known, twin_known) = (game.known(&state), game.known(&twin));
                if known != twin_known {
                    let detail = format!(
                        "after {action:?} and {:?} either {known:?} or {twin_known:?}",
                        step.obs
                    );
                    return fail(Property::NothingLeaks, detail);
                }
            }
        }
    }
    if comparisons > 0 && !varied {
        let detail = "every state drawn was the true one".to_owned();
        return Err(suite.violation(Property::DrawVaries, 0, None, detail));
    }
    Ok(comparisons)
}

/// Over many short plays, the states that are reached and the states drawn from what is known in
/// them have the same distribution. Says something only where states are met again and again.
pub(super) fn draws_as_dealt<G: Hidden>(
    suite: &Suite<'_, G>,
    _plays: &[Play<G>],
) -> Result<u64, Violation>
where
    G::State: PartialEq + Debug,
{
    let game = suite.game;
    let mut rng = Rng::named(suite.seed, &["conformance", "draws"]);
    let mut actions = Vec::new();
    let mut classes: Vec<(G::State, [u64; 2])> = Vec::new();
    for n in 0..suite.samples * EARLY {
        let mut state = game.start(&mut rng);
        for _ in 0..n % EARLY {
            game.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            game.step(&mut state, rng.pick(&actions), &mut rng);
        }
        let drawn = game.draw(&game.known(&state), &mut rng);
        for (which, state) in [state, drawn].into_iter().enumerate() {
            match classes.iter().position(|(s, _)| *s == state) {
                Some(class) => classes[class].1[which] += 1,
                None if classes.len() < CLASSES => {
                    let mut counts = [0; 2];
                    counts[which] = 1;
                    classes.push((state, counts));
                }
                None => {}
            }
        }
    }
    for (state, [reached, drawn]) in &classes {
        // Given what is known, the two counts are independent with the same mean.
        let bound = DEVIATIONS * ((reached + drawn) as f64).sqrt() + 1.0;
        if reached.abs_diff(*drawn) as f64 > bound {
            let detail = format!("{state:?} was reached {reached} times and drawn {drawn} times");
            return Err(suite.violation(Property::DrawFrequencies, 0, None, detail));
        }
    }
    Ok(classes.len() as u64)
}
