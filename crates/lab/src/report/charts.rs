//! What charts show: lines, crossings, slopes, differences.

use serde::Serialize;

use crate::analysis::{Analysis, ArmData};
use crate::claim;
use crate::spec::{Axis, Chart, ChartKind, PublishedLine};
use crate::stats::{self, Crossing, Estimate, Slope};

/// A chart's contents.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChartReport {
    /// A column against its checkpoints; the figures are in the arms' columns.
    Curve {
        /// What is common to all charts.
        #[serde(flatten)]
        frame: Frame,
        /// The column.
        column: String,
    },
    /// A column against the arms' x; the figures are in the arms' columns.
    Sweep {
        /// What is common to all charts.
        #[serde(flatten)]
        frame: Frame,
        /// The column.
        column: String,
        /// The checkpoint, for curves.
        at: Option<f64>,
    },
    /// Where curves fall to thresholds.
    Crossing {
        /// What is common to all charts.
        #[serde(flatten)]
        frame: Frame,
        /// The column.
        column: String,
        /// The formula that growth is compared with.
        against: Option<String>,
        /// A line per series and threshold.
        lines: Vec<CrossingLine>,
    },
    /// A table of arms and columns.
    Table {
        /// What is common to all charts.
        #[serde(flatten)]
        frame: Frame,
        /// The columns; empty: all.
        columns: Vec<String>,
        /// The arm that the others are compared with.
        baseline: Option<String>,
        /// Paired differences from the baseline.
        differences: Vec<Difference>,
    },
}

/// What is common to all charts.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// The title.
    pub title: String,
    /// The arms in it, by name.
    pub arms: Vec<String>,
    #[serde(skip)]
    pub(super) x: Axis,
    #[serde(skip)]
    pub(super) y: Axis,
    #[serde(skip)]
    pub(super) bands: Vec<String>,
    #[serde(skip)]
    pub(super) published: Vec<PublishedLine>,
}

/// The crossings of one series at one threshold.
#[derive(Clone, Debug, Serialize)]
pub struct CrossingLine {
    /// The series.
    pub series: String,
    /// The threshold.
    pub threshold: f64,
    /// A point per arm, by x.
    pub points: Vec<CrossingPoint>,
    /// The slope of log crossing against log reference, over the points that were reached.
    pub slope: Option<Slope>,
}

/// The crossing of one arm.
#[derive(Clone, Debug, Serialize)]
pub struct CrossingPoint {
    /// The arm.
    pub arm: String,
    /// Its x.
    pub x: f64,
    /// Its units.
    pub units: u64,
    /// Where it crosses.
    #[serde(flatten)]
    pub crossing: Crossing,
    /// The value of the formula that growth is compared with.
    pub reference: Option<f64>,
}

/// The paired difference of an arm from the baseline.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The arm.
    pub arm: String,
    /// The column.
    pub column: String,
    /// Arm less baseline, over the units that both have.
    #[serde(flatten)]
    pub estimate: Estimate,
}

impl ChartReport {
    /// What is common to all charts.
    pub fn frame(&self) -> &Frame {
        match self {
            ChartReport::Curve { frame, .. }
            | ChartReport::Sweep { frame, .. }
            | ChartReport::Crossing { frame, .. }
            | ChartReport::Table { frame, .. } => frame,
        }
    }
}

pub(super) fn chart(analysis: &Analysis, chart: &Chart) -> ChartReport {
    let chosen: Vec<&ArmData> =
        analysis.arms.iter().filter(|d| chart.select.matches(&d.arm)).collect();
    let frame = Frame {
        title: chart.title.clone(),
        arms: chosen.iter().map(|d| d.arm.name.clone()).collect(),
        x: chart.x.clone(),
        y: chart.y.clone(),
        bands: chart.bands.clone(),
        published: chart.published.clone(),
    };
    let first = || chosen.iter().find_map(|d| d.columns.first()).map(|c| c.name.clone());
    let column = chart.columns.first().cloned().or_else(first).unwrap_or_default();
    match chart.kind {
        ChartKind::Curve => ChartReport::Curve { frame, column },
        ChartKind::Sweep => ChartReport::Sweep { frame, column, at: chart.at },
        ChartKind::Crossing => {
            let lines = crossing_lines(analysis, chart, &chosen, &column);
            let against = chart.against.as_ref().map(ToString::to_string);
            ChartReport::Crossing { frame, column, against, lines }
        }
        ChartKind::Table => ChartReport::Table {
            frame,
            columns: chart.columns.clone(),
            baseline: chart.baseline.clone(),
            differences: differences(analysis, chart, &chosen),
        },
    }
}

fn crossing_lines(
    analysis: &Analysis,
    chart: &Chart,
    chosen: &[&ArmData],
    column: &str,
) -> Vec<CrossingLine> {
    let mut series: Vec<&str> = Vec::new();
    for data in chosen {
        if !series.contains(&data.arm.series.as_str()) {
            series.push(&data.arm.series);
        }
    }
    let mut lines = Vec::new();
    for name in series {
        let mut own: Vec<_> = chosen.iter().filter(|d| d.arm.series == name).collect();
        own.sort_by(|a, b| a.arm.x.unwrap_or(0.0).total_cmp(&b.arm.x.unwrap_or(0.0)));
        // All thresholds of an arm from the same resamples.
        let found: Vec<Option<Vec<Crossing>>> =
            own.iter().map(|d| analysis.crossings(d, Some(column), &chart.thresholds)).collect();
        for (i, &threshold) in chart.thresholds.iter().enumerate() {
            let points = own
                .iter()
                .zip(&found)
                .filter(|(data, _)| !data.rows.is_empty())
                .filter_map(|(data, crossings)| {
                    Some(CrossingPoint {
                        arm: data.arm.name.clone(),
                        x: data.arm.x?,
                        units: data.rows.len() as u64,
                        crossing: *crossings.as_ref()?.get(i)?,
                        reference: chart
                            .against
                            .as_ref()
                            .and_then(|f| f.value(&data.arm.variables)),
                    })
                })
                .collect();
            let slope = chart
                .against
                .as_ref()
                .and_then(|f| claim::slope(own.iter().map(|d| **d), Some(column), threshold, f));
            lines.push(CrossingLine { series: name.to_owned(), threshold, points, slope });
        }
    }
    lines
}

fn differences(analysis: &Analysis, chart: &Chart, chosen: &[&ArmData]) -> Vec<Difference> {
    let Some(base) = chart.baseline.as_ref().and_then(|name| analysis.arm(name)) else {
        return Vec::new();
    };
    let mut names: Vec<String> = chart.columns.clone();
    if names.is_empty() {
        names = base.columns.iter().map(|c| c.name.clone()).collect();
        names.dedup();
    }
    let mut out = Vec::new();
    for data in chosen.iter().filter(|d| d.arm.name != base.arm.name) {
        for name in &names {
            let places = (data.column(Some(name), chart.at), base.column(Some(name), chart.at));
            let (Some(i), Some(j)) = places else { continue };
            if let Some(estimate) = stats::paired(&data.numbered(i), &base.numbered(j)) {
                let column = name.clone();
                out.push(Difference { arm: data.arm.name.clone(), column, estimate });
            }
        }
    }
    out
}
