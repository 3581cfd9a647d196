//! Keys and values of a spec with their lines, so that every error can name the line.
//!
//! They are read by a [`Reader`](crate::Reader), those of the spec and those of a task alike.

use std::collections::HashSet;
use std::fmt;

use toml::de::{DeTable, DeValue};

/// What is wrong with a spec: where, which key, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFault {
    pub(crate) line: Option<usize>,
    pub(crate) key: String,
    pub(crate) message: String,
}

impl SpecFault {
    /// A fault of a key, such as `planner` or `task.runs`; the line is found by the key.
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        SpecFault { line: None, key: key.into(), message: message.into() }
    }

    /// The line, counted from 1, where it is known.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The key, with the tables that it is in.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The same fault at this line, unless its line is known already.
    pub fn or_line(mut self, line: usize) -> Self {
        self.line.get_or_insert(line);
        self
    }
}

impl fmt::Display for SpecFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecFault {}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A string.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a decimal point.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<Item>),
    /// A table.
    Table(Keys),
}

/// A value and the line where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The value.
    pub node: Node,
    /// Its line, counted from 1.
    pub line: usize,
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// The entries; no key comes twice.
    pub entries: Vec<(String, Item)>,
    /// The line where the table starts.
    pub line: usize,
}

impl Keys {
    /// Reads TOML.
    pub fn parse(text: &str) -> Result<Keys, SpecFault> {
        let lines = Lines::of(text);
        let table = DeTable::parse(text).map_err(|e| SpecFault {
            line: e.span().map(|s| lines.line(s.start)),
            key: String::new(),
            message: format!("not TOML: {}", e.message().trim().replace('\n', "; ")),
        })?;
        lines.table(table.get_ref(), 1)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Item> {
        self.entries.iter().find(|(k, _)| k == key).map(|(_, item)| item)
    }

    /// Sets the entries of `over`, keeping the others.
    pub fn overlay(&mut self, over: &Keys) {
        for (key, item) in &over.entries {
            match self.entries.iter_mut().find(|(k, _)| k == key) {
                Some((_, old)) => *old = item.clone(),
                None => self.entries.push((key.clone(), item.clone())),
            }
        }
    }

    /// The same text for the same contents, whatever their order and layout. It is what is hashed.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        canonical_table(self, &mut out);
        out
    }
}

fn canonical_table(table: &Keys, out: &mut String) {
    let mut entries: Vec<_> = table.entries.iter().collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    out.push('{');
    for (key, item) in entries {
        out.push_str(&format!("{key:?}="));
        canonical_node(&item.node, out);
        out.push(';');
    }
    out.push('}');
}

fn canonical_node(node: &Node, out: &mut String) {
    match node {
        Node::Text(v) => out.push_str(&format!("{v:?}")),
        Node::Integer(v) => out.push_str(&v.to_string()),
        Node::Number(v) => out.push_str(&format!("{v:?}")),
        Node::Flag(v) => out.push_str(if *v { "true" } else { "false" }),
        Node::List(items) => {
            out.push('[');
            for item in items {
                canonical_node(&item.node, out);
                out.push(',');
            }
            out.push(']');
        }
        Node::Table(table) => canonical_table(table, out),
    }
}

/// Where lines start in a text.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Lines(std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect())
    }

    fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|&start| start <= offset).max(1)
    }

    fn table(&self, table: &DeTable<'_>, line: usize) -> Result<Keys, SpecFault> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let entries = entries
            .into_iter()
            .map(|(key, value)| {
                let line = self.line(key.span().start);
                Ok((key.get_ref().to_string(), self.item(value.get_ref(), line)?))
            })
            .collect::<Result<_, _>>()?;
        Ok(Keys { entries, line })
    }

    fn item(&self, value: &DeValue<'_>, line: usize) -> Result<Item, SpecFault> {
        let fault = |message: &str| SpecFault {
            line: Some(line),
            key: String::new(),
            message: message.to_owned(),
        };
        let node = match value {
            DeValue::String(v) => Node::Text(v.to_string()),
            DeValue::Integer(v) => Node::Integer(
                i64::from_str_radix(v.as_str(), v.radix())
                    .map_err(|_| fault("a whole number beyond 64 bits"))?,
            ),
            DeValue::Float(v) => {
                Node::Number(v.as_str().parse().map_err(|_| fault("not a number"))?)
            }
            DeValue::Boolean(v) => Node::Flag(*v),
            DeValue::Datetime(_) => return Err(fault("dates are not used in specs")),
            DeValue::Array(items) => Node::List(
                items
                    .iter()
                    .map(|v| self.item(v.get_ref(), self.line(v.span().start)))
                    .collect::<Result<_, _>>()?,
            ),
            DeValue::Table(v) => Node::Table(self.table(v, line)?),
        };
        Ok(Item { node, line })
    }
}

impl Node {
    /// What it is, for messages.
    pub fn shown(&self) -> String {
        match self {
            Node::Text(v) => format!("{v:?}"),
            Node::Integer(v) => v.to_string(),
            Node::Number(v) => v.to_string(),
            Node::Flag(v) => v.to_string(),
            Node::List(_) => "a list".to_owned(),
            Node::Table(_) => "a table".to_owned(),
        }
    }

    /// As a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Node::Integer(v) => Some(*v as f64),
            Node::Number(v) => Some(*v),
            _ => None,
        }
    }
}

/// " (there are: `a`, `b`)": each name once, and no more than fit into a message.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut seen = HashSet::new();
    let all: Vec<&str> = names.into_iter().filter(|name| seen.insert(*name)).collect();
    let shown: Vec<String> = all.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = match all.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if all.len() == 1 { "is" } else { "are" };
    format!(" (there {verb}: {}{more})", shown.join(", "))
}
