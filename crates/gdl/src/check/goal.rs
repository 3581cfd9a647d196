//! Goals are whole numbers from 0 to 100, and roles are fixed.

use crate::finding::{Code, Finding};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{Description, Term};

pub(super) fn check(description: &Description, findings: &mut Vec<Finding>) {
    let mut roles = 0;
    for rule in &description.rules {
        match (rule.head.relation, &rule.head.arguments[..]) {
            (Symbol::GOAL, [_, value]) => {
                if let Some(name) = value.name()
                    && (!value.arguments().is_empty()
                        || goal_value(description.symbols.name(name)).is_none())
                {
                    let shown = value.show(&description.symbols).to_string();
                    let message = format!("the goal value `{shown}` is not from 0 to 100");
                    let help = "write a whole number from 0 to 100";
                    findings.push(Finding::fault(Code::Goal, value.span(), message, help));
                }
            }
            (Symbol::ROLE, [role]) => {
                roles += 1;
                if !rule.body.is_empty() || matches!(role, Term::Variable(..)) {
                    let message = "a role is given by a rule instead of a fact";
                    let help = "write one fact `(role name)` for each role";
                    findings.push(Finding::fault(Code::Role, rule.span, message, help));
                }
            }
            _ => {}
        }
    }
    if roles == 0 {
        let span = description.rules.first().map_or(Span::default(), |r| r.span);
        let help = "add a fact `(role name)` for each player";
        findings.push(Finding::error(Code::Role, span, "the game has no role", help));
    }
}

/// The value of a goal, if it is one.
pub(crate) fn goal_value(text: &str) -> Option<u8> {
    text.parse().ok().filter(|&value| value <= 100)
}
