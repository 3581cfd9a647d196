//! Rule files: found by name or path, read and checked.

use std::path::Path;
use std::sync::Arc;

use patience_plan::did_you_mean;

use super::variants::VARIANTS;
use super::{Described, GAMES, built_in};
use crate::check::{Strictness, check, roles_without_goal};
use crate::engine::EngineError;
use crate::ground::{GroundError, GroundLimits, ground};
use crate::lifted::{Lifted, LiftedWorld};
use crate::play::World;
use crate::text::{Description, Diagnostic, Source};

/// A rule file that has been read and checked.
#[derive(Clone, Debug)]
pub struct RuleFile {
    /// The text and where it comes from.
    pub source: Source,
    /// The rules.
    pub description: Description,
    /// All that is wrong with them.
    pub findings: Vec<Diagnostic>,
}

/// Why a rule file cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// It cannot be read from the disk.
    #[error("{0}")]
    Io(String),
    /// It is not a list of rules, or cannot be run: the message shows the place.
    #[error("{0}")]
    Rules(String),
    /// It takes too long, or was stopped.
    #[error("{0}")]
    Unfinished(String),
    /// A GPU was asked for, and there is none that can be used.
    #[error("{0}")]
    Gpu(String),
}

impl RuleFile {
    /// Reads a file, or the game of that name that comes with the program.
    ///
    /// # Errors
    /// If there is no such file, or it is no list of rules.
    pub fn open(file: &str) -> Result<Self, RuleError> {
        RuleFile::read(RuleFile::source(file)?)
    }

    /// The text of a file, or of the game of that name that comes with the program.
    ///
    /// # Errors
    /// If there is no such file, or it is not text.
    pub fn source(file: &str) -> Result<Source, RuleError> {
        match built_in(file) {
            Some(source) if !Path::new(file).exists() => Ok(source),
            _ => {
                let bytes = std::fs::read(file).map_err(|error| unreadable(file, &error))?;
                let text = text(bytes).map_err(|why| RuleError::Io(format!("{file}: {why}")))?;
                Ok(Source::new(file, text))
            }
        }
    }

    /// Reads rules.
    ///
    /// # Errors
    /// If the text is no list of rules.
    pub fn read(source: Source) -> Result<Self, RuleError> {
        match Description::read(source.text()) {
            Ok(description) => {
                let findings = check(&description);
                Ok(RuleFile { source, description, findings })
            }
            Err(finding) => Err(RuleError::Rules(finding.render(&source))),
        }
    }

    /// The findings that stand in the way, each with its place.
    pub fn refused(&self, strictness: Strictness) -> Vec<String> {
        let refused = self.findings.iter().filter(|finding| strictness.refuses(finding));
        refused.map(|finding| finding.render(&self.source)).collect()
    }

    /// Whether it can be played, harmless faults allowed.
    ///
    /// # Errors
    /// With what stands in the way.
    pub fn playable(&self) -> Result<(), RuleError> {
        let refused = self.refused(Strictness::Lenient);
        if refused.is_empty() { Ok(()) } else { Err(RuleError::Rules(refused.join("\n"))) }
    }

    /// The roles to which no rule gives a goal: they score 0.
    pub fn without_goal(&self) -> Vec<&str> {
        let roles = roles_without_goal(&self.description);
        roles.into_iter().map(|(name, _)| self.description.symbols.name(name)).collect()
    }

    /// The game, grounded if that is possible within the limits.
    ///
    /// # Errors
    /// If the rules cannot be run at all, take too long, or a [`Halt`](patience_plan::Halt) of this
    /// thread strikes.
    pub fn described(&self, limits: &GroundLimits) -> Result<Described, RuleError> {
        self.playable()?;
        let wrong = |finding: &Diagnostic| RuleError::Rules(finding.render(&self.source));
        match ground(&self.description, limits) {
            Ok(network) => Ok(Described::Grounded(Arc::new(network))),
            Err(GroundError::Diagnostic(finding)) => Err(wrong(&finding)),
            Err(stopped @ GroundError::Stopped { .. }) => Err(self.unfinished(&stopped)),
            Err(reason) => {
                let engine = Lifted::within(&self.description, limits.lifted);
                let engine = engine.map_err(|error| self.blame(&error))?;
                let has_percepts = self.description.defines_percepts();
                let world = LiftedWorld::new(engine, has_percepts);
                match world.fault(&world.position()) {
                    Some(fault) => Err(self.unfinished(fault)),
                    None => Ok(Described::Lifted(Arc::new(world), reason)),
                }
            }
        }
    }

    /// Why there is no engine.
    pub fn blame(&self, error: &EngineError) -> RuleError {
        match error {
            EngineError::Diagnostic(_) => RuleError::Rules(error.render(&self.source)),
            EngineError::Run(error) => self.unfinished(error),
        }
    }

    fn unfinished(&self, why: &dyn std::error::Error) -> RuleError {
        RuleError::Unfinished(format!("{}: {why}", self.source.name()))
    }
}

/// Bytes that are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: this is no text (UTF-8 is expected)")]
pub struct NoText {
    /// The line, from 1.
    pub line: usize,
}

/// Reads bytes as text.
///
/// # Errors
/// Says in which line they are none.
pub fn text(bytes: Vec<u8>) -> Result<String, NoText> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        NoText { line: 1 + before.iter().filter(|&&byte| byte == b'\n').count() }
    })
}

fn unreadable(file: &str, error: &std::io::Error) -> RuleError {
    let names: Vec<&str> = GAMES.iter().map(|(name, _)| *name).collect();
    let near = did_you_mean(file, names.iter().copied());
    let games = [&names[..], VARIANTS].concat().join(", ");
    RuleError::Io(format!("{file}: {error}{near} (games that come with the program: {games})"))
}
