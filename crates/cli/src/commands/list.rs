//! `patience games`, `patience planners` and `patience solvers`.

use patience::{GameInfo, Param, PlannerInfo, registry};
use serde::Serialize;

use crate::console::{say, say_json};
use crate::exit::{Code, Failure};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these names
    names: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GameRow<'a> {
    #[serde(flatten)]
    info: &'a GameInfo,
    capabilities: Vec<&'static str>,
    planners: Vec<&'static str>,
    solvers: Vec<&'static str>,
}

pub(crate) fn games(args: &Args) -> Result<Code, Failure> {
    let mut rows = Vec::new();
    for info in chosen(registry().games(), args, |info| info.name, "game")? {
        let game = registry().game(info.name)?;
        rows.push(GameRow {
            info,
            capabilities: game.capabilities().to_vec(),
            planners: game.planners().iter().map(|planner| planner.name).collect(),
            solvers: game.table().solvers().iter().map(|solver| solver.name).collect(),
        });
    }
    if args.json {
        say_json(&rows)?;
        return Ok(Code::Success);
    }
    for GameRow { info, capabilities, planners, solvers } in rows {
        let mut text = format!("{}: {}\n", info.name, info.summary);
        text += &format!("  rewards       {}\n", info.rewards);
        if !info.paper.is_empty() {
            text += &format!("  from          {}\n", info.paper);
        }
        text += &format!("  capabilities  {}\n", capabilities.join(", "));
        text += &format!("  planners      {}\n", planners.join(", "));
        text += &format!("  default       {}\n", info.planner);
        if !solvers.is_empty() {
            text += &format!("  solvers       {}\n", solvers.join(", "));
        }
        say(&(text + &parameters(info.parameters)));
    }
    Ok(Code::Success)
}

pub(crate) fn planners(args: &Args) -> Result<Code, Failure> {
    searches(args, registry().planners(), "planner")
}

pub(crate) fn solvers(args: &Args) -> Result<Code, Failure> {
    searches(args, registry().solvers(), "solver")
}

fn searches(
    args: &Args,
    all: impl Iterator<Item = &'static PlannerInfo>,
    what: &str,
) -> Result<Code, Failure> {
    let rows: Vec<&PlannerInfo> = chosen(all, args, |info| info.name, what)?;
    if args.json {
        say_json(&rows)?;
        return Ok(Code::Success);
    }
    for info in rows {
        let mut text = format!("{}: {}\n", info.name, info.summary);
        text += &format!("  guarantee     {}\n", info.guarantee);
        if !info.paper.is_empty() {
            text += &format!("  from          {}\n", info.paper);
        }
        if !info.needs.is_empty() {
            text += &format!("  needs         the capability {}\n", info.needs);
        }
        let hidden = if info.hidden { "yes" } else { "no" };
        text += &format!("  hidden parts  {hidden}\n");
        if !info.iteration.is_empty() {
            text += &format!("  iteration     {}\n", info.iteration);
        }
        say(&(text + &parameters(info.parameters)));
    }
    Ok(Code::Success)
}

fn chosen<'a, T>(
    all: impl Iterator<Item = &'a T>,
    args: &Args,
    name: impl Fn(&T) -> &'static str,
    what: &str,
) -> Result<Vec<&'a T>, Failure> {
    let all: Vec<&T> = all.collect();
    for wanted in &args.names {
        if !all.iter().any(|item| name(item) == wanted) {
            let known = all.iter().map(|item| name(item));
            let near = patience::plan::did_you_mean(wanted, known.clone());
            let known = known.collect::<Vec<_>>().join(", ");
            let message = format!("there is no {what} {wanted}{near} (there are: {known})");
            return Err(Failure::new(Code::Usage, message));
        }
    }
    let named = |item: &&T| args.names.is_empty() || args.names.iter().any(|n| n == name(item));
    Ok(all.into_iter().filter(named).collect())
}

fn parameters(parameters: &[Param]) -> String {
    let width = parameters.iter().map(|p| p.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for param in parameters {
        let Param { name, default, meaning, .. } = param;
        let takes = match param.words {
            [] if param.min.is_none() && param.max.is_none() => String::new(),
            _ => format!("{}; ", param.expected()),
        };
        text += &format!("    {name:width$}  {meaning} ({takes}default: {default})\n");
    }
    text
}
