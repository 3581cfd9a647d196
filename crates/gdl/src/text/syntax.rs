//! A description as it was written, with the place of every part.

use std::fmt;

use super::{Span, Symbol, Symbols};

/// A term: a variable, a constant or a function of terms. A function without arguments is the
/// constant of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable; the name includes the question mark.
    Variable(Symbol, Span),
    /// A constant.
    Constant(Symbol, Span),
    /// A function with at least one argument.
    Function(Symbol, Vec<Term>, Span),
}

impl Term {
    /// Where the term is.
    pub fn span(&self) -> Span {
        match self {
            Term::Variable(_, span) | Term::Constant(_, span) | Term::Function(_, _, span) => *span,
        }
    }

    /// The name of a constant or function.
    pub fn name(&self) -> Option<Symbol> {
        match self {
            Term::Variable(..) => None,
            Term::Constant(name, _) | Term::Function(name, ..) => Some(*name),
        }
    }

    /// The arguments of a function.
    pub fn arguments(&self) -> &[Term] {
        match self {
            Term::Function(_, arguments, _) => arguments,
            _ => &[],
        }
    }

    /// Calls `visit` with each variable in the term, from left to right.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(Symbol, Span)) {
        match self {
            Term::Variable(name, span) => visit(*name, *span),
            Term::Constant(..) => {}
            Term::Function(_, arguments, _) => {
                arguments.iter().for_each(|a| a.for_each_variable(visit));
            }
        }
    }

    /// Shows the term.
    pub fn show<'a>(&'a self, symbols: &'a Symbols) -> impl fmt::Display + 'a {
        AsText(self, symbols)
    }
}

/// A relation: its name and its number of arguments. The same name with another number is another
/// relation.
pub(crate) type Relation = (Symbol, usize);

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub relation: Symbol,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// Where it is.
    pub span: Span,
}

/// One condition of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The relation holds.
    Atom(Atom),
    /// The two terms differ.
    Distinct(Term, Term, Span),
    /// The condition does not hold.
    Not(Box<Condition>, Span),
    /// All hold.
    And(Vec<Condition>, Span),
    /// At least one holds.
    Or(Vec<Condition>, Span),
}

impl Condition {
    /// Where the condition is.
    pub fn span(&self) -> Span {
        match self {
            Condition::Atom(atom) => atom.span,
            Condition::Distinct(.., span)
            | Condition::Not(_, span)
            | Condition::And(_, span)
            | Condition::Or(_, span) => *span,
        }
    }

    /// Calls `visit` with each atom in the condition and whether it stands under an odd number of
    /// negations.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Atom, bool)) {
        self.walk(false, visit);
    }

    fn walk<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Atom, bool)) {
        match self {
            Condition::Atom(atom) => visit(atom, negated),
            Condition::Distinct(..) => {}
            Condition::Not(inner, _) => inner.walk(!negated, visit),
            Condition::And(parts, _) | Condition::Or(parts, _) => {
                parts.iter().for_each(|p| p.walk(negated, visit));
            }
        }
    }
}

/// A rule, or a fact if the body is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What holds.
    pub head: Atom,
    /// If all of this does.
    pub body: Vec<Condition>,
    /// Where the rule is.
    pub span: Span,
}

/// The rules of a game as they were written.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The names.
    pub symbols: Symbols,
    /// The rules in their order.
    pub rules: Vec<Rule>,
}

struct AsText<'a, T: ?Sized>(&'a T, &'a Symbols);

fn list<'a, T>(
    f: &mut fmt::Formatter<'_>,
    head: &str,
    items: &'a [T],
    symbols: &'a Symbols,
) -> fmt::Result
where
    AsText<'a, T>: fmt::Display,
{
    write!(f, "({head}")?;
    for item in items {
        write!(f, " {}", AsText(item, symbols))?;
    }
    f.write_str(")")
}

impl fmt::Display for AsText<'_, Term> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Term::Variable(name, _) | Term::Constant(name, _) => f.write_str(self.1.name(*name)),
            Term::Function(name, arguments, _) => list(f, self.1.name(*name), arguments, self.1),
        }
    }
}

impl fmt::Display for AsText<'_, Atom> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.1.name(self.0.relation);
        match &self.0.arguments[..] {
            [] => f.write_str(name),
            arguments => list(f, name, arguments, self.1),
        }
    }
}

impl fmt::Display for AsText<'_, Condition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::Atom(atom) => AsText(atom, self.1).fmt(f),
            Condition::Distinct(a, b, _) => {
                write!(f, "(distinct {} {})", a.show(self.1), b.show(self.1))
            }
            Condition::Not(inner, _) => write!(f, "(not {})", AsText(&**inner, self.1)),
            Condition::And(parts, _) => list(f, "and", parts, self.1),
            Condition::Or(parts, _) => list(f, "or", parts, self.1),
        }
    }
}

/// Prints the rules, one to a line, as text that reads back to the same rules.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            let head = AsText(&rule.head, &self.symbols);
            if rule.body.is_empty() {
                writeln!(f, "{head}")?;
                continue;
            }
            write!(f, "(<= {head}")?;
            for condition in &rule.body {
                write!(f, " {}", AsText(condition, &self.symbols))?;
            }
            writeln!(f, ")")?;
        }
        Ok(())
    }
}

impl Description {
    /// Whether some rule says what somebody sees.
    pub fn defines_percepts(&self) -> bool {
        self.rules.iter().any(|rule| rule.head.relation == Symbol::SEES)
    }
}
