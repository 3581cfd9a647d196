//! What can be wrong with a board or a solution.

use std::fmt;

use super::grid::MOST_COLOURS;
use crate::words::counted;

/// What is wrong with a size, a text or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SameGameError {
    /// A side of the board is out of range.
    Size {
        /// Columns or rows.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many there can be.
        most: usize,
    },
    /// Too few or too many colours.
    Colours {
        /// How many were given.
        given: usize,
    },
    /// A text is not a board or not a solution.
    Text {
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A step of a solution is none that the rules allow there.
    Step {
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// Which step it is, from 1.
        step: usize,
        /// What is wrong with it.
        message: String,
    },
}

impl SameGameError {
    pub(super) fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        SameGameError::Text { line, column, message: message.into() }
    }
}

impl fmt::Display for SameGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SameGameError::Size { what, given, most } => {
                let given = counted(*given, what.trim_end_matches('s'));
                write!(f, "{given}, expected 1 to {most}")
            }
            SameGameError::Colours { given } => {
                write!(f, "{}, expected 2 to {MOST_COLOURS}", counted(*given, "colour"))
            }
            SameGameError::Text { line, column, message } => {
                write!(f, "line {line}, column {column}: {message}")
            }
            SameGameError::Step { line, column, step, message } => {
                write!(f, "line {line}, column {column}: step {step}: {message}")
            }
        }
    }
}

impl std::error::Error for SameGameError {}
