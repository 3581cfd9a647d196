//! The table at which one match is played at a time: who sits there, and what is answered.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use patience::plan::Cancel;

use crate::log::Log;
use crate::message::{Message, News};
use crate::seat::{Answer, Command, Setup, sit};
use crate::server::Options;

/// An answer with its HTTP status.
type Reply = (u16, String);

/// What sits down at the table: [`sit`], but for tests.
type Sit = fn(&Setup, &Sender<Result<(), String>>, &Receiver<Command>);

pub(crate) struct Table {
    options: Options,
    sit: Sit,
    matches: Mutex<Matches>,
}

/// The match in hand, and after it those that are being started: it is given up only for one that is
/// accepted.
#[derive(Default)]
struct Matches {
    list: Vec<Current>,
    /// How many there ever were.
    count: u64,
}

/// A match.
#[derive(Clone)]
struct Current {
    number: u64,
    id: String,
    play_clock: Duration,
    commands: Sender<Command>,
    cancel: Cancel,
    /// Why it has ended, once it has.
    why: Arc<OnceLock<String>>,
    log: Arc<Log>,
    answered: Arc<Mutex<Option<String>>>,
}

impl Current {
    fn is_called(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }

    /// Ends it: searches too, and whoever waits for an answer is told why.
    fn end(&self, why: &str) {
        let _ = self.why.set(why.to_owned());
        self.cancel.cancel();
    }

    /// The answer to whoever still wants something of it.
    fn over(&self) -> Reply {
        error(self.why.get().map_or("the match is over", String::as_str))
    }

    /// Waits for an answer until the latest time, or until the match ends: a timeout, both.
    fn wait<T>(&self, answers: &Receiver<T>, latest: Instant) -> Result<T, RecvTimeoutError> {
        loop {
            let left = latest.saturating_duration_since(Instant::now());
            match answers.recv_timeout(left.min(Duration::from_millis(20))) {
                Err(RecvTimeoutError::Timeout)
                    if !self.cancel.is_cancelled() && Instant::now() < latest => {}
                answered => return answered,
            }
        }
    }
}

impl Table {
    pub(crate) fn new(options: Options) -> Table {
        Table { options, sit, matches: Mutex::default() }
    }

    fn matches(&self) -> MutexGuard<'_, Matches> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match of this name.
    fn find(&self, id: &str) -> Result<Current, Reply> {
        let matches = self.matches();
        let found = matches.list.iter().rfind(|current| current.is_called(id));
        found.cloned().ok_or_else(|| match matches.list.first() {
            Some(first) => error(&format!("no match {id}: playing {}", first.id)),
            None => error(&format!("no match {id} has been started")),
        })
    }

    /// Ends the match of this name and takes it from the table.
    fn end(&self, id: &str, why: &str) -> Result<Current, Reply> {
        let found = self.find(id)?;
        found.end(why);
        for current in self.matches().list.extract_if(.., |current| current.is_called(id)) {
            current.end(why);
        }
        Ok(found)
    }

    /// Takes a match that could not be started from the table.
    fn remove(&self, number: u64) {
        self.matches().list.retain(|current| current.number != number);
    }

