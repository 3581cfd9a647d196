//! The player's seat in a match: a thread that keeps the game, the belief and the search.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use patience::gdl::belief::{BeliefError, BeliefTree};
use patience::gdl::{GdlGame, GroundLimits, Move, Percepts, RunError, Source, Standing, World};
use patience::model::{Game, Rng};
use patience::plan::{Budget, Cancel, Halt};
use patience::{Described, Player, RuleFile};

use crate::log::Log;
use crate::message::News;

/// What the seat is asked to do.
pub(crate) enum Command {
    /// Take in the news and think until the deadline.
    Play { news: News, until: Instant, answers: Sender<Answer> },
    /// Take in the last news.
    Stop { news: News, done: Sender<()> },
}

/// What it says while it thinks.
pub(crate) enum Answer {
    /// A legal move, known at once.
    Legal(String),
    /// The move of its choice.
    Best(String),
    /// The news make no sense.
    Wrong(String),
}

/// All that a match begins with.
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
}

impl Setup {
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
pub(crate) fn sit(setup: &Setup, ready: &Sender<Result<(), String>>, commands: &Receiver<Command>) {
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
    let kit = Player::seat(game.clone());
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
    let mut seat =
        Seated { setup, game, player, known, past, legal, turn: 0, behind, late, asked: false };
    if let Some(ready) = ready {
        let _ = ready.send(Ok(()));
    }
    while let Some(command) = first.take().or_else(|| commands.recv().ok()) {
        let news = match &command {
            Command::Play { news, .. } | Command::Stop { news, .. } => news.clone(),
        };
        if seat.tells_all(&news) {
            return Some(command);
        }
        // Whatever is asked of the rules ends with the clock; the end is told only to the log.
        let halt = match &command {
            Command::Play { until, .. } => Halt::new(&setup.cancel, Some(*until)),
            Command::Stop { .. } => Halt::new(&Cancel::new(), Some(Instant::now() + LAST)),
        };
        let taken = seat.take_in(&news);
        if halt.struck() {
            // What seems to be legal may be so only because the search for it was cut.
            seat.legal.clear();
            seat.late.get_or_insert_with(|| "the rules take too long".to_owned());
        }
        drop(halt);
        match command {
            Command::Play { until, answers, .. } => match taken {
                Ok(()) => seat.think(until, &answers),
                Err(message) => {
                    setup.log.line(&format!("wrong: {message}"));
                    let _ = answers.send(Answer::Wrong(message));
                }
            },
            Command::Stop { done, .. } => {
                seat.result(taken);
                let _ = done.send(());
                return None;
            }
        }
    }
    None
}

/// What the last news may take: only the log waits for it.
const LAST: Duration = Duration::from_millis(200);

/// More moves of the other roles at a time than these are not all followed by a [`BeliefTree`].
const MOST_MOVES: usize = 4_096;

/// What the player has done and seen, to find out whether it can have happened.
struct Past<W: World> {
    tree: BeliefTree<W>,
    /// Whether all that can have happened is followed.
    complete: bool,
}

impl<W: World> Past<W> {
    fn new(game: &GdlGame<W>) -> Self {
        let mut past = Past { tree: BeliefTree::new(game.clone()), complete: true };
        past.count(game, &game.start(&mut Rng::new(0)));
        past
    }

    /// Counts what the other roles can do here.
    fn count(&mut self, game: &GdlGame<W>, state: &Standing<W::Position>) {
        let mut moves = Vec::new();
        let mut count = 1usize;
        for role in (0..game.role_count()).filter(|&role| role != game.role()) {
            game.network().legal(&state.position, role, &mut moves);
            count = count.saturating_mul(moves.len());
        }
        self.complete &= count <= MOST_MOVES;
    }

