//! A small task and what tests ask of stores.
#![allow(dead_code)] // Each test file uses its part.

use std::path::Path;
use std::time::Duration;

use patience_lab::{
    Arm, Column, LabError, Progress, Reading, RunOptions, Spec, SpecFault, Store, Streams, Summary,
    Task, TaskError, Versions, run,
};
use patience_plan::Cancel;

/// Throws coins: `won` is 0 or 1, `score` a number, `failure` a falling curve if there are
/// checkpoints.
pub(crate) struct Coin {
    chance: f64,
    pause: Duration,
    panic_at: Option<u64>,
    checkpoints: Vec<f64>,
    depends: Vec<(String, u32)>,
}

impl Task for Coin {
    fn depends(&self) -> Vec<(String, u32)> {
        self.depends.clone()
    }

    fn columns(&self) -> Vec<Column> {
        if self.checkpoints.is_empty() {
            return vec![Column::proportion("won"), Column::mean("score")];
        }
        self.checkpoints.iter().map(|x| Column::rate("failure").at(*x)).collect()
    }

    fn run(
        &self,
        unit: u64,
        streams: &Streams<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError> {
        if Some(unit) == self.panic_at {
            panic!("unit {unit} is one too many");
        }
        std::thread::sleep(self.pause);
        if cancel.is_cancelled() {
            return Err(TaskError::Interrupted);
        }
        let luck = streams.shared("deal").unit();
        let mut own = streams.own("planner");
        if self.checkpoints.is_empty() {
            return Ok(vec![f64::from(own.chance(self.chance)), luck + own.unit()]);
        }
        let fall = |x: &f64| ((1.0 + luck) * own.unit() / (x * self.chance)).min(1.0);
        Ok(self.checkpoints.iter().map(fall).map(|y| if y < 1e-3 { 0.0 } else { y }).collect())
    }
}

/// The registry of these tests: the planner is `coin(chance)`.
pub(crate) fn resolve(_: &Spec, arm: &Arm) -> Result<Box<dyn Task>, SpecFault> {
    coin(arm, Vec::new())
}

/// The same where each of these games has a version.
pub(crate) fn versioned(
    games: [(&'static str, u32); 2],
) -> impl Fn(&Spec, &Arm) -> Result<Box<dyn Task>, SpecFault> + Sync {
    move |_, arm| {
        let own = games.iter().filter(|(name, _)| *name == arm.game);
        coin(arm, own.map(|(name, version)| ((*name).to_owned(), *version)).collect())
    }
}

fn coin(arm: &Arm, depends: Vec<(String, u32)>) -> Result<Box<dyn Task>, SpecFault> {
    let chance = arm
        .planner
        .strip_prefix("coin(")
        .and_then(|t| t.strip_suffix(')'))
        .and_then(|t| t.parse().ok())
        .ok_or_else(|| {
            SpecFault::new("planner", format!("expected coin(p), got {:?}", arm.planner))
        })?;
    let mut keys = arm.task_reader();
    let _ = keys.word("kind", &["coin"])?;
    let pause = keys.number("pause_ms", 0.0..=1000.0)?.unwrap_or(0.0);
    let panic_at = keys.integer("panic_at", 0..=i64::MAX)?.map(|u| u as u64);
    let checkpoints = keys.numbers("checkpoints")?.unwrap_or_default();
    keys.finish()?;
    let pause = Duration::from_secs_f64(pause / 1000.0);
    Ok(Box::new(Coin { chance, pause, panic_at, checkpoints, depends }))
}

/// Two arms.
pub(crate) fn spec(units: u64, task: &str) -> Spec {
    let text = format!(
        "name = \"coins\"\nseed = 7\nunits = {units}\ntask = {{ kind = \"coin\"{task} }}\n\
         [[arm]]\nname = \"a\"\nplanner = \"coin(0.25)\"\n\
         [[arm]]\nname = \"b\"\nplanner = \"coin(0.75)\"\n"
    );
    Spec::parse("coins.toml", &text, false).unwrap()
}

pub(crate) fn run_on(spec: &Spec, store: &mut Store, threads: usize) -> Result<Summary, LabError> {
    let options = RunOptions { threads, ..RunOptions::default() };
    run(spec, &resolve, store, &options, &Cancel::new(), &mut |_: &Progress| ())
}

/// Records an experiment whose arms all have these columns.
pub(crate) fn enrol(store: &mut Store, spec: &Spec, columns: &[Column]) -> Vec<i64> {
    store.enrol(spec, &vec![(&Versions::new(Vec::new()), columns); spec.arms.len()]).unwrap()
}

/// All results of a store, to the bit.
pub(crate) fn table(path: &Path) -> Vec<(String, String, u64, Vec<u64>)> {
    let reading = Reading::open(path).unwrap();
    let mut out = Vec::new();
    for experiment in reading.experiments().unwrap() {
        for arm in reading.arms(&experiment.name).unwrap() {
            for (unit, values) in reading.rows(&arm, u64::MAX).unwrap() {
                let bits = values.iter().map(|v| v.to_bits()).collect();
                out.push((experiment.name.clone(), arm.name.clone(), unit, bits));
            }
        }
    }
    out
}
