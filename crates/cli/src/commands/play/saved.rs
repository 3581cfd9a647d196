//! Games in files: the setup and the moves.

use std::path::Path;

use patience::{Setup, Table, registry};
use serde::{Deserialize, Serialize};

use crate::exit::{Code, Failure};
use crate::files;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    let saved: Saved =
        serde_json::from_str(&text).map_err(|error| at(format!("not a saved game: {error}")))?;
    Table::open(registry(), &saved.setup, &saved.moves).map_err(|error| at(error.to_string()))
}
