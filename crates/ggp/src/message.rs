//! The messages of the protocol, in all dialects.

use patience::gdl::sexp::{Sexp, parse};

/// What a controller says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who are you?
    Info,
    /// A match begins.
    Start {
        /// The match.
        id: String,
        /// The role to play.
        role: String,
        /// The rules, as text.
        rules: String,
        /// Seconds until `ready` is expected.
        start_clock: u64,
        /// Seconds for each move.
        play_clock: u64,
    },
    /// A move is wanted.
    Play(String, News),
    /// The match is over.
    Stop(String, News),
    /// The match ends without a result.
    Abort(String),
    /// Rules that may be played later.
    Preview,
}

/// What happened since the last message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The match has only begun.
    Nothing,
    /// Terms: the joint move in GDL-I, percepts in the older form of GDL-II. The game tells which.
    Terms(Vec<String>),
    /// The newer form of GDL-II.
    Turn {
        /// The number of the turn, from 0.
        turn: u64,
        /// The move that the controller made for this role: not always the one that was sent.
        own: Option<String>,
        /// What is seen.
        percepts: Vec<String>,
    },
}

/// Why a message was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is no list of words and lists.
    #[error("column {column}: {message}")]
    Syntax {
        /// Characters from the start, counted from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It is a list, but not of the form that is known.
    #[error("expected {0}")]
    Form(&'static str),
    /// A clock is no whole number of seconds.
    #[error("expected clocks in whole seconds, not {0}")]
    Clock(String),
}

const FORMS: &str = "(INFO), (START id role (rules) startclock playclock), (PLAY id …), (STOP id …), \
                     (ABORT id) or (PREVIEW (rules) clock)";
const START: &str = "(START id role (rules) startclock playclock), clocks in whole seconds";
const PLAY: &str = "(PLAY id (moves or percepts)), (PLAY id NIL) or (PLAY id turn move (percepts))";

/// Clocks beyond a day are a day: no controller means more.
const LONGEST_CLOCK: u64 = 86_400;

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn read(text: &str) -> Result<Message, MessageError> {
        let items = parse(text).map_err(|finding| {
            let at = text.get(..finding.span.start as usize).map_or(0, |t| t.chars().count());
            MessageError::Syntax { column: at + 1, message: finding.message }
        })?;
        // Brackets may be missing around a message that comes as a path.
        let items = match &items[..] {
            [Sexp::List(items, _)] => items,
            _ => &items,
        };
        let Some((Sexp::Word(command, _), rest)) = items.split_first() else {
            return Err(MessageError::Form(FORMS));
        };
        match (command.to_ascii_lowercase().as_str(), rest) {
            ("info", _) => Ok(Message::Info),
            ("start", [id, role, rules, start, play, ..]) => {
                let Sexp::List(..) = rules else { return Err(MessageError::Form(START)) };
                Ok(Message::Start {
                    id: word(id, START)?,
                    role: word(role, START)?,
                    rules: show(rules, text),
                    start_clock: clock(start, text)?,
                    play_clock: clock(play, text)?,
                })
            }
            ("start", _) => Err(MessageError::Form(START)),
            ("play", [id, news @ ..]) => Ok(Message::Play(word(id, PLAY)?, read_news(news, text)?)),
            ("stop", [id, news @ ..]) => Ok(Message::Stop(word(id, PLAY)?, read_news(news, text)?)),
            ("play" | "stop", _) => Err(MessageError::Form(PLAY)),
            ("abort", [id, ..]) => Ok(Message::Abort(word(id, "(ABORT id)")?)),
            ("preview", _) => Ok(Message::Preview),
            _ => Err(MessageError::Form(FORMS)),
        }
    }
}

fn word(item: &Sexp<'_>, expected: &'static str) -> Result<String, MessageError> {
    match item {
        Sexp::Word(word, _) => Ok((*word).to_owned()),
        Sexp::List(..) => Err(MessageError::Form(expected)),
    }
}

/// Seconds: `30`, and `30.0` too. A part of a second is refused, because it would be lost.
fn clock(item: &Sexp<'_>, text: &str) -> Result<u64, MessageError> {
    let seconds = match item {
        Sexp::Word(word, _) => word.parse::<f64>().ok(),
        Sexp::List(..) => None,
    };
    let whole = seconds.filter(|x| *x >= 0.0 && x.fract() == 0.0);
    let whole = whole.ok_or_else(|| MessageError::Clock(show(item, text)))?;
    Ok((whole as u64).min(LONGEST_CLOCK))
}

fn show(item: &Sexp<'_>, text: &str) -> String {
    let span = item.span();
    text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
}

