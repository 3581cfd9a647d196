//! `patience gdl ground`.

use std::time::{Duration, Instant};

use patience::gdl::{GroundError, GroundLimits, Network, Sizes, export, ground};
use serde::Serialize;

use crate::console::{halt_on_interrupt, say, say_json, table};
use crate::exit::{Code, Failure};
use crate::values;

/// Grounds a game: turns rules with variables into a propositional network.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience gdl ground tictactoe
  patience gdl ground game.gdl --time 5m --json
  patience gdl ground game.gdl --write cuda > game.cu    then: nvcc -O3 -arch=native game.cu

Exit code 4 if the game is too large to be grounded within the limits; the lifted engine still plays it.")]
pub(crate) struct Args {
    /// A rule file, or the name of built-in rules
    file: String,
    /// Time limit in seconds; suffixes ms, s, m, h are accepted
    #[arg(long, alias = "seconds", value_name = "SECONDS", default_value = "60", value_parser = values::seconds)]
    time: Duration,
    /// Limit of rule instances
    #[arg(long, value_name = "N", default_value_t = GroundLimits::default().instances,
          value_parser = values::within::<usize>(0..=u64::MAX))]
    instances: usize,
    /// Write the network to the output: as JSON, or as a program that plays at random, in C or CUDA
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    write: Option<Format>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Json,
    C,
    Cuda,
}

impl Format {
    fn write(self, network: &Network) -> Result<(), Failure> {
        match self {
            Format::Json => return say_json(&export::to_json(network)),
            Format::C => say(&export::to_c(network)),
            Format::Cuda => say(&export::to_cuda(network)),
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Grounded<'a> {
    file: &'a str,
    grounded: bool,
    seconds: f64,
    #[serde(flatten)]
    sizes: Option<Sizes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let rules = super::open(&args.file)?;
    let limits =
        GroundLimits { time: args.time, instances: args.instances, ..GroundLimits::default() };
    let (_, _halt) = halt_on_interrupt();
    let begin = Instant::now();
    let network = ground(&rules.description, &limits);
    let seconds = begin.elapsed().as_secs_f64();
    let (sizes, reason) = match network {
        Ok(network) => {
            if let Some(format) = args.write {
                format.write(&network)?;
                return Ok(Code::Success);
            }
            (Some(network.sizes()), None)
        }
        Err(GroundError::Diagnostic(finding)) => {
            return Err(Failure::new(Code::BadInput, finding.render(&rules.source)));
        }
        Err(reason) => (None, Some(reason.to_string())),
    };
    let code = if sizes.is_some() { Code::Success } else { Code::Budget };
    if args.json {
        let file = &args.file;
        say_json(&Grounded { file, grounded: sizes.is_some(), seconds, sizes, reason })?;
        return Ok(code);
    }
    match (sizes, reason) {
        (Some(sizes), _) => say(&text(&sizes, seconds)),
        (_, Some(reason)) => say(&format!("not grounded after {seconds:.2} s: {reason}")),
        _ => {}
    }
    Ok(code)
}

fn text(sizes: &Sizes, seconds: f64) -> String {
    let row = |name: &str, value: usize| vec![name.to_owned(), value.to_string()];
    let mut rows = vec![
        row("instances of rules", sizes.instances),
        row("propositions of a state", sizes.bases),
        row("moves", sizes.moves),
        row("gates", sizes.gates),
        row("connections", sizes.edges),
        row("levels", sizes.levels),
        row("cycles", sizes.loops),
        row("bytes of a position", sizes.position_bytes),
    ];
    rows.push(vec!["seconds".to_owned(), format!("{seconds:.3}")]);
    table(&rows)
}
