//! `patience verify GAME`: solutions replayed by validators that know nothing of the solvers.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use patience::{AnyGame, Checked, GameInfo, Invalid, Objective, registry};
use serde::Serialize;

use super::deals::{self, Answer, Source};
use super::solve::{call_of, deal_options, deal_words, option, with_games};
use crate::console::{counted, say, say_json};
use crate::exit::{Code, Failure};
use crate::files;

/// What was asked for: a game and its options.
#[derive(Debug)]
pub(crate) struct Args {
    game: String,
    matches: ArgMatches,
}

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        with_games(command, of_game)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (game, matches) = matches.subcommand().expect("clap asks for one");
        Ok(Args { game: game.to_owned(), matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Options that parameters of games do not take away.
const TAKEN: [&str; 6] = ["game", "deal", "seed", "seeds", "json", "value"];

fn of_game(info: &GameInfo) -> Command {
    let name = info.name;
    let examples = format!(
        "Examples:\n  \
         patience solve {name} seed:7 | patience verify {name} seed:7 -\n  \
         patience solve {name} seed:7 --json | patience verify {name} -    the deal is in the answer\n  \
         patience verify {name} position.txt solution.txt\n\n\
         What follows a # in a line is skipped. Exit codes: 0 it is a solution, 1 it is not (the step \
         and the rule are named), 3 it cannot be read or contradicts itself."
    );
    let mut command = Command::new(name).arg_required_else_help(true).after_help(examples).arg(
        Arg::new("words").value_name("DEAL SOLUTION").num_args(1..=2).required(true).help(
            "The deal or a file with the position, then the solution or a file with it (- for \
             standard input). What `patience solve --json` prints needs no deal",
        ),
    );
    command = deal_options(command);
    for param in info.parameters {
        command = command.args(option(param, &TAKEN));
    }
    command
        .arg(
            Arg::new("from")
                .long("from")
                .value_name("FILE")
                .help("The position, as it may also stand without an option"),
        )
        .arg(
            Arg::new("value")
                .long("value")
                .visible_aliases(["score", "length"])
                .value_name("N")
                .allow_negative_numbers(true)
                .value_parser(finite)
                .help("What the solution must come to: its score or its length"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

/// A number; nothing is equal to what is none.
fn finite(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|value: &f64| value.is_finite());
    read.ok_or_else(|| "expected a number".to_owned())
}

/// What the validator says of one solution.
#[derive(Debug, Serialize)]
struct Verified {
    game: String,
    deal: String,
    /// Whether it is a solution, and comes to what was claimed.
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<Checked>,
    #[serde(skip)]
    by_score: bool,
}

impl Verified {
    fn text(&self) -> String {
        match (&self.checked, &self.error) {
            (Some(checked), None) => {
                let end = match (checked.reached, checked.over) {
                    (true, _) => "solved",
                    (false, true) => "no move is left",
                    (false, false) => "moves are left",
                };
                let score = match self.by_score {
                    true => format!("score {} after ", checked.value),
                    false => String::new(),
                };
                format!("a solution: {score}{}; {end}", counted(checked.length, "move"))
            }
            (_, error) => format!("not a solution: {}", error.as_deref().unwrap_or("?")),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let m = &args.matches;
    let info = registry().games().find(|info| info.name == args.game);
    let info = info.expect("there is a command for each game");
    let text = m.get_one::<String>("game").map_or(args.game.as_str(), String::as_str);
    let game = call_of(text, info.parameters, m, &TAKEN)?;
    registry().played(&game)?;
    let mut words: Vec<String> =
        m.get_many::<String>("words").into_iter().flatten().cloned().collect();
    let solution = words.pop().unwrap_or_default();
    words.extend(deal_words(m));
    words.extend(m.get_one::<String>("from").cloned());
    let claimed = m.get_one::<f64>("value").copied();
    if words.len() > 1 || words.iter().any(|word| deals::is_several(word)) {
        return Err(Failure::new(Code::Usage, "one deal is expected"));
    }
    if words.first().is_some_and(|word| word == "-") && solution == "-" {
        return Err(Failure::new(Code::Usage, "only one of deal and solution can be `-`"));
    }
    let (name, text) = solution_text(&solution)?;
    let found = match (words.first(), deals::answers(&text)) {
        (None, Some(answers)) => {
            if answers.is_empty() {
                return Err(Failure::new(Code::BadInput, format!("{name}: there is no answer")));
            }
            let verified = |answer: &Answer| answered(&game, answer, claimed);
            let found = answers.iter().map(verified).collect::<Result<Vec<_>, _>>();
            found.map_err(|failure| failure.about(&name))?
        }
        (None, None) => {
            let message = "which deal? Name it before the solution: only what `patience solve --json` \
                           prints needs none";
            return Err(Failure::new(Code::Usage, message));
        }
        (Some(word), answers) => {
            let source = deals::named(word)?.remove(0);
            let text = match answers.as_deref() {
                Some([answer]) => answer.solution.clone().ok_or_else(|| {
                    Failure::new(Code::BadInput, format!("{name}: the answer has no solution"))
                })?,
                Some(_) => {
                    return Err(Failure::new(
                        Code::BadInput,
                        format!("{name}: one answer is expected"),
                    ));
                }
                None => text,
            };
            vec![replayed(&source.game(&game)?, &source, &text, claimed, &name)?]
        }
    };
    let valid = found.iter().all(|verified| verified.valid);
    match (m.get_flag("json"), found.as_slice()) {
        (true, [one]) => say_json(one)?,
        (true, all) => say_json(&all)?,
        (false, [one]) => say(&one.text()),
        (false, all) => {
            for verified in all {
                say(&format!("{}: {}", verified.deal, verified.text()));
            }
        }
    }
    Ok(if valid { Code::Success } else { Code::No })
}

/// Where the text of a solution comes from, and the text.
fn solution_text(word: &str) -> Result<(String, String), Failure> {
    // A word with a dot or a slash was meant as a file; few solutions have one.
    let path = Path::new(word);
    let is_file = word == "-" || path.is_file();
    if is_file || (word.contains(['.', '/', '\\']) && !word.contains(' ')) {
        return files::read(path);
    }
    Ok(("the solution".to_owned(), word.to_owned()))
}

/// What follows a `#` in a line is no part of a solution; the places of all else stay, for complaints.
fn without_comments(text: &str) -> String {
    let said = |line: &str| line.split('#').next().unwrap_or_default().to_owned() + "\n";
    text.lines().map(said).collect()
}

fn replayed(
    game: &AnyGame,
    source: &Source,
    solution: &str,
    claimed: Option<f64>,
    name: &str,
) -> Result<Verified, Failure> {
    let state = source.open(game, 0)?;
    let checked = state.verify(&without_comments(solution));
    let by_score = state.objective() == Objective::Score;
    let verified = |valid, error, checked| Verified {
        game: game.to_string(),
        deal: source.name().to_owned(),
        valid,
        error,
        checked,
        by_score,
    };
    Ok(match checked {
        Ok(checked) => {
            let wrong = claimed.filter(|value| *value != checked.value);
            let error = match wrong {
                Some(value) => Some(format!("it comes to {}, not {value}", checked.value)),
                None if !by_score && !checked.reached => {
                    let moves = counted(checked.length, "move");
                    Some(format!("after {moves} the goal is not reached"))
                }
                None => None,
            };
            verified(error.is_none(), error, Some(checked))
        }
        // A step that the rules forbid is an answer; what is no solution at all is bad input.
        Err(Invalid::Step(why)) => verified(false, Some(format!("{name}: {why}")), None),
        Err(Invalid::Text(why)) => return Err(Failure::new(Code::BadInput, why).about(name)),
    })
}

/// Replays an answer of `patience solve --json`.
fn answered(game: &str, answer: &Answer, claimed: Option<f64>) -> Result<Verified, Failure> {
    if !answer.is_of(game) {
        let message = format!("an answer of {game} is expected, this one is of {}", answer.game);
        return Err(Failure::new(Code::BadInput, message));
    }
    let position = Source::Position { name: answer.deal.clone(), text: answer.position.clone() };
    let made = position.game(&answer.game)?;
    if let Ok(named) = made.deal(&answer.deal, 0) {
        // What the deal's name says must be what lies there.
        let read = position.open(&made, 0)?;
        if named.whole_text() != read.whole_text() {
            let message = format!("`deal` is {}, but `position` is another", answer.deal);
            return Err(Failure::new(Code::BadInput, message));
        }
    }
    let Some(solution) = &answer.solution else {
        let verdict = answer.verdict.as_deref().unwrap_or("missing");
        let error = Some(format!("its verdict is {verdict}: there is nothing to replay"));
        let (game, deal) = (answer.game.clone(), answer.deal.clone());
        return Ok(Verified { game, deal, valid: false, error, checked: None, by_score: false });
    };
    replayed(&made, &position, solution, claimed.or(answer.value), &answer.deal)
}
