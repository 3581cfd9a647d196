//! What is proven of states in which two roles move in turn, from the end backwards.

use rustc_hash::FxHashMap;

/// Whose turn it is in a state that a simulation passes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// Nobody has a choice.
    Nobody,
    /// One role has, and makes this move at its node.
    Of { role: usize, node: u32, edge: u32 },
    /// Several have, or the choice was not made on the tree.
    Unknown,
}

/// A state that a simulation passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The fingerprint of the state.
    pub(super) view: u64,
    /// Whose turn it is.
    pub(super) turn: Turn,
}

/// The goals of both roles in states that are proven.
///
/// **Guarantee.** Where a role moves that can force its highest goal, that goal is proven as soon as one
/// move to it is; else a state is proven when all its moves are, and has the goals of the one that is best
/// for the role that moves. In games whose goals add up to a constant these are the minimax values, up to
/// collisions of 64-bit fingerprints of states.
#[derive(Debug)]
pub(super) struct Proofs {
    highest: [u8; 2],
    /// What the goals add up to, once an end was met.
    sum: Option<u16>,
    known: FxHashMap<u64, [u8; 2]>,
}

impl Proofs {
    pub(super) fn new(highest: [u8; 2]) -> Self {
        Proofs { highest, sum: None, known: FxHashMap::default() }
    }

    pub(super) fn of(&self, view: u64) -> Option<[u8; 2]> {
        self.known.get(&view).copied()
    }

    pub(super) fn keep(&mut self, view: u64, goals: [u8; 2]) {
        self.known.insert(view, goals);
    }

    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    /// Whether the goals of an end add up to what those of all other ends do.
    pub(super) fn adds_up(&mut self, goals: [u8; 2]) -> bool {
        let sum = u16::from(goals[0]) + u16::from(goals[1]);
        *self.sum.get_or_insert(sum) == sum
    }

    /// The goals of a state in which a role moves, one of whose moves was just proven to lead to `goals`;
    /// `None` as long as another may be better.
    pub(super) fn best(
        &self,
        role: usize,
        goals: [u8; 2],
        moves: impl Iterator<Item = Option<[u8; 2]>>,
    ) -> Option<[u8; 2]> {
        if goals[role] >= self.highest[role] {
            return Some(goals);
        }
        let mut best = goals;
        for proven in moves {
            let proven = proven?;
            if proven[role] > best[role] {
                best = proven;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::Proofs;

    #[test]
    fn a_state_is_proven_by_its_best_move() {
        let proofs = Proofs::new([100, 100]);
        let (won, even, lost) = (Some([100, 0]), Some([50, 50]), Some([0, 100]));
        // To the second role the first one's loss is the best that can be.
        assert_eq!(proofs.best(1, [0, 100], [None, lost].into_iter()), lost);
        assert_eq!(proofs.best(0, [0, 100], [None, lost].into_iter()), None);
        assert_eq!(proofs.best(0, [0, 100], [even, lost].into_iter()), even);
        assert_eq!(proofs.best(1, [100, 0], [even, won].into_iter()), even);
        assert_eq!(proofs.best(0, [50, 50], [even, won].into_iter()), won);
    }

    #[test]
    fn ends_add_up_or_nothing_is_proven() {
        let mut proofs = Proofs::new([100, 100]);
        assert!(proofs.adds_up([100, 0]) && proofs.adds_up([50, 50]) && !proofs.adds_up([50, 0]));
    }
}
