//! Reports on a store: figures, intervals, rulings; as JSON and as one HTML file.

mod build;
mod charts;
mod export;
mod figure;
mod html;
mod legend;
mod look;
mod markdown;
mod page;
mod plot;
mod scale;
mod tables;
mod text;

use serde::Serialize;

pub use charts::{ChartReport, CrossingLine, CrossingPoint, Difference, Frame};
pub use export::{ExportFormat, export};
pub use html::{figures, html};
pub use markdown::markdown;

use crate::claim::ClaimReport;
use crate::compare::Comparison;
use crate::error::Result;
use crate::stats::{Bounds, Estimate};
use crate::store::Reading;
use crate::task::Kind;
use crate::versions::{Outdated, Versions};

/// A report on a store.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the program that made the report.
    pub program: String,
    /// The experiments, by name.
    pub experiments: Vec<ExperimentReport>,
}

/// One experiment.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentReport {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The paper, and the table or figure in it.
    pub paper: String,
    /// What the reader should know.
    pub notes: String,
    /// Whether it is the quick version.
    pub quick: bool,
    /// The seed of all random streams.
    pub seed: u64,
    /// Units asked for per arm.
    pub units: u64,
    /// (arm, unit) pairs done.
    pub done: u64,
    /// (arm, unit) pairs in all.
    pub total: u64,
    /// Seconds that threads spent on them.
    pub seconds: f64,
    /// The version of the program that ran it last.
    pub program: String,
    /// When it was last run, in seconds since 1970.
    pub updated: i64,
    /// The arms.
    pub arms: Vec<ArmReport>,
    /// What the charts show beyond the columns of the arms.
    pub charts: Vec<ChartReport>,
    /// What the paper leads one to expect.
    pub claims: Vec<ClaimReport>,
    /// Results that other versions of the program made: in the store, but not in the report.
    pub outdated: Vec<Outdated>,
    /// The spec's text.
    pub spec: String,
}

/// One arm.
#[derive(Clone, Debug, Serialize)]
pub struct ArmReport {
    /// Its name.
    pub name: String,
    /// Its line in charts.
    pub series: String,
    /// Its place on that line.
    pub x: Option<f64>,
    /// Its game.
    pub game: String,
    /// Its planner.
    pub planner: String,
    /// The hash of what its results depend on; empty if it was not run.
    pub hash: String,
    /// The parts of the program that its results depend on; `None` if it was not run.
    pub versions: Option<Versions>,
    /// Units done.
    pub units: u64,
    /// Seconds that threads spent on them.
    pub seconds: f64,
    /// What was measured.
    pub columns: Vec<ColumnReport>,
}

/// One column of an arm.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnReport {
    /// Its name.
    pub name: String,
    /// What kind of number it is.
    pub kind: Kind,
    /// Its checkpoint, for curves.
    pub x: Option<f64>,
    /// The estimate with its intervals; absent without units.
    #[serde(flatten)]
    pub estimate: Option<Estimate>,
    /// The exact intervals of Clopper and Pearson, for proportions.
    pub exact: Option<Exact>,
    /// The published figure and how ours compares.
    pub published: Option<Comparison>,
}

/// The exact intervals of a proportion.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Exact {
    /// At 95%.
    pub at95: Bounds,
    /// At 99%.
    pub at99: Bounds,
}

/// Reports on the experiments of a store: those of these names, or all if none is named. A pure
/// function of what is stored.
///
/// # Errors
/// If there is no experiment of a name; if the store cannot be read.
pub fn report(reading: &Reading, names: &[String]) -> Result<Report> {
    build::report(reading, names)
}
