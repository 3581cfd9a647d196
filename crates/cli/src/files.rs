//! Files that are read as text, and files that appear only when they are whole.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::exit::{Code, Failure};

/// Longer than any position or solution.
const LONGEST: u64 = 16 << 20;

/// Reads a text, `-` from standard input, with the name under which complaints speak of it.
pub(crate) fn read(path: &Path) -> Result<(String, String), Failure> {
    let bad = |name: &str, why: &str| Failure::new(Code::BadInput, format!("{name}: {why}"));
    let mut bytes = Vec::new();
    let (name, done) = if path.as_os_str() == "-" {
        let done = std::io::stdin().lock().take(LONGEST).read_to_end(&mut bytes);
        ("standard input".to_owned(), done)
    } else {
        let done = File::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
        (path.display().to_string(), done)
    };
    done.map_err(|error| bad(&name, &format!("cannot read: {error}")))?;
    if bytes.len() as u64 == LONGEST {
        return Err(bad(&name, "longer than 16 MB"));
    }
    let text = patience::text(bytes).map_err(|why| bad(&name, &why.to_string()))?;
    Ok((name, text))
}

/// Writes a file whole or not at all, or says why it cannot be written: a full disk must not cost
/// the file that was there before.
pub(crate) fn write(path: &Path, contents: &str) -> Result<(), Failure> {
    write_by(path, |out| Ok(out.write_all(contents.as_bytes())?))
}

/// The same for what is written bit by bit.
pub(crate) fn write_by(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), Unwritten>,
) -> Result<(), Failure> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = File::create(&beside).map_err(Unwritten::from).and_then(|file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        Ok(std::fs::rename(&beside, path)?)
    });
    written.map_err(|unwritten| {
        let _ = std::fs::remove_file(&beside);
        match unwritten {
            Unwritten::Io(error) => {
                Failure::new(Code::Fault, format!("{}: cannot write: {error}", path.display()))
            }
            Unwritten::Other(failure) => failure,
        }
    })
}

/// Why a file was not written: the file's own fault, or that of what should go into it.
pub(crate) enum Unwritten {
    Io(std::io::Error),
    Other(Failure),
}

impl From<std::io::Error> for Unwritten {
    fn from(error: std::io::Error) -> Self {
        Unwritten::Io(error)
    }
}