fn is_nil(item: &Sexp<'_>) -> bool {
    matches!(item, Sexp::Word(word, _) if word.eq_ignore_ascii_case("nil"))
}

fn terms(item: &Sexp<'_>, text: &str) -> Result<Vec<String>, MessageError> {
    match item {
        Sexp::List(items, _) => Ok(items.iter().map(|item| show(item, text)).collect()),
        nil if is_nil(nil) => Ok(Vec::new()),
        Sexp::Word(..) => Err(MessageError::Form(PLAY)),
    }
}

fn read_news(items: &[Sexp<'_>], text: &str) -> Result<News, MessageError> {
    match items {
        [] => Ok(News::Nothing),
        [nil] if is_nil(nil) => Ok(News::Nothing),
        [list] => Ok(News::Terms(terms(list, text)?)),
        [Sexp::Word(turn, _), own, percepts] => {
            let turn = turn.parse().map_err(|_| MessageError::Form(PLAY))?;
            let own = (!is_nil(own)).then(|| show(own, text));
            Ok(News::Turn { turn, own, percepts: terms(percepts, text)? })
        }
        _ => Err(MessageError::Form(PLAY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&w| w.to_owned()).collect()
    }

    #[test]
    fn every_dialect_is_read() {
        let play = |text: &str| match Message::read(text) {
            Ok(Message::Play(id, news)) if id == "m.1" => news,
            other => panic!("{other:?}"),
        };
        assert_eq!(play("( PLAY m.1 NIL )"), News::Nothing);
        assert_eq!(
            play("(play m.1 ((mark 1 1) noop))"),
            News::Terms(strings(&["(mark 1 1)", "noop"]))
        );
        assert_eq!(play("(PLAY m.1 ())"), News::Terms(Vec::new()));
        assert_eq!(
            play("(PLAY m.1 0 NIL NIL)"),
            News::Turn { turn: 0, own: None, percepts: Vec::new() }
        );
        assert_eq!(
            play("(PLAY m.1 2 (CHOOSE 1) (2 ))"),
            News::Turn { turn: 2, own: Some("(CHOOSE 1)".to_owned()), percepts: strings(&["2"]) }
        );
        assert_eq!(Message::read("( INFO )"), Ok(Message::Info));
        assert_eq!(Message::read("info"), Ok(Message::Info));
        assert_eq!(Message::read("(ABORT m.1)"), Ok(Message::Abort("m.1".to_owned())));
        assert_eq!(Message::read("(PREVIEW ((role x)) 10)"), Ok(Message::Preview));
        let Ok(Message::Start { role, rules, start_clock, play_clock, .. }) =
            Message::read("(START m.1 x ((role x) ; x\n (init a)) 30 15)")
        else {
            panic!("it is a START");
        };
        assert_eq!((role.as_str(), start_clock, play_clock), ("x", 30, 15));
        assert_eq!(rules, "((role x) ; x\n (init a))");
        let Ok(Message::Start { start_clock, play_clock, .. }) =
            Message::read("(START m.1 x ((role x)) 30.0 1e9)")
        else {
            panic!("it is a START");
        };
        assert_eq!((start_clock, play_clock), (30, LONGEST_CLOCK));
    }

    #[test]
    fn the_rest_is_refused_with_what_was_expected() {
        for (text, expected) in [
            ("", "expected (INFO), (START"),
            ("(HELLO)", "expected (INFO), (START"),
            ("((", "column 1: this list is not closed"),
            ("(START m x ((role x)) soon 10)", "clocks in whole seconds"),
            ("(START m x ((role x)) 10 0.9)", "expected clocks in whole seconds, not 0.9"),
            ("(START m x ((role x)) 0.9 10)", "expected clocks in whole seconds, not 0.9"),
            ("(START m x ((role x)) -1 10)", "expected clocks in whole seconds, not -1"),
            ("(START m x ((role x)) inf 10)", "expected clocks in whole seconds, not inf"),
            ("(START m x ((role x)) nan 10)", "expected clocks in whole seconds, not nan"),
            ("(START m x ((role x)) (9) 10)", "expected clocks in whole seconds, not (9)"),
            ("(START m x rules 10 10)", "expected (START id role"),
            ("(START m)", "expected (START id role"),
            ("(PLAY)", "expected (PLAY id"),
            ("(PLAY m a b)", "expected (PLAY id"),
            ("(PLAY m x y ())", "expected (PLAY id"),
            ("(PLAY (m) NIL)", "expected (PLAY id"),
        ] {
            let error = Message::read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
