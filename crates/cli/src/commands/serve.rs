//! `patience serve`.

use std::path::PathBuf;
use std::time::Duration;

use patience::plan::Cancel;
use patience_web::{Limits, Options, ServeError, Server};

use crate::console::{cancel_on_interrupt, note, say};
use crate::exit::{Code, Failure};
use crate::values;

/// Serves the web page for playing and watching games.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience serve                  then open http://127.0.0.1:8080/
  patience serve --port 0         any free port; prints the address
  patience serve --store S.db     show the experiments of a store in the laboratory
  patience serve --host 0.0.0.0   let other machines in; there is no password")]
pub(crate) struct Args {
    /// The port to listen on; 0 takes any free port
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// A store to show in the laboratory; may be given several times
    #[arg(long = "store", value_name = "FILE")]
    stores: Vec<PathBuf>,
    /// Limit of searches at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().searches,
          value_parser = values::within::<usize>(0..=u64::MAX))]
    searches: usize,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    for store in &args.stores {
        // A store that is none should be told now, not to the first visitor.
        patience::lab::Reading::open(store)?;
    }
    let limits = Limits { searches: args.searches.max(1), ..Limits::default() };
    let server = Server::bind(Options {
        host: args.host.clone(),
        port: args.port,
        stores: args.stores.clone(),
        limits,
    })
    .map_err(failure)?;
    let address = server.address();
    say(&format!("http://{address}/"));
    if address.ip().is_loopback() {
        note("only this machine can open it (--host changes that); Ctrl-C stops it");
    } else {
        note("anybody in the network can open it: there is no password; Ctrl-C stops it");
    }
    let cancel = cancel_on_interrupt();
    server.run(raised(cancel)).map_err(failure)?;
    Ok(Code::Success)
}

/// Done when the flag is raised.
async fn raised(cancel: Cancel) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn failure(error: ServeError) -> Failure {
    let code = match &error {
        ServeError::Bind { .. } => Code::Usage,
        ServeError::Io(_) => Code::Fault,
    };
    Failure::new(code, error.to_string())
}
