//! Which deal or position is meant: the same words for every command.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use patience::{AnyGame, AnyState, Deals, GameInfo, position_files, registry};

use super::answers::Answers;
use crate::exit::{Code, Failure};
use crate::{files, values};

/// What the words mean, for help.
pub(crate) const HELP: &str = "A deal such as 7, a range such as 1..40, the deal of a seed such as \
                               seed:7 or seed:1..40, a file with a position or with what `patience \
                               solve --json` printed, a folder of positions (*.txt), or - for \
                               standard input";

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
        /// The game with its parameters, where the file tells.
        game: Option<String>,
    },
}

impl Source {
    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        match self {
            Source::Deal(name) | Source::Position { name, .. } => name,
        }
    }

    /// The game's string: the one given, or where that has no parameters the one that the file tells.
    pub(crate) fn game_text<'g>(&'g self, game: &'g str) -> &'g str {
        match self {
            Source::Position { game: Some(told), .. } if !game.contains('(') => told,
            _ => game,
        }
    }

    /// The game, by the parameters that a position tells of it where they are not given.
    pub(crate) fn game(&self, game: &str) -> Result<AnyGame, Failure> {
        Ok(match self {
            Source::Deal(_) => registry().played(game)?.table(),
            Source::Position { text, .. } => {
                registry().played_from(self.game_text(game), text)?.table()
            }
        })
    }

    /// Where the game stands.
    pub(crate) fn open(&self, game: &AnyGame, seed: u64) -> Result<AnyState, Failure> {
        let bad = |why| Failure::new(Code::BadInput, why);
        match self {
            Source::Deal(name) => game.deal(name, seed).map_err(bad),
            Source::Position { name, text, .. } => {
                game.read(text, seed).map_err(|why| bad(why).about(name))
            }
        }
    }
}

/// The deals that words name, and whether they stand for several, however many there are.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) sources: Vec<Source>,
    pub(crate) several: bool,
}

/// The deals that all of these words name.
pub(crate) fn all(words: &[String], game: &str) -> Result<Chosen, Failure> {
    let mut chosen = Chosen::default();
    if words.iter().filter(|word| *word == "-").count() > 1 {
        return Err(Failure::new(Code::Usage, "`-` can stand only once: it is standard input"));
    }
    for word in words {
        let Chosen { sources, several } = named(word, game)?;
        chosen.several |= several || !chosen.sources.is_empty();
        chosen.sources.extend(sources);
    }
    Ok(chosen)
}

/// The one deal that these words name; `None` if there is no word.
pub(crate) fn one(words: &[String], game: &str) -> Result<Option<Source>, Failure> {
    let Chosen { mut sources, several } = all(words, game)?;
    if several {
        return Err(Failure::new(Code::Usage, "one deal is expected").about(&words.join(" ")));
    }
    Ok(sources.pop())
}

/// The deals and positions that a word names.
fn named(word: &str, game: &str) -> Result<Chosen, Failure> {
    // A word and a colon name a kind of numbers: seeds, or those of a place that a game knows.
    let named = |colon: usize| word[..colon].bytes().all(|b| b.is_ascii_lowercase());
    let colon = word.find(':').filter(|&colon| colon > 0 && named(colon));
    let (prefix, numbers) = word.split_at(colon.map_or(0, |colon| colon + 1));
    // A number is a deal, also where a file has the same name: that one is ./7.
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits(numbers) {
        return Ok(Chosen { sources: vec![Source::Deal(word.to_owned())], several: false });
    }
    let ends = numbers.split_once("..");
    if let Some((first, last)) = ends.map(|(a, b)| (a, b.strip_prefix('=').unwrap_or(b)))
        && digits(first)
        && digits(last)
    {
        let range = range(first, last);
        let (first, last) = range.map_err(|why| Failure::new(Code::Usage, why).about(word))?;
        let deal = |number: u64| Source::Deal(format!("{prefix}{number}"));
        return Ok(Chosen { sources: (first..=last).map(deal).collect(), several: true });
    }
    let path = Path::new(word);
    if path.is_dir() {
        let files = position_files(path);
        let files = files.map_err(|why| Failure::new(Code::BadInput, why).about(word))?;
        let mut sources = Vec::new();
        for file in files {
            sources.extend(read(&file, game)?.sources);
        }
        return Ok(Chosen { sources, several: true });
    }
    if word == "-" || path.exists() {
        return read(path, game);
    }
    let message = "no such file, and not a deal such as 7, 1..40 or seed:7";
    Err(Failure::new(Code::BadInput, message).about(word))
}

/// The positions of a file.
fn read(path: &Path, game: &str) -> Result<Chosen, Failure> {
    let (name, text) = files::read(path)?;
    let Some(answers) = Answers::read(&text) else {
        let sources = vec![Source::Position { name, text, game: None }];
        return Ok(Chosen { sources, several: false });
    };
    let several = matches!(answers, Answers::Many(_));
    let mut sources = Vec::new();
    for (name, answer) in answers.named(&name) {
        let bad = |why| Failure::new(Code::BadInput, why).about(&name);
        answer.check(game).map_err(bad)?;
        let (text, game) = (answer.position, Some(answer.game));
        sources.push(Source::Position { name, text, game });
    }
    if sources.is_empty() {
        return Err(Failure::new(Code::BadInput, "the list of answers is empty").about(&name));
    }
    Ok(Chosen { sources, several })
}

