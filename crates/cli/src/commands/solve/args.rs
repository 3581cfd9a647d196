//! The options of `patience solve GAME`, made from what the game and its solvers declare.

use clap::{Arg, ArgAction, ArgMatches, Command};
use patience::{Call, GameInfo, Param, PlannerInfo, registry};

use super::super::deals;
use super::many;
use crate::exit::{Code, Failure};
use crate::values;

/// The games that have a solver.
fn games() -> impl Iterator<Item = &'static GameInfo> {
    registry().games().filter(|info| !info.solver.is_empty())
}

/// The solvers of a game alone.
pub(super) fn solvers(game: &GameInfo) -> impl Iterator<Item = &'static PlannerInfo> {
    let name = game.name;
    registry().solvers().filter(move |info| info.games.contains(&name))
}

/// The name of a game for which a command has a word of its own, in a string with parameters.
pub(crate) fn head(game: &str) -> Option<&str> {
    game.split_once('(').map(|(name, _)| name.trim())
}

/// Adds a command for each game with a solver.
pub(crate) fn with_games(command: Command, each: fn(&GameInfo) -> Command) -> Command {
    let mut command = command.subcommand_required(true).arg_required_else_help(true);
    for info in games() {
        command = command.subcommand(each(info).about(format!("{}: {}", info.title, info.summary)));
    }
    command
}

/// An option of a parameter. The names that options of all games have are not given away.
pub(crate) fn option(param: &Param, taken: &[&str]) -> Option<Arg> {
    if taken.contains(&param.name) {
        return None;
    }
    let long = param.name.replace('_', "-");
    let words = match param.words {
        [] => String::new(),
        words => format!(": {}", words.join(", ")),
    };
    let help = format!("{}{words} [default: {}]", param.meaning, param.default);
    let arg = Arg::new(param.name).value_name("VALUE").long(long);
    Some(match (param.kind, param.default) {
        // What is so unless somebody says no.
        ("true or false", "true") => {
            let long = format!("no-{}", param.name.replace('_', "-"));
            let help = format!("Not: {}", param.meaning);
            Arg::new(param.name).long(long).action(ArgAction::SetTrue).help(help)
        }
        ("true or false", _) => arg.action(ArgAction::SetTrue).help(param.meaning),
        _ => arg.help(help),
    })
}

/// Which deals are meant, in short forms.
pub(crate) fn deal_options(command: Command) -> Command {
    command
        .arg(Arg::new("game").long("game").hide(true))
        .arg(
            Arg::new("deal")
                .long("deal")
                .value_name("DEAL")
                .action(ArgAction::Append)
                .help("A deal, as it may also stand without an option"),
        )
        .arg(
            Arg::new("seed").long("seed").value_name("N").value_parser(values::whole).help(
                "The seed of the search; if no deal is named, also that of the deal (seed:N)",
            ),
        )
        .arg(
            Arg::new("seeds")
                .long("seeds")
                .value_name("A..B")
                .help("The deals of these seeds, both ends included (seed:A..B)"),
        )
}

/// The words that name deals.
pub(crate) fn deal_words(matches: &ArgMatches) -> Vec<String> {
    let many = |id: &str| matches.try_get_many::<String>(id).ok().flatten();
    let mut words: Vec<String> = many("deals").into_iter().flatten().cloned().collect();
    words.extend(many("deal").into_iter().flatten().cloned());
    words.extend(matches.get_one::<String>("seeds").map(|seeds| format!("seed:{seeds}")));
    if words.is_empty() {
        words.extend(matches.get_one::<u64>("seed").map(|seed| format!("seed:{seed}")));
    }
    words
}

/// A call with the parameters that options give.
pub(crate) fn call_of(
    text: &str,
    parameters: &[Param],
    matches: &ArgMatches,
    taken: &[&str],
) -> Result<String, Failure> {
    let given = Call::parse(text)?;
    let mut arguments = Vec::new();
    for param in parameters.iter().filter(|param| !taken.contains(&param.name)) {
        let value = match param.kind {
            "true or false" => {
                let said = matches.try_get_one::<bool>(param.name).ok().flatten() == Some(&true);
                said.then(|| (param.default == "false").to_string())
            }
            _ => matches.try_get_one::<String>(param.name).ok().flatten().cloned(),
        };
        let Some(value) = value else { continue };
        if given.value(param.name).is_some() {
            let long = param.name.replace('_', "-");
            let message = format!("--{long} is given twice: it stands in `{text}` too");
            return Err(Failure::new(Code::Usage, message));
        }
        arguments.push(format!("{}={value}", param.name));
    }
    Ok(with_arguments(text, &arguments))
}

