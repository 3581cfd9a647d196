//! `patience bench`.

use std::time::Duration;

use patience::Benchmark;
use patience::bench::{benchmarks, measure};

use crate::console::{cancel_on_interrupt, note, say, say_json, table};
use crate::exit::{Code, Failure};
use crate::values;

/// Measures the speed of searches on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience bench                   all benchmarks, some minutes
  patience bench uct/connect-four  those whose names start with this
  patience bench gdl game.gdl      random playouts of a GDL game on each engine
  patience bench --json > bench.json

The signature of a benchmark is the same on every machine.")]
pub(crate) struct Args {
    /// Only benchmarks whose names start with one of these; after `gdl`: rule files or names of
    /// built-in rules
    names: Vec<String>,
    /// With `gdl`: time per engine in seconds; suffixes ms, s, m, h are accepted
    #[arg(long, default_value = "1", value_parser = values::seconds)]
    seconds: Duration,
    /// With `gdl`: also on a GPU; needs CUDA's compiler, nvcc
    #[arg(long)]
    gpu: bool,
    /// List the benchmarks without running them
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    if let [first, files @ ..] = &args.names[..]
        && first == "gdl"
    {
        return described(args, files);
    }
    let chosen: Vec<&Benchmark> = benchmarks()
        .filter(|b| args.names.is_empty() || args.names.iter().any(|n| b.name.starts_with(n)))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = benchmarks().map(|b| b.name).collect();
        let message = format!("there is no such benchmark (there are: {})", names.join(", "));
        return Err(Failure::new(Code::Usage, message));
    }
    if args.list {
        let what = |b: &Benchmark| match b.search() {
            Some((game, planner)) => format!("{planner} on {game}"),
            None => b.what.to_owned(),
        };
        if args.json {
            let row = |b: &&Benchmark| serde_json::json!({ "name": b.name, "what": what(b) });
            say_json(&chosen.iter().map(row).collect::<Vec<_>>())?;
        } else {
            let line = |b: &&Benchmark| format!("{}: {}\n", b.name, what(b));
            say(&chosen.iter().map(line).collect::<String>());
        }
        return Ok(Code::Success);
    }
    let cancel = cancel_on_interrupt();
    let mut measurements = Vec::new();
    for benchmark in chosen {
        if !args.json {
            note(&format!("{} …", benchmark.name));
        }
        let measured = measure(benchmark, &cancel).map_err(|e| Failure::new(Code::Fault, e))?;
        let Some(measurement) = measured else { break };
        measurements.push(measurement);
    }
    if args.json {
        say_json(&measurements)?;
    } else {
        let header = ["benchmark", "value", "unit", "signature"].map(str::to_owned).to_vec();
        let rows = measurements.iter().map(|m| {
            let value = if m.value >= 100.0 {
                format!("{:.0}", m.value)
            } else {
                format!("{:.3}", m.value)
            };
            vec![m.name.to_owned(), value, m.unit.to_owned(), m.signature.clone()]
        });
        say(&table(&std::iter::once(header).chain(rows).collect::<Vec<_>>()));
    }
    Ok(if cancel.is_cancelled() { Code::Budget } else { Code::Success })
}

/// Random playouts of described games.
fn described(args: &Args, files: &[String]) -> Result<Code, Failure> {
    let own: Vec<String> =
        patience::gdl::GAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let files = if files.is_empty() { &own } else { files };
    let cancel = cancel_on_interrupt();
    let mut speeds = Vec::new();
    for file in files {
        note(&format!("{file} …"));
        let speed = patience::bench::gdl(file, args.seconds, args.gpu, &cancel)?;
        if cancel.is_cancelled() {
            break;
        }
        speeds.push(speed);
    }
    if args.json {
        say_json(&speeds)?;
    } else {
        let header = ["file", "engine", "playouts/s", "states/s", "grounding"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for speed in &speeds {
            let grounding = match &speed.not_grounded {
                None => format!("{:.2} s", speed.ground_seconds),
                Some(reason) => reason.clone(),
            };
            for engine in &speed.engines {
                let number = |x: f64| if x < 10.0 { format!("{x:.2}") } else { format!("{x:.0}") };
                rows.push(vec![
                    speed.file.rsplit('/').next().unwrap_or(&speed.file).to_owned(),
                    engine.engine.to_owned(),
                    number(engine.playouts),
                    number(engine.states),
                    grounding.clone(),
                ]);
            }
        }
        say(&table(&rows));
        say(
            "Per second of processor time on one thread. `sliced` plays 256 random games at once on the \
             grounded network; searches use `grounded`, or `lifted` if a game is too large to ground. `gpu` \
             plays as many as the whole GPU can.",
        );
    }
    Ok(if cancel.is_cancelled() { Code::Budget } else { Code::Success })
}
