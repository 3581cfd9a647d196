//! Games in files: the setup and the moves.

use std::path::Path;

use patience::{Setup, Table, registry};
use serde::Serialize;

use crate::exit::{Code, Failure};
use crate::files;

#[derive(Serialize)]
struct Saved {
    setup: Setup,
    moves: Vec<String>,
}

pub(super) fn save(table: &Table, path: &Path) -> Result<(), Failure> {
    let saved = Saved { setup: table.setup().clone(), moves: table.moves().to_vec() };
    let text = serde_json::to_string_pretty(&saved)
        .map_err(|error| Failure::new(Code::Fault, format!("cannot write JSON: {error}")))?;
    files::write(path, &(text + "\n"))
}

pub(super) fn load(path: &Path) -> Result<Table, Failure> {
    let at = |error: String| Failure::new(Code::BadInput, format!("{}: {error}", path.display()));
    let (_, text) = files::read(path)?;
    let (setup, moves) = Setup::from_saved(&text).map_err(at)?;
    Table::open(registry(), &setup, &moves).map_err(|error| at(error.to_string()))
}
