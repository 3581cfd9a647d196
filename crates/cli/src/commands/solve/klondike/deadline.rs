//! A flag that is raised when the time is up or somebody interrupts.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use patience::plan::Cancel;

/// Raises a flag of its own at a moment, or soon after another flag; stops watching when dropped.
pub(super) struct Deadline {
    flag: Cancel,
    watch: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How soon an interrupt is passed on.
const PULSE: Duration = Duration::from_millis(50);

impl Deadline {
    /// Without a limit it is the other flag, and nothing is watched.
    pub(super) fn start(time: Option<Duration>, interrupt: &Cancel) -> Deadline {
        let Some(time) = time else { return Deadline { flag: interrupt.clone(), watch: None } };
        let (done, told) = channel();
        let flag = Cancel::new();
        let (raised, interrupt, begin) = (flag.clone(), interrupt.clone(), Instant::now());
        let thread = std::thread::spawn(move || {
            while begin.elapsed() < time && !interrupt.is_cancelled() {
                let pause = PULSE.min(time.saturating_sub(begin.elapsed()));
                if told.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            raised.cancel();
        });
        Deadline { flag, watch: Some((done, thread)) }
    }

    pub(super) fn flag(&self) -> &Cancel {
        &self.flag
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.watch.take() {
            drop(done);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_raised_in_time_or_by_an_interrupt() {
        let interrupt = Cancel::new();
        let late = Deadline::start(Some(Duration::from_secs(3600)), &interrupt);
        assert!(!late.flag().is_cancelled());
        let soon = Deadline::start(Some(Duration::from_millis(1)), &interrupt);
        while !soon.flag().is_cancelled() {
            std::thread::yield_now();
        }
        assert!(!interrupt.is_cancelled());
        interrupt.cancel();
        while !late.flag().is_cancelled() {
            std::thread::yield_now();
        }
        assert!(Deadline::start(None, &interrupt).flag().is_cancelled());
    }
}
