//! Goes on with a result, batch after batch.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use patience_catalogue::{AnyGame, SolveError};
use patience_plan::{Budget, Cancel};

use super::card::Asked;
use super::dataset::{Batch, Dataset, hours, replace};
use super::row::{self, Row};
use super::{DataError, clock};
use crate::registry;

/// How a run is run.
#[derive(Debug)]
pub struct Running<'r> {
    /// Deals or units side by side.
    pub threads: usize,
    /// Stops the run: what is finished from the front on becomes a batch.
    pub cancel: &'r Cancel,
    /// The date that batches get.
    pub date: String,
    /// Of an experiment: the store in which units are kept as they finish, and from which those are taken
    /// that it has; without it a temporary one.
    pub store: Option<PathBuf>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Deals or units that are in batches.
    pub done: u64,
    /// Those of the batch in hand that are finished.
    pub in_hand: u64,
    /// All that were asked for.
    pub asked: u64,
}

impl Dataset {
    /// Runs what is missing, until all is there or the run is cancelled.
    ///
    /// # Errors
    /// If the card is wrong, a solution does not stand, or a file cannot be written.
    pub fn run(
        &mut self,
        running: &Running<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), DataError> {
        match self.card.asked {
            Asked::Deals(_) => self.run_deals(running, watch),
            Asked::Experiment(_) => self.run_experiment(running, watch),
            // It is made of other results.
            Asked::Fewest(_) => Ok(()),
        }
    }

    /// The card's game, for which its solver was found good, and the versions of both.
    pub(super) fn game(&self) -> Result<(AnyGame, String), DataError> {
        let deals = self.deals()?;
        let blame = |message: String| DataError::Call { path: self.card_path(), message };
        let game = registry().played(&deals.game).map_err(|error| blame(error.to_string()))?;
        let solving = game.solving(&deals.solver, &Budget::UNLIMITED);
        solving.map_err(|error| blame(error.to_string()))?;
        let versions = game.versions(&deals.solver).into_iter();
        let versions: Vec<String> =
            versions.map(|(name, version)| format!("{name} {version}")).collect();
        Ok((game, versions.join(", ")))
    }

    /// Solves one deal.
    pub(super) fn solve(
        &self,
        game: &AnyGame,
        deal: &str,
        cancel: &Cancel,
    ) -> Result<Option<Row>, DataError> {
        let card = self.deals()?;
        let blame = |message: String| DataError::Call { path: self.card_path(), message };
        let state = game.deal(deal, card.seed).map_err(blame)?;
        let budget = Budget { memory: card.memory, ..Budget::UNLIMITED };
        let begin = clock::thread();
        let solved = state.solve(Some(&card.solver), &budget, card.seed, cancel, &mut |_| ());
        let seconds = clock::thread() - begin;
        let solved = solved.map_err(|error: SolveError| blame(format!("deal {deal}: {error}")))?;
        // What was cut short is no row.
        Ok((!cancel.is_cancelled()).then(|| Row::of(deal, &solved, card.solutions, seconds)))
    }

    fn run_deals(
        &mut self,
        running: &Running<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), DataError> {
        let (game, versions) = self.game()?;
        let game = game.table();
        let size = self.deals()?.batch;
        let pending = self.pending_path(&versions)?;
        let mut rows = self.pending(&pending)?;
        while self.next() <= self.last() && !running.cancel.is_cancelled() {
            let first = self.next();
            let last = self.last().min(first + size - 1);
            rows = self.solve_all(&game, (first, last), rows, running, watch)?;
            // From the front on without a gap.
            let whole: Vec<Row> = (first..=last).map_while(|deal| rows.remove(&deal)).collect();
            if !whole.is_empty() {
                let last = first + whole.len() as u64 - 1;
                let bytes = self.written(&whole)?;
                let batch = Batch {
                    file: Dataset::file(first, last),
                    first,
                    last,
                    sha256: row::sha256(&bytes),
                    versions: versions.clone(),
                    asked: None,
                    date: running.date.clone(),
                    hours: hours(whole.iter().map(|row| row.seconds).sum()),
                };
                self.add(batch, &bytes)?;
            }
            self.put_by(&pending, &rows)?;
        }
        Ok(())
    }