    /// Goes on, and gives a state that agrees with all that was seen. Without one the last step is
    /// taken back; `None` if it cannot be.
    fn observe(
        &mut self,
        game: &GdlGame<W>,
        own: Move,
        seen: Percepts,
        rng: &mut Rng,
    ) -> Option<Result<Standing<W::Position>, Unknown>> {
        self.tree.observe(own, seen);
        match self.tree.sample(rng) {
            Ok(state) => {
                self.count(game, &state);
                return Some(Ok(state));
            }
            Err(BeliefError::Run(error)) => return Some(Err(Unknown::Late(error))),
            Err(BeliefError::Tries { .. }) => return None,
            Err(BeliefError::Impossible { .. }) => {}
        }
        let history = self.tree.history().filter(|_| self.complete)?.to_vec();
        self.tree = BeliefTree::new(game.clone());
        for &(own, seen) in &history[..history.len().saturating_sub(1)] {
            self.tree.observe(own, seen);
        }
        Some(Err(Unknown::Impossible))
    }
}

/// Why no state is known that agrees with what was seen.
enum Unknown {
    /// There is none.
    Impossible,
    /// It was not found in time. It may be later.
    Late(RunError),
}

struct Seated<'k, W: World> {
    setup: &'k Setup,
    game: &'k GdlGame<W>,
    player: Player<'k, W>,
    /// Where the match stands, if all moves are told.
    known: Standing<W::Position>,
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

impl<W: World> Seated<'_, W> {
    fn text(&self, action: Move) -> String {
        self.game.network().move_text(self.game.role(), action.0)
    }

    /// Whether the news are a joint move although the game has percepts.
    fn tells_all(&self, news: &News) -> bool {
        let News::Terms(terms) = news else { return false };
        let world = self.game.network();
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        !self.game.sees_all()
            && self.turn == 0
            && terms.len() == self.game.role_count()
            && world.seen_terms(self.game.role(), &terms).is_none()
            && terms.iter().enumerate().all(|(r, text)| world.move_named(r, text).is_some())
    }

    /// Goes on by what happened.
    fn take_in(&mut self, news: &News) -> Result<(), String> {
        let told = self.turn + self.behind.len() as u64;
        match news {
            // Before the first move there is no news, in whichever words, and however often.
            News::Nothing if !self.asked || told == 0 && self.game.sees_all() => Ok(()),
            News::Terms(terms) if terms.is_empty() && !self.asked => Ok(()),
            News::Nothing if self.game.sees_all() => {
                Err("expected the moves of all roles".to_owned())
            }
            News::Nothing => self.perceive(None, &[]),
            News::Terms(terms) if self.game.sees_all() => self.joint(terms),
            News::Terms(terms) => self.perceive(None, terms),
            News::Turn { turn, .. } if *turn == told => self.catch_up(),
            News::Turn { turn, own, percepts } if *turn == told + 1 && self.game.sees_all() => {
                self.seen_moves(own.as_deref(), percepts)
            }
            News::Turn { turn, own, percepts } if *turn == told + 1 => {
                self.perceive(own.as_deref(), percepts)
            }
            News::Turn { turn, .. } => Err(format!("turn {turn} does not follow turn {told}")),
        }
    }

    fn joint(&mut self, terms: &[String]) -> Result<(), String> {
        if terms.len() != self.game.role_count() {
            let (count, roles) = (terms.len(), self.game.role_count());
            return Err(format!("{count} moves were told, but there are {roles} roles"));
        }
        self.behind.push(terms.to_vec());
        self.catch_up()
    }

    /// Plays what was told and not yet played. What the rules take too long for is tried again with
    /// the next news.
    fn catch_up(&mut self) -> Result<(), String> {
        while let Some(terms) = self.behind.first() {
            let joint = match self.numbers(terms) {
                Ok(joint) => joint,
                Err(message) => {
                    self.behind.clear();
                    return Err(message);
                }
            };
            let mut next = self.known.clone();
            let seen = self.game.play(&mut next, &joint);
            if let Some(fault) = self.game.network().fault(&next.position) {
                self.late = Some(fault.to_string());
                return Err(format!("no legal move is known yet: {fault}"));
            }
            self.behind.remove(0);
            self.late = None;
            self.known = next;
            self.turn += 1;
            self.player.observe(Move(joint[self.game.role()]), seen, Some(&self.known));
            self.game.actions(&self.known, &mut self.legal);
        }
        Ok(())
    }

