//! `patience ggp`.

use std::path::PathBuf;
use std::time::Duration;

use patience_ggp::{Options, Server};

use crate::console::{cancel_on_interrupt, note};
use crate::exit::{Code, Failure};
use crate::values;

/// Plays matches for a game controller: the general game playing protocol over HTTP.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience ggp --port 9147
  patience ggp --port 9147 --host 0.0.0.0 --log logs --planner 'norns(c=1)'

Supports GDL-I and both dialects of GDL-II, and the messages START, PLAY, STOP, ABORT, INFO and \
PREVIEW. Plays one match at a time. Ctrl-C stops it.")]
pub(crate) struct Args {
    /// The port to listen on; 0 takes any free port
    #[arg(long, default_value_t = 9147)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The name of the player
    #[arg(long, default_value = "patience")]
    name: String,
    /// The planner
    #[arg(long, default_value = "norns")]
    planner: String,
    /// Send moves this many seconds before the clock runs out
    #[arg(long, value_name = "SECONDS", default_value = "0.25", value_parser = values::seconds)]
    margin: Duration,
    /// Memory limit in megabytes; suffixes K, M, G are accepted
    #[arg(long, value_name = "MB", default_value = "1G", value_parser = values::memory)]
    memory: u64,
    /// The seed of the planner
    #[arg(long, default_value_t = 0, value_parser = values::whole)]
    seed: u64,
    /// A folder for logs, one file per match [default: log to standard error]
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    // The planner must suit any game; a wrong string should not wait for the first match.
    patience::registry().game("gdl")?.check(&args.planner)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if args.name.is_empty() || !args.name.chars().all(plain) {
        let message = "--name takes letters, digits, hyphens, dots and underscores";
        return Err(Failure::new(Code::Usage, message));
    }
    if let Some(folder) = &args.log {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::new(Code::Fault, format!("{}: {e}", folder.display())))?;
    }
    let options = Options {
        name: args.name.clone(),
        planner: args.planner.clone(),
        margin: args.margin,
        memory: args.memory,
        seed: args.seed,
        log: args.log.clone(),
        ..Options::default()
    };
    let address = format!("{}:{}", args.host, args.port);
    let fault = |e: std::io::Error| Failure::new(Code::Fault, format!("{address}: {e}"));
    let server = Server::bind(&address, options)
        .map_err(|error| Failure { code: Code::Usage, ..fault(error) })?;
    note(&format!("{} listens at {}", args.name, server.address().map_err(fault)?));
    server.run(&cancel_on_interrupt()).map_err(fault)?;
    Ok(Code::Success)
}
