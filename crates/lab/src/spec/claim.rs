//! Claims: what the paper leads us to expect, in words and in a form that can be checked.

use crate::expression::Expression;
use crate::keys::{Keys, SpecFault};
use crate::reader::Reader;
use crate::spec::arm::{self, Arm, Select};
use crate::spec::chart;
use crate::template::{self, Binding};

/// Where a quantity is expected, ends excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// Above this.
    pub low: f64,
    /// Below this.
    pub high: f64,
}

/// A quantity that a claim is about. Each is estimated with a 95% interval.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// `check = "value"`: a column of `arm`, at a checkpoint.
    Value {
        /// The arm.
        arm: String,
        /// The column; default: the first.
        column: Option<String>,
        /// The checkpoint; default: the last.
        at: Option<f64>,
    },
    /// `check = "difference"`: `arm` less `minus`, in pairs of the same units.
    Difference {
        /// The arm.
        arm: String,
        /// The arm that is subtracted.
        minus: String,
        /// The column; default: the first.
        column: Option<String>,
        /// The checkpoint; default: the last.
        at: Option<f64>,
    },
    /// `check = "crossing"`: where the curve of `arm` falls to `threshold` and stays.
    Crossing {
        /// The arm.
        arm: String,
        /// The column; default: the first.
        column: Option<String>,
        /// The threshold.
        threshold: f64,
    },
    /// `check = "ratio"`: the crossing of `arm` divided by that of `over`.
    Ratio {
        /// The arm.
        arm: String,
        /// The arm that it is divided by.
        over: String,
        /// The column; default: the first.
        column: Option<String>,
        /// The threshold.
        threshold: f64,
    },
    /// `check = "slope"`: the slope of log crossing against the log of `against`.
    Slope {
        /// The arms.
        select: Select,
        /// The column; default: the first.
        column: Option<String>,
        /// The threshold.
        threshold: f64,
        /// The growth that it is compared with.
        against: Expression,
    },
}

impl Quantity {
    /// The column that it is about; `None` is the first.
    pub fn column(&self) -> Option<&str> {
        match self {
            Quantity::Value { column, .. }
            | Quantity::Difference { column, .. }
            | Quantity::Crossing { column, .. }
            | Quantity::Ratio { column, .. }
            | Quantity::Slope { column, .. } => column.as_deref(),
        }
    }
}

/// One of the checks of a claim: several, if the claim has a sweep.
#[derive(Clone, Debug)]
pub struct Check {
    /// What is checked.
    pub quantity: Quantity,
}

/// A `[[claim]]` of a spec.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its line in the file.
    pub line: usize,
    /// The line of its `column`, or else of the claim.
    pub column_line: usize,
    /// The claim in words.
    pub text: String,
    /// What is checked; all must hold. Empty if the quick version has none of its arms.
    pub checks: Vec<Check>,
    /// Where each is expected.
    pub within: Within,
}

pub(super) fn read(
    table: &Keys,
    number: usize,
    arms: &[Arm],
    quick_sweep: Option<&Keys>,
) -> Result<Claim, SpecFault> {
    let mut r = Reader::new(table, format!("claim {number}")).knows(&[
        "text",
        "above",
        "below",
        "sweep",
        "check",
        "column",
        "at",
        "threshold",
        "arm",
        "minus",
        "over",
        "arms",
        "series",
        "against",
    ])?;
    let text = r.text("text")?;
    let text = r.need("text", text)?;
    let any = f64::NEG_INFINITY..=f64::INFINITY;
    let above = r.number("above", any.clone())?;
    let below = r.number("below", any)?;
    if above.is_none() && below.is_none() {
        return Err(r.fault("above", "is missing: a claim says `above`, `below` or both"));
    }
    let within =
        Within { low: above.unwrap_or(f64::NEG_INFINITY), high: below.unwrap_or(f64::INFINITY) };
    if within.low >= within.high {
        return Err(r.fault("above", "expected above < below"));
    }
    let mut checks = Vec::new();
    for binding in template::bindings(&mut r, None)? {
        // The quick version checks only what it has the arms for.
        let quantity = quantity(&mut r, arms, &binding)?;
        if template::in_quick(&binding, quick_sweep) {
            checks.push(Check { quantity });
        }
    }
    let line = r.line();
    let column_line = r.get("column").map_or(line, |item| item.line);
    r.finish()?;
    Ok(Claim { line, column_line, text, checks, within })
}

fn quantity(r: &mut Reader<'_>, arms: &[Arm], binding: &Binding) -> Result<Quantity, SpecFault> {
    let check = r.word("check", &["value", "difference", "crossing", "ratio", "slope"])?;
    let check = r.need("check", check)?;
    let column = r.text("column")?;
    let at = |r: &mut Reader<'_>| r.number("at", f64::NEG_INFINITY..=f64::INFINITY);
    let threshold = |r: &mut Reader<'_>| {
        let t = r.number("threshold", f64::NEG_INFINITY..=f64::INFINITY)?;
        r.need("threshold", t)
    };
    let one = |r: &mut Reader<'_>, key: &str| {
        let name = arm::one(r, key, arms, binding)?;
        r.need(key, name)
    };
    Ok(match check.as_str() {
        "value" => Quantity::Value { arm: one(r, "arm")?, column, at: at(r)? },
        "difference" => Quantity::Difference {
            arm: one(r, "arm")?,
            minus: one(r, "minus")?,
            column,
            at: at(r)?,
        },
        "crossing" => Quantity::Crossing { arm: one(r, "arm")?, column, threshold: threshold(r)? },
        "ratio" => Quantity::Ratio {
            arm: one(r, "arm")?,
            over: one(r, "over")?,
            column,
            threshold: threshold(r)?,
        },
        _ => {
            let select = Select::read(r, arms, binding)?;
            let against = chart::against(r, arms, &select)?;
            let against = r.need("against", against)?;
            Quantity::Slope { select, column, threshold: threshold(r)?, against }
        }
    })
}
