//! Checks a result: files, every solution, and a sample of the proofs.

use patience_model::Rng;
use patience_plan::Cancel;

use super::DataError;
use super::card::Dataset;
use super::row::Row;
use super::summary::Summary;

/// How much is checked.
#[derive(Debug)]
pub struct Checking<'c> {
    /// The share of rows that are solved again, from 0 to 1.
    pub sample: f64,
    /// The seed by which they are chosen.
    pub seed: u64,
    /// Ends the check.
    pub cancel: &'c Cancel,
}

/// What was checked.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Verified {
    /// Solutions that were replayed.
    pub replayed: u64,
    /// Deals that were solved again, with the same result.
    pub solved_again: u64,
    /// All rows at a glance.
    pub summary: Summary,
}

impl Dataset {
    /// Checks that files are those that were written, that every deal is there once, that every solution
    /// stands and comes to what its row says, and that a sample of deals is solved the same again.
    /// `watch` hears of every row.
    ///
    /// # Errors
    /// Names the first file or row with which something is wrong.
    pub fn verify(
        &self,
        checking: &Checking<'_>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Verified, DataError> {
        let game = self.game()?.table();
        let mut rng = Rng::named(checking.seed, &["data", self.name()]);
        let mut verified = Verified { replayed: 0, solved_again: 0, summary: Summary::default() };
        let mut all: Vec<Row> = Vec::new();
        for batch in &self.batches {
            let path = self.path_of(batch);
            for row in self.rows(batch)? {
                if checking.cancel.is_cancelled() {
                    break;
                }
                let wrong =
                    |what: String| DataError::bad(&path, format!("deal {}: {what}", row.deal));
                if let Some(solution) = &row.solution {
                    let state = game.deal(&row.deal, self.card.seed).map_err(wrong)?;
                    let checked =
                        state.verify(solution).map_err(|error| wrong(error.to_string()))?;
                    let stands =
                        (Some(checked.value), Some(checked.length)) == (row.value, row.length);
                    if !stands || !checked.reached && row.verdict == "optimal" {
                        return Err(wrong(format!(
                            "its solution comes to {} in {} moves when it is replayed",
                            checked.value, checked.length
                        )));
                    }
                    verified.replayed += 1;
                }
                if rng.unit() < checking.sample {
                    let again = self.solve(&game, &row.deal, checking.cancel)?;
                    if let Some(again) = again {
                        if !row.same(&again) {
                            return Err(wrong(format!(
                                "solved again it is {again:?}, not {row:?}"
                            )));
                        }
                        verified.solved_again += 1;
                    }
                }
                all.push(row);
                watch(all.len() as u64);
            }
        }
        verified.summary = Summary::of(&all);
        Ok(verified)
    }
}
