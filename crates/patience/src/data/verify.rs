//! Checks a result: files, every solution, every table, and a sample that is run again.

use patience_lab::ExperimentReport;
use patience_model::Rng;
use patience_plan::Cancel;

use super::DataError;
use super::card::Asked;
use super::dataset::Dataset;
use super::fewest::Needs;
use super::row::Row;
use super::summary::Summary;

/// How much is checked.
#[derive(Debug)]
pub struct Checking<'c> {
    /// The share of deals or units that are run again, from 0 to 1.
    pub sample: f64,
    /// The seed by which they are chosen.
    pub seed: u64,
    /// Ends the check.
    pub cancel: &'c Cancel,
}

/// What was checked.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Verified {
    /// Solutions that were replayed.
    pub replayed: u64,
    /// Deals or units that were run again, with the same result to the bit.
    pub run_again: u64,
    /// Deals or units of the sample whose rows another version of the program made. Of deals verdicts and
    /// proven values were compared; units cannot be.
    pub other_versions: u64,
    /// What the rows give.
    pub found: Found,
}

/// What rows give.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// Of deals: all rows at a glance.
    Deals(Summary),
    /// Of an experiment: its tables and rulings.
    Experiment(Box<ExperimentReport>),
    /// How much deals need.
    Needs(Needs),
}

impl Found {
    /// In words.
    pub fn text(&self) -> String {
        match self {
            Found::Deals(summary) => summary.text(),
            Found::Experiment(report) => {
                let count = |word: &str| {
                    report.claims.iter().filter(|claim| claim.verdict.to_string() == word).count()
                };
                let claims =
                    ["holds", "fails", "undecided"].map(|word| format!("{word} {}", count(word)));
                let (done, total) = (report.done, report.total);
                format!("{done} of {total} units; claims: {}", claims.join(", "))
            }
            Found::Needs(needs) => {
                let open: usize = needs.open.iter().map(|open| open.deals.len()).sum();
                format!("{} deals, {open} of them open", needs.deals)
            }
        }
    }
}

impl Dataset {
    /// Checks that files are those that were written, that every deal or unit is there once, that every
    /// solution stands, reaches its goal and comes to what its row says, and that a sample gives the same
    /// again; recomputes what the rows give. `watch` hears of every row.
    ///
    /// # Errors
    /// Names the first file or row with which something is wrong.
    pub fn verify(
        &self,
        checking: &Checking<'_>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Verified, DataError> {
        match self.card.asked {
            Asked::Deals(_) => self.verify_deals(checking, watch),
            Asked::Experiment(_) => self.verify_experiment(checking, watch),
            Asked::Fewest(_) => Ok(Verified {
                replayed: 0,
                run_again: 0,
                other_versions: 0,
                found: Found::Needs(self.needs()?),
            }),
        }
    }

    fn verify_deals(
        &self,
        checking: &Checking<'_>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Verified, DataError> {
        let (game, versions) = self.game()?;
        let (game, card) = (game.table(), self.deals()?);
        let mut rng = Rng::named(checking.seed, &["data", self.name()]);
        let (mut replayed, mut run_again, mut other_versions) = (0, 0, 0);
        let mut all: Vec<Row> = Vec::new();
        let mut certified = None;
        for batch in &self.batches {
            let path = self.path_of(batch);
            for row in self.rows(batch)? {
                if checking.cancel.is_cancelled() {
                    break;
                }
                let wrong =
                    |what: String| DataError::bad(&path, format!("deal {}: {what}", row.deal));
                row.check(card.solutions).map_err(wrong)?;
                if row.verdict == "optimal"
                    && *certified.get_or_insert(row.certificate.is_some())
                        != row.certificate.is_some()
                {
                    return Err(wrong("some proofs have a certificate, and some have none".into()));
                }
                if let Some(solution) = &row.solution {
                    let state = game.deal(&row.deal, card.seed).map_err(wrong)?;
                    let checked =
                        state.verify(solution).map_err(|error| wrong(error.to_string()))?;
                    if (Some(checked.value), Some(checked.length)) != (row.value, row.length) {
                        return Err(wrong(format!(
                            "its solution comes to {} in {} moves when it is replayed",
                            checked.value, checked.length
                        )));
                    }
                    if !checked.reached {
                        return Err(wrong("its solution does not reach the goal".to_owned()));
                    }
                    replayed += 1;
                }
                if rng.unit() < checking.sample
                    && let Some(again) = self.solve(&game, &row.deal, checking.cancel)?
                {
                    let same = batch.versions == versions;
                    let stands = if same { row.same(&again) } else { row.agrees(&again) };
                    if !stands {
                        let with = if same { "" } else { " by another version" };
                        return Err(wrong(format!(
                            "solved again{with} it is {again:?}, not {row:?}"
                        )));
                    }
                    *(if same { &mut run_again } else { &mut other_versions }) += 1;
                }
                all.push(row);
                watch(all.len() as u64);
            }
        }
        let found = Found::Deals(Summary::of(&all));
        Ok(Verified { replayed, run_again, other_versions, found })
    }

    fn verify_experiment(
        &self,
        checking: &Checking<'_>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Verified, DataError> {
        // Every row goes into a store on the way, which refuses what a column cannot have.
        let found = Found::Experiment(Box::new(self.reported()?));
        let versions = self.versions_now()?;
        let (experiment, crew) = self.crew()?;
        let arms = &experiment.spec().arms;
        let mut rng = Rng::named(checking.seed, &["data", self.name()]);
        let (mut run_again, mut other_versions) = (0, 0);
        for batch in &self.batches {
            let path = self.path_of(batch);
            for unit in self.units(&experiment, batch)? {
                if checking.cancel.is_cancelled() {
                    break;
                }
                if rng.unit() >= checking.sample {
                    continue;
                }
                if batch.versions != versions {
                    other_versions += 1;
                    continue;
                }
                let again = Dataset::unit_again(&crew, arms.len(), &unit, checking.cancel)?;
                let Some(again) = again else { break };
                if !again.iter().map(|v| v.to_bits()).eq(unit.values.iter().map(|v| v.to_bits())) {
                    let (number, arm) = (unit.unit, &arms[unit.arm].name);
                    let message = format!(
                        "unit {number} of arm `{arm}`: run again it gives {again:?}, not {:?}",
                        unit.values
                    );
                    return Err(DataError::bad(&path, message));
                }
                run_again += 1;
            }
            watch(batch.last + 1);
        }
        Ok(Verified { replayed: 0, run_again, other_versions, found })
    }
}
