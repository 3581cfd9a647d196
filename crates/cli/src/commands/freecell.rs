//! What `solve freecell` and `verify freecell` have in common: rules, metric, boards.

use std::path::Path;

use patience::games::freecell::{Board, Metric, Rules};
use patience::{freecell_metric, freecell_rules};

use crate::exit::{Code, Failure};
use crate::files;

/// Which game of the family, and what one move is.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Family {
    /// The rules: freecell, freecell-0 … freecell-3, bakers-game, eight-off, seahaven-towers,
    /// forecell, relaxed-freecell, king-albert, beleaguered-castle, streets-and-alleys; with
    /// changes such as `freecell(cells=3, fill=kings)`, see `patience games freecell`
    #[arg(long, default_value = "freecell")]
    rules: String,
    /// What one move is: a single card, a run at once as the paper's Table 1 counts it, or a run at
    /// once as players count it; if none is named: supermove, or single where cards move one by one
    #[arg(long, value_parser = Metric::ALL.map(Metric::name))]
    metric: Option<String>,
}

impl Family {
    /// The rules and the metric, or why there are none such.
    pub(crate) fn read(&self) -> Result<(Rules, Metric), Failure> {
        let rules = freecell_rules(&self.rules)?;
        let named = self.metric.as_deref().and_then(Metric::named);
        let metric = named.unwrap_or_else(|| freecell_metric(&rules));
        metric.check(&rules).map_err(|error| {
            Failure::new(Code::BadInput, format!("--rules {}: {error}", self.rules))
        })?;
        Ok((rules, metric))
    }

    /// The rules as they were named.
    pub(crate) fn name(&self) -> &str {
        &self.rules
    }
}

/// Whether a word means a deal's number (or a range of them) rather than a file.
pub(crate) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && !Path::new(word).exists()
}

/// The board of a file, with the file's name.
pub(crate) fn board_of(rules: &Rules, path: &str) -> Result<(String, Board), Failure> {
    let (name, text) = files::read(Path::new(path))?;
    match Board::read(rules, &text) {
        Ok(board) => Ok((name, board)),
        Err(error) => Err(Failure::new(Code::BadInput, format!("{name}: {error}"))),
    }
}

/// The board of a deal's number.
pub(crate) fn deal_of(rules: &Rules, number: u64) -> Result<Board, Failure> {
    Board::deal(rules, number).map_err(|error| Failure::new(Code::BadInput, error.to_string()))
}
