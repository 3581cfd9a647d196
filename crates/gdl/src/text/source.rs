//! Places in a text, and how they are shown.

use serde::Serialize;

/// A stretch of the text: byte offsets, the end not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From here to there.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// From the start of this to the end of that.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// How much of a line is shown with a finding, and how much of that at most before its place.
const MOST: usize = 120;
const BEFORE: usize = 60;

/// A text with its name, kept to show findings in it.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// A text under a name, usually its path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Source { name: name.into(), text, line_starts }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where a span starts.
    pub fn place(&self, span: Span) -> Place {
        let at = (span.start as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&s| s <= at).max(1);
        let from = self.line_starts[line - 1];
        Place { line, column: self.text[from..at].chars().count() + 1 }
    }

    /// The line in which a span starts, with carets below the span:
    ///
    /// ```text
    /// 12 | (<= (goal ?r 101)
    ///    |     ^^^^^^^^^^^^^
    /// ```
    pub fn excerpt(&self, span: Span) -> String {
        let place = self.place(span);
        let from = self.line_starts[place.line - 1];
        let line = self.text[from..].split(['\n', '\r']).next().unwrap_or_default();
        let end = (span.end as usize).min(from + line.len());
        let width = self
            .text
            .get(span.start as usize..end.max(span.start as usize))
            .map_or(1, |s| s.chars().count().max(1));
        let number = place.line.to_string();
        let margin = " ".repeat(number.len());
        // Tabs are shown as one blank, so that the caret stands where it should; of a long line only
        // what is near it is shown.
        let column = place.column - 1;
        let left = column.saturating_sub(BEFORE);
        let near = line.trim_end().replace('\t', " ");
        let more = near.chars().nth(left + MOST).is_some();
        let shown: String = near.chars().skip(left).take(MOST).collect();
        let (before, after) = (if left > 0 { "…" } else { "" }, if more { "…" } else { "" });
        let blanks = column - left + before.chars().count();
        let width = width.min(MOST - (column - left));
        format!(
            "{number} | {before}{shown}{after}\n{margin} | {}{}",
            " ".repeat(blanks),
            "^".repeat(width)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, Span};

    #[test]
    fn of_a_long_line_only_what_is_near_is_shown() {
        let text = format!("{}(goal ?r 101){}", "x".repeat(1000), "y".repeat(1000));
        let source = Source::new("long", text);
        let excerpt = source.excerpt(Span { start: 1000, end: 1013 });
        let lines: Vec<Vec<char>> = excerpt.lines().map(|l| l.chars().collect()).collect();
        let place = lines[1].iter().position(|&c| c == '^').expect("a caret");
        assert_eq!(lines[0][place..place + 13].iter().collect::<String>(), "(goal ?r 101)");
        assert_eq!(lines[1][place..].iter().collect::<String>(), "^".repeat(13));
        assert!(lines[0].len() < 140 && lines[0].last() == Some(&'…'), "{excerpt}");
        assert_eq!(Source::new("short", "ab").excerpt(Span { start: 1, end: 2 }), "1 | ab\n  |  ^");
    }
}
