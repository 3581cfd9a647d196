//! Ctrl-C: while the interpreter's lock is let go, somebody must ask whether a signal came.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use patience::plan::Cancel;
use pyo3::prelude::*;

use crate::error::{Kind, raise};

/// Asks for signals and, if one raised an exception, keeps it and raises the flag.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    pub(crate) cancel: Cancel,
    raised: Option<PyErr>,
}

impl Signals {
    /// To be called about ten times a second, on the thread that called from Python.
    pub(crate) fn look(&mut self) {
        if self.raised.is_none()
            && let Err(error) = Python::attach(|py| py.check_signals())
        {
            self.raised(error);
        }
    }

    /// Ends what is running with this exception.
    pub(crate) fn raised(&mut self, error: PyErr) {
        self.cancel.cancel();
        self.raised.get_or_insert(error);
    }

    /// The exception, if there was one.
    pub(crate) fn end(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}

/// How often signals are looked for.
const EVERY: Duration = Duration::from_millis(50);

/// Computes without the interpreter's lock, on a thread of its own, while this one looks for
/// signals: for what cannot be watched from inside.
pub(crate) fn aside<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Cancel) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let mut signals = Signals::default();
        let cancel = signals.cancel.clone();
        let (send, receive) = mpsc::sync_channel(1);
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                // A panic is a bug of ours; it must not take the interpreter with it.
                let result = catch_unwind(AssertUnwindSafe(|| work(&cancel)));
                let _ = send.send(result);
            });
            loop {
                match receive.recv_timeout(EVERY) {
                    Err(mpsc::RecvTimeoutError::Timeout) => signals.look(),
                    Ok(result) => break result.ok(),
                    Err(mpsc::RecvTimeoutError::Disconnected) => break None,
                }
            }
        });
        signals.end()?;
        result.ok_or_else(|| raise(Kind::Fault, "this is a bug in patience"))
    })
}
