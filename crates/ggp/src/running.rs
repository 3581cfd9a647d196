//! A match in progress, as whoever answers the controller sees it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use patience::plan::Cancel;
use tokio::sync::OwnedSemaphorePermit;

use crate::http::{Reply, error};
use crate::log::Log;
use crate::match_player::Command;

/// A match that is being started or played; its clones are one match.
#[derive(Clone, Debug)]
pub(crate) struct RunningMatch {
    pub(crate) number: u64,
    pub(crate) id: String,
    pub(crate) play_clock: Duration,
    pub(crate) commands: Sender<Command>,
    pub(crate) cancel: Cancel,
    /// Why it has ended, once it has.
    pub(crate) why: Arc<OnceLock<String>>,
    pub(crate) log: Arc<Log>,
    /// The move that was last sent.
    pub(crate) answered: Arc<Mutex<Option<String>>>,
    /// Whether it is the match in hand: the controller was told so.
    pub(crate) accepted: Arc<AtomicBool>,
    /// The place where matches are prepared, as long as this one is.
    pub(crate) preparing: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
    /// How many messages wait for its thread.
    pub(crate) waiting: Arc<AtomicUsize>,
}

/// A message that waits for a match, counted as long as it lives.
#[derive(Debug)]
pub(crate) struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl RunningMatch {
    pub(crate) fn is_called(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }

    pub(crate) fn is_accepted(&self) -> bool {
        self.accepted.load(Ordering::Relaxed)
    }

    pub(crate) fn is_preparing(&self) -> bool {
        self.preparing.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// A place among the messages that wait for it, unless so many do already.
    pub(crate) fn wait_in_line(&self, most: usize) -> Option<Waiting> {
        let more = |waiting| (waiting < most).then_some(waiting + 1);
        let counted = self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        counted.is_ok().then(|| Waiting(Arc::clone(&self.waiting)))
    }

    /// Ends it, searches too; whoever waits for an answer is told why.
    pub(crate) fn end(&self, why: &str) {
        let _ = self.why.set(why.to_owned());
        self.cancel.cancel();
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.why.get().is_some()
    }

    /// The answer to whoever still wants something of it.
    pub(crate) fn over(&self) -> Reply {
        error(self.why.get().map_or("the match is over", String::as_str))
    }

    /// Waits for an answer until the latest time, or until the match ends: a timeout, both.
    pub(crate) fn wait<T>(
        &self,
        answers: &Receiver<T>,
        latest: Instant,
    ) -> Result<T, RecvTimeoutError> {
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
