//! `patience solve klondike`.

use crate::exit::{Code, Failure};

/// Solves.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> Result<Code, Failure> {
    Err(Failure::new(Code::Fault, "not there yet"))
}
