//! How much each deal needs: from results that allow less and less.
//!
//! What is solved with so much is solved with more, and what is proven unsolvable is so with less. So a
//! deal's need lies above the most with which it is unsolvable, and is at most the least with which it is
//! solved; it is known where these meet.

use std::collections::BTreeMap;
use std::path::Path;

use super::DataError;
use super::card::{Asked, Fewest};
use super::dataset::Dataset;
use super::row::Row;

/// More deals than this are counted, not named.
const MOST_NAMED: usize = 40;

/// How much deals need.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Needs {
    /// Deals that any of the results knows.
    pub deals: u64,
    /// By step, how many deals are proven to need so much and no less.
    pub known: Vec<u64>,
    /// Deals whose need is not known.
    pub open: Vec<OpenNeed>,
}

/// Deals whose need is not known, and lies between the same steps.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct OpenNeed {
    /// The first step that is not excluded; the number of steps if all are.
    pub least: usize,
    /// The first step with which they are solved; `None` if with none.
    pub solved: Option<usize>,
    /// The deals.
    pub deals: Vec<String>,
}

impl Dataset {
    /// What its card says of needs, if it is about them.
    fn fewest(&self) -> Result<&Fewest, DataError> {
        match &self.card.asked {
            Asked::Fewest(fewest) => Ok(fewest),
            _ => Err(DataError::bad(&self.card_path(), "expected a result about needs")),
        }
    }

    /// How much each deal needs, as other results tell.
    ///
    /// # Errors
    /// If one of them cannot be read; if two contradict each other.
    pub(super) fn needs(&self) -> Result<Needs, DataError> {
        let fewest = self.fewest()?;
        let beside = self.folder().parent().unwrap_or(Path::new("."));
        // By deal: the first step that is not excluded, and the least that is solved.
        let mut bounds: BTreeMap<(usize, String), (usize, Option<usize>)> = BTreeMap::new();
        for (n, step) in fewest.steps.iter().enumerate() {
            let data = Dataset::open(&beside.join(&step.data))?;
            data.deals()?;
            for Row { deal, verdict, .. } in data.all_rows()? {
                // Numbers in their order: the shorter one is the smaller one.
                let (least, solved) = bounds.entry((deal.len(), deal)).or_default();
                match verdict.as_str() {
                    "optimal" | "solved" => *solved = Some(solved.map_or(n, |s| s.min(n))),
                    "unsolvable" => *least = (*least).max(n + 1),
                    _ => {}
                }
            }
        }
        let steps = fewest.steps.len();
        let mut needs = Needs { known: vec![0; steps], ..Needs::default() };
        let mut open: BTreeMap<(usize, Option<usize>), Vec<String>> = BTreeMap::new();
        for ((_, deal), (least, solved)) in bounds {
            needs.deals += 1;
            match solved {
                Some(solved) if solved < least => {
                    let (a, b) = (&fewest.steps[solved], &fewest.steps[least - 1]);
                    let message = format!(
                        "deal {deal} is solved in {} and unsolvable in {}, which allows more",
                        a.data, b.data
                    );
                    return Err(DataError::bad(&self.card_path(), message));
                }
                Some(solved) if solved == least => needs.known[solved] += 1,
                solved => open.entry((least, solved)).or_default().push(deal),
            }
        }
        needs.open = open
            .into_iter()
            .map(|((least, solved), deals)| OpenNeed { least, solved, deals })
            .collect();
        Ok(needs)
    }

    /// The table, in Markdown.
    pub(super) fn needs_table(&self) -> Result<String, DataError> {
        let (fewest, needs) = (self.fewest()?, self.needs()?);
        let mut out = format!("\n| {} | deals, proven | published |\n|---|---|---|\n", fewest.of);
        for (step, known) in fewest.steps.iter().zip(&needs.known) {
            let published = step.published.map_or_else(String::new, |count| count.to_string());
            out += &format!("| {} | {known} | {published} |\n", step.need);
        }
        let open: usize = needs.open.iter().map(|open| open.deals.len()).sum();
        let published: u64 = fewest.steps.iter().filter_map(|step| step.published).sum();
        out += &format!("| open | {open} | |\n| all | {} | {published} |\n", needs.deals);
        for OpenNeed { least, solved, deals } in &needs.open {
            let need = |n: usize| fewest.steps.get(n).map(|step| step.need.as_str());
            let range = match (need(*least), solved.and_then(need)) {
                (Some(low), Some(high)) => format!("{low} to {high}"),
                (Some(low), None) => format!("{low} or more"),
                _ => format!("more than {}", need(least - 1).unwrap_or_default()),
            };
            let named = match deals.len() {
                0..=MOST_NAMED => format!(": {}", deals.join(", ")),
                _ => String::new(),
            };
            let s = if deals.len() == 1 { "" } else { "s" };
            out += &format!("\n{range} {}: {} deal{s}{named}.\n", fewest.of, deals.len());
        }
        Ok(out)
    }
}
