//! Checks what the paper leads us to expect.

use serde::Serialize;

use crate::analysis::{Analysis, ArmData};
use crate::expression::Expression;
use crate::spec::{Claim, Quantity, Within};
use crate::stats::bounds_finite as finite;
use crate::stats::{self, Bounds, Crossing, Estimate, Ratio, Reached, Slope};

/// What the results say about a claim, at 95% confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The whole interval lies where it is expected, bounds excluded.
    Holds,
    /// The whole interval lies beyond one of the bounds.
    Fails,
    /// Neither: more units are needed, or they were all equal, or it was not measured.
    Undecided,
}

impl std::fmt::Display for Ruling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Ruling::Holds => "holds",
            Ruling::Fails => "fails",
            Ruling::Undecided => "undecided",
        })
    }
}

/// A claim with what was found.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimReport {
    /// The claim in words.
    pub text: String,
    /// Holds if all checks hold, fails if one fails.
    pub verdict: Ruling,
    /// The checks.
    pub checks: Vec<CheckReport>,
}

/// One check of a claim.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// What was checked.
    pub quantity: String,
    /// The estimate; `None` if there is none.
    pub value: Option<f64>,
    /// Its 95% interval.
    pub at95: Bounds,
    /// For a paired difference: how likely one so far from 0 would be if there were none. `None`
    /// for other quantities, and where it is unknown.
    pub p: Option<f64>,
    /// Expected above this.
    #[serde(serialize_with = "finite")]
    pub above: f64,
    /// Expected below this.
    #[serde(serialize_with = "finite")]
    pub below: f64,
    /// What follows.
    pub verdict: Ruling,
    /// Why there is no estimate, or what else should be known.
    pub note: Option<String>,
}

/// An estimate of a quantity, or why there is none.
struct Found {
    value: Option<f64>,
    at95: Bounds,
    p: Option<f64>,
    note: Option<String>,
}

impl Found {
    fn of(e: &Estimate) -> Found {
        let note = e.all_equal.then(|| match e.units {
            1 => "one unit only".to_owned(),
            units => format!("all {units} units equal"),
        });
        Found { value: Some(e.value), at95: e.at95, p: None, note }
    }

    fn nothing(why: impl Into<String>) -> Found {
        Found { value: None, at95: Bounds::UNBOUNDED, p: None, note: Some(why.into()) }
    }
}

pub(crate) fn check(analysis: &Analysis, claim: &Claim) -> ClaimReport {
    let checks: Vec<CheckReport> = claim
        .checks
        .iter()
        .map(|check| {
            let found = find(analysis, &check.quantity);
            let no_width = (!has_width(&found.at95))
                .then(|| "an interval without width decides nothing".to_owned());
            CheckReport {
                quantity: describe(&check.quantity),
                value: found.value,
                at95: found.at95,
                p: found.p,
                above: claim.within.low,
                below: claim.within.high,
                verdict: judge(&found.at95, &claim.within),
                note: notes([found.note, no_width]),
            }
        })
        .collect();
    let all = |v| checks.iter().all(|c| c.verdict == v);
    let verdict = if checks.iter().any(|c| c.verdict == Ruling::Fails) {
        Ruling::Fails
    } else if all(Ruling::Holds) {
        Ruling::Holds
    } else {
        Ruling::Undecided
    };
    ClaimReport { text: claim.text.clone(), verdict, checks }
}

fn judge(at95: &Bounds, within: &Within) -> Ruling {
    // Anything meets a bound that was not given, even an unbounded end.
    let above = within.low == f64::NEG_INFINITY || at95.low > within.low;
    let below = within.high == f64::INFINITY || at95.high < within.high;
    if !has_width(at95) {
        Ruling::Undecided
    } else if above && below {
        Ruling::Holds
    } else if at95.high < within.low || at95.low > within.high {
        Ruling::Fails
    } else {
        Ruling::Undecided
    }
}

