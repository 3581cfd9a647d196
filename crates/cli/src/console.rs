//! What is printed, and how a run is watched and stopped.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use patience::lab::Progress;
use patience::plan::{Cancel, Halt};
use serde::Serialize;

use crate::exit::{Code, Failure};

/// The first failure to write to standard output, which ends the command with a fault.
static UNWRITTEN: OnceLock<String> = OnceLock::new();
/// Whether the reader of standard output has gone away.
static GONE: AtomicBool = AtomicBool::new(false);

/// Prints to standard output. A reader that has gone away (`| head`) is no error; a full disk is,
/// and [`unwritten`] tells of it in the end.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = [text, end]
        .iter()
        .try_for_each(|part| out.write_all(part.as_bytes()))
        .and_then(|()| out.flush());
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => GONE.store(true, Ordering::Relaxed),
        Err(error) => {
            let _ = UNWRITTEN.set(error.to_string());
        }
    }
}

/// Whether nobody can read any more of what is printed to standard output.
pub(crate) fn unread() -> bool {
    GONE.load(Ordering::Relaxed) || unwritten().is_some()
}

/// Why something could not be written to standard output.
pub(crate) fn unwritten() -> Option<&'static String> {
    UNWRITTEN.get()
}

/// Prints to standard error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints an error.
pub(crate) fn complain(message: &str) {
    note(&format!("error: {message}"));
}

/// Prints a value as JSON.
pub(crate) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    say(&json_text(value)?);
    Ok(())
}

/// JSON for people and programs.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(Code::Fault, format!("cannot write JSON: {error}")))
}

/// So many of something whose plural ends in s.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Signals that come closer together than this are one wish: `timeout -s INT` signals the process
/// and then its group.
const IMPATIENT: Duration = Duration::from_secs(1);

/// Whether a signal says that nobody waits for the result any more.
fn is_impatient(first: Option<Instant>, now: Instant) -> bool {
    first.is_some_and(|first| now.duration_since(first) >= IMPATIENT)
}

/// The flag that Ctrl-C raises, always the same; a second Ctrl-C, a second later or more, ends the
/// process at once.
pub(crate) fn cancel_on_interrupt() -> Cancel {
    static FLAG: OnceLock<Cancel> = OnceLock::new();
    let made = FLAG.get_or_init(|| {
        let cancel = Cancel::new();
        let flag = cancel.clone();
        let mut first = None;
        // Without a handler Ctrl-C still works, only less politely.
        let _ = ctrlc::set_handler(move || {
            let now = Instant::now();
            if is_impatient(first, now) {
                std::process::exit(Code::Budget as i32);
            }
            first.get_or_insert(now);
            flag.cancel();
        });
        cancel
    });
    made.clone()
}

/// The same flag, which also ends work inside a game on this thread as long as the second lives.
pub(crate) fn halt_on_interrupt() -> (Cancel, Halt) {
    let cancel = cancel_on_interrupt();
    let halt = Halt::new(&cancel, None);
    (cancel, halt)
}

/// What fails because it was interrupted is no bad input.
pub(crate) fn cut(cancel: &Cancel, failure: Failure) -> Failure {
    let code = if cancel.is_cancelled() { Code::Budget } else { failure.code };
    Failure { code, ..failure }
}

/// Shows how far a run is: a bar with the estimates so far on a terminal, else a line now and then.
pub(crate) struct Watch {
    bar: Option<ProgressBar>,
    begin: Instant,
    last_line: Instant,
}

/// Without a terminal a line is printed this often.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Watch {
    pub(crate) fn new(title: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len}\n{msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(title.to_owned());
            bar
        });
        Watch { bar, begin: Instant::now(), last_line: Instant::now() }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        if self.begin.elapsed() < Duration::from_secs(1) {
            return;
        }
        let rest = progress.remaining.map_or_else(|| "?".to_owned(), duration);
        let head = format!("{:.1} units/s, {rest} to go", progress.rate);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_message(format!("{head}\n{}", estimates(progress, 12)));
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            note(&format!("{}/{} units, {head}", progress.done, progress.total));
        }
    }

    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The running estimate of each arm with its interval, the first `most` of them.
fn estimates(progress: &Progress, most: usize) -> String {
    let width = progress.arms.iter().map(|arm| arm.name.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> = Vec::new();
    for arm in progress.arms.iter().take(most) {
        let at = arm.x.map_or(String::new(), |x| format!(" at {x}"));
        let value = match (arm.value, arm.at95) {
            (Some(value), Some(bounds)) => {
                format!("{value:.4} [{:.4}, {:.4}]", bounds.low, bounds.high)
            }
            (Some(value), None) => format!("{value:.4}"),
            _ => "-".to_owned(),
        };
        let (name, units) = (&arm.name, arm.units);
        lines.push(format!("  {name:width$}  {}{at} = {value} ({units} units)", arm.column));
    }
    if progress.arms.len() > most {
        lines.push(format!("  … and {} more", progress.arms.len() - most));
    }
    lines.join("\n")
}

/// A length of time for people.
pub(crate) fn duration(seconds: f64) -> String {
    let s = seconds.max(0.0).round() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        _ => format!("{} h {:02} min", s / 3600, s / 60 % 60),
    }
}

/// Columns of text under one another, the first to the left and the others to the right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    table_with(rows, 1)
}

/// The same with so many columns to the left.
pub(crate) fn table_with(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (c, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[c] - cell.chars().count());
            let gap = if c == 0 { "" } else { "  " };
            line +=
                &if c < left { format!("{gap}{cell}{pad}") } else { format!("{gap}{pad}{cell}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_for_people() {
        assert_eq!(duration(0.4), "0 s");
        assert_eq!(duration(61.0), "1 min 01 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
    }

    #[test]
    fn two_signals_at_once_are_no_impatience() {
        let first = Instant::now();
        let after = |millis| first + Duration::from_millis(millis);
        assert!(!is_impatient(None, first));
        assert!(!is_impatient(Some(first), after(0)) && !is_impatient(Some(first), after(999)));
        assert!(is_impatient(Some(first), after(1000)));
    }

    #[test]
    fn tables_are_aligned() {
        let rows = [vec!["a".to_owned(), "10".to_owned()], vec!["bcd".to_owned(), "5".to_owned()]];
        assert_eq!(table(&rows), "a    10\nbcd   5\n");
    }
}
