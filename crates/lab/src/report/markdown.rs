//! A report as Markdown: the figures of its tables, without plots. A pure function of results and spec:
//! nothing in it depends on when or how fast they came.

use std::fmt::Write;

use super::charts::{ChartReport, CrossingLine};
use super::tables::shown_columns;
use super::text::{figure, number};
use super::{ArmReport, ColumnReport, ExperimentReport};
use crate::claim::CheckReport;
use crate::compare::{Comparison, Location};

/// The tables of an experiment: its charts, every published figure beside ours, every claim.
pub fn markdown(experiment: &ExperimentReport) -> String {
    let mut out = String::new();
    let mut told: Vec<(&str, &str, Option<f64>)> = Vec::new();
    for chart in &experiment.charts {
        let arms: Vec<&ArmReport> =
            experiment.arms.iter().filter(|arm| chart.frame().arms.contains(&arm.name)).collect();
        match chart {
            ChartReport::Table { columns, .. } => {
                let shown = arms.iter().flat_map(|arm| {
                    shown_columns(arm, columns).into_iter().map(|column| (*arm, column))
                });
                let shown: Vec<_> = shown.collect();
                told.extend(shown.iter().map(|(a, c)| (a.name.as_str(), c.name.as_str(), c.x)));
                measured(&chart.frame().title, &shown, &mut out);
            }
            ChartReport::Curve { column, .. } => {
                curve(&chart.frame().title, column, &arms, &mut out);
            }
            ChartReport::Sweep { column, at, .. } => {
                let of = |arm: &&'_ ArmReport| {
                    arm.columns
                        .iter()
                        .rposition(|c| c.name == *column && (at.is_none() || c.x == *at))
                };
                let shown: Vec<_> =
                    arms.iter().filter_map(|arm| Some((*arm, &arm.columns[of(arm)?]))).collect();
                told.extend(shown.iter().map(|(a, c)| (a.name.as_str(), c.name.as_str(), c.x)));
                measured(&chart.frame().title, &shown, &mut out);
            }
            ChartReport::Crossing { column, lines, against, .. } => {
                crossings(&chart.frame().title, column, against.as_deref(), lines, &mut out);
            }
        }
    }
    let all = experiment.arms.iter().flat_map(|arm| arm.columns.iter().map(move |c| (arm, c)));
    let unseen: Vec<(&ArmReport, &ColumnReport)> = all
        .filter(|(_, column)| column.published.is_some())
        .filter(|(arm, column)| {
            !told.contains(&(arm.name.as_str(), column.name.as_str(), column.x))
        })
        .collect();
    if !unseen.is_empty() {
        measured("Beside the published figures", &unseen, &mut out);
    }
    claims(experiment, &mut out);
    out
}

/// A table of arms and columns, with what was published.
fn measured(title: &str, shown: &[(&ArmReport, &ColumnReport)], out: &mut String) {
    let header = ["arm", "measured", "units", "ours, 95%", "published", "ours is"];
    let rows = shown.iter().map(|(arm, column)| {
        let at = column.x.map(|x| format!(" at {}", number(x))).unwrap_or_default();
        let [value, verdict] = published(column.published.as_ref());
        [
            arm.name.clone(),
            format!("{}{at}", column.name),
            arm.units.to_string(),
            estimate(column),
            value,
            verdict,
        ]
        .to_vec()
    });
    table(title, &header, rows, out);
}

/// A table of checkpoints, an arm in each column.
fn curve(title: &str, column: &str, arms: &[&ArmReport], out: &mut String) {
    let mut at: Vec<f64> = Vec::new();
    for own in arms.iter().flat_map(|arm| &arm.columns).filter(|own| own.name == column) {
        at.extend(own.x.filter(|x| !at.contains(x)));
    }
    at.sort_by(f64::total_cmp);
    let mut header = vec![format!("{column} at")];
    header.extend(arms.iter().map(|arm| arm.name.clone()));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = at.iter().map(|x| {
        let mut row = vec![number(*x)];
        row.extend(arms.iter().map(|arm| {
            let own = arm.columns.iter().find(|own| own.name == column && own.x == Some(*x));
            own.map(estimate).unwrap_or_default()
        }));
        row
    });
    table(title, &header, rows, out);
}

