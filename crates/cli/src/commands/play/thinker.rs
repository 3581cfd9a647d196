//! A search in the background, told of as it goes.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use patience::plan::{Budget, Cancel};
use patience::{Hint, Table};

use super::Thinking;

/// A search that runs; it ends when this is dropped.
pub(super) struct Thinker {
    cancel: Cancel,
    receiver: Receiver<Told>,
}

/// What a search tells.
pub(super) enum Told {
    Now(Box<Hint>),
    Done(Result<Box<Hint>, String>),
}

/// Bytes of a search.
pub(super) const MEMORY: u64 = 1 << 30;

impl Thinker {
    pub(super) fn start(table: &Table, thinking: &Thinking) -> Self {
        let (sender, receiver) = channel();
        let cancel = Cancel::new();
        let (table, thinking, flag) = (table.clone(), thinking.clone(), cancel.clone());
        std::thread::spawn(move || {
            let budget = Budget::time(thinking.time).with_memory(MEMORY);
            let seed = thinking.seed.wrapping_add(table.moves().len() as u64);
            let mut watch = |hint: &Hint| {
                let _ = sender.send(Told::Now(Box::new(hint.clone())));
            };
            let planner = thinking.planner.as_deref();
            let hint = table.hint(planner, &budget, seed, &flag, &mut watch);
            let _ = sender.send(Told::Done(hint.map(Box::new).map_err(|e| e.to_string())));
        });
        Thinker { cancel, receiver }
    }

    /// What was told since the last time, if anything was.
    pub(super) fn told(&self) -> Option<Told> {
        match self.receiver.try_recv() {
            Ok(told) => Some(told),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Told::Done(Err("the search ended without an answer".to_owned())))
            }
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
