//! Reads the keys of a table; every error names the line, the key and what was expected.

use std::ops::RangeInclusive;

use crate::keys::{Item, Keys, Node, SpecFault};
use patience_plan::did_you_mean;

/// Reads the keys of a table one by one; [`Reader::finish`] refuses those that are left over.
///
/// All methods fail with a [`SpecFault`] that names the line, the key and what was expected.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    table: &'a Keys,
    path: String,
    asked: Vec<String>,
}

impl<'a> Reader<'a> {
    /// A reader of this table, called `path` in messages (`""` for the file's top).
    pub fn new(table: &'a Keys, path: impl Into<String>) -> Self {
        Reader { table, path: path.into(), asked: Vec::new() }
    }

    /// Refuses keys that are not in this list. Done first, it reports a typo as a typo and not as a
    /// missing key. Keys of the list that nobody reads are left to [`Reader::finish`].
    pub fn knows(self, keys: &[&str]) -> Result<Self, SpecFault> {
        match self.table.entries.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            None => Ok(self),
            Some((key, item)) => Err(self.unknown(key, item, keys)),
        }
    }

    fn unknown(&self, key: &str, item: &Item, keys: &[&str]) -> SpecFault {
        let near = did_you_mean(key, keys.iter().copied());
        SpecFault {
            line: Some(item.line),
            key: self.name(key),
            message: format!("unknown key; expected one of {}{near}", keys.join(", ")),
        }
    }

    /// The line where the table starts.
    pub fn line(&self) -> usize {
        self.table.line
    }

    /// An error about one of the keys.
    pub fn fault(&self, key: &str, message: impl Into<String>) -> SpecFault {
        SpecFault {
            line: Some(self.table.get(key).map_or(self.table.line, |item| item.line)),
            key: self.name(key),
            message: message.into(),
        }
    }

    fn name(&self, key: &str) -> String {
        match (self.path.is_empty(), key.is_empty()) {
            (true, _) => key.to_owned(),
            (_, true) => self.path.clone(),
            _ => format!("{}.{key}", self.path),
        }
    }

    fn wrong<T>(&self, key: &str, item: &Item, expected: &str) -> Result<T, SpecFault> {
        Err(SpecFault {
            line: Some(item.line),
            key: self.name(key),
            message: format!("expected {expected}, got {}", item.node.shown()),
        })
    }

    /// The raw value of a key.
    pub fn get(&mut self, key: &str) -> Option<&'a Item> {
        if !self.asked.iter().any(|k| k == key) {
            self.asked.push(key.to_owned());
        }
        self.table.get(key)
    }

    /// A string.
    pub fn text(&mut self, key: &str) -> Result<Option<String>, SpecFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Item { node: Node::Text(v), .. }) => Ok(Some(v.clone())),
            Some(item) => self.wrong(key, item, "a string"),
        }
    }

    /// One of these words.
    pub fn word(&mut self, key: &str, words: &[&str]) -> Result<Option<String>, SpecFault> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        if words.contains(&word.as_str()) {
            return Ok(Some(word));
        }
        let near = did_you_mean(&word, words.iter().copied());
        Err(self.fault(key, format!("expected one of {}, got {word:?}{near}", words.join(", "))))
    }

    /// True or false.
    pub fn flag(&mut self, key: &str) -> Result<Option<bool>, SpecFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Item { node: Node::Flag(v), .. }) => Ok(Some(*v)),
            Some(item) => self.wrong(key, item, "true or false"),
        }
    }

    /// A whole number in this range.
    pub fn integer(
        &mut self,
        key: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, SpecFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Item { node: Node::Integer(v), .. }) if range.contains(v) => Ok(Some(*v)),
            Some(item) => self.wrong(
                key,
                item,
                &format!("a whole number from {} to {}", range.start(), range.end()),
            ),
        }
    }

    /// A finite number in this range.
    pub fn number(
        &mut self,
        key: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, SpecFault> {
        let Some(item) = self.get(key) else { return Ok(None) };
        match item.node.number() {
            Some(v) if v.is_finite() && range.contains(&v) => Ok(Some(v)),
            _ => {
                let expected = match (range.start().is_finite(), range.end().is_finite()) {
                    (true, true) => format!("a number from {} to {}", range.start(), range.end()),
                    (true, false) => format!("a finite number of at least {}", range.start()),
                    (false, true) => format!("a finite number of at most {}", range.end()),
                    (false, false) => "a finite number".to_owned(),
                };
                self.wrong(key, item, &expected)
            }
        }
    }

    /// A list of finite numbers.
    pub fn numbers(&mut self, key: &str) -> Result<Option<Vec<f64>>, SpecFault> {
        let Some(item) = self.get(key) else { return Ok(None) };
        let Node::List(items) = &item.node else {
            return self.wrong(key, item, "a list of numbers");
        };
        items
            .iter()
            .map(|i| match i.node.number() {
                Some(v) if v.is_finite() => Ok(v),
                Some(_) => self.wrong(key, i, "a list of finite numbers"),
                None => self.wrong(key, i, "a list of numbers"),
            })
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// A string or a list of strings.
    pub fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, SpecFault> {
        let Some(item) = self.get(key) else { return Ok(None) };
        let expected = "a string or a list of strings";
        match &item.node {
            Node::Text(v) => Ok(Some(vec![v.clone()])),
            Node::List(items) => items
                .iter()
                .map(|i| match &i.node {
                    Node::Text(v) => Ok(v.clone()),
                    _ => self.wrong(key, i, expected),
                })
                .collect::<Result<_, _>>()
                .map(Some),
            _ => self.wrong(key, item, expected),
        }
    }

    /// A table.
    pub fn table(&mut self, key: &str) -> Result<Option<&'a Keys>, SpecFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Item { node: Node::Table(v), .. }) => Ok(Some(v)),
            Some(item) => self.wrong(key, item, "a table"),
        }
    }

    /// A table or a list of tables.
    pub fn tables(&mut self, key: &str) -> Result<Vec<&'a Keys>, SpecFault> {
        let Some(item) = self.get(key) else { return Ok(Vec::new()) };
        let expected = "a table or a list of tables";
        match &item.node {
            Node::Table(v) => Ok(vec![v]),
            Node::List(items) => items
                .iter()
                .map(|i| match &i.node {
                    Node::Table(v) => Ok(v),
                    _ => self.wrong(key, i, expected),
                })
                .collect(),
            _ => self.wrong(key, item, expected),
        }
    }

    /// The tables of `[[key]]`.
    pub fn entries(&mut self, key: &str) -> Result<Vec<&'a Keys>, SpecFault> {
        match self.get(key) {
            Some(Item { node: Node::Table(_), .. }) => {
                let message = format!(
                    "there may be several, so write [[{key}]] with two brackets, not [{key}]"
                );
                Err(self.fault(key, message))
            }
            Some(Item { node: Node::List(_), .. }) | None => self.tables(key),
            Some(item) => self.wrong(key, item, &format!("[[{key}]] and its keys")),
        }
    }

    /// The value of a key that must be there.
    pub fn need<T>(&self, key: &str, value: Option<T>) -> Result<T, SpecFault> {
        value.ok_or_else(|| self.fault(key, "is missing"))
    }

    /// Refuses a key that nobody has read, and names the nearest one that somebody has.
    pub fn finish(self) -> Result<(), SpecFault> {
        match self.table.entries.iter().find(|(key, _)| !self.asked.contains(key)) {
            None => Ok(()),
            Some((key, item)) => {
                let asked: Vec<&str> = self.asked.iter().map(String::as_str).collect();
                Err(self.unknown(key, item, &asked))
            }
        }
    }
}
