//! `patience solve GAME DEAL…`: whole deals and boards, by any solver of any game.

mod args;
pub(super) mod many;
mod report;

use std::time::{Duration, Instant};

use clap::{ArgMatches, Command, FromArgMatches};
use patience::plan::{Budget, Cancel, Verdict};
use patience::{AnyGame, AnyState, Call, Difficulty, GameInfo, Solved, registry};

pub(crate) use args::{call_of, game_options, game_string, head, unsolvable, with_games};

use self::report::{Row, Several, Summary};
use super::deals::{self, Chosen, Source};
use crate::console::{cancel_on_interrupt, note, say, say_json};
use crate::exit::{Code, Failure};

/// What was asked for: a game and its options.
#[derive(Debug)]
pub(crate) struct Args {
    game: String,
    matches: ArgMatches,
}

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        with_games(command, "solve", args::of_game)
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

/// What is done with each deal.
struct Work<'w> {
    info: &'w GameInfo,
    /// The game with its parameters.
    game: String,
    /// The game, on which deals are dealt.
    table: AnyGame,
    solver: String,
    /// Whether the solver looks for the best solution.
    best: bool,
    budget: Budget,
    seed: u64,
    difficulty: Option<u64>,
    keep_moves: bool,
    numbered: bool,
    cancel: Cancel,
}

/// Seconds for a search that would not end.
const STANDARD: Duration = Duration::from_secs(10);

/// What is printed.
#[derive(Clone, Copy)]
struct Shown {
    summary: bool,
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result<Code, Failure> {
    let m = &args.matches;
    let info = registry().games().find(|info| info.name == args.game);
    let info = info.expect("there is a command for each game");
    let text = m.get_one::<String>("game").map_or(args.game.as_str(), String::as_str);
    let game = call_of(text, info.parameters, m, &args::taken(info))?;
    // A wrong parameter is told of before anything else.
    let made = registry().played(&game)?;
    let words = deals::words(m);
    let winnable = m.get_one::<u64>("winnable").copied();
    if words.is_empty() && winnable.is_none() {
        let message = "which deal? Name one, such as 7, 1..40 or seed:7, or a file";
        return Err(Failure::new(Code::Usage, message));
    }
    let Chosen { sources, several } = deals::all(&words, &game)?;
    if let Some(format) = m.try_get_one::<String>("write").ok().flatten() {
        return write(&game, &sources, format);
    }
    let Some(mut solver) = args::solver(info, made.solver(), m)? else {
        return Err(Failure::new(Code::Usage, format!("{game} has no solver")));
    };
    let call = Call::parse(&solver)?;
    let known: Vec<&str> = made.table().solvers().iter().map(|info| info.name).collect();
    if !known.contains(&call.name()) {
        return Err(call.unknown("solver", &known).into());
    }
    let name = call.name().to_owned();
    let shown = Shown {
        summary: m.get_flag("summary"),
        json: m.get_flag("json"),
        quiet: m.get_flag("quiet"),
    };
    let several = several || shown.summary;
    let threads = m.get_one::<usize>("threads").copied().filter(|n| *n > 0);
    let iterations = m.get_one::<u64>("iterations").copied();
    let all = threads.unwrap_or_else(many::cores);
    let parallel = args::solvers(info)
        .any(|own| own.name == name && own.parameters.iter().any(|param| param.name == "threads"));
    if parallel && call.value("threads").is_some() {
        if threads.is_some() {
            let message = format!("threads is given twice: as an option and in `{solver}`");
            return Err(Failure::new(Code::Usage, message));
        }
    } else if parallel && !several {
        // Who counts iterations wants the same result everywhere, so cores do not decide then.
        let each = if threads.is_none() && iterations.is_some() { 1 } else { all };
        solver = args::with_arguments(&solver, &[format!("threads={each}")]);
    }
    let time = m.get_one::<Duration>("time").copied();
    let endless = made.solving(&solver, &Budget::UNLIMITED).is_err();
    let side_by_side = if several { all.min(sources.len()) } else { 1 };
    let memory = m.get_one::<u64>("memory").copied().unwrap_or(u64::MAX);
    let budget = Budget {
        iterations,
        model_calls: None,
        time: time.or((iterations.is_none() && endless).then_some(STANDARD)),
        memory: Some(memory / side_by_side.max(1) as u64),
    };
    // A solver that is really wrong, and not only without end, is told of now.
    made.solving(&solver, &budget)?;
    let seed = m.get_one::<u64>("seed").copied();
    let work = Work {
        info,
        best: name == info.optimiser && info.optimiser != info.solver,
        game,
        table: made.table(),
        solver,
        budget,
        seed: seed.unwrap_or(1),
        difficulty: m.try_get_one::<u64>("difficulty").ok().flatten().copied(),
        keep_moves: !shown.summary,
        numbered: m.get_flag("numbered"),
        cancel: cancel_on_interrupt(),
    };
    match (winnable, sources.as_slice()) {
        (Some(wanted), _) => self::winnable(&work, wanted, seed.unwrap_or(1), shown),
        (None, [source]) if !several => one(&work, source, shown),
        (None, sources) => many(&work, sources, all, shown),
    }
}

/// Prints positions in a format.
fn write(game: &str, sources: &[Source], format: &str) -> Result<Code, Failure> {
    for source in sources {
        let state = source.open(&source.game(game)?, 0)?;
        let text = state.write(format).map_err(|why| {
            let message = format!("{}: --write {format}: {why}", source.name());
            Failure::new(Code::Usage, message)
        })?;
        say(&text);
    }
    Ok(Code::Success)
}

impl Work<'_> {
    /// A position may tell parameters of its own, and with them another game.
    fn open(&self, source: &Source) -> Result<AnyState, Failure> {
        match source {
            Source::Deal(_) => source.open(&self.table, self.seed),
            Source::Position { .. } => source.open(&source.game(&self.game)?, self.seed),
        }
    }

