//! Ctrl-C: while the interpreter's lock is let go, somebody must ask whether a signal came.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use patience::plan::Cancel;
use pyo3::prelude::*;

use crate::error::{Kind, raise};

/// Asks for signals and, if one raised an exception, keeps it and raises the flag.
#[derive(Debug, Default)]
struct Signals {
    cancel: Cancel,
    raised: Option<PyErr>,
}

impl Signals {
    /// To be called about ten times a second, on the thread that called from Python.
    fn look(&mut self) {
        if self.raised.is_none()
            && let Err(error) = Python::attach(|py| py.check_signals())
        {
            self.raised(error);
        }
    }

    /// Ends what is running with this exception.
    fn raised(&mut self, error: PyErr) {
        self.cancel.cancel();
        self.raised.get_or_insert(error);
    }

    /// The exception, if there was one.
    fn end(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}

/// A panic is a bug of ours; it must not take the interpreter with it.
fn bug() -> PyErr {
    raise(Kind::Fault, "this is a bug in patience")
}

/// How a value is shown to Python.
pub(crate) type Show<T> = for<'py> fn(Python<'py>, &T) -> PyResult<Bound<'py, PyAny>>;

/// Computes without the interpreter's lock what tells about ten times a second how far it is: then
/// signals are looked for, and `watch` is called.
pub(crate) fn watched<T, R: Send>(
    py: Python<'_>,
    watch: Option<Py<PyAny>>,
    show: Show<T>,
    work: impl FnOnce(&Cancel, &mut dyn FnMut(&T)) -> PyResult<R> + Send,
) -> PyResult<R> {
    py.detach(|| {
        let mut signals = Signals::default();
        let cancel = signals.cancel.clone();
        let mut tell = |value: &T| {
            signals.look();
            if let Some(watch) = &watch {
                let told = Python::attach(|py| watch.call1(py, (show(py, value)?,)).map(drop));
                if let Err(error) = told {
                    signals.raised(error);
                }
            }
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(&cancel, &mut tell)));
        signals.end()?;
        result.unwrap_or_else(|_| Err(bug()))
    })
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
        result.ok_or_else(bug)
    })
}
