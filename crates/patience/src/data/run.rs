//! Goes on with a result, batch after batch.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use patience_catalogue::{AnyGame, SolveError};
use patience_plan::{Budget, Cancel};

use super::DataError;
use super::card::{Batch, Dataset};
use super::row::{self, Row};
use crate::registry;

/// How a run is run.
#[derive(Debug)]
pub struct Running<'r> {
    /// Deals side by side.
    pub threads: usize,
    /// Stops the run: what is finished from the front on becomes a batch.
    pub cancel: &'r Cancel,
    /// The date that batches get.
    pub date: String,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Deals that are in batches.
    pub done: u64,
    /// Deals of the batch in hand that are solved.
    pub in_hand: u64,
    /// Deals that were asked for.
    pub asked: u64,
}

impl Dataset {
    /// The card's game, for which its solver was found good.
    pub(super) fn game(&self) -> Result<AnyGame, DataError> {
        let blame = |message: String| DataError::Call { path: self.card_path(), message };
        let game = registry().played(&self.card.game).map_err(|error| blame(error.to_string()))?;
        let solving = game.solving(&self.card.solver, &Budget::UNLIMITED);
        solving.map_err(|error| blame(error.to_string()))?;
        Ok(game)
    }

    /// Solves one deal.
    pub(super) fn solve(
        &self,
        game: &AnyGame,
        deal: &str,
        cancel: &Cancel,
    ) -> Result<Option<Row>, DataError> {
        let blame = |message: String| DataError::Call { path: self.card_path(), message };
        let state = game.deal(deal, self.card.seed).map_err(blame)?;
        let budget = Budget { memory: self.card.memory, ..Budget::UNLIMITED };
        let solver = Some(self.card.solver.as_str());
        let solved = state.solve(solver, &budget, self.card.seed, cancel, &mut |_| ());
        let solved = solved.map_err(|error: SolveError| blame(format!("deal {deal}: {error}")))?;
        // What was cut short is no row.
        Ok((!cancel.is_cancelled()).then(|| Row::of(deal, &solved, self.card.solutions)))
    }

    /// Solves what is missing, until all is there or the run is cancelled.
    ///
    /// # Errors
    /// If the card is wrong, a solution does not stand, or a file cannot be written.
    pub fn run(
        &mut self,
        running: &Running<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), DataError> {
        let game = self.game()?;
        let versions = game.versions(&self.card.solver).into_iter();
        let versions: Vec<String> =
            versions.map(|(name, version)| format!("{name} {version}")).collect();
        let game = game.table();
        while self.next() <= self.deals.1 && !running.cancel.is_cancelled() {
            let first = self.next();
            let last = self.deals.1.min(first + self.card.batch - 1);
            let rows = self.batch(&game, first, last, running, watch)?;
            // From the front on without a gap: the rest is solved again.
            let rows: Vec<Row> =
                (first..=last).map_while(|deal| rows.get(&deal).cloned()).collect();
            if rows.is_empty() {
                break;
            }
            let last = first + rows.len() as u64 - 1;
            let bytes = row::write(&rows).map_err(|error| {
                DataError::bad(&self.card_path(), format!("rows cannot be written: {error}"))
            })?;
            let hours = rows.iter().map(|row| row.seconds).sum::<f64>() / 3600.0;
            let batch = Batch {
                file: format!("rows-{first:08}-{last:08}.csv.zst"),
                first,
                last,
                sha256: row::sha256(&bytes),
                versions: versions.join(", "),
                date: running.date.clone(),
                hours: (hours * 1e4).round() / 1e4,
            };
            self.add(batch, &bytes)?;
        }
        Ok(())
    }

    /// The rows of a batch, as far as they were solved.
    fn batch(
        &self,
        game: &AnyGame,
        first: u64,
        last: u64,
        running: &Running<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<BTreeMap<u64, Row>, DataError> {
        let next = AtomicU64::new(first);
        let rows = Mutex::new(Ok(BTreeMap::new()));
        let worker = || loop {
            let deal = next.fetch_add(1, Ordering::Relaxed);
            if deal > last || running.cancel.is_cancelled() {
                break;
            }
            let row = self.solve(game, &format!("{}{deal}", self.prefix), running.cancel);
            let mut rows = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match (row, &mut *rows) {
                (Ok(Some(row)), Ok(rows)) => {
                    rows.insert(deal, row);
                    let in_hand = rows.len() as u64;
                    watch(Progress { done: self.done(), in_hand, asked: self.asked() });
                }
                (Err(error), Ok(_)) => {
                    *rows = Err(error);
                    next.store(last + 1, Ordering::Relaxed);
                }
                _ => {}
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..running.threads.max(1) {
                scope.spawn(worker);
            }
            worker();
        });
        rows.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
