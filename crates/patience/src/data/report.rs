//! The page of results, made from the rows alone.

use std::fmt::Write;
use std::path::Path;

use super::card::Dataset;
use super::summary::Summary;
use super::{DataError, datasets};

const HEAD: &str = "\
# Results

Made from the rows in `data/` by `patience data report > docs/results.md`; a test holds this page to them.
`patience data verify` replays every solution and solves a sample again, `patience data run NAME` goes on
where a result is not complete.
";

/// The page, in Markdown.
///
/// # Errors
/// If a result cannot be read, or is not what was written.
pub fn report(folder: &Path) -> Result<String, DataError> {
    let mut page = HEAD.to_owned();
    for data in datasets(folder)? {
        section(&data, &mut page)?;
    }
    Ok(page)
}

fn section(data: &Dataset, page: &mut String) -> Result<(), DataError> {
    let summary = Summary::of(&data.all_rows()?);
    let card = &data.card;
    let hours = data.batches.iter().fold(0.0, |sum, batch| sum + batch.hours);
    let mut versions: Vec<&str> =
        data.batches.iter().map(|batch| batch.versions.as_str()).collect();
    versions.dedup();
    // Writing to a string does not fail.
    let _ = write!(
        page,
        "\n## {}\n\n`{}`: {} by `{}`, deals {}. {} of {} are there; {hours:.1} hours on one thread; \
         versions: {}.\n\n{}.\n",
        card.title,
        data.name(),
        card.game,
        card.solver,
        card.deals,
        data.done(),
        data.asked(),
        if versions.is_empty() { "none yet".to_owned() } else { versions.join("; ") },
        summary.text(),
    );
    if !summary.values.is_empty() {
        let _ = write!(page, "\n| value | deals |\n|---|---|\n");
        for (value, count) in &summary.values {
            let _ = writeln!(page, "| {value} | {count} |");
        }
    }
    if !card.notes.is_empty() {
        let _ = write!(page, "\n{}\n", card.notes.trim());
    }
    Ok(())
}
