//! Puts a report together.

use super::{ArmReport, ColumnReport, Exact, ExperimentReport, Report, charts};
use crate::analysis::{Analysis, ArmData};
use crate::claim;
use crate::compare::compare;
use crate::error::{LabError, Result};
use crate::stats::clopper_pearson;
use crate::store::{Reading, StoredExperiment};
use crate::task::Kind;
use patience_plan::did_you_mean;

/// The experiments of these names, or all; an unknown name is an error with near matches.
pub(super) fn chosen(reading: &Reading, names: &[String]) -> Result<Vec<StoredExperiment>> {
    let all = reading.experiments()?;
    for name in names {
        if !all.iter().any(|e| &e.name == name) {
            let near = did_you_mean(name, all.iter().map(|e| e.name.as_str()));
            let path = reading.path().display();
            let message = format!("{path}: there is no experiment `{name}` in this store{near}");
            return Err(LabError::Usage(message));
        }
    }
    Ok(all.into_iter().filter(|e| names.is_empty() || names.contains(&e.name)).collect())
}

pub(super) fn report(reading: &Reading, names: &[String]) -> Result<Report> {
    let experiments = chosen(reading, names)?
        .iter()
        .map(|stored| experiment(reading, stored))
        .collect::<Result<_>>()?;
    Ok(Report { program: env!("CARGO_PKG_VERSION").to_owned(), experiments })
}

fn experiment(reading: &Reading, stored: &StoredExperiment) -> Result<ExperimentReport> {
    let analysis = Analysis::load(reading, stored)?;
    let arms: Vec<ArmReport> = analysis.arms.iter().map(arm).collect();
    let spec = &analysis.spec;
    Ok(ExperimentReport {
        name: spec.name.clone(),
        title: spec.title.clone(),
        paper: spec.paper.clone(),
        notes: spec.notes.clone(),
        quick: spec.quick,
        seed: spec.seed,
        units: spec.units,
        done: arms.iter().map(|a| a.units).sum(),
        total: spec.units * spec.arms.len() as u64,
        seconds: arms.iter().map(|a| a.seconds).sum(),
        program: stored.program.clone(),
        updated: stored.updated,
        charts: spec.charts.iter().map(|c| charts::chart(&analysis, c)).collect(),
        claims: spec.claims.iter().map(|c| claim::check(&analysis, c)).collect(),
        outdated: analysis.outdated.clone(),
        arms,
        spec: spec.text.clone(),
    })
}

fn arm(data: &ArmData) -> ArmReport {
    let columns = data.columns.iter().enumerate().map(|(i, column)| {
        let estimate = data.estimate(i);
        let published =
            data.arm.published.iter().find(|p| data.column(p.column.as_deref(), p.at) == Some(i));
        ColumnReport {
            name: column.name.clone(),
            kind: column.kind,
            x: column.x,
            exact: estimate.filter(|_| column.kind == Kind::Proportion).map(|e| {
                let successes = (e.value * e.units as f64).round() as u64;
                Exact {
                    at95: clopper_pearson(successes, e.units, 0.95),
                    at99: clopper_pearson(successes, e.units, 0.99),
                }
            }),
            published: estimate.zip(published).map(|(e, p)| compare(&e, column.kind, p)),
            estimate,
        }
    });
    ArmReport {
        name: data.arm.name.clone(),
        series: data.arm.series.clone(),
        x: data.arm.x,
        game: data.arm.game.clone(),
        planner: data.arm.planner.clone(),
        hash: data.stored.as_ref().map_or(String::new(), |stored| stored.hash.clone()),
        versions: data.stored.as_ref().and_then(|stored| stored.versions.clone()),
        units: data.rows.len() as u64,
        seconds: data.seconds,
        columns: columns.collect(),
    }
}