    /// Answers a message that arrived at this time.
    pub(crate) fn answer(&self, text: &str, arrived: Instant) -> Reply {
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(wrong) => return error(&wrong.to_string()),
        };
        let answered = match message {
            Message::Info => Ok(self.info()),
            Message::Preview => Ok("ready".to_owned()),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let start_clock = Duration::from_secs(start_clock);
                self.start(id, role, rules, start_clock, Duration::from_secs(play_clock), arrived)
            }
            Message::Play(id, news) => self.play(&id, news, arrived),
            Message::Stop(id, news) => self.stop(&id, news),
            Message::Abort(id) => self.abort(&id),
        };
        answered.map_or_else(|reply| reply, |body| (200, body))
    }

    fn info(&self) -> String {
        let goes_on = |current: &Current| current.why.get().is_none();
        let status = if self.matches().list.iter().any(goes_on) { "busy" } else { "available" };
        format!("( ( name {} ) ( status {status} ) )", self.options.name)
    }

    /// When an answer must be on its way, and when thinking must end before that.
    fn deadlines(&self, arrived: Instant, clock: Duration) -> (Instant, Instant) {
        let margin = self.options.margin.min(clock / 2);
        (arrived + clock - margin / 3, arrived + clock - margin)
    }

    fn start(
        &self,
        id: String,
        role: String,
        rules: String,
        start_clock: Duration,
        play_clock: Duration,
        arrived: Instant,
    ) -> Result<String, Reply> {
        let (latest, until) = self.deadlines(arrived, start_clock);
        let log = Arc::new(Log::new(self.options.log.as_deref(), &id));
        log.line(&format!(
            "start: role {role}, {} bytes of rules, clocks {} and {} s",
            rules.len(),
            start_clock.as_secs(),
            play_clock.as_secs()
        ));
        let cancel = Cancel::new();
        let answered = Arc::new(Mutex::new(None));
        let why = Arc::new(OnceLock::new());
        let setup = Setup {
            role,
            rules,
            planner: self.options.planner.clone(),
            memory: self.options.memory,
            seed: self.options.seed,
            // The rest is for the lifted engine, if it must be.
            ground: until.saturating_duration_since(Instant::now()).mul_f64(0.7),
            cancel: cancel.clone(),
            why: Arc::clone(&why),
            log: Arc::clone(&log),
            answered: Arc::clone(&answered),
        };
        let (commands, orders) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        // It is at the table before it is ready, so that it can be asked for and ended.
        let current = {
            let mut matches = self.matches();
            matches.count += 1;
            let number = matches.count;
            let new = Current { number, id, play_clock, commands, cancel, why, log, answered };
            matches.list.push(new.clone());
            new
        };
        let sit = self.sit;
        let sitting = std::thread::Builder::new()
            .name("match".to_owned())
            .stack_size(64 << 20)
            .spawn(move || sit(&setup, &ready, &orders));
        if let Err(why) = sitting {
            self.remove(current.number);
            current.log.line(&format!("refused: no thread: {why}"));
            return Err((500, error(&format!("no thread: {why}")).1));
        }
        match current.wait(&is_ready, latest) {
            // Not ready in time is ready all the same: it may be by the first move.
            Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => self.accept(&current),
            Ok(Err(message)) => {
                self.remove(current.number);
                Err(error(&message))
            }
            Err(RecvTimeoutError::Disconnected) if current.why.get().is_some() => {
                self.remove(current.number);
                Err(current.over())
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.remove(current.number);
                current.log.line("refused: the rules could not be read");
                Err((500, error("the rules could not be read").1))
            }
        }
    }

    /// Takes a match in hand, unless it has been ended since it was started.
    fn accept(&self, current: &Current) -> Result<String, Reply> {
        let mut matches = self.matches();
        let place = matches.list.iter().position(|other| other.number == current.number);
        let place = place.ok_or_else(|| current.over())?;
        // A controller that starts anew has given the last match up.
        for last in matches.list.drain(..place) {
            last.log.line("given up for a new match");
            last.end("the match was given up for a new one");
        }
        Ok("ready".to_owned())
    }

    fn play(&self, id: &str, news: News, arrived: Instant) -> Result<String, Reply> {
        let current = self.find(id)?;
        let (latest, until) = self.deadlines(arrived, current.play_clock);
        let (answers, answer) = mpsc::channel();
        let order = Command::Play { news, until, answers };
        current.commands.send(order).map_err(|_| current.over())?;
        let mut legal = None;
        let chosen = loop {
            match current.wait(&answer, latest) {
                Ok(Answer::Legal(action)) => legal = Some(action),
                Ok(Answer::Best(action)) => break Some(action),
                Ok(Answer::Wrong(message)) => return Err(error(&message)),
                Err(_) if current.cancel.is_cancelled() => break None,
                Err(RecvTimeoutError::Timeout) => {
                    current.log.line(match &legal {
                        Some(_) => "the clock runs out: a legal move is sent",
                        None => "the clock runs out, and no legal move is known",
                    });
                    break legal;
                }
                Err(RecvTimeoutError::Disconnected) => break legal,
            }
        };
        if current.cancel.is_cancelled() || current.why.get().is_some() {
            return Err(current.over());
        }
        let Some(chosen) = chosen else {
            return Err(error("no legal move is known yet"));
        };
        let mut answered = current.answered.lock().unwrap_or_else(PoisonError::into_inner);
        *answered = Some(chosen.clone());
        Ok(chosen)
    }

    fn stop(&self, id: &str, news: News) -> Result<String, Reply> {
        let current = self.end(id, "the match was stopped")?;
        let (done, is_done) = mpsc::channel();
        if current.commands.send(Command::Stop { news, done }).is_ok() {
            // Only the log waits for it.
            let _ = is_done.recv_timeout(Duration::from_millis(200));
        }
        Ok("done".to_owned())
    }

    fn abort(&self, id: &str) -> Result<String, Reply> {
        self.end(id, "the match was aborted")?.log.line("aborted");
        Ok("aborted".to_owned())
    }
}

/// An answer to what makes no sense.
pub(crate) fn error(message: &str) -> Reply {
    let text: String = message.chars().map(|c| if c == '"' { '\'' } else { c }).collect();
    (400, format!("(error \"{text}\")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seat that is never ready.
    fn never_ready(
        setup: &Setup,
        _ready: &Sender<Result<(), String>>,
        _commands: &Receiver<Command>,
    ) {
        while !setup.cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn says(table: &Table, text: &str) -> Reply {
        table.answer(text, Instant::now())
    }

    /// Ends a match by this message while START waits.
    fn end_while_it_starts(message: &str, answer: &str, reason: &str) {
        let options = Options { log: Some(std::env::temp_dir()), ..Options::default() };
        let table = Table { sit: never_ready, ..Table::new(options) };
        std::thread::scope(|scope| {
            let start = scope.spawn(|| says(&table, "(START early x ((role x)) 86400 86400)"));
            let begin = Instant::now();
            while !says(&table, "(INFO)").1.contains("busy") {
                if begin.elapsed() > Duration::from_secs(120) {
                    // Else the scope would wait for START for a day.
                    eprintln!("INFO says nothing of a match that starts");
                    std::process::abort();
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let other = says(&table, "(ABORT other)");
            assert_eq!(other, error("no match other: playing early"));
            assert_eq!(says(&table, message), (200, answer.to_owned()));
            assert_eq!(start.join().unwrap(), error(reason));
        });
        assert!(says(&table, "(INFO)").1.contains("available"));
        assert_eq!(says(&table, "(PLAY early NIL)"), error("no match early has been started"));
    }

    #[test]
    fn a_match_that_starts_can_be_asked_for_and_ended() {
        end_while_it_starts("(ABORT early)", "aborted", "the match was aborted");
        end_while_it_starts("(STOP early NIL)", "done", "the match was stopped");
    }
}
