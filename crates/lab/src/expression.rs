//! Small formulas over the variables of a sweep, such as `2^(depth/2)`.

use std::fmt;

/// A formula: numbers, variables, `+ - * / ^` and parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Term,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Number(f64),
    Variable(String),
    Apply(char, Box<Term>, Box<Term>),
}

impl Expression {
    /// The most characters that a formula may have. Anybody may write a spec, and a long sum is as
    /// deep as it is long: it must not exhaust the stack.
    pub const MOST_CHARACTERS: usize = 1000;

    /// Reads a formula of at most [`Expression::MOST_CHARACTERS`]; the error says what was
    /// expected and where.
    pub fn parse(text: &str) -> Result<Expression, String> {
        let length = text.chars().count();
        if length > Self::MOST_CHARACTERS {
            let most = Self::MOST_CHARACTERS;
            return Err(format!("a formula has at most {most} characters, this one has {length}"));
        }
        let mut parser = Parser { text, at: 0, depth: 0 };
        let root = parser.sum()?;
        match parser.peek() {
            None => Ok(Expression { text: text.to_owned(), root }),
            Some(c) => Err(parser.expected("an operator or the end", Some(c))),
        }
    }

    /// The names of the variables in it.
    pub fn variables(&self) -> Vec<&str> {
        fn collect<'a>(term: &'a Term, out: &mut Vec<&'a str>) {
            match term {
                Term::Number(_) => {}
                Term::Variable(name) => out.push(name),
                Term::Apply(_, a, b) => {
                    collect(a, out);
                    collect(b, out);
                }
            }
        }
        let mut out = Vec::new();
        collect(&self.root, &mut out);
        out
    }

    /// Its value; `None` if a variable has none, or if the value is not finite.
    pub fn value(&self, variables: &[(String, f64)]) -> Option<f64> {
        evaluate(&self.root, variables).filter(|v| v.is_finite())
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn evaluate(term: &Term, variables: &[(String, f64)]) -> Option<f64> {
    Some(match term {
        Term::Number(v) => *v,
        Term::Variable(name) => variables.iter().find(|(k, _)| k == name)?.1,
        Term::Apply(op, a, b) => {
            let (a, b) = (evaluate(a, variables)?, evaluate(b, variables)?);
            match op {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                '/' => a / b,
                _ => a.powf(b),
            }
        }
    })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn expected(&self, what: &str, got: Option<char>) -> String {
        let got = got.map_or("the end".to_owned(), |c| format!("`{c}`"));
        format!("expected {what}, got {got} at character {} of {:?}", self.at + 1, self.text)
    }

    fn sum(&mut self) -> Result<Term, String> {
        self.chain(['+', '-'], |parser| parser.chain(['*', '/'], Self::power))
    }

    /// Operands with these operators between them, from left to right.
    fn chain(
        &mut self,
        operators: [char; 2],
        operand: fn(&mut Self) -> Result<Term, String>,
    ) -> Result<Term, String> {
        let mut left = operand(self)?;
        while let Some(op) = self.peek().filter(|c| operators.contains(c)) {
            self.at += 1;
            left = Term::Apply(op, Box::new(left), Box::new(operand(self)?));
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Term, String> {
        let base = self.atom()?;
        if self.peek() != Some('^') {
            return Ok(base);
        }
        self.at += 1;
        self.deeper()?;
        let exponent = self.power()?;
        self.depth -= 1;
        Ok(Term::Apply('^', Box::new(base), Box::new(exponent)))
    }

    /// Parentheses and powers need more stack than sums, so they have a limit of their own.
    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > 64 { Err("the formula is nested too deeply".to_owned()) } else { Ok(()) }
    }

    fn atom(&mut self) -> Result<Term, String> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.deeper()?;
                let inner = self.sum()?;
                self.depth -= 1;
                match self.peek() {
                    Some(')') => {
                        self.at += 1;
                        Ok(inner)
                    }
                    got => Err(self.expected("`)`", got)),
                }
            }
            Some(c) if c.is_ascii_digit() => {
                let word = self.word(|c| c.is_ascii_digit() || c == '.');
                let value = word.parse().map_err(|_| format!("{word:?} is not a number"))?;
                Ok(Term::Number(value))
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                Ok(Term::Variable(self.word(|c| c.is_ascii_alphanumeric() || c == '_')))
            }
            got => Err(self.expected("a number, a variable or `(`", got)),
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let vars = [("depth".to_owned(), 8.0), ("b".to_owned(), 3.0)];
        let value = |text: &str| Expression::parse(text).unwrap().value(&vars);
        assert_eq!(value("b^(depth/2)"), Some(81.0));
        assert_eq!(value("2^3^2"), Some(512.0));
        assert_eq!(value("1 + 2*b - 4/2"), Some(5.0));
        assert_eq!(value("unknown + 1"), None);
        assert_eq!(value("1/(b-3)"), None);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| Expression::parse(text).unwrap_err();
        assert!(error("2^(depth").contains("expected `)`, got the end"));
        assert!(error("2 depth").contains("expected an operator or the end, got `d`"));
        assert!(error("").contains("expected a number"));
        assert!(error("é").contains("expected a number"));
        assert!(error("1.2.3").contains("not a number"));
        assert!(error(&"(".repeat(900)).contains("too deeply"));
    }

    #[test]
    fn long_formulas_are_refused_before_they_are_read() {
        let sum = |terms: usize| vec!["1"; terms].join("+");
        let error = Expression::parse(&sum(300_000)).unwrap_err();
        assert_eq!(error, "a formula has at most 1000 characters, this one has 599999");
        assert_eq!(Expression::parse(&sum(500)).unwrap().value(&[]), Some(500.0));
        assert!(Expression::parse(&sum(501)).is_err());
        assert!(Expression::parse(&"(".repeat(300_000)).is_err());
    }
}