/// Whether an interval has a width beyond rounding. No width is not certainty: units that are all
/// equal do not say how others may differ. (Wilson's interval, of rates and proportions, always
/// has a width.)
fn has_width(at95: &Bounds) -> bool {
    let size = at95.low.abs().max(at95.high.abs());
    size.is_infinite() || at95.high - at95.low > 1e-12 * size
}

fn find(analysis: &Analysis, quantity: &Quantity) -> Found {
    match quantity {
        Quantity::Value { arm, column, at } => with(analysis, arm, |data| {
            let Some(i) = data.column(column.as_deref(), *at) else { return unmeasured(at) };
            match data.estimate(i) {
                Some(e) => Found::of(&e),
                None => Found::nothing("no units yet"),
            }
        }),
        Quantity::Difference { arm, minus, column, at } => with(analysis, arm, |a| {
            with(analysis, minus, |b| {
                let places = (a.column(column.as_deref(), *at), b.column(column.as_deref(), *at));
                let (Some(i), Some(j)) = places else { return unmeasured(at) };
                match stats::paired(&a.numbered(i), &b.numbered(j)) {
                    Some(e) => {
                        let (found, p) = (Found::of(&e), stats::student_p(&e));
                        Found { p, note: found.note.or_else(|| p.map(p_note)), ..found }
                    }
                    None => Found::nothing("no common units yet"),
                }
            })
        }),
        Quantity::Crossing { arm, column, threshold } => with(analysis, arm, |data| {
            let crossings = analysis.crossings(data, column.as_deref(), &[*threshold]);
            match crossings.and_then(|mut all| all.pop()) {
                None => Found::nothing("not a curve"),
                Some(c) => Found { value: c.at, at95: c.at95, p: None, note: crossing_note(&c) },
            }
        }),
        Quantity::Ratio { arm, over, column, threshold } => with(analysis, arm, |a| {
            with(analysis, over, |b| {
                let (Some(x), Some(y)) = (a.curve(column.as_deref()), b.curve(column.as_deref()))
                else {
                    return Found::nothing("not a curve");
                };
                let mut rng = analysis.bootstrap(&format!("{arm} / {over}"));
                let ratio = stats::crossing_ratio(&x, &y, *threshold, &mut rng);
                let note = ratio_note(&ratio, arm, over);
                Found { value: ratio.value, at95: ratio.at95, p: None, note }
            })
        }),
        Quantity::Slope { select, column, threshold, against } => {
            let arms = analysis.arms.iter().filter(|d| select.matches(&d.arm));
            match slope(arms, column.as_deref(), *threshold, against) {
                Some(s) => Found {
                    value: Some(s.value),
                    at95: s.at95,
                    p: None,
                    note: Some(format!("through {} points", s.points)),
                },
                None => Found::nothing("reached at too few points"),
            }
        }
    }
}

fn with(analysis: &Analysis, arm: &str, f: impl FnOnce(&ArmData) -> Found) -> Found {
    match analysis.arm(arm) {
        Some(data) if !data.rows.is_empty() => f(data),
        Some(_) => Found::nothing("no units yet"),
        None => Found::nothing(format!("`{arm}` is not in the quick version")),
    }
}

