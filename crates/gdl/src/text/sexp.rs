//! S-expressions with their places: the outer shape of every GDL text.

use super::{Code, Diagnostic, Span};

/// How deep lists may be nested. Published games stay below 20; the bound keeps every later
/// recursion over a text from overflowing the stack.
pub(crate) const MAX_DEPTH: usize = 200;

/// How long a text may be: spans are 32-bit numbers.
const MAX_BYTES: usize = 1 << 30;

/// A word or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp<'t> {
    /// A word, as it is spelt.
    Word(&'t str, Span),
    /// A list, brackets within its span.
    List(Vec<Sexp<'t>>, Span),
}

impl Sexp<'_> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Sexp::Word(_, span) | Sexp::List(_, span) => *span,
        }
    }
}

/// Splits a text into its top-level expressions. Comments go from `;` to the end of the line.
///
/// # Errors
/// If brackets do not match, or lists are nested too deep.
pub fn parse(text: &str) -> Result<Vec<Sexp<'_>>, Diagnostic> {
    if text.len() > MAX_BYTES {
        let help = "split the file: a description may have up to 1 GiB";
        return Err(Diagnostic::error(Code::Syntax, Span::default(), "the text is too long", help));
    }
    let bytes = text.as_bytes();
    let mut open: Vec<(usize, Vec<Sexp<'_>>)> = Vec::new();
    let mut top = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'(' => {
                if open.len() == MAX_DEPTH {
                    let message = format!("lists are nested more than {MAX_DEPTH} deep");
                    let help = "give the inner part a relation of its own";
                    let span = Span::new(at, at + 1);
                    return Err(Diagnostic::error(Code::Syntax, span, message, help));
                }
                open.push((at, Vec::new()));
                at += 1;
            }
            b')' => {
                at += 1;
                let Some((start, items)) = open.pop() else {
                    let help = "remove it, or open its list before";
                    let span = Span::new(at - 1, at);
                    let message = "this bracket closes nothing";
                    return Err(Diagnostic::error(Code::Syntax, span, message, help));
                };
                let list = Sexp::List(items, Span::new(start, at));
                open.last_mut().map_or(&mut top, |(_, items)| items).push(list);
            }
            b if b.is_ascii_whitespace() || b == b'\x0b' => at += 1,
            _ => {
                let end = text[at..]
                    .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '\x0b'))
                    .map_or(text.len(), |n| at + n);
                if end == at {
                    // White space outside ASCII, such as a no-break space or a byte order mark.
                    at += text[at..].chars().next().map_or(1, char::len_utf8);
                    continue;
                }
                let word = text[at..end].trim_start_matches('\u{feff}');
                if !word.is_empty() {
                    let word = Sexp::Word(word, Span::new(end - word.len(), end));
                    open.last_mut().map_or(&mut top, |(_, items)| items).push(word);
                }
                at = end;
            }
        }
    }
    if let Some((start, items)) = open.into_iter().next() {
        let end = items.last().map_or(start + 1, |item| item.span().end as usize);
        let first_line_end = text[start..].find('\n').map_or(end, |n| (start + n).min(end));
        let help = "add the missing `)`; the list that is never closed starts here";
        let span = Span::new(start, first_line_end.max(start + 1));
        return Err(Diagnostic::error(Code::Syntax, span, "this list is not closed", help));
    }
    Ok(top)
}
