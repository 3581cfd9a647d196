//! A way to end work inside a game. One move of a game may take longer than a search may: a game
//! has no place for a flag or a clock, so those of the work at hand are kept for the thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use crate::Cancel;

thread_local! {
    static HALTS: RefCell<Vec<Rc<State>>> = const { RefCell::new(Vec::new()) };
}

#[derive(Debug)]
struct State {
    cancel: Cancel,
    deadline: Option<Instant>,
    struck: Cell<bool>,
}

impl State {
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// What ends the work of this thread, as long as the value lives: a flag, a deadline, or both. Those
/// that were there before go on to count.
///
/// ```
/// use patience_plan::{Cancel, Halt};
/// let cancel = Cancel::new();
/// let halt = Halt::new(&cancel, None);
/// assert!(!Halt::is_due());
/// cancel.cancel();
/// // Far below, in the middle of a long move:
/// assert!(Halt::is_due());
/// // Here it is known that what was computed is no result.
/// assert!(halt.struck());
/// ```
#[derive(Debug)]
#[must_use = "it counts only as long as it lives"]
pub struct Halt(Rc<State>);

impl Halt {
    /// Ends work when the flag is raised or the deadline has passed.
    pub fn new(cancel: &Cancel, deadline: Option<Instant>) -> Self {
        let state = Rc::new(State { cancel: cancel.clone(), deadline, struck: Cell::new(false) });
        HALTS.with_borrow_mut(|halts| halts.push(Rc::clone(&state)));
        Halt(state)
    }

    /// Whether the work at hand is to end now. Whoever asks and hears `true` gives up what it was
    /// doing. It takes some nanoseconds, and more where there is a deadline: not a question for
    /// every step of a tight loop.
    pub fn is_due() -> bool {
        HALTS.with_borrow(|halts| {
            halts.iter().filter(|halt| halt.is_over()).fold(false, |_, halt| {
                halt.struck.set(true);
                true
            })
        })
    }

    /// Whether the work at hand is to end now, for those who can stop where they are and go on later:
    /// nothing is given up.
    pub fn is_near() -> bool {
        HALTS.with_borrow(|halts| halts.iter().any(|halt| halt.is_over()))
    }

    /// Whether somebody has given up because of this.
    pub fn struck(&self) -> bool {
        self.0.struck.get()
    }
}

impl Drop for Halt {
    fn drop(&mut self) {
        HALTS.with_borrow_mut(|halts| halts.retain(|halt| !Rc::ptr_eq(halt, &self.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halts_are_nested() {
        assert!(!Halt::is_due());
        let (outer, inner) = (Cancel::new(), Cancel::new());
        let first = Halt::new(&outer, None);
        {
            let second = Halt::new(&inner, Some(Instant::now()));
            assert!(Halt::is_due() && second.struck() && !first.struck());
            outer.cancel();
            assert!(Halt::is_due() && first.struck());
        }
        assert!(Halt::is_due());
        // Another thread has its own.
        assert!(!std::thread::spawn(Halt::is_due).join().unwrap());
        drop(first);
        assert!(!Halt::is_due());
    }
}