    /// The numbers of the moves of a joint move, if they are legal.
    fn numbers(&self, terms: &[String]) -> Result<Vec<u32>, String> {
        let world = self.game.network();
        let mut joint = Vec::with_capacity(terms.len());
        let mut legal = Vec::new();
        for (role, text) in terms.iter().enumerate() {
            world.legal(&self.known.position, role, &mut legal);
            let number = world.move_named(role, text).filter(|number| legal.contains(number));
            let name = || world.role_names().swap_remove(role);
            joint.push(number.ok_or_else(|| format!("{text} is not legal for {}", name()))?);
        }
        Ok(joint)
    }

    /// The newer form where all moves are told: the moves are what is seen, but for a single role.
    fn seen_moves(&mut self, own: Option<&str>, percepts: &[String]) -> Result<(), String> {
        match own {
            Some(own) if self.game.role_count() == 1 => self.joint(&[own.to_owned()]),
            _ if percepts.len() == self.game.role_count() => self.joint(percepts),
            _ => Err("expected the moves of all roles".to_owned()),
        }
    }

    fn perceive(&mut self, own: Option<&str>, percepts: &[String]) -> Result<(), String> {
        let world = self.game.network();
        let last = self.setup.answered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let own = own.map(str::to_owned).or(last).ok_or("no move was made yet")?;
        let number = world.move_named(self.game.role(), &own).map(Move);
        let number = number.ok_or_else(|| format!("{own} is no move of this role"))?;
        if self.past.is_some() && self.late.is_none() && !self.legal.contains(&number) {
            return Err(format!("{own} was not legal in turn {}", self.turn));
        }
        let terms: Vec<&str> = percepts.iter().map(String::as_str).collect();
        let seen = world.seen_terms(self.game.role(), &terms);
        let terms = terms.join(" ");
        let seen = seen.ok_or_else(|| format!("({terms}) can never be seen"))?;
        let mut rng = Rng::named(self.setup.seed, &["past", &self.turn.to_string()]);
        let state = match &mut self.past {
            Some(past) => past.observe(self.game, number, seen, &mut rng),
            None => None,
        };
        self.late = None;
        match &state {
            Some(Err(Unknown::Impossible)) => {
                return Err(format!("({terms}) cannot be seen after {own} in turn {}", self.turn));
            }
            // It counts as seen; with the next news it is tried again.
            Some(Err(Unknown::Late(error))) => {
                self.legal.clear();
                self.late = Some(error.to_string());
            }
            Some(Ok(state)) => self.game.actions(state, &mut self.legal),
            None => {}
        }
        self.turn += 1;
        self.player.observe(number, seen, None);
        if state.is_none() {
            if self.past.take().is_some() {
                self.setup.log.line("too much can have happened: what is told is not checked");
            }
            self.legal = self.player.legal();
        }
        Ok(())
    }

    fn think(&mut self, until: Instant, answers: &Sender<Answer>) {
        self.asked = true;
        // What is sent is the move now, not what was sent before.
        *self.setup.answered.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let legal = self.legal.clone();
        let Some(&first) = legal.first() else {
            let message = match &self.late {
                Some(why) => format!("no legal move is known yet: {why}"),
                None => "the game is over".to_owned(),
            };
            self.setup.log.line(&format!("wrong: {message}"));
            let _ = answers.send(Answer::Wrong(message));
            return;
        };
        let _ = answers.send(Answer::Legal(self.text(first)));
        self.setup.log.line(&format!("turn {}: {} moves are legal", self.turn, legal.len()));
        let left = until.saturating_duration_since(Instant::now());
        let budget = Budget::time(left).with_memory(self.setup.memory);
        let (stats, best) = self.player.think(&budget, &self.setup.cancel);
        let best = self.text(best.filter(|best| legal.contains(best)).unwrap_or(first));
        self.setup.log.line(&format!(
            "turn {}: {best} of {} moves, {} simulations in {:.3} s",
            self.turn,
            legal.len(),
            stats.counts.iterations,
            stats.seconds
        ));
        let _ = answers.send(Answer::Best(best));
    }

