//! From the mean of samples to the chance to win.
//!
//! The mean is too high early in a game, because the solver at a leaf sees all cards, and a little too low
//! late in one; it comes down with longer thought. What is told is therefore corrected: a logistic function
//! of the mean, the cards that lie face down and the samples, fitted to games that the player played, on
//! deals that no figure is reported on. It grows with the mean, so no order of moves changes.
//!
//! The coefficients are those that `benches/odds/fit.py` prints for the decisions that `patience reliability`
//! writes; how far the odds come true on other deals is in docs/klondike.md. When the search changes, both
//! must be done again. These are from 1,845 games with three cards at a time (1,200 of 400 samples a
//! decision, 500 of 100, 120 of 1600, 25 of 6400) and 660 with one (300 of 400, 300 of 100, 60 of 1600), the
//! deals of seeds 1.., 10001.., 20001.. and 30001.. of that command.

/// One, the log-odds of the mean, the share of cards face down, that times the log-odds, the samples (in
/// doublings of 400), and these times the share of cards face down.
const DRAW_3: [f64; 6] = [0.603, 0.986, -1.538, -0.306, -0.090, 0.258];
const DRAW_1: [f64; 6] = [0.023, 1.166, -0.313, -0.874, -0.190, 0.229];

/// Numbers of samples that are told apart; there were no games of more than 6400.
const SAMPLES: (f64, f64) = (50.0, 6_400.0);

/// Cards that lie face down at the start.
const FACE_DOWN: f64 = 21.0;

/// The chance to win. Two cards at a time were not measured: they are taken for three.
pub(super) fn odds(mean: f64, draw: u32, face_down: u32, samples: u64) -> f64 {
    let weights = if draw == 1 { DRAW_1 } else { DRAW_3 };
    let n = (samples as f64).max(1.0);
    // Samples that agree prove nothing.
    let share = (mean * n + 0.5) / (n + 1.0);
    let x = (share / (1.0 - share)).ln();
    let down = f64::from(face_down) / FACE_DOWN;
    let doublings = ((samples as f64).clamp(SAMPLES.0, SAMPLES.1) / 400.0).log2();
    let features = [1.0, x, down, down * x, doublings, doublings * down];
    let sum: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::odds;

    /// The odds grow with the mean, whatever else there is, and stay between 0 and 1.
    #[test]
    fn odds_grow_with_the_mean() {
        for draw in 1..=3 {
            for face_down in 0..=21 {
                for samples in [1, 30, 400, 20_000, 1_000_000] {
                    let told: Vec<f64> = (0..=100)
                        .map(|mean| odds(f64::from(mean) / 100.0, draw, face_down, samples))
                        .collect();
                    assert!(told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
                    assert!(told.iter().all(|p| (0.0..=1.0).contains(p)), "{told:?}");
                }
            }
        }
    }
}
