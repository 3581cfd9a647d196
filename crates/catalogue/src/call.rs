//! Games and planners are named by strings such as `uct(trajectories=200, trees=20, c=1)`: the
//! same in specs, on the command line, on the page and in Python.

use std::fmt;

use patience_plan::{ParameterError, did_you_mean};

use crate::params::{Param, Value};

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
    pub fn or(mut self, key: &str, value: &str) -> Call {
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
            if !declared.iter().any(|param| param.is(&argument.key)) {
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
        for param in declared {
            let mut given = self.arguments.iter().filter(|argument| param.is(&argument.key));
            if let (Some(first), Some(again)) = (given.next(), given.next()) {
                let (name, one, other) = (param.name, &first.key, &again.key);
                let message = format!("{name} is given twice, as {one} and as {other}");
                return Err(self.error(again.at.0, message));
            }
        }
        Ok(Arguments { call: self, declared })
    }

    /// The error that there is nothing of this name.
    pub fn unknown(&self, what: &str, known: &[&str]) -> CallError {
        let near = did_you_mean(&self.name, known.iter().copied());
        let known = known.join(", ");
        let message = format!("there is no {what} {}{near} (there are: {known})", self.name);
        CallError { unknown: true, ..self.error(1, message) }
    }

    /// That there is nothing with this name, but the same under another.
    pub fn unknown_but(&self, what: &str, here: &str) -> CallError {
        let message = format!("there is no {what} {}; here it is {here}", self.name);
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
    fn param(&self, key: &str) -> &'static Param {
        let found = self.declared.iter().find(|param| param.name == key);
        found.unwrap_or_else(|| panic!("{key} is not declared"))
    }

    fn find(&self, key: &str) -> Option<&Argument> {
        let param = self.declared.iter().find(|param| param.name == key)?;
        self.call.arguments.iter().find(|argument| param.is(&argument.key))
    }

    /// The call that they are of.
    pub fn call(&self) -> &Call {
        self.call
    }

    /// Whether a parameter was given.
    pub fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// The value of a declared parameter, or its default.
    ///
    /// # Errors
    /// Says where it is wrong and what was expected.
    ///
    /// # Panics
    /// If the parameter is not declared, or its default cannot be read: a test makes all of them.
    pub fn get<T: Value>(&self, key: &str) -> Result<T, CallError> {
        let param = self.param(key);
        let read = |text: &str| {
            let value = T::read(text)?;
            value.numbers().iter().all(|&number| param.holds(number)).then_some(value)
        };
        let Some(argument) = self.find(key) else {
            return Ok(read(param.default).expect("a default can be read"));
        };
        read(&argument.value).ok_or_else(|| {
            let near = did_you_mean(&argument.value, T::WORDS.iter().copied());
            let (text, expected) = (&argument.value, param.expected());
            self.call.error(argument.at.1, format!("{key} is {text}, expected {expected}{near}"))
        })
    }

    /// One of these names, which depend on the game. Where the default is `auto`, that is the first.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn choose<'w>(&self, key: &str, names: &[&'w str]) -> Result<&'w str, CallError> {
        let default = self.param(key).default;
        let argument = self.find(key);
        let text = argument.map_or(default, |argument| argument.value.as_str());
        let found = match text {
            "auto" if default == "auto" => names.first(),
            _ => names.iter().find(|name| **name == text),
        };
        found.copied().ok_or_else(|| {
            let auto = (default == "auto").then_some(default);
            let known: Vec<&str> = auto.into_iter().chain(names.iter().copied()).collect();
            let near = did_you_mean(text, known.iter().copied());
            let message = format!("{key} is {text}, expected one of {}{near}", known.join(", "));
            self.call.error(argument.map_or(1, |argument| argument.at.1), message)
        })
    }

    /// Says where a parameter is that a planner or game will not have.
    pub fn blame(&self, parameter: &str, message: impl Into<String>) -> CallError {
        self.call.error(self.find(parameter).map_or(1, |argument| argument.at.1), message)
    }

    /// The same for an error of a planner.
    pub fn refuse(&self, error: &ParameterError) -> CallError {
        let ParameterError { parameter, given, expected } = error;
        self.blame(parameter, format!("{parameter} is {given}, expected {expected}"))
    }
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
    use crate::Params;

    crate::words! {
        enum Backup { Mean = "mean", Max = "max" }
    }

    crate::params! {
        struct Some {
            /// Trees
            #[alias("forests")]
            trees: u32 = "1", min 1;
            /// Width
            width: Option<u32> = "inf";
            /// C
            c: f64 = "1";
            /// Backup
            backup: Backup = "mean";
        }
    }

    fn read(text: &str) -> Result<Some, CallError> {
        Some::read(&Call::parse(text)?.arguments(Some::PARAMS)?)
    }

    #[test]
    fn a_call_is_read_with_any_spaces() {
        let some = read(" uct( trees = 20,width=inf , c=1.5)").unwrap();
        assert_eq!(some, Some { trees: 20, width: None, c: 1.5, backup: Backup::Mean });
        assert_eq!(read("mc()").unwrap().trees, 1);
        assert_eq!(read("mc(trees=2e1)").unwrap().trees, 20);
        assert_eq!(read("mc(forests=3, backup=max)").unwrap().trees, 3);
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
            ("uct(trees=1, forests=2)", "column 14: trees is given twice, as trees and as forests"),
            ("uct() x", "column 7: expected nothing more here"),
            ("uct(tree=1)", "column 5: uct has no parameter tree; did you mean `trees`?"),
            ("uct(trees=many)", "column 11: trees is many, expected a whole number from 1 on"),
            ("uct(trees=0)", "column 11: trees is 0, expected a whole number from 1 on"),
            ("uct(trees=-1)", "column 11: trees is -1, expected a whole number"),
            ("uct(trees=99999999999)", "column 11: trees is 99999999999, expected a whole"),
            ("uct(trees=1.5e0)", "column 11: trees is 1.5e0, expected a whole number"),
            ("uct(width=all)", "column 11: width is all, expected a whole number or inf"),
            ("uct(c=nan)", "column 7: c is nan, expected a number"),
            ("uct(backup=maxx)", "column 12: backup is maxx, expected one of mean, max; did you"),
        ] {
            let got = read(text).unwrap_err().to_string();
            assert!(got.contains(expected), "{got}\nshould contain\n{expected}");
        }
    }
}
