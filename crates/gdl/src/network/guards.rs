//! Conditions that many legal moves share.
//!
//! A legal move mostly waits for one condition that it shares with many others: whose turn it is.
//! Updating all of them at every move would cost more than the rest together, so such a *guard* is
//! applied to whole words of legal moves at the end.

use rustc_hash::FxHashMap;

use super::changes::{Changes, Parts};

/// A guard is worth its pass over the words of legal moves from this many moves on.
const GUARDED_MOVES: usize = 4;
/// How many guards there may be.
const MAX_GUARDS: usize = 16;

/// A condition that many legal moves share.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(super) node: u32,
    pub(super) negated: bool,
    /// Its moves, as words of the legal moves of all roles.
    pub(super) moves: Vec<u64>,
}

impl Changes {
    /// Finds the guards; gives the guard's input of each move that has one.
    pub(super) fn choose_guards(&mut self, parts: &Parts) -> FxHashMap<u32, (u32, bool)> {
        let Parts { nodes, legal, .. } = parts;
        // A legal move on which something else depends, late or not, is updated on its own.
        let mut needed = vec![false; nodes.len()];
        for input in nodes.iter().flat_map(|node| &node.inputs) {
            needed[input.0 as usize] = true;
        }
        let free = |n: &usize| {
            let node = &nodes[*n];
            let all = node.conjunction || node.inputs.len() == 1;
            all && !node.given && !needed[*n] && parts.loop_of[*n] == u32::MAX
        };
        let mut count: FxHashMap<(u32, bool), usize> = FxHashMap::default();
        for n in legal.clone().filter(free) {
            nodes[n].inputs.iter().for_each(|&input| *count.entry(input).or_default() += 1);
        }
        let mut frequent: Vec<_> = count.into_iter().filter(|c| c.1 >= GUARDED_MOVES).collect();
        frequent.sort_unstable_by_key(|&(input, n)| (std::cmp::Reverse(n), input));
        frequent.truncate(MAX_GUARDS);
        self.unguarded = vec![!0; legal.len() / 64];
        let mut guard_of = FxHashMap::default();
        for (input, _) in frequent {
            let mut moves = vec![0u64; legal.len() / 64];
            for n in legal.clone().filter(free).filter(|&n| nodes[n].inputs.contains(&input)) {
                if let std::collections::hash_map::Entry::Vacant(free) = guard_of.entry(n as u32) {
                    free.insert(input);
                    let place = n - legal.start;
                    moves[place / 64] |= 1 << (place % 64);
                    self.unguarded[place / 64] &= !(1 << (place % 64));
                }
            }
            self.guards.push(Guard { node: input.0, negated: input.1, moves });
        }
        guard_of
    }
}
