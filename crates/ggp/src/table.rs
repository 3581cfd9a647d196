//! The table at which one match is played at a time: who sits there, and what is answered.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use patience::plan::Cancel;

use crate::log::Log;
use crate::message::{Message, News};
use crate::seat::{Answer, Command, Setup, sit};
use crate::server::Options;

/// An answer with its HTTP status.
type Reply = (u16, String);

pub(crate) struct Table {
    options: Options,
    current: Mutex<Option<Current>>,
}

/// The match in hand.
#[derive(Clone)]
struct Current {
    id: String,
    play_clock: Duration,
    commands: Sender<Command>,
    cancel: Cancel,
    log: Arc<Log>,
    answered: Arc<Mutex<Option<String>>>,
}

impl Table {
    pub(crate) fn new(options: Options) -> Table {
        Table { options, current: Mutex::new(None) }
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match of this name, if it is the one in hand.
    fn find(&self, id: &str) -> Result<Current, Reply> {
        let current = self.current();
        match &*current {
            Some(current) if current.id.eq_ignore_ascii_case(id) => Ok(current.clone()),
            Some(current) => Err(error(&format!("no match {id}: playing {}", current.id))),
            None => Err(error(&format!("no match {id} has been started"))),
        }
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
        let status = if self.current().is_some() { "busy" } else { "available" };
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
        // A controller that starts anew has given the last match up.
        if let Some(last) = self.current().take() {
            last.log.line("given up for a new match");
            last.cancel.cancel();
        }
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
        let setup = Setup {
            role,
            rules,
            planner: self.options.planner.clone(),
            memory: self.options.memory,
            seed: self.options.seed,
            // The rest is for the lifted engine, if it must be.
            ground: until.saturating_duration_since(Instant::now()).mul_f64(0.7),
            cancel: cancel.clone(),
            log: Arc::clone(&log),
            answered: Arc::clone(&answered),
        };
        let (commands, orders) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        let sitting = std::thread::Builder::new()
            .name("match".to_owned())
            .stack_size(64 << 20)
            .spawn(move || sit(&setup, &ready, &orders));
        if let Err(why) = sitting {
            return Err((500, format!("(error \"no thread: {why}\")")));
        }
        match is_ready.recv_timeout(latest.saturating_duration_since(Instant::now())) {
            Ok(Err(message)) => return Err(error(&message)),
            // Not ready in time is ready all the same: it may be by the first move.
            Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err((500, "(error \"the rules could not be read\")".to_owned()));
            }
        }
        *self.current() = Some(Current { id, play_clock, commands, cancel, log, answered });
        Ok("ready".to_owned())
    }

    fn play(&self, id: &str, news: News, arrived: Instant) -> Result<String, Reply> {
        let current = self.find(id)?;
        let (latest, until) = self.deadlines(arrived, current.play_clock);
        let (answers, answer) = mpsc::channel();
        let order = Command::Play { news, until, answers };
        current.commands.send(order).map_err(|_| error("the match is over"))?;
        let mut legal = None;
        let chosen = loop {
            match answer.recv_timeout(latest.saturating_duration_since(Instant::now())) {
                Ok(Answer::Legal(action)) => legal = Some(action),
                Ok(Answer::Best(action)) => break Some(action),
                Ok(Answer::Wrong(message)) => return Err(error(&message)),
                Err(RecvTimeoutError::Timeout) => {
                    current.log.line("the clock runs out: a legal move is sent");
                    break legal;
                }
                Err(RecvTimeoutError::Disconnected) => break legal,
            }
        };
        if current.cancel.is_cancelled() {
            return Err(error("the match was aborted"));
        }
        let Some(chosen) = chosen else {
            return Err(error("no legal move is known yet"));
        };
        let mut answered = current.answered.lock().unwrap_or_else(PoisonError::into_inner);
        *answered = Some(chosen.clone());
        Ok(chosen)
    }

    fn stop(&self, id: &str, news: News) -> Result<String, Reply> {
        let current = self.find(id)?;
        *self.current() = None;
        let (done, is_done) = mpsc::channel();
        if current.commands.send(Command::Stop { news, done }).is_ok() {
            // Only the log waits for it.
            let _ = is_done.recv_timeout(Duration::from_millis(200));
        }
        Ok("done".to_owned())
    }

    fn abort(&self, id: &str) -> Result<String, Reply> {
        let current = self.find(id)?;
        *self.current() = None;
        current.cancel.cancel();
        current.log.line("aborted");
        Ok("aborted".to_owned())
    }
}

/// An answer to what makes no sense.
pub(crate) fn error(message: &str) -> Reply {
    let text: String = message.chars().map(|c| if c == '"' { '\'' } else { c }).collect();
    (400, format!("(error \"{text}\")"))
}
