//! The tables of a report.

use super::charts::{ChartReport, CrossingLine, Difference};
use super::page::{table, tag};
use super::text::{escape, figure, number};
use super::{ArmReport, ColumnReport, ExperimentReport};
use crate::claim::{CheckReport, ClaimReport, Ruling};
use crate::compare::{Basis, Comparison, Location};
use crate::stats::{Bounds, Estimate};

/// A figure with its interval below it.
fn with_interval(value: f64, bounds: &Bounds) -> String {
    let (value, interval) = figure(value, bounds);
    format!("{value}<br><small>{interval}</small>")
}

fn estimate_cell(estimate: &Option<Estimate>) -> String {
    match estimate {
        None => "–".to_owned(),
        Some(e) => {
            let remark = if e.all_equal && e.units > 1 { " <small>all equal</small>" } else { "" };
            format!("{}{remark}", with_interval(e.value, &e.at95))
        }
    }
}

fn published_cells(published: &Option<Comparison>) -> [String; 2] {
    let Some(c) = published else { return [String::new(), String::new()] };
    let cell = match &c.interval {
        None => number(c.value),
        Some(bounds) => {
            let (value, interval) = figure(c.value, bounds);
            let units = c.units.map(|u| format!(", {u} units")).unwrap_or_default();
            let percent = number(c.confidence * 100.0);
            format!("{value}<br><small>{interval} at {percent}%{units}</small>")
        }
    };
    let word = c.verdict.to_string();
    let basis = match c.basis {
        Basis::PublishedInterval => "our estimate against the published interval",
        Basis::PublishedUnits => "our estimate against the interval from the published units",
        Basis::OurInterval => "the published figure against our 95% interval",
    };
    let more = match (c.significant, c.overlap) {
        (Some(true), _) => "; the difference is significant at 95%",
        (Some(false), Some(true)) => "; the intervals overlap, no significant difference",
        (Some(false), _) => "; no significant difference at 95%",
        (None, _) => "",
    };
    let class = match (c.verdict, c.significant) {
        (Location::Inside, _) => "good",
        (_, Some(false)) => "open",
        _ => "bad",
    };
    [cell, format!("{}<br><small>{basis}{more}</small>", tag(class, &word))]
}

/// The header of [`arm_row`].
const ARM_HEADER: [(&str, bool); 6] = [
    ("Arm", false),
    ("Measured", false),
    ("Units", true),
    ("Ours, 95%", true),
    ("Published", true),
    ("Verdict", false),
];

/// A table of arms and columns with the published figures, and the differences from a baseline.
pub(super) fn arms_table(experiment: &ExperimentReport, chart: &ChartReport) -> String {
    let ChartReport::Table { frame, columns, baseline, differences } = chart else {
        return String::new();
    };
    let arms = experiment.arms.iter().filter(|a| frame.arms.contains(&a.name));
    let mut rows = Vec::new();
    for arm in arms {
        for column in shown_columns(arm, columns) {
            let difference =
                differences.iter().find(|d| d.arm == arm.name && d.column == column.name);
            rows.push(arm_row(arm, column, difference, baseline.as_deref()));
        }
    }
    let versus = baseline.as_ref().map(|b| format!("Less {b}, paired")).unwrap_or_default();
    let mut header = ARM_HEADER.to_vec();
    if baseline.is_some() {
        header.push((&versus, true));
    }
    table(&frame.title, &header, &rows)
}

