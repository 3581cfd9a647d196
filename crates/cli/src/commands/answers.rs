//! What `patience solve --json` prints, read back.

use patience::Call;
use serde::Deserialize;

/// What was found of a deal.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answer {
    /// The game, as a string.
    pub(crate) game: String,
    /// The deal or file.
    #[serde(default)]
    pub(crate) deal: String,
    /// Where the game stood.
    pub(crate) position: String,
    #[serde(default)]
    pub(crate) verdict: Option<String>,
    /// What the solution comes to.
    #[serde(default)]
    pub(crate) value: Option<f64>,
    #[serde(default)]
    pub(crate) solution: Option<String>,
}

impl Answer {
    /// Says why it is none of this game, whatever the parameters.
    pub(crate) fn check(&self, game: &str) -> Result<(), String> {
        let name = |text: &str| Call::parse(text).map(|call| call.name().to_owned()).ok();
        match (name(&self.game), name(game)) {
            (Some(own), Some(wanted)) if own == wanted => Ok(()),
            _ => Err(format!("`game` is {}, expected {game}", self.game)),
        }
    }
}

/// The answers in a text: one, or a list of them.
pub(crate) enum Answers {
    One(Box<Answer>),
    Many(Vec<Answer>),
}

impl Answers {
    /// The answers, if the text has some.
    pub(crate) fn read(text: &str) -> Option<Answers> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            One(Box<Answer>),
            Many(Vec<Answer>),
            Summed { deals: Vec<Answer> },
        }
        let text = text.trim_start_matches('\u{feff}');
        Some(match serde_json::from_str(text).ok()? {
            Written::One(answer) => Answers::One(answer),
            Written::Many(answers) | Written::Summed { deals: answers } => Answers::Many(answers),
        })
    }

    /// All of them, each with what it is called in a file of this name.
    pub(crate) fn named(self, file: &str) -> Vec<(String, Answer)> {
        match self {
            Answers::One(answer) => vec![(file.to_owned(), *answer)],
            Answers::Many(answers) => {
                let name = |n: usize| format!("{file}, answer {n}");
                (1..).map(name).zip(answers).collect()
            }
        }
    }
}
