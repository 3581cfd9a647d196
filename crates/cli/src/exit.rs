//! How the command ends.

use patience::CallError;
use patience::lab::{Category, LabError};

/// The exit codes, the same for every command. Documented in `docs/exit-codes.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Done.
    Success = 0,
    /// The answer is no: lost, unsolvable, not a solution, not what a transcript says.
    No = 1,
    /// Wrong usage: an unknown option or name, a range that cannot be, a store or a port in use.
    Usage = 2,
    /// A spec, store or string that is not what it should be.
    BadInput = 3,
    /// Interrupted, or the budget was spent before the end.
    Budget = 4,
    /// Something failed that should not have.
    Fault = 5,
}

/// An end with a message.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Failure { code, message: message.into() }
    }

    /// The same, with what it is about.
    pub(crate) fn about(self, name: &str) -> Self {
        Failure { message: format!("{name}: {}", self.message), ..self }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        let code = match error.category() {
            Category::Usage => Code::Usage,
            Category::BadInput => Code::BadInput,
            Category::Fault if is_missing(&error) => Code::BadInput,
            Category::Fault => Code::Fault,
        };
        Failure::new(code, error.to_string())
    }
}

/// A file to read that is not there, or not what it is taken for, is no failure of the system.
fn is_missing(error: &LabError) -> bool {
    use std::io::ErrorKind::{InvalidData, IsADirectory, NotADirectory, NotFound};
    let LabError::Io { source, action, .. } = error else { return false };
    action.starts_with("read")
        && matches!(source.kind(), NotFound | NotADirectory | IsADirectory | InvalidData)
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let code = if error.is_unknown_name() { Code::Usage } else { Code::BadInput };
        Failure::new(code, error.to_string())
    }
}
