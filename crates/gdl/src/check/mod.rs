//! Is it a game? Each rule of the language has its file, and every finding says what to write.
//!
//! | check | rule (GDL specification 2008; GDL-II 2011) |
//! |---|---|
//! | [`Code::Safety`] | variables of heads, negations and `distinct` are bound by positive literals |
//! | [`Code::Stratification`] | no relation depends on its own negation |
//! | [`Code::Recursion`] | the recursion restriction, which keeps the set of facts finite |
//! | [`Code::Keyword`], [`Code::Arity`] | keywords in their places, with their numbers of arguments |
//! | [`Code::Role`], [`Code::Goal`] | fixed roles; goals from 0 to 100 |
//! | [`Code::DoesDependence`] | `legal`, `goal` and `terminal` are functions of the state |
//!
//! Strict reading refuses what has a finding above [`Severity::Note`]; lenient play refuses only
//! [`Severity::Error`]: a fault whose meaning is plain does not keep a published game from running.

mod arity;
mod dependency;
mod goal;
mod keyword;
mod recursion;
mod role;
mod safety;

use crate::text::{Code, Description, Diagnostic, Severity, Span};

use dependency::Dependencies;
pub(crate) use goal::goal_value;
pub use goal::roles_without_goal;

/// How much is forgiven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Only notes are: for authors of games.
    #[default]
    Strict,
    /// Faults are too: for playing what others have written.
    Lenient,
}

impl Strictness {
    /// Whether a finding stands in the way.
    pub fn refuses(self, finding: &Diagnostic) -> bool {
        finding.severity
            >= match self {
                Strictness::Strict => Severity::Fault,
                Strictness::Lenient => Severity::Error,
            }
    }
}

/// Everything that is wrong with a description, in the order of the text.
pub fn check(description: &Description) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let dependencies = Dependencies::of(description);
    keyword::check(description, &mut findings);
    arity::check(description, &mut findings);
    safety::check(description, &mut findings);
    dependencies.check_stratification(description, &mut findings);
    dependencies.check_does(description, &mut findings);
    dependencies.check_defined(description, &mut findings);
    recursion::check(description, &dependencies, &mut findings);
    goal::check(description, &mut findings);
    role::check(description, &mut findings);
    findings.sort_by(|a, b| (a.span, b.severity, a.code).cmp(&(b.span, a.severity, b.code)));
    findings.dedup();
    findings
}

impl Diagnostic {
    fn fault(code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Fault, code, span, message, help)
    }

    fn note(code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Note, code, span, message, help)
    }
}
