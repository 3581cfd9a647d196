//! From text to a [`Description`].

use super::sexp::{self, Sexp};
use super::{Atom, Code, Condition, Description, Diagnostic, Rule, Span, Symbol, Symbols, Term};

impl Description {
    /// Reads rules in prefix notation: one after the other, or all wrapped in one list.
    ///
    /// # Errors
    /// The first place at which the text is no list of rules. Everything that is a rule is read;
    /// whether it makes sense is for [`check`](crate::check) to say.
    pub fn read(text: &str) -> Result<Self, Diagnostic> {
        let mut description = Description::default();
        description.read_more(text)?;
        Ok(description)
    }

    /// Reads further rules into the same description.
    ///
    /// # Errors
    /// As for [`Description::read`].
    pub fn read_more(&mut self, text: &str) -> Result<(), Diagnostic> {
        let mut items = sexp::parse(text)?;
        // A controller sends the rules in one list: a list whose head is itself a list.
        if let [Sexp::List(inner, _)] = &mut items[..]
            && matches!(inner.first(), Some(Sexp::List(..)))
        {
            items = std::mem::take(inner);
        }
        if let Some(Sexp::Word(_, span)) =
            items.iter().find(|i| matches!(i, Sexp::Word(w, _) if *w == ":-" || w.ends_with(":-")))
        {
            let help = "translate the rules to prefix notation: `(<= (p ?x) (q ?x))`";
            let message = "this is infix notation, which is not read";
            return Err(Diagnostic::error(Code::Syntax, *span, message, help));
        }
        let mut reader = Reader { symbols: &mut self.symbols };
        for item in &items {
            self.rules.push(reader.rule(item)?);
        }
        Ok(())
    }
}

/// Reads one ground term, as moves and percepts come from a controller or a transcript.
///
/// # Errors
/// If the text is not exactly one term without variables.
pub fn read_ground_term(text: &str, symbols: &mut Symbols) -> Result<Term, Diagnostic> {
    let items = sexp::parse(text)?;
    let help = "write one term without variables, such as `(move a 1)`";
    let [item] = &items[..] else {
        let span = Span::new(0, text.len());
        return Err(Diagnostic::error(Code::Syntax, span, "this is not one term", help));
    };
    let term = Reader { symbols }.term(item)?;
    let mut variable = None;
    term.for_each_variable(&mut |_, span| variable = variable.or(Some(span)));
    match variable {
        Some(span) => Err(Diagnostic::error(Code::Syntax, span, "a variable stands here", help)),
        None => Ok(term),
    }
}

struct Reader<'a> {
    symbols: &'a mut Symbols,
}

