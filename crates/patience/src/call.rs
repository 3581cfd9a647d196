//! Games and planners are named by strings such as `uct(trajectories=200, trees=20, c=1)`: the
//! same in specs, on the command line, on the page and in Python.

use std::fmt;

use patience_lab::did_you_mean;
use patience_plan::ParameterError;
use serde::Serialize;

/// A parameter of a game or planner, as it is documented.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The value it has when it is not given.
    pub default: &'static str,
    /// What it does, and what values it takes.
    pub meaning: &'static str,
}

/// A name with arguments, read from a string but not yet understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    text: String,
    name: String,
    arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument {
    key: String,
    value: String,
    /// Columns of key and value, counted from 1.
    at: (usize, usize),
}

/// What is wrong with a string that names a game or planner, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    text: String,
    column: usize,
    message: String,
    unknown: bool,
}

impl CallError {
    /// Something is wrong with the whole string.
    pub fn new(call: &Call, message: impl Into<String>) -> Self {
        call.error(1, message)
    }

    /// The column where it is wrong, counted from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Whether there is no game or planner of this name at all.
    pub fn is_unknown_name(&self) -> bool {
        self.unknown
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`, column {}: {}", self.text, self.column, self.message)
    }
}

impl std::error::Error for CallError {}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Longer than any name with arguments needs to be.
const LONGEST: usize = 4096;

impl Call {
    /// Reads `name` or `name(key=value, …)`.
    ///
    /// # Errors
    /// Names the column and what was expected there.
    pub fn parse(text: &str) -> Result<Call, CallError> {
        if text.len() > LONGEST {
            // What is shown of it stays readable.
            let shown = text.chars().take(60).chain("…".chars()).collect();
            let message = format!("longer than {LONGEST} bytes");
            return Err(CallError { text: shown, column: 1, message, unknown: false });
        }
        let mut scanner = Scanner { text, rest: text };
        let name = scanner.word("a name")?;
        let mut arguments: Vec<Argument> = Vec::new();
        if scanner.take('(') && !scanner.take(')') {
            loop {
                let key_at = scanner.column();
                let key = scanner.word("a parameter's name")?;
                if arguments.iter().any(|other| other.key == key) {
                    return Err(scanner.error(key_at, format!("{key} is given twice")));
                }
                if !scanner.take('=') {
                    return Err(scanner.error(scanner.column(), format!("expected = after {key}")));
                }
                let value_at = scanner.column();
                let value = scanner.word("a value")?;
                arguments.push(Argument { key, value, at: (key_at, value_at) });
                if scanner.take(')') {
                    break;
                }
                if !scanner.take(',') {
                    return Err(scanner.error(scanner.column(), "expected , or )"));
                }
            }
        }
        if !scanner.rest.trim_start().is_empty() {
            return Err(scanner.error(scanner.column(), "expected nothing more here"));
        }
        Ok(Call { text: text.to_owned(), name, arguments })
    }

    /// The name before the arguments.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of an argument as it was written.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.arguments.iter().find(|a| a.key == key).map(|a| a.value.as_str())
    }

    /// The same with a value for a parameter that was not given.
    pub(crate) fn or(mut self, key: &str, value: &str) -> Call {
        if self.value(key).is_none() {
            let (key, value) = (key.to_owned(), value.to_owned());
            self.arguments.push(Argument { key, value, at: (1, 1) });
        }
        self
    }

    /// The arguments, to be read as these parameters.
    ///
    /// # Errors
    /// If there is an argument that is none of them.
    pub fn arguments(&self, declared: &'static [Param]) -> Result<Arguments<'_>, CallError> {
        for argument in &self.arguments {
            if !declared.iter().any(|param| param.name == argument.key) {
                let names = declared.iter().map(|param| param.name);
                let near = did_you_mean(&argument.key, names.clone());
                let known = match declared.len() {
                    0 => "none".to_owned(),
                    _ => names.collect::<Vec<_>>().join(", "),
                };
                let key = &argument.key;
                let message =
                    format!("{} has no parameter {key}{near} (its parameters: {known})", self.name);
                return Err(self.error(argument.at.0, message));
            }
        }
        Ok(Arguments { call: self, declared })
    }

    /// The error that there is nothing of this name.
    pub(crate) fn unknown(&self, what: &str, known: &[&str]) -> CallError {
        let near = did_you_mean(&self.name, known.iter().copied());
        let known = known.join(", ");
        let message = format!("there is no {what} {}{near} (there are: {known})", self.name);
        CallError { unknown: true, ..self.error(1, message) }
    }

    fn error(&self, column: usize, message: impl Into<String>) -> CallError {
        CallError { text: self.text.clone(), column, message: message.into(), unknown: false }
    }
}

/// The arguments of a call, read one by one.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'c> {
    call: &'c Call,
    declared: &'static [Param],
}

impl Arguments<'_> {
    fn find(&self, key: &str) -> Option<&Argument> {
        debug_assert!(self.declared.iter().any(|p| p.name == key), "{key} is not declared");
        self.call.arguments.iter().find(|argument| argument.key == key)
    }

    fn read<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, CallError> {
        let Some(argument) = self.find(key) else { return Ok(None) };
        match parse(&argument.value) {
            Some(value) => Ok(Some(value)),
            None => {
                let message = format!("{key} is {}, expected {expected}", argument.value);
                Err(self.call.error(argument.at.1, message))
            }
        }
    }

    /// A whole number, plain or like 1e6.
    pub fn whole(&self, key: &str) -> Result<Option<u64>, CallError> {
        self.read(key, "a whole number", whole)
    }

    /// A whole number that fits into 32 bits.
    pub fn small(&self, key: &str) -> Result<Option<u32>, CallError> {
        self.read(key, "a whole number", |text| u32::try_from(whole(text)?).ok())
    }

    /// A whole number or `inf`, which is `Some(None)`.
    pub fn whole_or_inf(&self, key: &str) -> Result<Option<Option<u64>>, CallError> {
        self.read(key, "a whole number or inf", |text| match text {
            "inf" => Some(None),
            _ => whole(text).map(Some),
        })
    }

    /// The same for a number that fits into 32 bits.
    pub fn small_or_inf(&self, key: &str) -> Result<Option<Option<u32>>, CallError> {
        self.read(key, "a whole number or inf", |text| match text {
            "inf" => Some(None),
            _ => u32::try_from(whole(text)?).ok().map(Some),
        })
    }

    /// A number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, CallError> {
        self.read(key, "a number", |text| text.parse().ok().filter(|x: &f64| !x.is_nan()))
    }

    /// A value that is read by a function of its own; `expected` says what it takes.
    pub(crate) fn one<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, CallError> {
        self.read(key, expected, parse)
    }

    /// The same for several values with `/` between them.
    pub(crate) fn each<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<Vec<T>>, CallError> {
        self.read(key, expected, |text| text.split('/').map(&parse).collect())
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, CallError> {
        self.read(key, "true or false", |text| text.parse().ok())
    }

    /// The word as it stands.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.find(key).map(|argument| argument.value.as_str())
    }

    /// One of these words, or the first of them.
    pub fn word<'w>(&self, key: &str, words: &[&'w str]) -> Result<&'w str, CallError> {
        let known = words.join(", ");
        let near = self.find(key).map(|a| did_you_mean(&a.value, words.iter().copied()));
        let expected = format!("one of {known}{}", near.unwrap_or_default());
        let word = self.read(key, &expected, |text| words.iter().find(|w| **w == text))?;
        Ok(word.unwrap_or(&words[0]))
    }

    /// Says where a parameter is that a planner or game will not have.
    pub fn blame(&self, parameter: &str, message: impl Into<String>) -> CallError {
        let found = self.call.arguments.iter().find(|argument| argument.key == parameter);
        self.call.error(found.map_or(1, |argument| argument.at.1), message)
    }

    /// The same for an error of a planner.
    pub fn refuse(&self, error: &ParameterError) -> CallError {
        // Where a string says it otherwise than the planner's own interface.
        let parameter = match error.parameter {
            "trial_length" => "length",
            "bounds" => "low",
            same => same,
        };
        let ParameterError { given, expected, .. } = error;
        let shown = if parameter == "low" { "(low, high)" } else { parameter };
        self.blame(parameter, format!("{shown} is {given}, expected {expected}"))
    }
}

/// Reads a whole number, plain or like 1e6.
pub fn whole(text: &str) -> Option<u64> {
    if let Ok(n) = text.parse() {
        return Some(n);
    }
    // 1e6 is easier to read than 1000000; only what a double holds exactly.
    let x: f64 = text.parse().ok()?;
    (text.contains(['e', 'E']) && x.fract() == 0.0 && (0.0..=9e15).contains(&x)).then_some(x as u64)
}

struct Scanner<'t> {
    text: &'t str,
    rest: &'t str,
}

impl Scanner<'_> {
    fn column(&self) -> usize {
        let rest = self.rest.trim_start();
        self.text[..self.text.len() - rest.len()].chars().count() + 1
    }

    fn error(&self, column: usize, message: impl Into<String>) -> CallError {
        CallError { text: self.text.to_owned(), column, message: message.into(), unknown: false }
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.rest.trim_start().strip_prefix(wanted);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn word(&mut self, expected: &str) -> Result<String, CallError> {
        let rest = self.rest.trim_start();
        let ends = |c: char| !(c.is_alphanumeric() || "_-+.:/".contains(c));
        let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        if word.is_empty() {
            return Err(self.error(self.column(), format!("expected {expected}")));
        }
        self.rest = after;
        Ok(word.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &[Param] = &[
        Param { name: "trees", default: "1", meaning: "" },
        Param { name: "width", default: "inf", meaning: "" },
        Param { name: "c", default: "1", meaning: "" },
        Param { name: "backup", default: "mean", meaning: "" },
    ];

    fn message(text: &str) -> String {
        let read = |call: Call| {
            let arguments = call.arguments(PARAMS)?;
            arguments.small("trees")?;
            arguments.small_or_inf("width")?;
            arguments.number("c")?;
            arguments.word("backup", &["mean", "max"]).map(drop)
        };
        match Call::parse(text).and_then(read) {
            Ok(()) => "fine".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_call_is_read_with_any_spaces() {
        let call = Call::parse(" uct( trees = 20,width=inf , c=1.5)").unwrap();
        let arguments = call.arguments(PARAMS).unwrap();
        assert_eq!(call.name(), "uct");
        assert_eq!(arguments.small("trees"), Ok(Some(20)));
        assert_eq!(arguments.small_or_inf("width"), Ok(Some(None)));
        assert_eq!(arguments.number("c"), Ok(Some(1.5)));
        assert_eq!(arguments.word("backup", &["mean", "max"]), Ok("mean"));
        assert_eq!(Call::parse("mc"), Call::parse("mc"));
        assert_eq!(message("mc()"), "fine");
        assert_eq!(message("mc(trees=2e1)"), "fine");
    }

    #[test]
    fn an_error_names_the_column_and_what_was_expected() {
        for (text, expected) in [
            ("", "column 1: expected a name"),
            ("uct(", "column 5: expected a parameter's name"),
            ("uct(trees", "column 10: expected = after trees"),
            ("uct(trees=", "column 11: expected a value"),
            ("uct(trees=1", "column 12: expected , or )"),
            ("uct(trees=1,)", "column 13: expected a parameter's name"),
            ("uct(trees=1, trees=2)", "column 14: trees is given twice"),
            ("uct() x", "column 7: expected nothing more here"),
            ("uct(tree=1)", "column 5: uct has no parameter tree; did you mean `trees`?"),
            ("uct(trees=many)", "column 11: trees is many, expected a whole number"),
            ("uct(trees=-1)", "column 11: trees is -1, expected a whole number"),
            ("uct(trees=99999999999)", "column 11: trees is 99999999999, expected a whole"),
            ("uct(trees=1.5e0)", "column 11: trees is 1.5e0, expected a whole number"),
            ("uct(width=all)", "column 11: width is all, expected a whole number or inf"),
            ("uct(c=nan)", "column 7: c is nan, expected a number"),
            ("uct(backup=maxx)", "column 12: backup is maxx, expected one of mean, max; did you"),
        ] {
            let got = message(text);
            assert!(got.contains(expected), "{got}\nshould contain\n{expected}");
        }
    }
}