/// The ends of a range, both included.
fn range(first: &str, last: &str) -> Result<(u64, u64), String> {
    let number =
        |part: &str| part.parse::<u64>().map_err(|_| format!("{part} is too large for a range"));
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err("the last number is below the first".to_owned());
    }
    if last - first >= MOST {
        return Err(format!("more than {MOST} deals; take them in parts"));
    }
    Ok((first, last))
}

/// The deal that is meant where none is named: that of the seed, or the first.
pub(crate) fn usual(game: &str, seed: Option<u64>) -> Result<String, Failure> {
    let info = registry().info(game)?;
    Ok(seed.map_or(info.first_deal().to_owned(), |seed| format!("seed:{seed}")))
}

/// Whether deals go by numbers that are in everybody's hands.
pub(crate) fn is_numbered(info: &GameInfo) -> bool {
    matches!(info.deals, Deals::Numbers(_))
}

/// A deal to show how deals are named.
pub(crate) fn example(info: &GameInfo) -> &'static str {
    if is_numbered(info) { "7" } else { "seed:7" }
}

/// The options of commands for one deal.
#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// A deal such as 7 or seed:7, a file with a position or with what `patience solve --json`
    /// printed, or - for standard input
    #[arg(value_name = "DEAL")]
    word: Option<String>,
    /// The deal, as an option
    #[arg(long, value_name = "DEAL", alias = "position", conflicts_with = "word")]
    deal: Option<String>,
    /// The seed of the planner [default: 0]; if no deal is named, also that of the deal
    #[arg(long, value_name = "N", value_parser = values::whole)]
    pub(crate) seed: Option<u64>,
}

impl One {
    /// The deal that is meant.
    pub(crate) fn source(&self, game: &str) -> Result<Source, Failure> {
        let words: Vec<String> = self.word.iter().chain(&self.deal).cloned().collect();
        match one(&words, game)? {
            Some(source) => Ok(source),
            None => usual(game, self.seed).map(Source::Deal),
        }
    }
}

/// Options that name deals, and what the seed is for.
pub(crate) fn options(command: Command, seed: &'static str) -> Command {
    let option = |id: &'static str, value: &'static str| Arg::new(id).long(id).value_name(value);
    let deal = option("deal", "DEAL").alias("from").action(ArgAction::Append);
    let seeds = "The deals of these seeds, both ends included: short for seed:A..B";
    command
        .arg(deal.help("A deal, as an option"))
        .arg(option("seed", "N").value_parser(values::whole).help(seed))
        .arg(option("seeds", "A..B").help(seeds))
}

/// The words that name deals.
pub(crate) fn words(matches: &ArgMatches) -> Vec<String> {
    let many = |id: &str| matches.try_get_many::<String>(id).ok().flatten();
    let mut words: Vec<String> = many("deals").into_iter().flatten().cloned().collect();
    words.extend(many("deal").into_iter().flatten().cloned());
    words.extend(matches.get_one::<String>("seeds").map(|seeds| format!("seed:{seeds}")));
    if words.is_empty() {
        words.extend(matches.get_one::<u64>("seed").map(|seed| format!("seed:{seed}")));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(word: &str) -> Vec<String> {
        let chosen = named(word, "").unwrap();
        chosen.sources.iter().map(|source| source.name().to_owned()).collect()
    }

    /// A game may take long to make, and is made when its deal is known.
    #[test]
    fn no_game_is_made_to_know_which_deal_is_meant() {
        let game = "gdl(file=there-is-no-such-file.gdl)";
        assert!(registry().played(game).is_err());
        assert_eq!(usual(game, None).unwrap(), "seed:1");
        assert_eq!(usual(game, Some(7)).unwrap(), "seed:7");
        assert!(usual("no-such-game", None).is_err());
    }

    #[test]
    fn a_deal_is_a_number_a_range_a_seed_or_a_file() {
        assert_eq!(names("7"), ["7"]);
        assert_eq!(names("2..4"), ["2", "3", "4"]);
        assert_eq!(names("seed:7"), ["seed:7"]);
        assert_eq!(names("seed:1..=2"), ["seed:1", "seed:2"]);
        assert!(!named("7", "").unwrap().several && named("7..7", "").unwrap().several);
        for (word, why) in [
            ("seed:x", "not a deal such as 7"),
            ("no-such-file.txt", "no such file"),
            ("4..1", "4..1: the last number is below the first"),
            ("1..x", "no such file"),
            ("1..99999999999999999999999", "too large for a range"),
            ("1..20000000", "more than 10000000 deals"),
        ] {
            let message = named(word, "").unwrap_err().message;
            assert!(message.contains(why), "{message}\nshould contain\n{why}");
        }
    }
}
