//! `patience verify GAME`: solutions replayed by validators that know nothing of the solvers.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use patience::{AnyGame, Checked, GameInfo, Invalid, Objective, registry};
use serde::Serialize;

use super::answers::{Answer, Answers};
use super::deals::{self, Source};
use super::solve::{call_of, game_options, game_string, with_games};
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
        with_games(command, "verify", of_game)
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
const TAKEN: [&str; 10] =
    ["words", "deal", "from", "seed", "seeds", "game", "value", "score", "length", "json"];

fn of_game(info: &GameInfo) -> Command {
    let (name, deal) = (info.name, deals::example(info));
    let examples = format!(
        "Examples:\n  \
         patience solve {name} {deal} | patience verify {name} {deal} -\n  \
         patience solve {name} {deal} --json | patience verify {name} -    the answer names the deal\n  \
         patience verify {name} position.txt solution.txt\n\n\
         Anything after # in a line is ignored. Exit codes: 0 a solution, 1 not a solution (the step \
         and the rule are named), 2 wrong usage, 3 it cannot be read or contradicts itself."
    );
    let command = Command::new(name).arg_required_else_help(true).after_help(examples).arg(
        Arg::new("words").value_name("DEAL SOLUTION").num_args(1..=2).required(true).help(
            "The deal, or a file with the position; then the solution, or a file with it. - is \
             standard input. What `patience solve --json` prints needs no deal",
        ),
    );
    let seed = "The deal of this seed: short for seed:N";
    game_options(game_string(deals::options(command, seed)), info, &TAKEN)
        // One solution is verified at a time.
        .mut_arg("seeds", |seeds| seeds.hide(true))
        .arg(
            Arg::new("value")
                .long("value")
                .visible_aliases(["score", "length"])
                .value_name("N")
                .allow_negative_numbers(true)
                .value_parser(finite)
                .help("The score or length that the solution must have"),
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
    /// What the goal is called.
    goal: &'static str,
    #[serde(skip)]
    by_score: bool,
}

impl Verified {
    fn text(&self) -> String {
        match (&self.checked, &self.error) {
            (Some(checked), None) => {
                let end = match (checked.reached, checked.over) {
                    (true, _) => self.goal,
                    (false, true) => "no move is left",
                    (false, false) => "moves are left",
                };
                let (score, moves) = match self.by_score {
                    true => (format!("score {} after ", checked.value), checked.length),
                    false => (String::new(), checked.value as usize),
                };
                format!("a solution: {score}{}; {end}", counted(moves, "move"))
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
    words.extend(deals::words(m));
    let claimed = m.get_one::<f64>("value").copied();
    if solution == "-" && words.iter().any(|word| word == "-") {
        return Err(Failure::new(Code::Usage, "`-` can stand only once: it is standard input"));
    }
    let (name, text) = solution_text(&solution)?;
    let answers = Answers::read(&text);
    let mut several = false;
    let found = match (deals::one(&words, &game)?, answers) {
        (None, Some(answers)) => {
            if game.contains('(') {
                let message = "the answers name their game: leave out its parameters";
                return Err(Failure::new(Code::Usage, message));
            }
            several = matches!(answers, Answers::Many(_));
            let answers = answers.named(&name);
            if answers.is_empty() {
                return Err(
                    Failure::new(Code::BadInput, "the list of answers is empty").about(&name)
                );
            }
            let verified = answers.iter().map(|(name, a)| answered(&game, name, a, claimed));
            verified.collect::<Result<Vec<_>, _>>()?
        }
        (None, None) => {
            let message = "which deal? Name it before the solution; only what `patience solve --json` \
                           prints needs none";
            return Err(Failure::new(Code::Usage, message));
        }
        (Some(source), answers) => {
            let bad = |why: &str| Failure::new(Code::BadInput, why).about(&name);
            let text = match answers {
                Some(Answers::One(answer)) => {
                    answer.solution.ok_or_else(|| bad("the answer has no solution"))?
                }
                Some(Answers::Many(_)) => return Err(bad("one answer is expected")),
                None => text,
            };
            vec![replayed(&source.game(&game)?, &source, &text, claimed, &name)?]
        }
    };
    let valid = found.iter().all(|verified| verified.valid);
    match (m.get_flag("json"), found.as_slice()) {
        (true, [one]) if !several => say_json(one)?,
        (true, all) => say_json(&serde_json::json!({ "valid": valid, "deals": all }))?,
        (false, [one]) if !several => say(&one.text()),
        (false, all) => {
            for verified in all {
                say(&format!("{}: {}", verified.deal, verified.text()));
            }
            let solutions = all.iter().filter(|verified| verified.valid).count();
            say(&format!("{} in {}", counted(solutions, "solution"), counted(all.len(), "answer")));
        }
    }
    Ok(if valid { Code::Success } else { Code::No })
}

/// Where the text of a solution comes from, and the text.
fn solution_text(word: &str) -> Result<(String, String), Failure> {
    // A word with a dot or a slash was meant as a file: no solution of one word has one.
    let path = Path::new(word);
    let is_file = word == "-" || path.is_file();
    if is_file || (word.contains(['.', '/', '\\']) && !word.contains(' ')) {
        return files::read(path);
    }
    Ok(("solution".to_owned(), word.to_owned()))
}

/// A solution as the game's validator reads it: without what follows a `#` in a line, and without the
/// number of a step of one word. The places of all else stay, for complaints.
fn bare(text: &str) -> String {
    let line = |line: &str| {
        let line = line.split('#').next().unwrap_or_default();
        match line.split_once(". ") {
            Some((number, step)) if is_number(number.trim()) && step.split(' ').count() == 1 => {
                format!("{}  {step}\n", " ".repeat(number.len()))
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn replayed(
    game: &AnyGame,
    source: &Source,
    solution: &str,
    claimed: Option<f64>,
    name: &str,
) -> Result<Verified, Failure> {
    let state = source.open(game, 0)?;
    let checked = state.verify(&bare(solution));
    let by_score = state.objective() == Objective::Score;
    let verified = |valid, error, checked| Verified {
        game: game.to_string(),
        deal: source.name().to_owned(),
        valid,
        error,
        checked,
        goal: state.goal(),
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
        Err(Invalid::Step(why)) => verified(false, Some(why), None),
        Err(Invalid::Text(why)) => return Err(Failure::new(Code::BadInput, why).about(name)),
    })
}

/// Replays an answer of `patience solve --json`.
fn answered(
    game: &str,
    name: &str,
    answer: &Answer,
    claimed: Option<f64>,
) -> Result<Verified, Failure> {
    let bad = |why: String| Failure::new(Code::BadInput, why).about(name);
    answer.check(game).map_err(bad)?;
    let (deal, text) = (answer.deal.clone(), answer.position.clone());
    let position = Source::Position { name: format!("{name}: `position`"), text, game: None };
    let made = position.game(&answer.game)?;
    let read = position.open(&made, 0)?;
    // What the deal's name says must be what lies there.
    if let Ok(named) = made.deal(&deal, 0)
        && named.whole_text() != read.whole_text()
    {
        return Err(bad(format!("`deal` is {deal}, but `position` is another")));
    }
    let verdict = answer.verdict.as_deref().unwrap_or("missing");
    let verified = match &answer.solution {
        Some(_) if ["unsolvable", "unknown"].contains(&verdict) => {
            return Err(bad(format!("`verdict` is {verdict}, but there is a `solution`")));
        }
        Some(solution) => {
            let claimed = claimed.or(answer.value);
            replayed(&made, &position, solution, claimed, "`solution`")
                .map_err(|f| f.about(name))?
        }
        None => {
            let error = Some(format!("its verdict is {verdict}: there is nothing to replay"));
            Verified {
                game: made.to_string(),
                deal: String::new(),
                valid: false,
                error,
                checked: None,
                goal: read.goal(),
                by_score: false,
            }
        }
    };
    Ok(Verified { deal, ..verified })
}
