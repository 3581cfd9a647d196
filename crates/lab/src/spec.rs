//! Specs: what an experiment is, what was published about it, and how it is shown.
//!
//! A spec is a TOML file:
//!
//! ```toml
//! name = "example"                 # letters, digits, `-` and `_`
//! title = "An example"             # title, paper and notes are shown in the report
//! seed = 7
//! units = 200                      # games, trees, states: what is averaged over
//! task = { kind = "play", moves = 100 }   # keys of the task
//!
//! [quick]                          # what the quick version has instead
//! units = 20
//! task = { moves = 10 }
//! sweep = { size = [2, 4] }
//!
//! [[arm]]
//! name = "UCT {size}"              # `{size}` stands for each value of the sweep
//! series = "UCT"                   # arms of a series are one line in a chart; default: the name
//! game = "sailing(size={size})"
//! planner = "uct(c=1)"
//! sweep = { size = [2, 4, 8] }     # the first variable is the arm's x
//! task = { moves = 50 }            # of this arm alone
//! published = { column = "won", value = 0.37, plus_minus = 0.02, confidence = 0.99, units = 4206 }
//! ```
//!
//! and any number of `[[chart]]` ([`Chart`]) and `[[claim]]` ([`Claim`]).

mod arm;
mod chart;
mod claim;
mod published;

use std::path::Path;

pub use arm::{Arm, Select};
pub use chart::{Axis, Chart, ChartKind, PublishedLine};
pub use claim::{Check, Claim, Quantity, Within};
pub use published::Published;

use crate::error::{LabError, Result};
use crate::keys::{Keys, SpecFault};
use crate::reader::Reader;
use crate::template;
use patience_plan::did_you_mean;

/// An experiment, read and checked, with its sweeps expanded.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The file it came from, for messages.
    pub file: String,
    /// The text it was read from.
    pub text: String,
    /// Whether this is the quick version.
    pub quick: bool,
    /// The experiment's name; it is part of every random stream.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The paper, and the table or figure in it.
    pub paper: String,
    /// What the reader of the report should know.
    pub notes: String,
    /// The seed of all random streams.
    pub seed: u64,
    /// How many units each arm has.
    pub units: u64,
    /// The arms, at least one; no name comes twice.
    pub arms: Vec<Arm>,
    /// What is drawn and tabulated.
    pub charts: Vec<Chart>,
    /// What the paper leads one to expect.
    pub claims: Vec<Claim>,
}

impl Spec {
    /// More units than any experiment needs.
    pub const MOST_UNITS: u64 = 1_000_000_000;

    /// Reads a spec's file, in its full or its quick version.
    pub fn read(path: &Path, quick: bool) -> Result<Spec> {
        let text =
            std::fs::read_to_string(path).map_err(|e| LabError::io(path, "read the spec", e))?;
        Spec::parse(&path.display().to_string(), &text, quick)
    }

    /// Reads a spec's text, in its full or its quick version; `file` is for messages.
    pub fn parse(file: &str, text: &str, quick: bool) -> Result<Spec> {
        parse(file, text, quick).map_err(|fault| LabError::Spec { file: file.to_owned(), fault })
    }

    /// The same with another number of units, from 1 to [`Spec::MOST_UNITS`] (other numbers are
    /// moved into that range). Results stay valid: units are numbered.
    pub fn with_units(mut self, units: u64) -> Spec {
        self.units = units.clamp(1, Spec::MOST_UNITS);
        self
    }

    /// The arm of this name.
    pub fn arm(&self, name: &str) -> Option<&Arm> {
        self.arms.iter().find(|a| a.name == name)
    }

    /// An error at the place of `fault`, which came from the task of `arm`.
    pub(crate) fn error(&self, arm: &Arm, fault: SpecFault) -> LabError {
        let line = arm.line_of(fault.key());
        LabError::Spec { file: self.file.clone(), fault: fault.or_line(line) }
    }
}

fn parse(file: &str, text: &str, quick: bool) -> std::result::Result<Spec, SpecFault> {
    let table = Keys::parse(text)?;
    let mut top = Reader::new(&table, "").knows(&[
        "name", "title", "paper", "notes", "seed", "units", "task", "quick", "arm", "chart",
        "claim",
    ])?;
    let name = top.text("name")?;
    let name = top.need("name", name)?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(fits) {
        return Err(top.fault("name", format!("expected letters, digits, - and _, got {name:?}")));
    }
    let title = top.text("title")?.unwrap_or_else(|| name.clone());
    let paper = top.text("paper")?.unwrap_or_default();
    let notes = top.text("notes")?.unwrap_or_default();
    let seed = top.integer("seed", 0..=i64::MAX)?;
    let seed = top.need("seed", seed)? as u64;
    let units = top.integer("units", 1..=Spec::MOST_UNITS as i64)?;
    let mut units = top.need("units", units)?;
    let task = top.table("task")?;
    let full_task = top.need("task", task)?.clone();
    let mut task = full_task.clone();
    let mut sweep = None;
    if let Some(table) = top.table("quick")? {
        let mut reader = Reader::new(table, "quick").knows(&["units", "task", "sweep"])?;
        let fewer = reader.integer("units", 1..=Spec::MOST_UNITS as i64)?;
        let keys = reader.table("task")?;
        let values = reader.table("sweep")?;
        reader.finish()?;
        if quick {
            units = fewer.unwrap_or(units);
            task.overlay(keys.unwrap_or(&Keys::default()));
            sweep = values;
        }
        check_quick_sweep(&top.clone().entries("arm")?, values)?;
    }
    let arm_tables = top.entries("arm")?;
    if arm_tables.is_empty() {
        return Err(top.fault("arm", "an experiment needs at least one [[arm]]"));
    }
    let full = arm::read_all(&arm_tables, &name, seed, &full_task, None)?;
    let arms = match quick {
        true => arm::read_all(&arm_tables, &name, seed, &task, sweep)?,
        false => full.clone(),
    };
    let mut charts = Vec::new();
    for (i, table) in top.entries("chart")?.into_iter().enumerate() {
        charts.push(chart::read(table, i + 1, &full)?);
    }
    let mut claims = Vec::new();
    for (i, table) in top.entries("claim")?.into_iter().enumerate() {
        claims.push(claim::read(table, i + 1, &full, sweep)?);
    }
    claims.retain(|claim| !claim.checks.is_empty());
    top.finish()?;
    Ok(Spec {
        file: file.to_owned(),
        text: text.to_owned(),
        quick,
        name,
        title,
        paper,
        notes,
        seed,
        units: units as u64,
        arms,
        charts,
        claims,
    })
}

/// A variable that no arm sweeps over is a typo.
fn check_quick_sweep(arms: &[&Keys], quick: Option<&Keys>) -> std::result::Result<(), SpecFault> {
    let Some(quick) = quick else { return Ok(()) };
    let mut known = Vec::new();
    for arm in arms {
        let mut reader = Reader::new(arm, "arm");
        for binding in template::bindings(&mut reader, None)?.first().into_iter().flatten() {
            known.push(binding.0.clone());
        }
    }
    for (variable, item) in &quick.entries {
        if !known.contains(variable) {
            let near = did_you_mean(variable, known.iter().map(String::as_str));
            let fault = SpecFault::new(
                format!("quick.sweep.{variable}"),
                format!("no arm sweeps over it{near}"),
            );
            return Err(fault.or_line(item.line));
        }
    }
    Ok(())
}