/// A string with more arguments.
pub(crate) fn with_arguments(text: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        return text.to_owned();
    }
    let more = arguments.join(", ");
    match text.trim_end().strip_suffix(')') {
        Some(open) if open.trim_end().ends_with('(') => format!("{open}{more})"),
        Some(open) => format!("{open}, {more})"),
        None => format!("{text}({more})"),
    }
}

/// Parameters of solvers that are options of all games.
pub(super) const TAKEN: [&str; 9] =
    ["threads", "memory", "time", "iterations", "seed", "game", "deal", "json", "nodes"];

/// `patience solve GAME`.
pub(super) fn of_game(info: &GameInfo) -> Command {
    let mut command =
        Command::new(info.name).arg_required_else_help(true).after_help(examples(info));
    command = command.arg(Arg::new("deals").value_name("DEAL").num_args(0..).help(deals::HELP));
    command = deal_options(command);
    let mut units = Vec::new();
    for solver in solvers(info) {
        let help = format!("Use the solver {}: {}", solver.name, solver.summary);
        let flag = Arg::new(solver.name).long(solver.name).action(ArgAction::SetTrue);
        command = command.arg(flag.help(help).conflicts_with("solver"));
        let unit = format!("{}s", solver.iteration);
        if !solver.iteration.contains(' ') && !units.contains(&unit) {
            units.push(unit);
        }
    }
    let solver = Arg::new("solver").long("solver").value_name("SOLVER");
    let help = format!(
        "The solver with its parameters; see `patience solvers` [default: {}]",
        info.solver
    );
    command = command.arg(solver.help(help));
    let mut known = TAKEN.to_vec();
    let own = info.parameters.iter().chain(solvers(info).flat_map(|solver| solver.parameters));
    for param in own {
        command = command.args(option(param, &known));
        known.push(param.name);
    }
    let number = |id: &'static str| {
        Arg::new(id).long(id).value_name("N").value_parser(values::within::<u64>(1..=u64::MAX))
    };
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
    };
    command = command
        .arg(
            number("iterations")
                .visible_aliases(units)
                .help("Stop after this many iterations of each search"),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .value_parser(values::seconds)
                .help("Time limit for each deal; 10 seconds if nothing is limited and the search would not end"),
        )
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("MB")
                .default_value("4G")
                .value_parser(values::memory)
                .help("Memory limit in megabytes, for all searches together; suffixes K, M, G are accepted"),
        )
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(many::threads)
                .help("Threads; all cores if not given"),
        )
        .arg(flag("summary", "For several deals: how many can be solved and the times, instead of every deal"))
        .arg(
            number("winnable")
                .help("Find this many deals with a solution, from the seed given on (from 1 if none is)")
                .conflicts_with_all(["deals", "deal", "seeds"]),
        )
        .arg(flag("numbered", "Write the solution as numbered steps"))
        .arg(flag("quiet", "Print nothing but the solution"))
        .arg(flag("json", "Print JSON: one object for one deal; for several a list, and a summary"));
    if !info.yardstick.is_empty() {
        command = command.arg(
            Arg::new("difficulty")
                .long("difficulty")
                .value_name("GAMES")
                .num_args(0..=1)
                .default_missing_value("50")
                .value_parser(values::within::<u64>(1..=100_000))
                .help(format!(
                    "How hard a deal is: the share of GAMES (50) won by {}",
                    info.yardstick
                )),
        );
    }
    let formats = registry().played(info.name).map(|game| game.table().formats());
    if let Ok(formats) = formats
        && !formats.is_empty()
    {
        command = command.arg(
            Arg::new("write")
                .long("write")
                .value_name("FORMAT")
                .value_parser(clap::builder::PossibleValuesParser::new(formats))
                .help("Write the position in this format and solve nothing"),
        );
    }
    command
}

fn examples(info: &GameInfo) -> String {
    let name = info.name;
    let mut text = format!(
        "Examples:\n  \
         patience solve {name} seed:7                   the deal of a seed\n  \
         patience solve {name} seed:1..100 --summary    many deals on all cores\n  \
         patience solve {name} position.txt --json      a position from a file\n  \
         patience solve {name} seed:7 | patience verify {name} seed:7 -\n"
    );
    for solver in solvers(info).filter(|solver| *solver.name != *info.solver) {
        text += &format!("  patience solve {name} seed:7 --{}\n", solver.name);
    }
    text + "\nExit codes: 0 solved (by a solver that proves: proven), 1 proven to have no solution, \
            2 wrong usage, 3 bad input, 4 stopped before that was known. With several deals: 0 if all \
            are known, 4 if not."
}
