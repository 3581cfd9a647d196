//! All moves as first: what an action brought wherever it was played later (Gelly and Silver 2007).

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::table_bytes;
use crate::rollout::Played;

/// A shared mean.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shared {
    pub(super) tries: f64,
    pub(super) mean: f64,
}

/// The shared statistics of all nodes, by node and move. GRAVE asks a node above for moves that are
/// not legal there, so they cannot stand with the edges.
#[derive(Debug)]
pub(super) struct Amaf<A> {
    table: FxHashMap<(u32, Played<A>), Shared>,
    /// The moves of the episode from the node in hand on, each once.
    later: FxHashSet<Played<A>>,
}

impl<A> Default for Amaf<A> {
    fn default() -> Self {
        Amaf { table: FxHashMap::default(), later: FxHashSet::default() }
    }
}

impl<A: Copy + Eq + Hash> Amaf<A> {
    pub(super) fn clear(&mut self) {
        self.table.clear();
    }

    /// An episode goes back up: these were the moves of its rollout.
    pub(super) fn begin(&mut self, rollout: &[Played<A>]) {
        self.later.clear();
        self.later.extend(rollout.iter().copied());
    }

    /// It comes back to a node from which it made this move, and what followed came to `value`.
    pub(super) fn add(&mut self, node: u32, played: Played<A>, value: f64) {
        self.later.insert(played);
        for &later in &self.later {
            let shared = self.table.entry((node, later)).or_default();
            shared.tries += 1.0;
            shared.mean += (value - shared.mean) / shared.tries;
        }
    }

    /// What a node knows of a move that is made there or later.
    pub(super) fn get(&self, node: u32, played: Played<A>) -> Shared {
        self.table.get(&(node, played)).copied().unwrap_or_default()
    }

    pub(super) fn bytes(&self) -> u64 {
        table_bytes::<(u32, Played<A>), Shared>(self.table.len())
    }
}
