//! A report as one HTML file.

use super::charts::ChartReport;
use super::page::{page, table, tag};
use super::tables::{
    all_table, arms_table, claim_tag, claims_table, crossings_table, slopes_table, unshown_table,
};
use super::text::{day, duration, escape, number, prose};
use super::{ExperimentReport, Report, figure, plot};
use crate::claim::Ruling;

/// The report as one self-contained HTML file: it loads nothing, and reads well in light and in
/// dark, on paper and without a network.
pub fn html(report: &Report) -> String {
    let mut body = String::new();
    let title = match report.experiments.as_slice() {
        [one] => one.title.clone(),
        _ => "Patience: experiments".to_owned(),
    };
    if report.experiments.len() != 1 {
        body.push_str(&format!("<h1>{}</h1>", escape(&title)));
        body.push_str(&overview(report));
    }
    for experiment in &report.experiments {
        body.push_str(&section(experiment));
    }
    body.push_str(&format!(
        "<p class=\"soft\"><small>Made by patience {}.</small></p>",
        escape(&report.program)
    ));
    page(&title, &body)
}

/// The plots of a report, each as an SVG file of its own: a name made from experiment and
/// number, without suffix, and the text.
pub fn figures(report: &Report) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for experiment in &report.experiments {
        let plots = experiment.charts.iter().filter_map(|c| figure::plot(experiment, c));
        for (i, drawn) in plots.enumerate() {
            out.push((format!("{}-{}", experiment.name, i + 1), plot::svg(&drawn, true)));
        }
    }
    out
}

fn overview(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report
        .experiments
        .iter()
        .map(|e| {
            let count = |v| e.claims.iter().filter(|c| c.verdict == v).count();
            let mut verdicts = String::new();
            for verdict in [Ruling::Holds, Ruling::Fails, Ruling::Undecided] {
                if count(verdict) > 0 {
                    verdicts.push_str(&format!("{} {} ", count(verdict), claim_tag(verdict)));
                }
            }
            vec![
                format!("<a href=\"#{}\">{}</a>", escape(&e.name), escape(&e.title)),
                escape(&e.paper),
                format!("{} of {}", e.done, e.total),
                duration(e.seconds),
                verdicts,
            ]
        })
        .collect();
    let header = [
        ("Experiment", false),
        ("Paper", false),
        ("Units", true),
        ("Time", true),
        ("What the paper leads one to expect", false),
    ];
    table("", &header, &rows)
}

fn section(e: &ExperimentReport) -> String {
    let mut out = format!(
        "<section class=\"experiment\" id=\"{}\"><h2>{}</h2>",
        escape(&e.name),
        escape(&e.title)
    );
    if !e.paper.is_empty() {
        out.push_str(&format!("<p class=\"paper\">{}</p>", escape(&e.paper)));
    }
    out.push_str(&facts(e));
    out.push_str(&unshown_table(e));
    for chart in &e.charts {
        out.push_str(&chart_html(e, chart));
    }
    if !e.claims.is_empty() {
        out.push_str("<h3>What the paper leads one to expect</h3>");
        out.push_str(&claims_table(&e.claims));
    }
    if !e.notes.trim().is_empty() {
        out.push_str(&format!("<h3>Notes</h3><div class=\"notes\">{}</div>", prose(&e.notes)));
    }
    out.push_str(&format!("<details><summary>All figures</summary>{}</details>", all_table(e)));
    out.push_str(&provenance(e));
    out.push_str("</section>");
    out
}

fn facts(e: &ExperimentReport) -> String {
    let mut facts = Vec::new();
    if e.quick {
        facts.push(tag("open", "quick version"));
    }
    if e.done < e.total {
        facts.push(tag("open", &format!("unfinished: {} of {} units", e.done, e.total)));
    }
    facts.push(format!("{} arms × {} units", e.arms.len(), e.units));
    facts.push(format!("seed {}", e.seed));
    facts.push(format!("{} of thread time", duration(e.seconds)));
    facts.push(day(e.updated));
    let outdated: u64 = e.outdated.iter().map(|outdated| outdated.units).sum();
    if outdated > 0 {
        facts.push(tag("open", &format!("{outdated} units of another version")));
    }
    let items: String = facts.iter().map(|f| format!("<li>{f}</li>")).collect();
    format!("<ul class=\"facts\">{items}</ul>")
}

fn chart_html(e: &ExperimentReport, chart: &ChartReport) -> String {
    let drawn = figure::plot(e, chart).map(|p| plot::svg(&p, false)).unwrap_or_default();
    match chart {
        ChartReport::Table { .. } => arms_table(e, chart),
        ChartReport::Crossing { column, lines, against, .. } => {
            let slopes = against.as_ref().map(|a| slopes_table(a, lines)).unwrap_or_default();
            format!(
                "<figure>{drawn}</figure>{slopes}<details><summary>Figures of this plot</summary>\
                 {}</details>",
                crossings_table(column, lines)
            )
        }
        _ => format!("<figure>{drawn}</figure>"),
    }
}

fn provenance(e: &ExperimentReport) -> String {
    let rows: Vec<Vec<String>> = e
        .arms
        .iter()
        .map(|a| {
            vec![
                escape(&a.name),
                format!("<code>{}</code>", escape(&a.game)),
                format!("<code>{}</code>", escape(&a.planner)),
                a.units.to_string(),
                format!("{} s", number(a.seconds)),
                a.versions.as_ref().map_or(String::new(), |v| escape(&v.to_string())),
                format!("<code>{}</code>", escape(&a.hash[..a.hash.len().min(12)])),
            ]
        })
        .collect();
    let header = [
        ("Arm", false),
        ("Game", false),
        ("Planner", false),
        ("Units", true),
        ("Time", true),
        ("Versions", false),
        ("Hash", false),
    ];
    let outdated: String =
        e.outdated.iter().map(|o| format!("<li>{}</li>", escape(&o.to_string()))).collect();
    format!(
        "<details><summary>Where this comes from</summary>{}<p class=\"soft\">Run by patience {}, \
         seed {}. Results depend on the arm's name, game, planner, task keys and versions, whose \
         hash is above; not on threads, machine or interruptions.</p><ul>{outdated}</ul><pre>{}</pre></details>",
        table("", &header, &rows),
        escape(&e.program),
        e.seed,
        escape(&e.spec)
    )
}
