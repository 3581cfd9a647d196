//! `patience serve`.

use std::path::PathBuf;
use std::time::Duration;

use patience::plan::Cancel;
use patience_web::{Limits, Options, ServeError, Server};

use crate::console::{cancel_on_interrupt, note, say};
use crate::exit::{Code, Failure};
use crate::values;

/// Serves the page on which games are played, watched and understood.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  patience serve                         then open http://127.0.0.1:8080/
  patience serve --port 0                any free port; the address is printed
  patience serve --store S.db            with the experiments of a store in the laboratory
  patience serve --host 0.0.0.0          for others in the network too: there is no password")]
pub(crate) struct Args {
    /// The port; 0 is any free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The address or name to bind to; only this machine unless told otherwise
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// A store whose experiments the laboratory shows; may be given several times
    #[arg(long = "store", value_name = "FILE")]
    stores: Vec<PathBuf>,
    /// Searches at once; one more is told to come back later
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
        note("only this machine can open it (--host binds elsewhere); Ctrl-C ends it");
    } else {
        note(
            "anybody who can reach this machine can open it: there is no password; Ctrl-C ends it",
        );
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
