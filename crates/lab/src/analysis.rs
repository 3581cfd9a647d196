//! The rows of an experiment, ready for statistics.

use patience_model::Rng;

use crate::error::Result;
use crate::spec::{Arm, Spec};
use crate::stats::{self, Crossing, Curve, Estimate};
use crate::store::{Reading, StoredArm, StoredExperiment};
use crate::task::Column;
use crate::versions::{Outdated, outdated};

/// An experiment with all its results, in the order of arms and units: what is computed from it
/// does not depend on how the results came about.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) spec: Spec,
    pub(crate) arms: Vec<ArmData>,
    pub(crate) outdated: Vec<Outdated>,
}

/// An arm with its results.
#[derive(Debug)]
pub(crate) struct ArmData {
    pub(crate) arm: Arm,
    /// The arm in the store; `None` if it was not run.
    pub(crate) stored: Option<StoredArm>,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<(u64, Vec<f64>)>,
    pub(crate) seconds: f64,
}

impl Analysis {
    pub(crate) fn load(reading: &Reading, stored: &StoredExperiment) -> Result<Analysis> {
        let spec = stored.spec()?;
        let known = reading.arms(&stored.name)?;
        let mut arms = Vec::with_capacity(spec.arms.len());
        for arm in &spec.arms {
            let stored = known.iter().find(|stored| stored.is(arm)).cloned();
            let (mut rows, mut seconds) = (Vec::new(), 0.0);
            if let Some(stored) = &stored {
                reading.each_row(stored, spec.units, |row| {
                    rows.push((row.unit, row.values));
                    seconds += row.seconds;
                    Ok(())
                })?;
            }
            let columns = stored.as_ref().map_or(Vec::new(), |stored| stored.columns.clone());
            arms.push(ArmData { arm: arm.clone(), stored, columns, rows, seconds });
        }
        let now: Vec<_> = arms.iter().map(|data| data.stored.as_ref()?.versions.clone()).collect();
        let outdated = outdated(reading, &spec, &now)?;
        Ok(Analysis { spec, arms, outdated })
    }

    pub(crate) fn arm(&self, name: &str) -> Option<&ArmData> {
        self.arms.iter().find(|data| data.arm.name == name)
    }

    /// The crossings of an arm's curve. The resamples are drawn from a stream of their own.
    pub(crate) fn crossings(
        &self,
        data: &ArmData,
        column: Option<&str>,
        thresholds: &[f64],
    ) -> Option<Vec<Crossing>> {
        let curve = data.curve(column)?;
        Some(stats::crossings(&curve, thresholds, &mut self.bootstrap(&data.arm.name)))
    }

    pub(crate) fn bootstrap(&self, arm: &str) -> Rng {
        Rng::named(self.spec.seed, &[&self.spec.name, arm, "", "bootstrap"])
    }
}

impl ArmData {
    /// The index of a column: by name (`None`: the first), at a checkpoint (`None`: the last).
    pub(crate) fn column(&self, name: Option<&str>, at: Option<f64>) -> Option<usize> {
        let name = name.or_else(|| self.columns.first().map(|c| c.name.as_str()))?;
        self.columns.iter().rposition(|c| c.name == name && (at.is_none() || c.x == at))
    }

    /// The numbers of a column, by unit.
    pub(crate) fn numbered(&self, column: usize) -> Vec<(u64, f64)> {
        self.rows.iter().map(|(unit, values)| (*unit, values[column])).collect()
    }

    /// The estimate of a column; `None` without units.
    pub(crate) fn estimate(&self, column: usize) -> Option<Estimate> {
        let values: Vec<f64> = self.rows.iter().map(|(_, values)| values[column]).collect();
        stats::estimate(self.columns[column].kind, &values)
    }

    /// The columns of a curve, by checkpoint.
    pub(crate) fn checkpoints(&self, name: Option<&str>) -> Vec<(f64, usize)> {
        let name = name.or_else(|| self.columns.first().map(|c| c.name.as_str()));
        let mut found: Vec<(f64, usize)> = self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, c)| Some(c.name.as_str()) == name)
            .filter_map(|(i, c)| Some((c.x?, i)))
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    /// The curves of all units; `None` if the column is no curve.
    pub(crate) fn curve(&self, name: Option<&str>) -> Option<Curve> {
        let columns: Vec<_> =
            self.checkpoints(name).into_iter().filter(|(x, _)| *x > 0.0).collect();
        if columns.is_empty() {
            return None;
        }
        Some(Curve {
            checkpoints: columns.iter().map(|(x, _)| *x).collect(),
            units: self.rows.iter().map(|(unit, _)| *unit).collect(),
            values: self
                .rows
                .iter()
                .flat_map(|(_, values)| columns.iter().map(|(_, i)| values[*i]))
                .collect(),
        })
    }
}
