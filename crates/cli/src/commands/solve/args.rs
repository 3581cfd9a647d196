//! The options of `patience solve GAME`, made from what the game and its solvers declare.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use patience::{Call, GameInfo, Param, PlannerInfo, registry};

use super::super::deals;
use super::many;
use crate::exit::{Code, Failure};
use crate::values;

/// The games that have a solver of their own.
fn games() -> impl Iterator<Item = &'static GameInfo> {
    registry().games().filter(|info| !info.solver.is_empty())
}

/// The solvers of a game alone, of those that know a whole position.
pub(super) fn solvers(game: &GameInfo) -> impl Iterator<Item = &'static PlannerInfo> + use<> {
    let name = game.name;
    let all = registry().played(name).map(|game| game.table().solvers()).unwrap_or_default();
    all.into_iter().filter(move |info| info.games.contains(&name))
}

/// The name in a game's string with parameters, for commands that have a word for each game.
pub(crate) fn head(game: &str) -> Option<&str> {
    game.split_once('(').map(|(name, _)| name.trim())
}

/// Says that a game has no solver, if there is such a game.
pub(crate) fn unsolvable(game: &str) -> Option<Failure> {
    let name = head(game).unwrap_or(game);
    let info = registry().games().find(|info| info.name == name)?;
    if !info.solver.is_empty() {
        return None;
    }
    let with: Vec<&str> = games().map(|info| info.name).collect();
    let message = format!("{name} has no solver of its own (games that have: {})", with.join(", "));
    Some(Failure::new(Code::Usage, message))
}

/// Adds a command for each game with a solver, and examples with the first of them.
pub(crate) fn with_games(command: Command, name: &str, each: fn(&GameInfo) -> Command) -> Command {
    let mut command = command.subcommand_required(true).arg_required_else_help(true);
    let mut examples = String::from("Examples:\n");
    for info in games() {
        examples += &format!("  patience {name} {} --help\n", info.name);
        command = command.subcommand(each(info).about(format!("{}: {}", info.title, info.summary)));
    }
    examples +=
        "\nA game may have parameters, as in 'GAME(key=value)'; the help of a game lists them.";
    command.after_help(examples)
}

/// What a command of a game gives before its options: the whole string of the game.
pub(crate) fn game_string(command: Command) -> Command {
    command.arg(Arg::new("game").long("game").hide(true))
}

/// The option of a parameter.
pub(crate) fn option(param: &Param, default: &str) -> Arg {
    let long = param.name.replace('_', "-");
    let arg = Arg::new(param.name).help(param.meaning);
    match param.kind {
        FLAG if default == "true" => {
            let help = format!("Turn off: {}", param.meaning);
            arg.long(format!("no-{long}")).action(ArgAction::SetTrue).help(help)
        }
        FLAG => arg.long(long).action(ArgAction::SetTrue),
        _ => {
            let values = match param.words {
                [] => String::new(),
                words => format!(" [values: {}]", words.join(", ")),
            };
            let help = format!("{}{values} [default: {default}]", param.meaning);
            arg.long(long).value_name("VALUE").help(help)
        }
    }
}

/// The kind of parameters that are flags.
const FLAG: &str = "true or false";

/// The options of a game's parameters.
pub(crate) fn game_options(mut command: Command, info: &GameInfo, taken: &[&str]) -> Command {
    for param in info.parameters.iter().filter(|param| !taken.contains(&param.name)) {
        let played = info.played.iter().find(|(key, _)| *key == param.name);
        let option = option(param, played.map_or(param.default, |(_, value)| value));
        command = command.arg(option.help_heading("Game"));
    }
    command
}

/// What an option gives a parameter.
fn given(param: &Param, matches: &ArgMatches) -> Option<String> {
    if param.kind == FLAG {
        let said = matches.try_get_one::<bool>(param.name).ok().flatten() == Some(&true);
        return said.then(|| (param.default == "false").to_string());
    }
    matches.try_get_one::<String>(param.name).ok().flatten().cloned()
}