/// The published figures that no table chart of the spec shows, so that none goes unseen.
pub(super) fn unshown_table(experiment: &ExperimentReport) -> String {
    let mut rows = Vec::new();
    for arm in &experiment.arms {
        let mut shown: Vec<&ColumnReport> = Vec::new();
        for chart in &experiment.charts {
            if let ChartReport::Table { frame, columns, .. } = chart
                && frame.arms.contains(&arm.name)
            {
                shown.extend(shown_columns(arm, columns));
            }
        }
        for column in arm.columns.iter().filter(|c| c.published.is_some()) {
            if !shown.iter().any(|s| s.name == column.name && s.x == column.x) {
                rows.push(arm_row(arm, column, None, None));
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    table("Beside the published figures", &ARM_HEADER, &rows)
}

/// One column per name, the last of a curve, unless the table names others.
pub(super) fn shown_columns<'a>(arm: &'a ArmReport, names: &[String]) -> Vec<&'a ColumnReport> {
    let mut shown: Vec<&ColumnReport> = Vec::new();
    for column in &arm.columns {
        if !names.is_empty() && !names.contains(&column.name) {
            continue;
        }
        match shown.iter_mut().find(|c| c.name == column.name) {
            // A checkpoint with a published figure is what the table is about.
            Some(known) if known.published.is_none() => *known = column,
            Some(_) => {}
            None => shown.push(column),
        }
    }
    shown
}

fn arm_row(
    arm: &ArmReport,
    column: &ColumnReport,
    difference: Option<&Difference>,
    baseline: Option<&str>,
) -> Vec<String> {
    let at = column.x.map(|x| format!(" at {}", number(x))).unwrap_or_default();
    let [published, verdict] = published_cells(&column.published);
    let mut row = vec![
        escape(&arm.name),
        format!("{}{at}", escape(&column.name)),
        arm.units.to_string(),
        estimate_cell(&column.estimate),
        published,
        verdict,
    ];
    if let Some(baseline) = baseline {
        row.push(match difference {
            Some(d) => with_interval(d.estimate.value, &d.estimate.at95),
            None if arm.name == baseline => "baseline".to_owned(),
            None => "–".to_owned(),
        });
    }
    row
}

/// The crossings behind a plot.
pub(super) fn crossings_table(column: &str, lines: &[CrossingLine]) -> String {
    let mut rows = Vec::new();
    for line in lines {
        for p in &line.points {
            let c = &p.crossing;
            let found = match c.at {
                None => format!("not reached within {}", number(c.last)),
                Some(at) if c.from_start => format!("≤ {} (first checkpoint)", number(at)),
                Some(at) => number(at),
            };
            let high = if c.at95.high.is_finite() {
                number(c.at95.high)
            } else {
                format!("beyond {}", number(c.last))
            };
            let why = c.open.map(|why| format!("<br><small>{why}</small>")).unwrap_or_default();
            rows.push(vec![
                escape(&line.series),
                number(p.x),
                format!("{} ≤ {}", escape(column), number(line.threshold)),
                found,
                format!("[{}, {high}]{why}", number(c.at95.low)),
                p.units.to_string(),
                p.reference.map(number).unwrap_or_default(),
            ]);
        }
    }
    let header = [
        ("Series", false),
        ("x", true),
        ("Threshold", false),
        ("Reached at", true),
        ("95%, bootstrap over units", true),
        ("Units", true),
        ("Reference", true),
    ];
    table("", &header, &rows)
}

/// The slopes of a plot's lines.
pub(super) fn slopes_table(against: &str, lines: &[CrossingLine]) -> String {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let mut row = vec![escape(&line.series), format!("≤ {}", number(line.threshold))];
            row.extend(match &line.slope {
                None => ["–".to_owned(), format!("too few of {}", line.points.len())],
                Some(s) => [
                    with_interval(s.value, &s.at95),
                    format!("{} of {}", s.points, line.points.len()),
                ],
            });
            row
        })
        .collect();
    let caption = format!("Slope of log(reached at) against log({against}); 1 is the same order");
    let header = [("Series", false), ("Threshold", false), ("Slope, 95%", true), ("Points", true)];
    table(&caption, &header, &rows)
}

pub(super) fn claim_tag(verdict: Ruling) -> String {
    let class = match verdict {
        Ruling::Holds => "good",
        Ruling::Fails => "bad",
        Ruling::Undecided => "open",
    };
    tag(class, &verdict.to_string())
}

pub(super) fn claims_table(claims: &[ClaimReport]) -> String {
    let rows: Vec<Vec<String>> = claims
        .iter()
        .map(|claim| {
            let found: Vec<String> = claim.checks.iter().map(check).collect();
            vec![escape(&claim.text), claim_tag(claim.verdict), found.join("<br>")]
        })
        .collect();
    table("", &[("Expected", false), ("Verdict", false), ("Found, 95%", false)], &rows)
}

fn check(c: &CheckReport) -> String {
    let found = match c.value {
        None => String::new(),
        Some(value) => {
            let (value, interval) = figure(value, &c.at95);
            format!(": {value} {interval}")
        }
    };
    let expected = match (c.above.is_finite(), c.below.is_finite()) {
        (true, true) => format!("expected from {} to {}", number(c.above), number(c.below)),
        (true, false) => format!("expected above {}", number(c.above)),
        _ => format!("expected below {}", number(c.below)),
    };
    let note = c.note.as_ref().map(|n| format!("; {}", escape(n))).unwrap_or_default();
    format!("{}{found}<br><small>{expected}{note}</small>", escape(&c.quantity))
}

/// All columns of all arms.
pub(super) fn all_table(experiment: &ExperimentReport) -> String {
    let mut rows = Vec::new();
    for arm in &experiment.arms {
        for column in &arm.columns {
            let (ours, at95, at99) = match &column.estimate {
                None => ("–".to_owned(), String::new(), String::new()),
                Some(e) => {
                    let (value, at95) = figure(e.value, &e.at95);
                    (value, at95, figure(e.value, &e.at99).1)
                }
            };
            rows.push(vec![
                escape(&arm.name),
                escape(&column.name),
                column.x.map(number).unwrap_or_default(),
                arm.units.to_string(),
                ours,
                at95,
                at99,
            ]);
        }
    }
    let header = [
        ("Arm", false),
        ("Measured", false),
        ("At", true),
        ("Units", true),
        ("Ours", true),
        ("95%", true),
        ("99%", true),
    ];
    table("", &header, &rows)
}