/// How likely such a difference would be if there were none.
fn p_note(p: f64) -> String {
    if p < 1e-4 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

fn unmeasured(at: &Option<f64>) -> Found {
    match at {
        Some(at) => Found::nothing(format!("not measured at {at} in this version")),
        None => Found::nothing("not measured"),
    }
}

/// What an interval does not say by itself.
fn notes(parts: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn crossing_note(c: &Crossing) -> Option<String> {
    let place = match c.at {
        None => Some(format!("not reached within {}", c.last)),
        Some(first) if c.from_start => {
            Some(format!("there from the first checkpoint, {first}, or before"))
        }
        Some(_) => None,
    };
    notes([place, c.open.map(|why| why.to_string())])
}

fn ratio_note(ratio: &Ratio, arm: &str, over: &str) -> Option<String> {
    let (Some(a), Some(b)) = (ratio.over, ratio.under) else {
        return Some("no common units yet".to_owned());
    };
    let place = |name: &str, reached: Reached| match reached {
        Reached::Before(first) => {
            Some(format!("{name}: there from the first checkpoint, {first}, or before"))
        }
        Reached::At(_) => None,
        Reached::Beyond(last) => Some(format!("{name}: not reached within {last}")),
    };
    notes([place(arm, a), place(over, b), ratio.open.map(|why| why.to_string())])
}

/// The slope of log crossing against log reference, over the arms that get there (after their
/// first checkpoint: before it nothing is known).
pub(crate) fn slope<'a>(
    arms: impl Iterator<Item = &'a ArmData>,
    column: Option<&str>,
    threshold: f64,
    against: &Expression,
) -> Option<Slope> {
    let mut points = Vec::new();
    for data in arms {
        let Some(curve) = data.curve(column) else { continue };
        if let Some(Reached::At(at)) = stats::crossing_point(&curve, threshold)
            && let Some(reference) = against.value(&data.arm.variables)
            && reference > 0.0
        {
            points.push((reference.ln(), at.ln()));
        }
    }
    stats::slope(&points)
}

fn describe(quantity: &Quantity) -> String {
    let column = quantity.column().map(|c| format!("{c} of ")).unwrap_or_default();
    let place = |at: &Option<f64>| at.map(|x| format!(" at {x}")).unwrap_or_default();
    match quantity {
        Quantity::Value { arm, at, .. } => format!("{column}{arm}{}", place(at)),
        Quantity::Difference { arm, minus, at, .. } => {
            format!("{column}{arm} − {minus}{}, paired", place(at))
        }
        Quantity::Crossing { arm, threshold, .. } => {
            format!("{column}{arm}: where it falls to {threshold}")
        }
        Quantity::Ratio { arm, over, threshold, .. } => {
            format!("{column}{arm} / {over}: where they fall to {threshold}")
        }
        Quantity::Slope { select, threshold, against, .. } => {
            let who = if select.series.is_empty() { &select.arms } else { &select.series };
            format!(
                "slope of {column}{}: log of where it falls to {threshold} against log {against}",
                if who.is_empty() { "all arms".to_owned() } else { who.join(", ") }
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_excluded_and_width_is_needed() {
        use Ruling::{Fails, Holds, Undecided};
        let above = Within { low: 0.0, high: f64::INFINITY };
        let below = Within { low: f64::NEG_INFINITY, high: 0.0 };
        let both = Within { low: 0.0, high: 1.0 };
        let cases = [
            (above, (0.1, 0.2), Holds),
            (above, (0.1, f64::INFINITY), Holds),
            (above, (0.0, 0.2), Undecided),
            (above, (-0.2, 0.0), Undecided),
            (above, (-0.2, -0.1), Fails),
            (above, (f64::NEG_INFINITY, -0.1), Fails),
            (above, (0.0, 0.0), Undecided),
            (above, (0.1, 0.1), Undecided),
            (above, (-0.1, -0.1), Undecided),
            (above, (0.3, 0.1 + 0.2), Undecided),
            (below, (-0.2, -0.1), Holds),
            (below, (f64::NEG_INFINITY, -0.1), Holds),
            (below, (-0.1, 0.0), Undecided),
            (below, (0.0, 0.0), Undecided),
            (below, (0.1, 0.2), Fails),
            (both, (0.1, 0.9), Holds),
            (both, (0.0, 0.9), Undecided),
            (both, (0.1, 1.0), Undecided),
            (both, (1.1, 1.2), Fails),
            (both, (f64::NEG_INFINITY, f64::INFINITY), Undecided),
        ];
        for (within, (low, high), verdict) in cases {
            assert_eq!(judge(&Bounds { low, high }, &within), verdict, "{within:?} {low} {high}");
        }
    }
}