/// A call with the parameters that options give.
pub(crate) fn call_of(
    text: &str,
    parameters: &[Param],
    matches: &ArgMatches,
    taken: &[&str],
) -> Result<String, Failure> {
    let call = Call::parse(text)?;
    let mut arguments = Vec::new();
    for param in parameters.iter().filter(|param| !taken.contains(&param.name)) {
        let Some(value) = given(param, matches) else { continue };
        let mut names = param.aliases.iter().chain([&param.name]);
        if names.any(|name| call.value(name).is_some()) {
            let message = format!("{} is given twice: as an option and in `{text}`", param.name);
            return Err(Failure::new(Code::Usage, message));
        }
        arguments.push(format!("{}={value}", param.name));
    }
    Ok(with_arguments(text, &arguments))
}

/// A string with more arguments.
pub(super) fn with_arguments(text: &str, arguments: &[String]) -> String {
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

/// Options of all games: a parameter of the same name is given in a string only.
const OPTIONS: [&str; 18] = [
    "deals",
    "deal",
    "from",
    "seed",
    "seeds",
    "game",
    "solver",
    "iterations",
    "time",
    "memory",
    "threads",
    "summary",
    "winnable",
    "numbered",
    "quiet",
    "json",
    "difficulty",
    "write",
];

/// Names of options of a game that its parameters, and those of its solvers, do not take.
pub(super) fn taken(info: &GameInfo) -> Vec<&'static str> {
    OPTIONS.into_iter().chain(solvers(info).map(|solver| solver.name)).collect()
}

/// The solver that options name, with its parameters; `usual` if they name none.
pub(super) fn solver(
    info: &GameInfo,
    usual: Option<&str>,
    matches: &ArgMatches,
) -> Result<Option<String>, Failure> {
    let named = matches.get_one::<String>("solver").map(String::as_str);
    let flagged = solvers(info).find(|solver| matches.get_flag(solver.name));
    let Some(text) = named.or(flagged.map(|solver| solver.name)).or(usual) else {
        return Ok(None);
    };
    let name = Call::parse(text)?.name().to_owned();
    let taken = taken(info);
    let own = solvers(info).find(|solver| solver.name == name);
    let parameters = own.map_or(&[][..], |own| own.parameters);
    // An option that is nobody's would be overlooked in silence.
    for other in solvers(info) {
        for param in other.parameters.iter().filter(|param| !taken.contains(&param.name)) {
            let known = parameters.iter().any(|own| own.name == param.name);
            if !known && given(param, matches).is_some() {
                let (key, other) = (param.name, other.name);
                let message = format!("{key} is a parameter of the solver {other}, not of {name}");
                return Err(Failure::new(Code::Usage, message));
            }
        }
    }
    call_of(text, parameters, matches, &taken).map(Some)
}

/// What the seed is used for.
const SEED: &str =
    "The seed of the search [default: 1]; if it is given and no deal is, also that of the deal";

/// `patience solve GAME`.
pub(super) fn of_game(info: &GameInfo) -> Command {
    let mut command = Command::new(info.name)
        .arg_required_else_help(true)
        .after_help(examples(info))
        .arg(Arg::new("deals").value_name("DEAL").num_args(0..).help(deals::HELP));
    command = game_string(deals::options(command, SEED));
    command = limits(with_solvers(game_options(command, info, &taken(info)), info), info);
    command = output(command);
    if !info.yardstick.is_empty() {
        let help = format!(
            "Rate a deal: the share of GAMES games won by {} [default: 50]",
            info.yardstick
        );
        command = command.arg(
            Arg::new("difficulty")
                .long("difficulty")
                .value_name("GAMES")
                .num_args(0..=1)
                .default_missing_value("50")
                .value_parser(values::within::<u64>(1..=100_000))
                .help(help),
        );
    }
    let formats = registry().played(info.name).map(|game| game.table().formats());
    match formats {
        Ok(formats) if !formats.is_empty() => command.arg(
            Arg::new("write")
                .long("write")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(formats))
                .conflicts_with_all(["json", "winnable", "summary"])
                .help("Write the position in this format; solve nothing"),
        ),
        _ => command,
    }
}

