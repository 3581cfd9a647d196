//! The command `patience`, as the package installs it.

use std::ffi::OsString;
use std::io::Write;

use pyo3::prelude::*;

/// Runs the command with these words, its own name first, and gives its exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> i32 {
    py.detach(|| {
        let code = patience_cli::command(words);
        // Nobody else does, where the program is Python.
        let _ = std::io::stdout().flush();
        i32::from(code)
    })
}
