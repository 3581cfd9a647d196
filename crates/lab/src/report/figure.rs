//! From a chart's contents to a plot.

use super::charts::{ChartReport, CrossingLine, Frame};
use super::plot::{Line, Look, Mark, Plot, Point};
use super::text::number;
use super::{ArmReport, ColumnReport, ExperimentReport};
use crate::stats::Bounds;

/// The plot of a chart; `None` for a table.
pub(super) fn plot(experiment: &ExperimentReport, chart: &ChartReport) -> Option<Plot> {
    let frame = chart.frame();
    let arms: Vec<&ArmReport> =
        experiment.arms.iter().filter(|a| frame.arms.contains(&a.name)).collect();
    let series = series_of(experiment);
    let style = |name: &str| series.iter().position(|s| *s == name).unwrap_or(0);
    let mut lines = match chart {
        ChartReport::Table { .. } => return None,
        ChartReport::Curve { column, .. } => curves(&arms, column, &frame.bands, style),
        ChartReport::Sweep { column, at, .. } => sweeps(&arms, column, *at, style),
        ChartReport::Crossing { lines, against, .. } => crossings(lines, against.as_deref(), style),
    };
    for published in &frame.published {
        lines.push(Line {
            name: format!("{}, published", published.series),
            style: style(&published.series),
            look: Look::Published,
            points: published
                .points
                .iter()
                .map(|&(x, y)| Point { x, y: Mark::At(y), at95: None, open: false })
                .collect(),
        });
    }
    let Frame { title, x, y, .. } = frame;
    Some(Plot { title: title.clone(), x: x.clone(), y: y.clone(), lines })
}

/// The series in the order of the spec: a series has the same colour in all charts.
fn series_of(experiment: &ExperimentReport) -> Vec<&str> {
    let mut series: Vec<&str> = Vec::new();
    for arm in &experiment.arms {
        if !series.contains(&arm.series.as_str()) {
            series.push(&arm.series);
        }
    }
    series
}

fn point(x: f64, column: &ColumnReport) -> Option<Point> {
    let estimate = column.estimate?;
    let bounded = estimate.at95.low.is_finite() && estimate.at95.high.is_finite();
    let at95 = bounded.then_some(estimate.at95);
    Some(Point { x, y: Mark::At(estimate.value), at95, open: false })
}

fn curves(
    arms: &[&ArmReport],
    column: &str,
    bands: &[String],
    style: impl Fn(&str) -> usize,
) -> Vec<Line> {
    // If each series has one arm here, its name says enough.
    let alone = |arm: &ArmReport| arms.iter().filter(|a| a.series == arm.series).count() == 1;
    arms.iter()
        .enumerate()
        .map(|(i, arm)| {
            let mut points: Vec<Point> = arm
                .columns
                .iter()
                .filter(|c| c.name == column)
                .filter_map(|c| point(c.x?, c))
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let (name, style) = match alone(arm) {
                true => (arm.series.clone(), style(&arm.series)),
                false => (arm.name.clone(), i),
            };
            let banded = bands.is_empty() || bands.contains(&arm.series);
            let look = if banded { Look::Band } else { Look::Plain };
            Line { name, style, look, points }
        })
        .collect()
}

fn sweeps(
    arms: &[&ArmReport],
    column: &str,
    at: Option<f64>,
    style: impl Fn(&str) -> usize,
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for arm in arms {
        let found =
            arm.columns.iter().rev().find(|c| c.name == column && (at.is_none() || c.x == at));
        let Some(point) = arm.x.zip(found).and_then(|(x, c)| point(x, c)) else { continue };
        match lines.iter_mut().find(|l| l.name == arm.series) {
            Some(line) => line.points.push(point),
            None => lines.push(Line {
                name: arm.series.clone(),
                style: style(&arm.series),
                look: Look::Bars,
                points: vec![point],
            }),
        }
    }
    lines.iter_mut().for_each(|l| l.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    lines
}

fn crossings(
    found: &[CrossingLine],
    against: Option<&str>,
    style: impl Fn(&str) -> usize,
) -> Vec<Line> {
    let mut series: Vec<&str> = found.iter().map(|l| l.series.as_str()).collect();
    series.dedup();
    let mut thresholds: Vec<f64> = found.iter().map(|l| l.threshold).collect();
    thresholds.sort_by(|a, b| b.total_cmp(a));
    thresholds.dedup();
    let mut lines = Vec::new();
    for line in found {
        let rank = thresholds.iter().position(|t| *t == line.threshold).unwrap_or(0);
        // Colours tell series apart, or thresholds if there is one series only.
        let (name, style) = match (series.len(), thresholds.len()) {
            (1, _) => (format!("≤ {}", number(line.threshold)), rank),
            (_, 1) => (line.series.clone(), style(&line.series)),
            _ => (
                format!("{} ≤ {}", line.series, number(line.threshold)),
                style(&line.series) * thresholds.len() + rank,
            ),
        };
        let points = line.points.iter().map(|p| {
            let c = &p.crossing;
            let open = c.at95.high.is_infinite();
            // A bar that is open above ends at the last checkpoint; its arrow says that it is open.
            let high = if open { c.last } else { c.at95.high };
            let known = c.at95.low.is_finite();
            Point {
                x: p.x,
                y: match c.at {
                    None => Mark::Beyond(c.last),
                    Some(at) if c.from_start => Mark::Before(at),
                    Some(at) => Mark::At(at),
                },
                at95: known.then_some(Bounds { low: c.at95.low, high }),
                open,
            }
        });
        lines.push(Line { name, style, look: Look::Bars, points: points.collect() });
    }
    if let (Some(formula), Some(first)) = (against, found.first()) {
        let points: Vec<Point> = first
            .points
            .iter()
            .filter_map(|p| {
                Some(Point { x: p.x, y: Mark::At(p.reference?), at95: None, open: false })
            })
            .collect();
        lines.push(Line { name: formula.to_owned(), style: 7, look: Look::Reference, points });
    }
    lines
}
