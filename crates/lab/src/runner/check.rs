//! Looks at a whole spec before the first unit is run.

use crate::error::{LabError, Result};
use crate::keys::SpecFault;
use crate::near::did_you_mean;
use crate::spec::{Quantity, Select, Spec};
use crate::task::{Column, Resolve, Task};

/// An arm's task and its columns.
pub struct Resolved {
    /// What its units do.
    pub task: Box<dyn Task>,
    /// What they give.
    pub columns: Vec<Column>,
}

impl std::fmt::Debug for Resolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resolved").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// Makes the tasks of all arms, and checks that charts, claims and published figures speak of
/// columns that there are.
pub fn check(spec: &Spec, resolve: &Resolve<'_>) -> Result<Vec<Resolved>> {
    let mut arms = Vec::with_capacity(spec.arms.len());
    for arm in &spec.arms {
        let task = resolve(spec, arm).map_err(|fault| spec.error(arm, fault))?;
        let columns = task.columns();
        if columns.is_empty() {
            return Err(spec.error(arm, SpecFault::new("task", "the task measures nothing")));
        }
        arms.push(Resolved { task, columns });
    }
    let columns: Vec<&[Column]> = arms.iter().map(|arm| arm.columns.as_slice()).collect();
    check_columns(spec, &columns)
        .map_err(|fault| LabError::Spec { file: spec.file.clone(), fault })?;
    Ok(arms)
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
    let mut names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
    names.dedup();
    let near = did_you_mean(name, names.iter().copied());
    let message = format!("expected one of {}, got {name:?}{near}", names.join(", "));
    Err(SpecFault::new(key, message).or_line(line))
}
