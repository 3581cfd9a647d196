//! The Python package's native part: thin, without logic of its own. What a Python programmer meets
//! is in `python/patience`; here the facade is put into Python's types, the interpreter's lock is
//! let go while something is computed, and errors become exceptions with the command's messages.
//!
//! Wherever something may take long, signals are looked at ten times a second, so that Ctrl-C ends
//! it cleanly.

mod batch;
mod cluster;
#[cfg(feature = "command")]
mod command;
mod convert;
mod custom;
mod error;
mod evaluator;
mod experiment;
mod game;
mod interrupt;
mod objects;
mod review;
mod rng;
mod solve;
mod state;

use pyo3::prelude::*;

/// The native part of `patience`; the package offers it under better names.
#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use super::batch::{Batch, follow_all};
    #[pymodule_export]
    use super::cluster::{Crew, Ledger};
    #[cfg(feature = "command")]
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::custom::{check_game, python_game};
    #[pymodule_export]
    use super::evaluator::{Searched, search_evaluated};
    #[pymodule_export]
    use super::experiment::{
        check_spec, experiment_run, export_text, html, list_store, merge_stores, outdated,
        read_spec, report, rows, spec_names, stored_specs, svgs,
    };
    #[pymodule_export]
    use super::game::{Game, game, games, planners, solvers, table};
    #[pymodule_export]
    use super::review::review;
    #[pymodule_export]
    use super::rng::Rng;
    #[pymodule_export]
    use super::solve::{near, solve, verify};
    #[pymodule_export]
    use super::state::{State, follow, merge_trees, tree_seed};

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
