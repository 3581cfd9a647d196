//! What happened in a match, line by line.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Characters of a line at most.
const LONGEST_LINE: usize = 2000;

/// The log of a match: a file of its own, or standard error.
#[derive(Debug)]
pub(crate) struct Log {
    name: String,
    begin: Instant,
    file: Option<Mutex<File>>,
}

impl Log {
    /// A log in this folder, named after the match; without a folder on standard error.
    pub(crate) fn new(folder: Option<&Path>, id: &str) -> Log {
        // What a controller calls a match must not lead out of the folder.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = id.chars().take(100).map(plain).collect();
        let path = folder.map(|folder| folder.join(format!("match-{name}.log")));
        let file = path.and_then(|path| File::options().create(true).append(true).open(path).ok());
        Log { name, begin: Instant::now(), file: file.map(Mutex::new) }
    }

    /// Adds a line. A log that cannot be written is no reason to stop playing.
    pub(crate) fn line(&self, text: &str) {
        let seconds = self.begin.elapsed().as_secs_f64();
        // One line is one line, whatever a controller sends, and not a long one.
        let text: String =
            text.chars().take(LONGEST_LINE).map(|c| if c.is_control() { ' ' } else { c }).collect();
        match &self.file {
            Some(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = writeln!(file, "{seconds:9.3} {text}");
            }
            None => {
                let _ = writeln!(std::io::stderr(), "{}: {seconds:9.3} {text}", self.name);
            }
        }
    }
}