fn error<T>(
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, Diagnostic> {
    Err(Diagnostic::error(Code::Syntax, span, message, help))
}

impl Reader<'_> {
    fn rule(&mut self, item: &Sexp<'_>) -> Result<Rule, Diagnostic> {
        if let Sexp::List(items, span) = item
            && let Some(Sexp::Word("<=", arrow)) = items.first()
        {
            let Some(head) = items.get(1) else {
                return error(*arrow, "a rule without a head", "write `(<= head condition …)`");
            };
            let head = self.atom(head, "the head of a rule")?;
            let body = items[2..].iter().map(|c| self.condition(c)).collect::<Result<_, _>>()?;
            return Ok(Rule { head, body, span: *span });
        }
        if let Sexp::Word("<=", span) = item {
            return error(*span, "`<=` stands outside a list", "write `(<= head condition …)`");
        }
        let head = self.atom(item, "a fact")?;
        let span = head.span;
        Ok(Rule { head, body: Vec::new(), span })
    }

    /// A relation with arguments; `place` names what is being read.
    fn atom(&mut self, item: &Sexp<'_>, place: &str) -> Result<Atom, Diagnostic> {
        let (name, rest, span) = match item {
            Sexp::Word(word, span) => (*word, &[][..], *span),
            Sexp::List(items, span) => match &items[..] {
                [] => return error(*span, "an empty list", "write `(relation argument …)`"),
                [Sexp::List(_, inner), ..] => {
                    return error(
                        *inner,
                        format!("{place} starts with a list instead of a name"),
                        "write the name of a relation first: `(relation argument …)`",
                    );
                }
                [Sexp::Word(word, _), rest @ ..] => (*word, rest, *span),
            },
        };
        if name.starts_with('?') {
            let message = format!("{place} starts with the variable `{name}`");
            return error(span, message, "write the name of a relation instead of a variable");
        }
        let relation = self.symbols.intern(name);
        // A bare `not` before a condition is a common slip: it is a proposition that never holds,
        // and the check of keywords says so.
        let bare_not = relation == Symbol::NOT && matches!(item, Sexp::Word(..));
        if let Symbol::NOT | Symbol::OR | Symbol::AND | Symbol::DISTINCT | Symbol::IF = relation
            && !bare_not
        {
            let message = format!("`{name}` cannot be {place}");
            return error(
                span,
                message,
                "write a relation; conditions stand in the body of a rule",
            );
        }
        let arguments = rest.iter().map(|a| self.term(a)).collect::<Result<_, _>>()?;
        Ok(Atom { relation, arguments, span })
    }

    fn condition(&mut self, item: &Sexp<'_>) -> Result<Condition, Diagnostic> {
        if let Sexp::List(items, span) = item
            && let [Sexp::Word(word, _), rest @ ..] = &items[..]
            && let Some(keyword) = self.symbols.find(word)
        {
            match (keyword, rest) {
                (Symbol::NOT, [inner]) => {
                    return Ok(Condition::Not(Box::new(self.condition(inner)?), *span));
                }
                (Symbol::NOT, _) => {
                    let message = format!("`not` has {} conditions instead of one", rest.len());
                    return error(*span, message, "write `(not (and …))` to negate several");
                }
                (Symbol::AND | Symbol::OR, _) => {
                    let parts = rest.iter().map(|c| self.condition(c)).collect::<Result<_, _>>()?;
                    return Ok(match keyword {
                        Symbol::AND => Condition::And(parts, *span),
                        _ => Condition::Or(parts, *span),
                    });
                }
                (Symbol::DISTINCT, [a, b]) => {
                    return Ok(Condition::Distinct(self.term(a)?, self.term(b)?, *span));
                }
                (Symbol::DISTINCT, _) => {
                    let message = format!("`distinct` has {} terms instead of two", rest.len());
                    return error(*span, message, "write `(distinct a b)` for each pair");
                }
                (Symbol::IF, _) => {
                    return error(*span, "a rule inside a rule", "close the outer rule before");
                }
                _ => {}
            }
        }
        Ok(Condition::Atom(self.atom(item, "a condition")?))
    }

    fn term(&mut self, item: &Sexp<'_>) -> Result<Term, Diagnostic> {
        match item {
            Sexp::Word(word, span) => {
                let symbol = self.symbols.intern(word);
                Ok(match word.starts_with('?') {
                    true => Term::Variable(symbol, *span),
                    false => Term::Constant(symbol, *span),
                })
            }
            Sexp::List(items, span) => match &items[..] {
                [] => {
                    error(*span, "an empty list as a term", "write a constant or `(name term …)`")
                }
                [Sexp::Word(word, _), ..] if word.starts_with('?') => {
                    let message = format!("a term starts with the variable `{word}`");
                    error(*span, message, "write the name of a function instead of a variable")
                }
                [Sexp::List(..), ..] => {
                    let message = "a term starts with a list instead of a name";
                    error(*span, message, "write the name of a function first: `(name term …)`")
                }
                [Sexp::Word(word, _), rest @ ..] => {
                    let symbol = self.symbols.intern(word);
                    if rest.is_empty() {
                        return Ok(Term::Constant(symbol, *span));
                    }
                    let arguments = rest.iter().map(|t| self.term(t)).collect::<Result<_, _>>()?;
                    Ok(Term::Function(symbol, arguments, *span))
                }
            },
        }
    }
}
