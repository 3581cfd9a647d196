//! `patience bench`.

use patience::bench::{Benchmark, benchmarks};

use crate::console::{cancel_on_interrupt, note, say, say_json, table};
use crate::exit::{Code, Failure};

/// Measures how fast searches run, and prints the deterministic signature of each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience bench                   all of them, a minute or two
  patience bench uct/connect-four  those whose name starts so
  patience bench --json > bench.json")]
pub(crate) struct Args {
    /// Only benchmarks whose name starts with one of these
    names: Vec<String>,
    /// List the benchmarks without running them
    #[arg(long)]
    list: bool,
    /// Print JSON: one object per benchmark with name, unit, value and signature
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let chosen: Vec<&Benchmark> = benchmarks()
        .filter(|b| args.names.is_empty() || args.names.iter().any(|n| b.name.starts_with(n)))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = benchmarks().map(|b| b.name).collect();
        let message = format!("there is no such benchmark (there are: {})", names.join(", "));
        return Err(Failure::new(Code::Usage, message));
    }
    if args.list {
        let line = |b: &&Benchmark| match b.search() {
            Some((game, planner)) => format!("{}: {planner} on {game}\n", b.name),
            None => format!("{}: {}\n", b.name, b.what),
        };
        say(&chosen.iter().map(line).collect::<String>());
        return Ok(Code::Success);
    }
    let cancel = cancel_on_interrupt();
    let mut measurements = Vec::new();
    for benchmark in chosen {
        if !args.json {
            note(&format!("{} …", benchmark.name));
        }
        let measured = benchmark.run(&cancel).map_err(|e| Failure::new(Code::Fault, e))?;
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
