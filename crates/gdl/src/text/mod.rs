//! From text to a description: S-expressions, then rules, with the place of every part.

mod diagnostic;
mod read;
pub mod sexp;
mod source;
mod symbols;
mod syntax;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use read::read_ground_term;
pub use source::{Place, Source, Span};
pub use symbols::{Symbol, Symbols};
pub(crate) use syntax::Relation;
pub use syntax::{Atom, Condition, Description, Rule, Term};
