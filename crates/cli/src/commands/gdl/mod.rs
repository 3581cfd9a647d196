//! `patience gdl`: games described in GDL and GDL-II.

mod check;
mod ground;
mod human;
mod play;
mod trace;

use std::sync::Arc;

use clap::Subcommand;
use patience::gdl::{RunError, World};
use patience::{MatchError, RuleError, RuleFile};

use crate::exit::{Code, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a rule file and explain what is wrong with it
    Check(check::Args),
    /// Ground a game and show the size of its propositional network
    Ground(ground::Args),
    /// Write a transcript of random matches, or compare an engine with one
    Trace(trace::Args),
    /// Play matches with a planner, or against it
    Play(play::Args),
}

pub(crate) fn run(command: &Command) -> Result<Code, Failure> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Ground(args) => ground::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Play(args) => play::run(args),
    }
}

/// Reads a rule file for play: faults whose meaning is plain are forgiven, and told.
fn open(file: &str) -> Result<RuleFile, Failure> {
    let rules = RuleFile::open(file)?;
    rules.playable()?;
    // Who scores nothing in any case is told by name.
    for role in rules.without_goal() {
        crate::console::note(&format!(
            "warning: {file}: no rule gives the role {role} a goal: it scores 0"
        ));
    }
    let faults = rules.refused(patience::gdl::Strictness::Strict).len();
    if faults > 0 {
        let faults = crate::console::counted(faults, "fault");
        crate::console::note(&format!(
            "warning: {file} has {faults} and is played as intended; see `patience gdl check {file}`"
        ));
    }
    Ok(rules)
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        let code = match error {
            RuleError::Io(_) | RuleError::Rules(_) => Code::BadInput,
            RuleError::Unfinished(_) => Code::Budget,
            RuleError::Gpu(_) => Code::Fault,
        };
        Failure::new(code, error.to_string())
    }
}

/// A match without a result.
fn unplayed(file: &str, error: &MatchError) -> Failure {
    let code = match error {
        MatchError::Run { error: RunError::Slow { .. }, .. } => Code::Budget,
        _ => Code::BadInput,
    };
    Failure::new(code, format!("{file}: {error}"))
}

/// Rules that cannot be run on.
fn failed(file: &str, error: &RunError) -> Failure {
    let code = match error {
        RunError::Slow { .. } | RunError::Stopped { .. } => Code::Budget,
        _ => Code::BadInput,
    };
    Failure::new(code, format!("{file}: {error}"))
}

/// The number of a role: the one named, or the only one that decides.
fn role<W: World>(world: &Arc<W>, name: Option<&str>) -> Result<usize, String> {
    patience::deciding_role(&**world, name)
}
