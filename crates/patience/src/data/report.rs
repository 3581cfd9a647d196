//! The page of results, made from the rows alone.

use std::fmt::Write;
use std::path::Path;

use patience_lab as lab;

use super::card::Asked;
use super::dataset::Dataset;
use super::summary::Summary;
use super::{DataError, datasets};

const HEAD: &str = "\
# Results

Made from the rows in `data/` by `patience data report > docs/results.md`; a test holds this page to them.
`patience data verify` replays every solution, recomputes every table and runs a sample again, `patience data
run NAME` goes on where a result is not complete. Intervals are at 95%. Where deals are numbered, shares are
those of these deals, and their intervals are about deals like them.
";

/// The page, in Markdown: figures of papers first, then other results.
///
/// # Errors
/// If a result cannot be read, or is not what was written.
pub fn report(folder: &Path) -> Result<String, DataError> {
    let mut page = HEAD.to_owned();
    let all = datasets(folder)?;
    let of_papers = |data: &&Dataset| matches!(data.card.asked, Asked::Experiment(_));
    let parts: [(&str, Vec<&Dataset>); 2] = [
        ("The papers", all.iter().filter(of_papers).collect()),
        ("Other results", all.iter().filter(|data| !of_papers(data)).collect()),
    ];
    for (title, results) in parts.into_iter().filter(|(_, results)| !results.is_empty()) {
        // Writing to a string does not fail.
        let _ = write!(page, "\n## {title}\n");
        for data in results {
            let _ = write!(page, "\n### {}\n", data.card.title);
            match data.card.asked {
                Asked::Deals(_) => deals(data, &mut page)?,
                Asked::Experiment(_) => experiment(data, &mut page)?,
                Asked::Fewest(_) => {
                    let _ = write!(page, "\n`{}`, made of other results.\n", data.name());
                    page += &data.needs_table()?;
                }
            }
            let notes = data.card.notes.trim();
            if !notes.is_empty() {
                let _ = write!(page, "\n{notes}\n");
            }
        }
    }
    Ok(page)
}

/// How much is there, what it took, and what made it.
fn state(data: &Dataset) -> String {
    let mut versions: Vec<&str> =
        data.batches.iter().map(|batch| batch.versions.as_str()).collect();
    versions.dedup();
    let (done, asked, hours) = (data.done(), data.asked(), data.hours());
    let time = match hours {
        hours if hours < 0.1 => format!("{:.1} minutes", hours * 60.0),
        hours => format!("{hours:.1} hours"),
    };
    let made = match versions.is_empty() {
        true => String::new(),
        false => format!("; {time} of processor time; versions: {}", versions.join("; ")),
    };
    let s = if asked == 1 { "" } else { "s" };
    format!("{done} of {asked} {}{s}{made}.", data.unit())
}

fn deals(data: &Dataset, page: &mut String) -> Result<(), DataError> {
    let (summary, card) = (Summary::of(&data.all_rows()?), data.deals()?);
    let _ = write!(
        page,
        "\n`{}`: {} by `{}`, deals {}. {}\n",
        data.name(),
        card.game,
        card.solver,
        card.deals,
        state(data),
    );
    if summary.deals == 0 {
        return Ok(());
    }
    if !summary.is_optimal() {
        *page += &summary.shares();
        return Ok(());
    }
    let _ = write!(page, "\n{}.\n\n| value | deals |\n|---|---|\n", summary.text());
    for (value, count) in &summary.values {
        let _ = writeln!(page, "| {value} | {count} |");
    }
    Ok(())
}

fn experiment(data: &Dataset, page: &mut String) -> Result<(), DataError> {
    let spec = data.spec()?;
    let about = if spec.paper.is_empty() { &spec.name } else { &spec.paper };
    let _ = write!(page, "\n`{}`: {about}, seed {}. {}\n", data.name(), spec.seed, state(data));
    if data.done() == 0 {
        return Ok(());
    }
    let report = data.reported()?;
    *page += &lab::markdown(&report);
    let notes = report.notes.trim();
    if !notes.is_empty() {
        let _ = write!(page, "\n{notes}\n");
    }
    Ok(())
}
