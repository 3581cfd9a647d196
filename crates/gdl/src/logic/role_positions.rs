//! Which arguments are always roles: a variable there that nothing else binds is meant for each
//! role, as several published games have it.

use rustc_hash::FxHashSet;

use crate::text::{Atom, Description, Relation, Symbol, Term};

/// The arguments that hold a role, by relation and position.
#[derive(Clone, Debug, Default)]
pub(crate) struct RolePositions(FxHashSet<(Relation, usize)>);

impl RolePositions {
    /// Starts from the keywords and follows variables through the rules.
    pub(crate) fn of(description: &Description) -> Self {
        let mut positions = RolePositions::default();
        positions.0.insert(((Symbol::ROLE, 1), 0));
        for keyword in [Symbol::DOES, Symbol::LEGAL, Symbol::GOAL, Symbol::SEES, Symbol::INPUT] {
            positions.0.insert(((keyword, 2), 0));
        }
        let mut before = 0;
        while positions.0.len() > before {
            before = positions.0.len();
            for rule in &description.rules {
                let mut roles = Vec::new();
                let mut note = |atom: &Atom| roles.extend(positions.role_variables(atom));
                for condition in &rule.body {
                    condition.for_each_atom(&mut |atom, negated| {
                        if !negated {
                            note(atom);
                        }
                    });
                }
                let relation = (rule.head.relation, rule.head.arguments.len());
                for (i, argument) in rule.head.arguments.iter().enumerate() {
                    if matches!(argument, Term::Variable(v, _) if roles.contains(v)) {
                        positions.0.insert((relation, i));
                    }
                }
            }
        }
        positions
    }

    pub(crate) fn contains(&self, relation: Relation, position: usize) -> bool {
        self.0.contains(&(relation, position))
    }

    /// The variables of an atom that stand for roles.
    pub(crate) fn role_variables(&self, atom: &Atom) -> Vec<Symbol> {
        let relation = (atom.relation, atom.arguments.len());
        let variable = |(i, argument): (usize, &Term)| match argument {
            Term::Variable(v, _) if self.contains(relation, i) => Some(*v),
            _ => None,
        };
        atom.arguments.iter().enumerate().filter_map(variable).collect()
    }
}