/// Where curves fall to thresholds, and how that grows.
fn crossings(
    title: &str,
    column: &str,
    against: Option<&str>,
    lines: &[CrossingLine],
    out: &mut String,
) {
    let header = ["series", "x", "threshold", "reached at", "95%", "units"];
    let points = lines.iter().flat_map(|line| line.points.iter().map(move |point| (line, point)));
    let rows = points.map(|(line, point)| {
        let found = match point.crossing.at {
            None => format!("not within {}", number(point.crossing.last)),
            Some(at) if point.crossing.from_start => format!("≤ {}", number(at)),
            Some(at) => number(at),
        };
        let at95 = point.crossing.at95;
        let high = match at95.high.is_finite() {
            true => number(at95.high),
            false => format!("beyond {}", number(point.crossing.last)),
        };
        [
            line.series.clone(),
            number(point.x),
            format!("{column} ≤ {}", number(line.threshold)),
            found,
            format!("[{}, {high}]", number(at95.low)),
            point.units.to_string(),
        ]
        .to_vec()
    });
    table(title, &header, rows, out);
    let Some(against) = against else { return };
    let rows = lines.iter().map(|line| {
        let slope = match &line.slope {
            None => "too few points".to_owned(),
            Some(slope) => {
                let (value, interval) = figure(slope.value, &slope.at95);
                format!("{value} {interval}, {} of {} points", slope.points, line.points.len())
            }
        };
        [line.series.clone(), format!("{column} ≤ {}", number(line.threshold)), slope].to_vec()
    });
    let title = format!("{title}: slope of log(reached at) against log({against})");
    table(&title, &["series", "threshold", "slope, 95%"], rows, out);
}

fn claims(experiment: &ExperimentReport, out: &mut String) {
    let rows = experiment.claims.iter().map(|claim| {
        let found: Vec<String> = claim.checks.iter().map(check).collect();
        [claim.text.clone(), claim.verdict.to_string(), found.join("; ")].to_vec()
    });
    if !experiment.claims.is_empty() {
        table("Claims", &["expected", "verdict", "found, 95%"], rows, out);
    }
}

fn check(check: &CheckReport) -> String {
    let note = check.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    match check.value {
        None => format!("{}: –{note}", check.quantity),
        Some(value) => {
            let (value, interval) = figure(value, &check.at95);
            format!("{}: {value} {interval}{note}", check.quantity)
        }
    }
}

fn estimate(column: &ColumnReport) -> String {
    match &column.estimate {
        None => "–".to_owned(),
        // One unit has no interval, and equal ones none to show.
        Some(e) if e.units == 1 || e.at95.low == e.at95.high => number(e.value),
        Some(e) => {
            let (value, interval) = figure(e.value, &e.at95);
            format!("{value} {interval}")
        }
    }
}

/// A published figure with its interval, and where ours lies.
fn published(comparison: Option<&Comparison>) -> [String; 2] {
    let Some(c) = comparison else { return [String::new(), String::new()] };
    let value = match &c.interval {
        None => number(c.value),
        Some(bounds) if bounds.low == bounds.high => number(c.value),
        Some(bounds) => {
            let (value, interval) = figure(c.value, bounds);
            format!("{value} {interval}")
        }
    };
    let more = match (c.verdict, c.significant) {
        (Location::Inside, _) | (_, None) => "",
        (_, Some(true)) => ", significant",
        (_, Some(false)) => ", not significant",
    };
    [value, format!("{}{more}", c.verdict)]
}

fn table(title: &str, header: &[&str], rows: impl Iterator<Item = Vec<String>>, out: &mut String) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "\n**{title}**\n");
    let line = |cells: Vec<String>| {
        let cells = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    *out += &line(header.iter().map(|cell| (*cell).to_owned()).collect());
    *out += &format!("|{}\n", "---|".repeat(header.len()));
    rows.for_each(|row| *out += &line(row));
}
