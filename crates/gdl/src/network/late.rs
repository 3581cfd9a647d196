//! What only goals depend on: derived when a game is over, or when somebody asks.

use std::borrow::Cow;

use super::changes::Late;
use super::{Network, Position};

impl Position {
    /// Derives what only goals depend on.
    pub(super) fn derive_late(&mut self, network: &Network) {
        let changes = &network.changes;
        if changes.awake.is_empty() {
            for i in 0..changes.late.len() {
                self.derive_one_late(network, i);
            }
        } else {
            for &(word, late) in &changes.late_bits {
                self.bits[word as usize] &= !late;
            }
            // No loop is late here, so its stack is free.
            let mut waking = std::mem::take(&mut self.loop_stack);
            waking.clear();
            waking.extend_from_slice(&changes.awake);
            for word in 0..waking.len() {
                while waking[word] != 0 {
                    let i = word * 32 + waking[word].trailing_zeros() as usize;
                    waking[word] &= waking[word] - 1;
                    // Who is woken comes later in the order.
                    if self.derive_one_late(network, i) {
                        let (start, end) = changes.wakes_of[i];
                        for &woken in &changes.wakes[start as usize..end as usize] {
                            waking[woken as usize / 32] |= 1 << (woken % 32);
                        }
                    }
                }
            }
            self.loop_stack = waking;
        }
        self.late = true;
    }

    /// Derives one of what is late; says whether it is a node that holds.
    #[inline]
    pub(super) fn derive_one_late(&mut self, network: &Network, i: usize) -> bool {
        match network.changes.late[i] {
            Late::Node { node, conjunction, start, end } => {
                let inputs = &network.changes.late_inputs[start as usize..end as usize];
                // A conjunction looks for an input that fails, a disjunction for one that holds.
                let wanted = u32::from(!conjunction);
                let found = inputs
                    .iter()
                    .any(|&input| u32::from(self.holds(input / 2)) ^ (input & 1) == wanted);
                let word = &mut self.bits[node as usize / 64];
                let bit = 1 << (node % 64);
                *word = if found == conjunction { *word & !bit } else { *word | bit };
                found != conjunction
            }
            Late::Loop(number) => {
                self.derive_loop(network, number as usize);
                while let Some(change) = self.loop_changes.pop() {
                    self.bits[change as usize / 64] ^= 1 << (change % 64);
                }
                false
            }
        }
    }

    /// This position with the goals derived.
    pub(crate) fn with_goals(&self, network: &Network) -> Cow<'_, Position> {
        if self.late {
            return Cow::Borrowed(self);
        }
        let mut position = self.clone();
        position.derive_late(network);
        Cow::Owned(position)
    }
}
