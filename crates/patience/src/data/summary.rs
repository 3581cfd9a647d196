//! A result at a glance, made from its rows alone.

use std::collections::BTreeMap;

use patience_lab::stats::wilson;

use super::row::Row;

/// Many rows at a glance.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Summary {
    /// Rows.
    pub deals: u64,
    /// By verdict, how many.
    pub verdicts: BTreeMap<String, u64>,
    /// By value of a solution, how many.
    pub values: BTreeMap<u64, u64>,
    /// The mean value of solutions.
    pub mean: Option<f64>,
    /// States that were held, in all and at most.
    pub nodes: (u64, u64),
}

impl Summary {
    /// The summary of rows.
    pub fn of(rows: &[Row]) -> Summary {
        let mut summary = Summary { deals: rows.len() as u64, ..Summary::default() };
        let (mut total, mut count) = (0.0, 0);
        for row in rows {
            *summary.verdicts.entry(row.verdict.clone()).or_default() += 1;
            if let Some(value) = row.value {
                *summary.values.entry(value as u64).or_default() += 1;
                (total, count) = (total + value, count + 1);
            }
            summary.nodes = (summary.nodes.0 + row.nodes, summary.nodes.1.max(row.nodes));
        }
        summary.mean = (count > 0).then(|| total / f64::from(count));
        summary
    }

    /// Whether every value is proven to be the best: then values say something about the deals, and not
    /// about a search.
    pub(super) fn is_optimal(&self) -> bool {
        !self.verdicts.contains_key("solved") && self.verdicts.contains_key("optimal")
    }

    /// In words: `1000 deals: 998 optimal, 2 unsolvable; values 61 to 93, mean 77.12`.
    pub fn text(&self) -> String {
        let verdicts: Vec<String> =
            self.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        if verdicts.is_empty() {
            return "no deals yet".to_owned();
        }
        let mut text = format!("{} deals: {}", self.deals, verdicts.join(", "));
        if let (Some(mean), Some((least, _)), Some((most, _))) =
            (self.mean, self.values.first_key_value(), self.values.last_key_value())
        {
            text += &format!("; values {least} to {most}, mean {mean:.2}");
        }
        text
    }

    /// The share of each verdict with its interval, in Markdown.
    pub(super) fn shares(&self) -> String {
        let mut out = "\n| verdict | deals | share | 95% |\n|---|---|---|---|\n".to_owned();
        for (verdict, count) in &self.verdicts {
            let share = *count as f64 / self.deals as f64;
            let bounds = wilson(*count, self.deals, 0.95);
            let [share, low, high] = [share, bounds.low, bounds.high].map(|p| p * 100.0);
            out += &format!("| {verdict} | {count} | {share:.3}% | {low:.3}% to {high:.3}% |\n");
        }
        out
    }
}
