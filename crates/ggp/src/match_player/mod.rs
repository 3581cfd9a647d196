//! The player in a match: a thread that keeps the game, the belief and the search.

mod news;
mod past;
#[cfg(test)]
mod tests;
mod think;

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use patience::gdl::{GdlGame, GdlState, GroundLimits, Move, Source, World};
use patience::model::{Game, Rng};
use patience::plan::{Cancel, Halt};
use patience::{Described, Player, RuleFile};
use tokio::sync::OwnedSemaphorePermit;

use crate::log::Log;
use crate::message::News;
use past::Past;

/// What the player is asked to do.
#[derive(Debug)]
pub(crate) enum Command {
    /// Take in the news and think until the deadline.
    Play { news: News, until: Instant, answers: Sender<Answer> },
    /// Take in the last news.
    Stop { news: News, done: Sender<()> },
}

/// What it says while it thinks.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A legal move, known at once.
    Legal(String),
    /// The move of its choice.
    Best(String),
    /// The news make no sense.
    Wrong(String),
}

/// All that a match begins with.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) role: String,
    pub(crate) rules: String,
    pub(crate) planner: String,
    pub(crate) memory: u64,
    pub(crate) seed: u64,
    /// What grounding may take.
    pub(crate) ground: Duration,
    pub(crate) cancel: Cancel,
    /// Why the match has ended, once it has.
    pub(crate) why: Arc<OnceLock<String>>,
    pub(crate) log: Arc<Log>,
    /// What was last answered, whoever answered it.
    pub(crate) answered: Arc<Mutex<Option<String>>>,
    /// The place where matches are prepared, as long as this one is.
    pub(crate) preparing: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl Setup {
    /// Gives the place where matches are prepared to the next one.
    fn prepared(&self) {
        self.preparing.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Says that the match cannot be played.
    fn refuse(&self, message: String, ready: Option<&Sender<Result<(), String>>>) {
        self.log.line(&format!("refused: {message}"));
        let _ = self.why.set(message.clone());
        if let Some(ready) = ready {
            let _ = ready.send(Err(message));
        }
    }
}

/// Reads the rules, says whether they can be played, and serves commands until there are no more.
pub(crate) fn play_match(
    setup: &Setup,
    ready: &Sender<Result<(), String>>,
    commands: &Receiver<Command>,
) {
    let refuse = |message: String| setup.refuse(message, Some(ready));
    let rules = match RuleFile::read(Source::new("rules", setup.rules.as_str())) {
        Ok(rules) => rules,
        Err(error) => return refuse(error.to_string()),
    };
    for role in rules.without_goal() {
        setup.log.line(&format!("warning: no rule gives the role {role} a goal: it scores 0"));
    }
    let limits = GroundLimits { time: setup.ground, ..GroundLimits::default() };
    // Whatever is asked of the rules ends with the match.
    let halt = Halt::new(&setup.cancel, None);
    let described = rules.described(&limits);
    drop(halt);
    if setup.cancel.is_cancelled() {
        setup.log.line("ended before it was ready");
        return;
    }
    match described {
        Ok(Described::Grounded(world)) => {
            setup.log.line(&format!("grounded: {} gates", world.sizes().gates));
            play(setup, &world, ready, commands);
        }
        Ok(Described::Lifted(world, reason)) => {
            setup.log.line(&format!("lifted: {reason}"));
            play(setup, &world, ready, commands);
        }
        Err(error) => refuse(error.to_string()),
    }
}

fn play<W: World>(
    setup: &Setup,
    world: &Arc<W>,
    ready: &Sender<Result<(), String>>,
    commands: &Receiver<Command>,
) {
    let game = match GdlGame::new(Arc::clone(world), &setup.role) {
        Ok(game) => game,
        Err(error) => return setup.refuse(error.to_string(), Some(ready)),
    };
    // A controller of GDL-I tells all moves, whatever the rules say of percepts.
    let told_all = match serve(setup, &game, Some(ready), commands, None) {
        Some(command) => command,
        None => return,
    };
    setup.log.line("the controller tells all moves");
    serve(setup, &game.with_all_seen(), None, commands, Some(told_all));
}

/// Plays; gives back a command that only a game in which all moves are told can understand.
fn serve<W: World>(
    setup: &Setup,
    game: &GdlGame<W>,
    ready: Option<&Sender<Result<(), String>>>,
    commands: &Receiver<Command>,
    mut first: Option<Command>,
) -> Option<Command> {
    let kit = Player::kit(game.clone());
    let player = match Player::new(&kit, &setup.planner, setup.seed) {
        Ok(player) => player,
        Err(error) => {
            setup.refuse(error.to_string(), ready);
            return None;
        }
    };
    let known = game.start(&mut Rng::new(0));
    let mut legal = Vec::new();
    game.actions(&known, &mut legal);
    let past = (!game.sees_all()).then(|| Past::new(game));
    let (behind, late) = (Vec::new(), None);
    let mut playing = MatchPlayer {
        setup,
        game,
        player,
        known,
        past,
        legal,
        turn: 0,
        behind,
        late,
        asked: false,
    };
    if let Some(ready) = ready {
        setup.prepared();
        let _ = ready.send(Ok(()));
    }
    while let Some(command) = first.take().or_else(|| commands.recv().ok()) {
        let news = match &command {
            Command::Play { news, .. } | Command::Stop { news, .. } => news.clone(),
        };
        if playing.tells_all(&news) {
            return Some(command);
        }
        // Whatever is asked of the rules ends with the clock; the end is told only to the log.
        let halt = match &command {
            Command::Play { until, .. } => Halt::new(&setup.cancel, Some(*until)),
            Command::Stop { .. } => Halt::new(&Cancel::new(), Some(Instant::now() + LAST)),
        };
        let taken = playing.take_in(&news);
        if halt.struck() {
            // What seems to be legal may be so only because the search for it was cut.
            playing.legal.clear();
            playing.late.get_or_insert_with(|| "the rules take too long".to_owned());
        }
        drop(halt);
        match command {
            Command::Play { until, answers, .. } => match taken {
                Ok(()) => playing.think(until, &answers),
                Err(message) => {
                    setup.log.line(&format!("wrong: {message}"));
                    let _ = answers.send(Answer::Wrong(message));
                }
            },
            Command::Stop { done, .. } => {
                playing.result(taken);
                let _ = done.send(());
                return None;
            }
        }
    }
    None
}

/// What the last news may take: only the log waits for it.
const LAST: Duration = Duration::from_millis(200);

/// A match as this player knows it.
struct MatchPlayer<'k, W: World> {
    setup: &'k Setup,
    game: &'k GdlGame<W>,
    player: Player<'k, W>,
    /// Where the match stands, if all moves are told.
    known: GdlState<W::Position>,
    /// What can have happened, if they are not and as long as it can be followed.
    past: Option<Past<W>>,
    /// The moves that are legal for all that the player knows.
    legal: Vec<Move>,
    turn: u64,
    /// Joint moves that were told, but not played here within the clock.
    behind: Vec<Vec<String>>,
    /// Why it is not known what is legal, if it is not.
    late: Option<String>,
    /// Whether a move was asked for already.
    asked: bool,
}