/// The solvers of a game as flags, with their parameters.
fn with_solvers(mut command: Command, info: &GameInfo) -> Command {
    let heading = Some("Solver");
    let mut known = taken(info);
    known.extend(info.parameters.iter().map(|param| param.name));
    let mut group = vec!["solver"];
    for solver in solvers(info) {
        let flag = Arg::new(solver.name).long(solver.name).action(ArgAction::SetTrue);
        let help = format!("Use {}: {}", solver.name, solver.summary);
        command = command.arg(flag.help(help).help_heading(heading));
        group.push(solver.name);
    }
    let help = format!(
        "A solver with its parameters, also one for many games; see `patience solvers` [default: {}]",
        info.solver
    );
    let arg = Arg::new("solver").long("solver").value_name("SOLVER").help(help);
    command = command.arg(arg.help_heading(heading));
    for solver in solvers(info) {
        for param in solver.parameters {
            if !known.contains(&param.name) {
                known.push(param.name);
                command = command.arg(option(param, param.default).help_heading(heading));
            }
        }
    }
    command.group(ArgGroup::new("solvers").args(group).multiple(false))
}

/// What ends a search, and on how many cores it runs.
fn limits(command: Command, info: &GameInfo) -> Command {
    let heading = Some("Limits");
    // `--rollouts` where an iteration is a rollout, unless a parameter goes by this name.
    let options: Vec<String> =
        command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect();
    let mut units: Vec<String> = Vec::new();
    for solver in solvers(info).filter(|solver| !solver.iteration.contains(' ')) {
        let unit = format!("{}s", solver.iteration);
        if !units.contains(&unit) && !options.contains(&unit) {
            units.push(unit);
        }
    }
    command
        .arg(
            Arg::new("iterations")
                .long("iterations")
                .value_name("N")
                .value_parser(values::within::<u64>(1..=u64::MAX))
                .visible_aliases(units)
                .help("Limit of iterations per deal")
                .help_heading(heading),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .value_parser(values::seconds)
                .help(
                    "Time limit per deal in seconds; suffixes ms, s, m, h are accepted [default: \
                     10s for a search that does not end by itself]",
                )
                .help_heading(heading),
        )
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("MB")
                .default_value("4G")
                .value_parser(values::memory)
                .help(
                    "Memory limit in megabytes, for all searches together; suffixes K, M, G are \
                     accepted",
                )
                .help_heading(heading),
        )
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(many::threads)
                .help("Threads [default: one per core]")
                .help_heading(heading),
        )
}

/// What is printed.
fn output(command: Command) -> Command {
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
    };
    command
        .arg(flag("summary", "Print counts and times of all deals, not every deal"))
        .arg(
            Arg::new("winnable")
                .long("winnable")
                .value_name("N")
                .value_parser(values::within::<u64>(1..=u64::from(u32::MAX)))
                .help("Find N deals with a solution, from the deal of --seed on")
                .conflicts_with_all(["deals", "deal", "seeds", "summary"]),
        )
        .arg(flag("numbered", "Write the solution as numbered steps"))
        .arg(flag("quiet", "Print only the solution"))
        .arg(flag("json", "Print JSON"))
}

fn examples(info: &GameInfo) -> String {
    let (name, deal) = (info.name, deals::example(info));
    let range = deal.replace('7', "1..100");
    let mut lines = vec![
        (format!("{name} {deal}"), "one deal"),
        (format!("{name} {range} --summary"), "many deals, on all cores"),
        (format!("{name} position.txt --json"), "a position from a file"),
        (format!("{name} {deal} | patience verify {name} {deal} -"), ""),
    ];
    for solver in solvers(info).filter(|solver| *solver.name != *info.solver) {
        lines.push((format!("{name} {deal} --{}", solver.name), ""));
    }
    if let Some((variant, title)) = info.variants.iter().find(|(variant, _)| variant.contains('('))
    {
        lines.push((format!("'{variant}' {deal}"), title));
    }
    let mut text = String::from("Examples:\n");
    for (line, what) in lines {
        text += format!("  patience solve {line:40} {what}").trim_end();
        text.push('\n');
    }
    let best = match info.optimiser {
        "" => String::new(),
        best if best == info.solver => String::new(),
        best => format!(" (with --{best}: the best solution)"),
    };
    text + &format!(
        "\nExit codes: 0 solved{best}, 1 proven to have no solution, 2 wrong usage, 3 bad input, 4 \
         stopped before that was known. With several deals: 0 if all are known, 4 if not."
    )
}
