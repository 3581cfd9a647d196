//! The matches of the player, one at a time: what is answered to the controller's messages.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use patience::plan::Cancel;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::{Reply, error, failure};
use crate::log::Log;
use crate::match_player::{Answer, Command, Setup, play_match};
use crate::message::{Message, News};
use crate::running::RunningMatch;
use crate::server::Options;

/// What plays a match: [`play_match`], but for tests.
type PlayMatch = fn(&Setup, &Sender<Result<(), String>>, &Receiver<Command>);

#[derive(Debug)]
pub(crate) struct Matches {
    options: Options,
    play_match: PlayMatch,
    running: Mutex<Running>,
    /// Rules are read and grounded in one place: that takes gigabytes.
    place: Arc<Semaphore>,
    /// Held while a long message is taken apart.
    long: Mutex<()>,
}

/// Bytes of a message that is long: of those, one is taken apart at a time.
const LONG: usize = 64 << 10;
/// Messages that wait for one match at most; more are refused, so that connections are left.
const MOST_WAITING: usize = 4;
/// How often is looked whether the place is free.
const GLANCE: Duration = Duration::from_millis(5);

/// The match in hand, and after it those that are being started: it is given up only for one that is
/// accepted.
#[derive(Debug, Default)]
struct Running {
    list: Vec<RunningMatch>,
    /// How many there ever were.
    count: u64,
}

