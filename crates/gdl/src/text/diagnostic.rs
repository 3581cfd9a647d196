//! What is wrong with a description, where, and what to write instead.

use serde::Serialize;

use super::{Source, Span};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Allowed, but unusual enough to be a likely slip.
    Note,
    /// Against the rules of GDL; its meaning is still plain, so lenient play goes on.
    Fault,
    /// The description cannot be played.
    Error,
}

/// Which rule a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The text is no list of rules.
    Syntax,
    /// A variable is not bound by a positive literal of the body.
    Safety,
    /// A relation depends on its own negation.
    Stratification,
    /// Terms can grow without end through recursion.
    Recursion,
    /// A keyword is used where it has no meaning.
    Keyword,
    /// A name is used with different numbers of arguments.
    Arity,
    /// A goal value is no whole number from 0 to 100.
    Goal,
    /// Roles are missing or not fixed.
    Role,
    /// `legal`, `goal` or `terminal` depends on the moves of the turn.
    DoesDependence,
    /// A relation is used but never defined.
    Undefined,
    /// A game has no initial state, legal moves, goals or end.
    Incomplete,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Diagnostic {
    pub(crate) fn new(
        severity: Severity,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Diagnostic { code, severity, span, message: message.into(), help: help.into() }
    }

    pub(crate) fn error(
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Diagnostic::new(Severity::Error, code, span, message, help)
    }

    /// The finding with its line, a caret below the place, and the help.
    pub fn render(&self, source: &Source) -> String {
        let place = source.place(self.span);
        let kind = match self.severity {
            Severity::Note => "note",
            Severity::Fault => "fault",
            Severity::Error => "error",
        };
        format!(
            "{}:{}:{}: {kind}: {}\n{}\n  help: {}",
            source.name(),
            place.line,
            place.column,
            self.message,
            source.excerpt(self.span),
            self.help
        )
    }
}