    /// Logs how the match ended, as far as the player can know.
    fn result(&self, taken: Result<(), String>) {
        let goal = self.game.network().goal(&self.known.position, self.game.role());
        let over = self.game.network().terminal(&self.known.position);
        self.setup.log.line(&match (taken, goal.filter(|_| over && self.game.sees_all())) {
            (Err(message), _) => format!("stopped; wrong: {message}"),
            (_, Some(goal)) => format!("stopped after {} moves, goal {goal}", self.turn),
            _ => format!("stopped after {} moves", self.turn),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Rules of which one takes 50⁸ steps once this holds.
    fn wide(once: &str) -> String {
        let numbers: String = (0..50).map(|n| format!("(d {n})")).collect();
        let all: String = "abcefghi".chars().map(|x| format!("(d ?{x}) ")).collect();
        format!(
            "((role x) (init (step 0)) (legal x go) (legal x wait) {numbers}
              (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
              (<= bad {once} {all} (not (never ?a ?b ?c ?e ?f ?g ?h ?i)))
              (<= terminal bad) (<= terminal (true (step 2))) (goal x 50))"
        )
    }

    struct Sitting {
        cancel: Cancel,
        ready: Receiver<Result<(), String>>,
        commands: Option<Sender<Command>>,
        ended: Receiver<()>,
    }

    /// Longer than any of this takes on a busy machine, and shorter than 50⁸ steps.
    const LONG: Duration = Duration::from_secs(120);

    fn sit_down(rules: String) -> Sitting {
        let cancel = Cancel::new();
        let setup = Setup {
            role: "x".to_owned(),
            rules,
            planner: "norns".to_owned(),
            memory: 1 << 20,
            seed: 0,
            ground: Duration::from_millis(50),
            cancel: cancel.clone(),
            why: Arc::default(),
            log: Arc::new(Log::new(Some(&std::env::temp_dir()), "wide")),
            answered: Arc::default(),
        };
        let ((commands, orders), (says, ready), (ends, ended)) =
            (mpsc::channel(), mpsc::channel(), mpsc::channel());
        std::thread::spawn(move || {
            sit(&setup, &says, &orders);
            let _ = ends.send(());
        });
        Sitting { cancel, ready, commands: Some(commands), ended }
    }

    /// The thread of a match does not outlive it, whatever it was doing.
    #[test]
    fn a_match_ends_in_the_middle_of_a_derivation() {
        let sitting = sit_down(wide(""));
        std::thread::sleep(Duration::from_millis(200));
        sitting.cancel.cancel();
        assert_eq!(sitting.ended.recv_timeout(LONG), Ok(()));
    }

    /// A legal move is known, and is sent; what follows is not, and that is said within the clock.
    #[test]
    fn the_clock_ends_a_derivation() {
        let mut sitting = sit_down(wide("(true (step 1))"));
        assert_eq!(sitting.ready.recv_timeout(LONG), Ok(Ok(())));
        let commands = sitting.commands.take().unwrap();
        let (answers, answer) = mpsc::channel();
        for (news, turn) in [(News::Nothing, 0), (News::Terms(vec!["go".to_owned()]), 1)] {
            let until = Instant::now() + Duration::from_millis(300);
            let answers = answers.clone();
            commands.send(Command::Play { news, until, answers }).unwrap();
            match (turn, answer.recv_timeout(LONG).expect("there is an answer")) {
                (0, Answer::Legal(_)) => {
                    let best = answer.recv_timeout(LONG).expect("there is a move");
                    assert!(matches!(best, Answer::Best(_)));
                }
                (1, Answer::Wrong(message)) => {
                    let expected = "no legal move is known yet: stopped (at the rules of `bad`)";
                    assert_eq!(message, expected);
                }
                _ => panic!("another answer in turn {turn}"),
            }
        }
        drop(commands);
        assert_eq!(sitting.ended.recv_timeout(LONG), Ok(()));
    }
}