impl Matches {
    pub(crate) fn new(options: Options) -> Matches {
        let (place, long) = (Arc::new(Semaphore::new(1)), Mutex::default());
        Matches { options, play_match, running: Mutex::default(), place, long }
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match of this name.
    fn find(&self, id: &str) -> Result<RunningMatch, Reply> {
        let running = self.running();
        let found = running.list.iter().rfind(|current| current.is_called(id));
        found.cloned().ok_or_else(|| match running.list.first() {
            Some(first) => error(&format!("no match {id}: playing {}", first.id)),
            None => error(&format!("no match {id} has been started")),
        })
    }

    /// Ends the match of this name and forgets it.
    fn end(&self, id: &str, why: &str) -> Result<RunningMatch, Reply> {
        let found = self.find(id)?;
        found.end(why);
        for current in self.running().list.extract_if(.., |current| current.is_called(id)) {
            current.end(why);
        }
        Ok(found)
    }

    /// Forgets a match that could not be started.
    fn remove(&self, number: u64) {
        self.running().list.retain(|current| current.number != number);
    }

    /// Answers a message that arrived at this time.
    pub(crate) fn answer(&self, text: &str, arrived: Instant) -> Reply {
        let long =
            (text.len() > LONG).then(|| self.long.lock().unwrap_or_else(PoisonError::into_inner));
        let message = Message::read(text);
        drop(long);
        let message = match message {
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
        answered.map_or_else(|reply| reply, |body| (StatusCode::OK, body))
    }

    fn info(&self) -> String {
        let is_busy = !self.running().list.iter().all(RunningMatch::has_ended);
        let status = if is_busy { "busy" } else { "available" };
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
        let mut setup = Setup {
            role,
            rules,
            preparing: Arc::default(),
            planner: self.options.planner.clone(),
            memory: self.options.memory,
            seed: self.options.seed,
            ground: Duration::ZERO,
            cancel: cancel.clone(),
            why: Arc::clone(&why),
            log: Arc::clone(&log),
            answered: Arc::clone(&answered),
        };
        let (commands, orders) = mpsc::channel();
        let (ready, is_ready) = mpsc::channel();
        // It is listed before it is ready, so that it can be asked for and ended.
        let current = {
            let mut running = self.running();
            running.count += 1;
            let new = RunningMatch {
                number: running.count,
                id,
                play_clock,
                commands,
                cancel,
                why,
                log,
                answered,
                accepted: Arc::default(),
                preparing: Arc::clone(&setup.preparing),
                waiting: Arc::default(),
            };
            // Who starts anew has given up what was not even ready, also where it was taken in hand
            // because its clock ran out. The match in hand stays until the new one is accepted.
            let unready = |last: &mut RunningMatch| !last.is_accepted() || last.is_preparing();
            for last in running.list.extract_if(.., unready) {
                last.log.line("given up for a new match before it was ready");
                last.end("the match was given up for a new one");
            }
            running.list.push(new.clone());
            new
        };
        let Some(place) = self.take_place(&current, latest) else {
            self.remove(current.number);
            if current.has_ended() {
                return Err(current.over());
            }
            current.log.line("refused: the match before is still being prepared");
            let message = "the match before is still being prepared; try again";
            return Err(failure(StatusCode::SERVICE_UNAVAILABLE, message));
        };
        *setup.preparing.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
        // The rest is for the lifted engine, if it must be.
        setup.ground = until.saturating_duration_since(Instant::now()).mul_f64(0.7);
        let play_match = self.play_match;
        let started = std::thread::Builder::new()
            .name("match".to_owned())
            .stack_size(64 << 20)
            .spawn(move || play_match(&setup, &ready, &orders));
        if let Err(why) = started {
            self.remove(current.number);
            current.log.line(&format!("refused: no thread: {why}"));
            return Err(failure(StatusCode::INTERNAL_SERVER_ERROR, &format!("no thread: {why}")));
        }
        match current.wait(&is_ready, latest) {
            // Not ready in time is ready all the same: it may be by the first move.
            Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => self.accept(&current),
            Ok(Err(message)) => {
                self.remove(current.number);
                Err(error(&message))
            }
            Err(RecvTimeoutError::Disconnected) if current.has_ended() => {
                self.remove(current.number);
                Err(current.over())
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.remove(current.number);
                current.log.line("refused: the rules could not be read");
                Err(failure(StatusCode::INTERNAL_SERVER_ERROR, "the rules could not be read"))
            }
        }
    }

    /// Waits until no other match is being prepared: what was given up ends within milliseconds.
    fn take_place(&self, current: &RunningMatch, latest: Instant) -> Option<OwnedSemaphorePermit> {
        loop {
            if current.cancel.is_cancelled() {
                return None;
            }
            match Arc::clone(&self.place).try_acquire_owned() {
                Ok(place) => return Some(place),
                Err(_) if Instant::now() < latest => std::thread::sleep(GLANCE),
                Err(_) => return None,
            }
        }
    }

    /// Takes a match in hand, unless it has been ended since it was started.
    fn accept(&self, current: &RunningMatch) -> Result<String, Reply> {
        let mut running = self.running();
        let place = running.list.iter().position(|other| other.number == current.number);
        let place = place.ok_or_else(|| current.over())?;
        current.accepted.store(true, Ordering::Relaxed);
        // A controller that starts anew has given the last match up.
        for last in running.list.drain(..place) {
            last.log.line("given up for a new match");
            last.end("the match was given up for a new one");
        }
        Ok("ready".to_owned())
    }

    fn play(&self, id: &str, news: News, arrived: Instant) -> Result<String, Reply> {
        let current = self.find(id)?;
        let Some(_waiting) = current.wait_in_line(MOST_WAITING) else {
            let message = "too many messages wait for this match";
            return Err(failure(StatusCode::SERVICE_UNAVAILABLE, message));
        };
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
        if current.cancel.is_cancelled() || current.has_ended() {
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

    /// Ends all matches: the player goes.
    pub(crate) fn close(&self) {
        for current in self.running().list.drain(..) {
            current.log.line("the player ends");
            current.end("the player ends");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player that is never ready.
    fn never_ready(
        setup: &Setup,
        _ready: &Sender<Result<(), String>>,
        _commands: &Receiver<Command>,
    ) {
        while !setup.cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn says(matches: &Matches, text: &str) -> Reply {
        matches.answer(text, Instant::now())
    }

    /// A match that was taken in hand because its clock ran out, and is still being prepared, keeps no place
    /// from the next one.
    #[test]
    fn a_match_that_is_late_makes_way() {
        let options = Options { log: Some(std::env::temp_dir()), ..Options::default() };
        let matches = Matches { play_match: never_ready, ..Matches::new(options) };
        for id in ["late", "next"] {
            let start = format!("(START {id} x ((role x)) 1 1)");
            assert_eq!(says(&matches, &start), (StatusCode::OK, "ready".to_owned()));
        }
        assert_eq!(matches.running().list.len(), 1, "the first one was given up");
        matches.close();
    }

    /// How many are prepared at this moment, and how many were at most.
    static PREPARED: Mutex<(usize, usize)> = Mutex::new((0, 0));

    /// A player that is prepared until it is told to stop, and takes its time to end even then.
    fn slow_to_end(
        setup: &Setup,
        ready: &Sender<Result<(), String>>,
        commands: &Receiver<Command>,
    ) {
        {
            let mut prepared = PREPARED.lock().unwrap();
            prepared.0 += 1;
            prepared.1 = prepared.1.max(prepared.0);
        }
        never_ready(setup, ready, commands);
        std::thread::sleep(Duration::from_millis(20));
        PREPARED.lock().unwrap().0 -= 1;
    }

    /// However many matches are started at once, one at a time is prepared: that is what takes memory.
    /// The last one counts; the others are told so, and wait no longer.
    #[test]
    fn a_flood_of_starts_prepares_one_at_a_time() {
        const STARTS: usize = 30;
        let options = Options { log: Some(std::env::temp_dir()), ..Options::default() };
        let matches = Matches { play_match: slow_to_end, ..Matches::new(options) };
        let (sender, answers) = mpsc::channel();
        std::thread::scope(|scope| {
            for n in 0..STARTS {
                let (matches, sender) = (&matches, sender.clone());
                scope.spawn(move || {
                    let start = format!("(START flood{n} x ((role x)) 86400 86400)");
                    sender.send(says(matches, &start)).unwrap();
                });
            }
            for _ in 1..STARTS {
                let answer = answers.recv_timeout(Duration::from_secs(120));
                if answer != Ok(error("the match was given up for a new one")) {
                    // Else the scope would wait for the others for a day.
                    eprintln!("a START in a flood was answered by {answer:?}");
                    std::process::abort();
                }
            }
            assert_eq!(matches.running().list.len(), 1, "one is left");
            matches.close();
            assert_eq!(answers.recv().unwrap(), error("the player ends"));
        });
        assert_eq!(PREPARED.lock().unwrap().1, 1, "so many were prepared at once");
    }

    /// A player that is ready and then answers nothing.
    fn silent(setup: &Setup, ready: &Sender<Result<(), String>>, commands: &Receiver<Command>) {
        setup.preparing.lock().unwrap().take();
        let _ = ready.send(Ok(()));
        let mut kept = Vec::new();
        while let Ok(command) = commands.recv() {
            kept.push(command);
        }
    }

    /// So many wait for a move at most, and are told when the match ends.
    #[test]
    fn few_messages_wait_for_one_match() {
        let options = Options { log: Some(std::env::temp_dir()), ..Options::default() };
        let matches = Matches { play_match: silent, ..Matches::new(options) };
        let start = "(START waits x ((role x)) 86400 86400)";
        assert_eq!(says(&matches, start), (StatusCode::OK, "ready".to_owned()));
        let (sender, answers) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..MOST_WAITING + 3 {
                let (matches, sender) = (&matches, sender.clone());
                scope.spawn(move || sender.send(says(matches, "(PLAY waits NIL)")).unwrap());
            }
            let turned_away: Vec<_> =
                (0..3).map(|_| answers.recv_timeout(Duration::from_secs(120))).collect();
            assert_eq!(says(&matches, "(ABORT waits)").1, "aborted");
            let message = "too many messages wait for this match";
            let busy = failure(StatusCode::SERVICE_UNAVAILABLE, message);
            assert_eq!(turned_away, vec![Ok(busy); 3]);
            for _ in 0..MOST_WAITING {
                assert_eq!(answers.recv().unwrap(), error("the match was aborted"));
            }
        });
    }

    /// Ends a match by this message while START waits.
    fn end_while_it_starts(message: &str, answer: &str, reason: &str) {
        let options = Options { log: Some(std::env::temp_dir()), ..Options::default() };
        let matches = Matches { play_match: never_ready, ..Matches::new(options) };
        std::thread::scope(|scope| {
            let start = scope.spawn(|| says(&matches, "(START early x ((role x)) 86400 86400)"));
            let begin = Instant::now();
            while !says(&matches, "(INFO)").1.contains("busy") {
                if begin.elapsed() > Duration::from_secs(120) {
                    // Else the scope would wait for START for a day.
                    eprintln!("INFO says nothing of a match that starts");
                    std::process::abort();
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let other = says(&matches, "(ABORT other)");
            assert_eq!(other, error("no match other: playing early"));
            assert_eq!(says(&matches, message), (StatusCode::OK, answer.to_owned()));
            assert_eq!(start.join().unwrap(), error(reason));
        });
        assert!(says(&matches, "(INFO)").1.contains("available"));
        assert_eq!(says(&matches, "(PLAY early NIL)"), error("no match early has been started"));
    }

    #[test]
    fn a_match_that_starts_can_be_asked_for_and_ended() {
        end_while_it_starts("(ABORT early)", "aborted", "the match was aborted");
        end_while_it_starts("(STOP early NIL)", "done", "the match was stopped");
    }
}
