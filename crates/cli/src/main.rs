//! The program `patience`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(patience_cli::command(std::env::args_os().collect()))
}
