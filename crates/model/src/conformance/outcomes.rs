//! Chance that can be enumerated.

use std::fmt::Debug;

use super::{Play, Property, Suite, Violation, spread};
use crate::{Outcomes, Rng};

/// Positions of which every action's outcomes are looked at.
const POSITIONS: usize = 50;
/// Standard deviations by which a frequency may be off. With fixed seeds a right game that fails
/// at six would have to be met once in a billion comparisons.
pub(super) const DEVIATIONS: f64 = 6.0;

/// Outcomes are well-formed, and a sampled step is one of them, as often as it should be.
pub(super) fn listed<G: Outcomes>(suite: &Suite<'_, G>, plays: &[Play<G>]) -> Result<u64, Violation>
where
    G::State: PartialEq + Debug,
{
    let game = suite.game;
    let mut comparisons = 0;
    let mut rng = Rng::named(suite.seed, &["conformance", "outcomes"]);
    let mut outcomes = Vec::new();
    for (play, i, moment) in spread(plays, POSITIONS) {
        for &action in &moment.actions {
            let fail = |property, detail: String| {
                let detail = format!("{action:?} in {:?}: {detail}", moment.before);
                Err(suite.violation(property, play.number, Some(i), detail))
            };
            // The buffer still holds the outcomes of the last action.
            game.outcomes(&moment.before, action, &mut outcomes);
            let sum: f64 = outcomes.iter().map(|o| o.probability).sum();
            let positive = outcomes.iter().all(|o| o.probability > 0.0);
            if !positive || (sum - 1.0).abs() > 1e-9 {
                let all: Vec<f64> = outcomes.iter().map(|o| o.probability).collect();
                return fail(Property::ProbabilitiesSumToOne, format!("{all:?}"));
            }
            for (k, outcome) in outcomes.iter().enumerate() {
                if outcomes[..k].iter().any(|o| o.step.obs == outcome.step.obs) {
                    return fail(Property::ObservationsDistinct, format!("{:?}", outcome.step.obs));
                }
            }
            let mut counts = vec![0u64; outcomes.len()];
            for _ in 0..suite.samples {
                let mut state = moment.before.clone();
                let step = game.step(&mut state, action, &mut rng);
                let Some(k) = outcomes.iter().position(|o| o.step.obs == step.obs) else {
                    let detail = format!("{:?} is not listed", step.obs);
                    return fail(Property::OutcomesComplete, detail);
                };
                let outcome = &outcomes[k];
                if (outcome.step.reward - step.reward).abs() > 1e-9 || outcome.state != state {
                    let detail = format!(
                        "{step:?} and {state:?}, listed as {:?} and {:?}",
                        outcome.step, outcome.state
                    );
                    return fail(Property::OutcomesComplete, detail);
                }
                counts[k] += 1;
            }
            let n = suite.samples as f64;
            for (outcome, &count) in outcomes.iter().zip(&counts) {
                let p = outcome.probability.min(1.0);
                let off = (count as f64 - n * p).abs();
                if off > DEVIATIONS * (n * p * (1.0 - p)).sqrt() + 1.0 {
                    let detail = format!(
                        "{:?} came {count} times in {n}, its probability is {p}",
                        outcome.step.obs
                    );
                    return fail(Property::Frequencies, detail);
                }
            }
            comparisons += suite.samples + 2;
        }
    }
    Ok(comparisons)
}