    fn written(&self, rows: &[Row]) -> Result<Vec<u8>, DataError> {
        row::write(rows).map_err(|error| {
            DataError::bad(&self.card_path(), format!("rows cannot be written: {error}"))
        })
    }

    /// Where deals are put by that were solved behind one that was not. They are of this card and these
    /// versions; those of others lie elsewhere.
    fn pending_path(&self, versions: &str) -> Result<PathBuf, DataError> {
        let deals = self.deals()?;
        let of = format!(
            "{} {} {} {:?} {} {versions}",
            deals.game, deals.solver, deals.seed, deals.memory, deals.solutions
        );
        let name = format!("pending-{}.csv.zst", &row::sha256(of.as_bytes())[..16]);
        Ok(self.folder().join(name))
    }

    fn pending(&self, path: &Path) -> Result<BTreeMap<u64, Row>, DataError> {
        if !path.exists() {
            return Ok(BTreeMap::new());
        }
        let bytes = fs::read(path).map_err(DataError::io(path, "read it"))?;
        let rows: Vec<Row> = row::read(&bytes).map_err(|message| DataError::bad(path, message))?;
        let number = |row: &Row| row.deal.rsplit(':').next().and_then(|digits| digits.parse().ok());
        Ok(rows.into_iter().filter_map(|row| Some((number(&row)?, row))).collect())
    }

    fn put_by(&self, path: &Path, rows: &BTreeMap<u64, Row>) -> Result<(), DataError> {
        if rows.is_empty() {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(DataError::io(path, "remove it")(error))
                }
                _ => Ok(()),
            };
        }
        replace(path, &self.written(&rows.values().cloned().collect::<Vec<_>>())?)
    }

    /// The rows of deals, as far as they were solved, and those that are known.
    fn solve_all(
        &self,
        game: &AnyGame,
        (first, last): (u64, u64),
        known: BTreeMap<u64, Row>,
        running: &Running<'_>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<BTreeMap<u64, Row>, DataError> {
        let next = AtomicU64::new(first);
        let missing: Vec<u64> = (first..=last).filter(|deal| !known.contains_key(deal)).collect();
        let rows = Mutex::new(Ok(known));
        let worker = || loop {
            let at = next.fetch_add(1, Ordering::Relaxed) - first;
            let Some(deal) = missing.get(at as usize) else { break };
            if running.cancel.is_cancelled() {
                break;
            }
            let row = self.solve(game, &self.deal(*deal), running.cancel);
            let mut rows = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match (row, &mut *rows) {
                (Ok(Some(row)), Ok(rows)) => {
                    rows.insert(*deal, row);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What was put by is taken as it is, in the batch where it belongs; what is of another card is not.
    #[test]
    fn deals_that_were_put_by_are_not_solved_again() -> Result<(), DataError> {
        let folder = tempfile::tempdir().map_err(DataError::io(Path::new("."), "make a folder"))?;
        let card = "title = \"x\"\ngame = \"golf\"\nsolver = \"depth-first(nodes=200)\"\n\
                    deals = \"seed:1..5\"\nbatch = 2\n";
        let path = folder.path().join("card.toml");
        replace(&path, card.as_bytes())?;
        let mut data = Dataset::open(folder.path())?;
        let (game, versions) = data.game()?;
        let solved = data.solve(&game.table(), "seed:4", &Cancel::new())?;
        let Some(row) = solved else { panic!("nobody cancelled") };
        let marked = Row { iterations: row.iterations + 1_000_000, ..row };
        let pending = data.pending_path(&versions)?;
        data.put_by(&pending, &BTreeMap::from([(4, marked.clone())]))?;
        let (date, store) = ("2026-01-01".to_owned(), None);
        data.run(&Running { threads: 2, cancel: &Cancel::new(), date, store }, &|_| ())?;
        assert_eq!((data.done(), data.batches.len()), (5, 3));
        assert_eq!(data.all_rows()?[3], marked);
        assert!(!pending.exists());
        replace(&path, card.replace("200", "201").as_bytes())?;
        assert_ne!(Dataset::open(folder.path())?.pending_path(&versions)?, pending);
        Ok(())
    }
}
