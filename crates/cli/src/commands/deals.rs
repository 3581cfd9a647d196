//! Which deal or position is meant: the same words for every command.

use std::path::Path;

use patience::{AnyGame, AnyState, Call, position_files, registry};
use serde::Deserialize;

use crate::exit::{Code, Failure};
use crate::files;

/// What the words mean, for help.
pub(crate) const HELP: &str = "Deals: a number such as 7, a range such as 1..40, the deal of a seed \
                               such as seed:7 or seed:1..40, a file with a position, a folder of \
                               them (*.txt), or - for standard input";

/// More deals than anybody asks for at once: their answers are kept.
const MOST: u64 = 10_000_000;

/// A deal or a position, and what it is called.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A deal by its name.
    Deal(String),
    /// A position from a file.
    Position {
        /// The file.
        name: String,
        /// What it says.
        text: String,
    },
}

impl Source {
    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        match self {
            Source::Deal(name) | Source::Position { name, .. } => name,
        }
    }

    /// The game, by the parameters that a position tells of it where they are not given.
    pub(crate) fn game(&self, game: &str) -> Result<AnyGame, Failure> {
        Ok(match self {
            Source::Deal(_) => registry().played(game)?.table(),
            Source::Position { text, .. } => registry().played_from(game, text)?.table(),
        })
    }

    /// Where the game stands.
    pub(crate) fn open(&self, game: &AnyGame, seed: u64) -> Result<AnyState, Failure> {
        let state = match self {
            Source::Deal(name) => game.deal(name, seed),
            Source::Position { text, .. } => game.read(text, seed),
        };
        let bad = |why| match self {
            Source::Deal(_) => Failure::new(Code::BadInput, why),
            Source::Position { name, .. } => Failure::new(Code::BadInput, why).about(name),
        };
        state.map_err(bad)
    }
}

/// Reads `7` or `1..40`, both ends included.
fn range(text: &str) -> Result<(u64, u64), String> {
    let number = |part: &str| {
        let part = part.trim();
        part.parse::<u64>().map_err(|_| format!("{part:?} is no deal's number"))
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    if first > last {
        return Err(format!("{text}: the last number is below the first"));
    }
    if last - first >= MOST {
        return Err(format!("{text}: more than {MOST} deals; take them in parts"));
    }
    Ok((first, last))
}

/// Whether a word stands for several deals, however many there are.
pub(crate) fn is_several(word: &str) -> bool {
    let path = Path::new(word);
    path.is_dir() || (word.contains("..") && !path.exists())
}

/// The deals and positions that a word names.
pub(crate) fn named(word: &str) -> Result<Vec<Source>, Failure> {
    let path = Path::new(word);
    if path.is_dir() {
        let files = position_files(path);
        let files = files.map_err(|why| Failure::new(Code::BadInput, why).about(word))?;
        let stem =
            |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = |file: &std::path::PathBuf| {
            Ok(Source::Position { name: stem(file), text: files::read(file)?.1 })
        };
        return files.iter().map(read).collect();
    }
    if word == "-" || path.exists() {
        let (name, text) = files::read(path)?;
        return Ok(vec![Source::Position { name, text }]);
    }
    let (prefix, numbers) = match word.strip_prefix("seed:") {
        Some(numbers) => ("seed:", numbers),
        None => ("", word),
    };
    if !numbers.starts_with(|c: char| c.is_ascii_digit()) {
        let message = "there is no such file, and it is no deal such as 7, 1..40 or seed:7";
        return Err(Failure::new(Code::BadInput, message).about(word));
    }
    if !numbers.contains("..") {
        // Some games have numbers that are longer than any range.
        return Ok(vec![Source::Deal(word.to_owned())]);
    }
    let (first, last) = range(numbers).map_err(|why| Failure::new(Code::Usage, why))?;
    Ok((first..=last).map(|number| Source::Deal(format!("{prefix}{number}"))).collect())
}

/// What `patience solve --json` prints of a deal.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answer {
    /// The game, as a string.
    pub(crate) game: String,
    /// The deal, if it was one.
    #[serde(default)]
    pub(crate) deal: String,
    /// Where the game stood.
    pub(crate) position: String,
    /// What was found.
    #[serde(default)]
    pub(crate) verdict: Option<String>,
    /// What the solution came to.
    #[serde(default)]
    pub(crate) value: Option<f64>,
    /// The solution.
    #[serde(default)]
    pub(crate) solution: Option<String>,
}

impl Answer {
    /// Whether it is of this game, whatever the parameters.
    pub(crate) fn is_of(&self, game: &str) -> bool {
        let name = |text: &str| Call::parse(text).map(|call| call.name().to_owned()).ok();
        name(&self.game).is_some() && name(&self.game) == name(game)
    }
}

/// The answers of `patience solve --json` in a text, if it is one or several.
pub(crate) fn answers(text: &str) -> Option<Vec<Answer>> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        One(Answer),
        Many(Vec<Answer>),
        Summed { deals: Vec<Answer> },
    }
    let text = text.trim_start_matches('\u{feff}');
    Some(match serde_json::from_str(text).ok()? {
        Written::One(answer) => vec![answer],
        Written::Many(answers) | Written::Summed { deals: answers } => answers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(range("7"), Ok((7, 7)));
        assert_eq!(range("1..40"), Ok((1, 40)));
        assert_eq!(range("1..=40"), Ok((1, 40)));
        assert!(range("4..1").unwrap_err().contains("below the first"));
        assert!(range("x..3").unwrap_err().contains("\"x\" is no deal's number"));
    }

    #[test]
    fn a_deal_is_a_number_a_range_a_seed_or_a_file() {
        let names = |word: &str| {
            let sources = named(word).unwrap();
            sources.iter().map(|source| source.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("7"), ["7"]);
        assert_eq!(names("2..4"), ["2", "3", "4"]);
        assert_eq!(names("seed:7"), ["seed:7"]);
        assert_eq!(names("seed:1..=2"), ["seed:1", "seed:2"]);
        assert!(named("seed:x").unwrap_err().message.contains("no deal such as 7"));
        assert!(named("no-such-file.txt").unwrap_err().message.contains("no such file"));
    }
}
