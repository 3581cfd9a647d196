//! A report as text.

use patience::lab::{self, Report};

use crate::console::{duration, table};

/// More arms than this are for the page.
const MOST_ARMS: usize = 24;

/// The summary of a report: the headline of every arm, what was published, and every claim with
/// what was found.
pub(crate) fn summary(report: &Report) -> String {
    let mut text = String::new();
    for experiment in &report.experiments {
        let lab::ExperimentReport { title, paper, done, total, seconds, .. } = experiment;
        let mut about = Vec::from_iter((!paper.is_empty()).then_some(paper.as_str()));
        about.extend(experiment.quick.then_some("quick version"));
        let about = match about.len() {
            0 => String::new(),
            _ => format!(" ({})", about.join(", ")),
        };
        let took = duration(*seconds);
        text += &format!("{title}{about}: {done}/{total} units, {took} of thread time\n");
        let mut rows = Vec::new();
        for arm in &experiment.arms {
            let first = arm.columns.first().map(|column| &column.name);
            let headline = arm.columns.iter().rposition(|column| Some(&column.name) == first);
            for (i, column) in arm.columns.iter().enumerate() {
                let Some(estimate) = &column.estimate else { continue };
                let shown = Some(i) == headline && experiment.arms.len() <= MOST_ARMS;
                if column.published.is_none() && !shown {
                    continue;
                }
                let at = column.x.map_or(String::new(), |x| format!(" at {x}"));
                let (value, bounds) = (estimate.value, estimate.at95);
                rows.push(vec![
                    format!("  {}", arm.name),
                    format!("{}{at}", column.name),
                    format!("{value:.4} [{:.4}, {:.4}]", bounds.low, bounds.high),
                    column.published.as_ref().map_or(String::new(), ToString::to_string),
                    format!("{} units", arm.units),
                ]);
            }
        }
        text += &table(&rows);
        for claim in &experiment.claims {
            text += &format!("  {:9}  {}\n", claim.verdict.to_string(), claim.text);
            for check in &claim.checks {
                let value = check.value.map_or("-".to_owned(), |value| format!("{value:.4}"));
                let (low, high) = (check.at95.low, check.at95.high);
                let note = check.note.as_ref().map_or(String::new(), |note| format!("; {note}"));
                let quantity = &check.quantity;
                text += &format!("             {quantity}: {value} [{low:.4}, {high:.4}]{note}\n");
            }
        }
    }
    text
}