    /// Solves a deal; whatever is found was replayed by the game's validator.
    fn solve(&self, source: &Source, watch: &mut dyn FnMut(&Solved)) -> Result<Row, Failure> {
        let state = self.open(source)?;
        let solver = Some(self.solver.as_str());
        let solved = state.solve(solver, &self.budget, self.seed, &self.cancel, watch);
        let solved = solved.map_err(|error| failure(error).about(source.name()))?;
        let difficulty = match self.difficulty {
            Some(games) => Some(self.difficulty(&state, games)?),
            None => None,
        };
        let steps = if self.numbered { state.numbered(&solved.moves) } else { Vec::new() };
        let solved = Solved { deal: source.name().to_owned(), ..solved };
        let solved = if self.keep_moves { solved } else { solved.without_moves() };
        Ok(Row { solved, difficulty, steps })
    }

    /// How often a quick player wins, seeing what a player sees.
    fn difficulty(&self, state: &AnyState, games: u64) -> Result<Difficulty, Failure> {
        let mut told = Instant::now();
        let mut tell = |found: &Difficulty| {
            if told.elapsed() >= Duration::from_secs(1) {
                told = Instant::now();
                note(&format!("{}/{games} games played, {} won", found.games, found.won));
            }
        };
        let found = state.difficulty(games, &self.cancel, &mut tell);
        found.map_err(|error| Failure::new(Code::Usage, error.to_string()))
    }

    fn code(&self, row: &Row) -> Code {
        if row.solved.verdict == Verdict::Unsolvable {
            return Code::No;
        }
        let settled = row.solved.is_settled(self.best) && !self.cancel.is_cancelled();
        if settled { Code::Success } else { Code::Budget }
    }
}

fn failure(error: patience::SolveError) -> Failure {
    use patience::SolveError::{Call, Fault, None, Open};
    match error {
        Call(error) => error.into(),
        None(_) => Failure::new(Code::Usage, error.to_string()),
        Open(_) => Failure::new(Code::BadInput, error.to_string()),
        Fault(_) => Failure::new(Code::Fault, error.to_string()),
    }
}

fn one(work: &Work<'_>, source: &Source, shown: Shown) -> Result<Code, Failure> {
    let mut progress = report::Progress::new(source.name(), shown.quiet);
    let row = work.solve(source, &mut |solved| progress.tell(solved))?;
    if shown.json {
        say_json(&row)?;
    } else {
        let text = row.text(shown.quiet);
        // Without a solution there is nothing for who reads it.
        if !text.is_empty() {
            say(&text);
        }
    }
    Ok(work.code(&row))
}

fn many(
    work: &Work<'_>,
    sources: &[Source],
    threads: usize,
    shown: Shown,
) -> Result<Code, Failure> {
    // What cannot be read is told of before anything is searched. Of a range the ends are looked at.
    for (place, source) in sources.iter().enumerate() {
        let end = place == 0 || place + 1 == sources.len();
        if end || matches!(source, Source::Position { .. }) {
            work.open(source)?;
        }
    }
    let begin = Instant::now();
    let progress = |rows: &[Option<Result<Row, Failure>>]| {
        let known: Vec<&Row> = rows.iter().flatten().flatten().collect();
        let solved = known.iter().filter(|row| row.solved.verdict.is_solved()).count();
        format!("{solved} of {} solved", known.len())
    };
    let rows = many::on_all(sources, threads, &work.cancel, &progress, |source| {
        work.solve(source, &mut |_| ())
    });
    let rows: Vec<Row> = rows.into_iter().flatten().collect::<Result<_, _>>()?;
    let sum = Summary::of(&work.game, &rows, sources.len(), begin.elapsed().as_secs_f64());
    match (shown.summary, shown.json) {
        (true, true) => say_json(&sum)?,
        (false, true) => say_json(&Several { deals: &rows, summary: &sum })?,
        (summary, false) => {
            if !summary && !shown.quiet {
                say(&report::table_of(&rows));
            }
            say(&sum.text());
        }
    }
    let known = rows.len() == sources.len() && rows.iter().all(|r| r.solved.is_settled(work.best));
    Ok(if known { Code::Success } else { Code::Budget })
}

/// Goes from deal to deal until enough of them were solved.
fn winnable(work: &Work<'_>, wanted: u64, first: u64, shown: Shown) -> Result<Code, Failure> {
    let begin = Instant::now();
    let prefix = if deals::is_numbered(work.info) { "" } else { "seed:" };
    let mut told = begin;
    let (mut found, mut tried) = (Vec::new(), Vec::new());
    for number in first..=u64::MAX {
        if found.len() as u64 >= wanted || work.cancel.is_cancelled() {
            break;
        }
        let row = work.solve(&Source::Deal(format!("{prefix}{number}")), &mut |_| ())?;
        let won = row.solved.verdict.is_solved() && row.solved.reached;
        if won && !shown.json {
            say(&row.line());
        }
        tried.push(row.without_moves());
        if told.elapsed() >= Duration::from_secs(2) {
            told = Instant::now();
            note(&format!("{} tried, {} found", tried.len(), found.len()));
        }
        if won {
            found.push(row);
        }
    }
    let enough = found.len() as u64 >= wanted;
    if shown.json {
        let seconds = begin.elapsed().as_secs_f64();
        let sum = Summary::of(&work.game, &tried, tried.len(), seconds);
        say_json(&Several { deals: &found, summary: &sum })?;
    }
    if !enough {
        note(&format!("found {} of {wanted}: interrupted", found.len()));
    }
    Ok(if enough { Code::Success } else { Code::Budget })
}
