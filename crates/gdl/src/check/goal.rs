//! Goals are whole numbers from 0 to 100, and roles are fixed.

use crate::text::{Code, Description, Diagnostic, Span, Symbol, Term};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    check_missing(description, findings);
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
                    findings.push(Diagnostic::fault(Code::Goal, value.span(), message, help));
                }
            }
            (Symbol::ROLE, [role]) => {
                roles += 1;
                if !rule.body.is_empty() || matches!(role, Term::Variable(..)) {
                    let message = "a role is given by a rule instead of a fact";
                    let help = "write one fact `(role name)` for each role";
                    findings.push(Diagnostic::fault(Code::Role, rule.span, message, help));
                }
            }
            _ => {}
        }
    }
    if roles == 0 {
        let span = description.rules.first().map_or(Span::default(), |r| r.span);
        let help = "add a fact `(role name)` for each player";
        findings.push(Diagnostic::error(Code::Role, span, "the game has no role", help));
    }
}

/// The roles to which no rule gives a goal, with their places. Chance needs none, and where a variable
/// stands for the role, all may have one.
pub fn roles_without_goal(description: &Description) -> Vec<(Symbol, Span)> {
    let heads = |relation: Symbol| {
        let rules = description.rules.iter().filter(move |rule| rule.head.relation == relation);
        rules.filter_map(|rule| rule.head.arguments.first())
    };
    let mut roles: Vec<(Symbol, Span)> = heads(Symbol::ROLE)
        .filter_map(|role| Some((role.name()?, role.span())))
        .filter(|(name, _)| *name != Symbol::RANDOM)
        .collect();
    for role in heads(Symbol::GOAL) {
        match role {
            Term::Variable(..) => return Vec::new(),
            _ => roles.retain(|(name, _)| Some(*name) != role.name()),
        }
    }
    roles
}

fn check_missing(description: &Description, findings: &mut Vec<Diagnostic>) {
    // A game without any goal gets one finding as a whole.
    if !description.rules.iter().any(|rule| rule.head.relation == Symbol::GOAL) {
        return;
    }
    for (role, span) in roles_without_goal(description) {
        let name = description.symbols.name(role);
        let message = format!("no rule gives the role `{name}` a goal: it always scores 0");
        let help = format!("add rules such as `(<= (goal {name} 100) ...)`, one for each outcome");
        findings.push(Diagnostic::fault(Code::Incomplete, span, message, help));
    }
}

/// The value of a goal, if it is one.
pub(crate) fn goal_value(text: &str) -> Option<u8> {
    text.parse().ok().filter(|&value| value <= 100)
}
