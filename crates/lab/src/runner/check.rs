//! Checks a whole spec before the first unit is run.

use std::fmt;

use crate::error::{LabError, Result};
use crate::keys::SpecFault;
use crate::spec::{Quantity, Select, Spec};
use crate::store::{Reading, Store};
use crate::task::{Column, Resolve, Task};
use crate::versions::{Outdated, Versions, outdated};
use patience_plan::did_you_mean;

/// A spec with the tasks of its arms: checked, and ready to run.
pub struct Experiment {
    pub(crate) spec: Spec,
    pub(crate) arms: Vec<Resolved>,
}

/// What the units of an arm do.
pub(crate) struct Resolved {
    pub(crate) task: Box<dyn Task>,
    pub(crate) columns: Vec<Column>,
    pub(crate) versions: Versions,
    pub(crate) hash: String,
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Experiment({})", self.spec.name)
    }
}

impl Experiment {
    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The columns of each arm.
    pub fn columns(&self) -> Vec<&[Column]> {
        self.arms.iter().map(|arm| arm.columns.as_slice()).collect()
    }

    /// The hash of each arm: what its results depend on, with the versions of this program.
    pub fn hashes(&self) -> Vec<&str> {
        self.arms.iter().map(|arm| arm.hash.as_str()).collect()
    }

    /// What the results of all arms are made with.
    pub fn versions(&self) -> Versions {
        Versions::union(self.arms.iter().map(|arm| &arm.versions))
    }

    /// The results of these arms that another version of the program made. A run does not count
    /// them, and leaves them as they are: tell people before a long one.
    pub fn outdated(&self, reading: &Reading) -> Result<Vec<Outdated>> {
        let now: Vec<_> = self.arms.iter().map(|arm| Some(arm.versions.clone())).collect();
        outdated(reading, &self.spec, &now)
    }

    /// Records it in a store, and gives the arms' numbers there.
    pub(crate) fn enrol(&self, store: &mut Store) -> Result<Vec<i64>> {
        let arms: Vec<_> =
            self.arms.iter().map(|arm| (&arm.versions, arm.columns.as_slice())).collect();
        store.enrol(&self.spec, &arms)
    }
}

/// Makes the tasks of all arms, and checks that charts, claims and published figures name columns
/// that exist.
pub fn check(spec: &Spec, resolve: &Resolve<'_>) -> Result<Experiment> {
    let mut arms = Vec::with_capacity(spec.arms.len());
    for arm in &spec.arms {
        let task = resolve(spec, arm).map_err(|fault| spec.error(arm, fault))?;
        let columns = task.columns();
        if columns.is_empty() {
            return Err(spec.error(arm, SpecFault::new("task", "the task measures nothing")));
        }
        let versions = Versions::of(&*task);
        let hash = arm.hash(&versions);
        arms.push(Resolved { task, columns, versions, hash });
    }
    let experiment = Experiment { spec: spec.clone(), arms };
    check_columns(spec, &experiment.columns())
        .map_err(|fault| LabError::Spec { file: spec.file.clone(), fault })?;
    Ok(experiment)
}

fn check_columns(spec: &Spec, columns: &[&[Column]]) -> std::result::Result<(), SpecFault> {
    for (arm, own) in spec.arms.iter().zip(columns) {
        for published in &arm.published {
            let name = published.column.as_deref();
            known(name, own, "published.column", arm.line_of("published"))?;
        }
    }
    for (i, chart) in spec.charts.iter().enumerate() {
        for (name, line) in chart.columns.iter().zip(&chart.column_lines) {
            let key = format!("chart {}.column", i + 1);
            known(Some(name), &selected(spec, columns, &chart.select), &key, *line)?;
        }
    }
    for (i, claim) in spec.claims.iter().enumerate() {
        for check in &claim.checks {
            let quantity = &check.quantity;
            let own = match quantity {
                Quantity::Value { arm, .. }
                | Quantity::Difference { arm, .. }
                | Quantity::Crossing { arm, .. }
                | Quantity::Ratio { arm, .. } => {
                    let select = Select { arms: vec![arm.clone()], series: Vec::new() };
                    selected(spec, columns, &select)
                }
                Quantity::Slope { select, .. } => selected(spec, columns, select),
            };
            // An arm that the quick version leaves out has no columns here.
            if !own.is_empty() {
                let key = format!("claim {}.column", i + 1);
                known(quantity.column(), &own, &key, claim.column_line)?;
            }
        }
    }
    Ok(())
}

fn selected(spec: &Spec, columns: &[&[Column]], select: &Select) -> Vec<Column> {
    let arms = spec.arms.iter().zip(columns).filter(|(arm, _)| select.matches(arm));
    arms.flat_map(|(_, own)| own.iter().cloned()).collect()
}

fn known(
    name: Option<&str>,
    columns: &[Column],
    key: &str,
    line: usize,
) -> std::result::Result<(), SpecFault> {
    let Some(name) = name else { return Ok(()) };
    if columns.is_empty() || columns.iter().any(|c| c.name == name) {
        return Ok(());
    }
    // Arms mostly have the same columns.
    let mut names: Vec<&str> = Vec::new();
    for column in columns {
        if !names.contains(&column.name.as_str()) {
            names.push(&column.name);
        }
    }
    let near = did_you_mean(name, names.iter().copied());
    let message = format!("expected one of {}, got {name:?}{near}", names.join(", "));
    Err(SpecFault::new(key, message).or_line(line))
}
