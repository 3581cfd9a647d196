//! A whole experiment in one file: a task, a spec, a store, a report.
//!
//! `cargo run -p patience-lab --example coins` writes `coins.db` and `coins.html` into the
//! directory for temporary files.

use patience_lab::{
    Arm, Column, RunOptions, Spec, SpecFault, Store, Streams, Task, TaskError, html, report, run,
};
use patience_plan::Cancel;

/// Bets on a biased coin until it has seen enough: how often is it wrong after so many throws?
struct Guess {
    bias: f64,
    checkpoints: Vec<f64>,
}

impl Task for Guess {
    fn columns(&self) -> Vec<Column> {
        self.checkpoints.iter().map(|x| Column::rate("wrong").at(*x)).collect()
    }

    fn run(&self, _unit: u64, streams: &Streams<'_>, _: &Cancel) -> Result<Vec<f64>, TaskError> {
        const RUNS: u32 = 20;
        let mut coin = streams.own("coin");
        let mut wrong = vec![0.0; self.checkpoints.len()];
        for _ in 0..RUNS {
            let (mut heads, mut thrown) = (0.0, 0.0);
            for (share, checkpoint) in wrong.iter_mut().zip(&self.checkpoints) {
                while thrown < *checkpoint {
                    heads += f64::from(coin.chance(0.5 + self.bias));
                    thrown += 1.0;
                }
                // It guesses the side that came more often; the coin prefers heads.
                *share += f64::from(heads * 2.0 <= thrown) / f64::from(RUNS);
            }
        }
        Ok(wrong.into_iter().map(|share: f64| share.min(1.0)).collect())
    }
}

fn resolve(_: &Spec, arm: &Arm) -> Result<Box<dyn Task>, SpecFault> {
    let mut keys = arm.task_reader();
    let _ = keys.word("kind", &["guess"])?;
    let bias = keys.number("bias", 0.0..=0.5)?.unwrap_or(0.1);
    let checkpoints = keys.numbers("checkpoints")?;
    let checkpoints = keys.need("checkpoints", checkpoints)?;
    keys.finish()?;
    Ok(Box::new(Guess { bias, checkpoints }))
}

const SPEC: &str = r#"
name = "coins"
title = "How many throws until a biased coin is known?"
paper = "An example"
notes = """
A coin shows heads with probability 1/2 + bias. After so many throws we guess the side that came \
more often; a tie counts as **wrong**.
"""
seed = 7
units = 200
task = { kind = "guess", checkpoints = [1, 3, 10, 31, 101, 317, 1001, 3163] }
[[arm]]
name = "bias {bias}"
task = { bias = "{bias}" }
sweep = { bias = [0.05, 0.1, 0.2, 0.4] }
[[chart]]
kind = "curve"
title = "Wrong guesses against throws"
x = { label = "throws", log = true }
y = { label = "wrong guesses", log = true }
[[claim]]
text = "The smaller the bias, the more wrong guesses"
check = "difference"
arm = "bias 0.1"
minus = "bias 0.05"
at = 101
below = 0
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = Spec::parse("coins.toml", SPEC, false)?;
    let mut store = Store::open(&std::env::temp_dir().join("coins.db"))?;
    let summary =
        run(&spec, &resolve, &mut store, &RunOptions::default(), &Cancel::new(), &mut |_| ())?;
    let page = std::env::temp_dir().join("coins.html");
    std::fs::write(&page, html(&report(store.reading(), &[])?))?;
    println!("{} units; the report is {}", summary.total, page.display());
    Ok(())
}
