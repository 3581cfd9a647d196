//! Errors as exceptions of `patience.errors`, with the messages of the command.

use std::fmt::Display;

use patience::CallError;
use patience::lab::{Category, LabError};
use pyo3::prelude::*;

/// Which exception it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Wrong usage.
    Usage,
    /// A string, spec, store or position that is not what it should be.
    Input,
    /// Something failed that should not have.
    Fault,
}

/// An exception of the package.
pub(crate) fn raise(kind: Kind, message: impl Display) -> PyErr {
    let name = match kind {
        Kind::Usage => "UsageError",
        Kind::Input => "InputError",
        Kind::Fault => "FaultError",
    };
    let made = Python::attach(|py| {
        let class = py.import("patience.errors")?.getattr(name)?;
        Ok(PyErr::from_value(class.call1((message.to_string(),))?))
    });
    made.unwrap_or_else(|error| error)
}

pub(crate) fn usage(message: impl Display) -> PyErr {
    raise(Kind::Usage, message)
}

pub(crate) fn input(message: impl Display) -> PyErr {
    raise(Kind::Input, message)
}

pub(crate) fn call(error: CallError) -> PyErr {
    input(error)
}

/// The same division as that of the command's exit codes.
pub(crate) fn lab(error: LabError) -> PyErr {
    use std::io::ErrorKind::{InvalidData, IsADirectory, NotADirectory, NotFound};
    let kind = match &error {
        // A file that is not there, or not what it is taken for, is no failure of the system.
        LabError::Io { source, .. }
            if matches!(source.kind(), NotFound | NotADirectory | IsADirectory | InvalidData) =>
        {
            Kind::Input
        }
        other => match other.category() {
            Category::Usage => Kind::Usage,
            Category::BadInput => Kind::Input,
            Category::Fault => Kind::Fault,
        },
    };
    raise(kind, error)
}
