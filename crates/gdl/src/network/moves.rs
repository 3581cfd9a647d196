//! How a joint move enters the network: looked up where the moves alone decide, propagated otherwise.

use super::joint::{EVALUATED, Joint, USUAL};
use super::{Network, Position};

impl Position {
    /// Sets the moves of all roles.
    #[inline]
    pub(super) fn set_joint(&mut self, network: &Network, moves: &[u32]) {
        let Some(joint) = &network.changes.joint else {
            for (role, &number) in moves.iter().enumerate() {
                self.set_move(network, role, number);
            }
            return;
        };
        let Some(list) = joint.list(moves) else {
            return self.evaluate_joint(network, joint, moves);
        };
        if self.list == EVALUATED {
            for &(node, usual) in &joint.asked {
                if self.holds(node) != usual {
                    self.flip(network, node);
                }
            }
        }
        for &node in joint.unusual(list) {
            self.flip(network, node);
        }
        self.list = list;
    }

    /// Takes back a joint move that was looked up, so that its effects are not propagated once more
    /// with the new state.
    #[inline]
    pub(super) fn clear_joint(&mut self, network: &Network) {
        if let Some(joint) = &network.changes.joint
            && self.list != EVALUATED
        {
            for &node in joint.unusual(self.list) {
                self.flip(network, node);
            }
            self.list = USUAL;
        }
    }

    /// Derives all that the moves alone decide.
    pub(super) fn evaluate_joint(&mut self, network: &Network, joint: &Joint, moves: &[u32]) {
        for (role, &number) in moves.iter().enumerate() {
            let start = network.input_start[role] as u32;
            for m in start..start + network.moves[role].len() as u32 {
                if self.holds(m) != (m == start + number) {
                    self.flip(network, m);
                }
            }
        }
        for op in &joint.nodes {
            let inputs = &joint.inputs[op.start as usize..op.end as usize];
            let wanted = u32::from(!op.conjunction);
            let found = inputs.iter().any(|&i| u32::from(self.holds(i / 2)) ^ (i & 1) == wanted);
            if self.holds(op.node) != (found != op.conjunction) {
                self.flip(network, op.node);
            }
        }
        self.list = EVALUATED;
    }

    pub(super) fn set_move(&mut self, network: &Network, role: usize, number: u32) {
        let before = std::mem::replace(&mut self.done[role], number);
        if before != number {
            let start = network.input_start[role] as u32;
            for n in [before, number].into_iter().filter(|&n| n != u32::MAX) {
                self.flip(network, start + n);
            }
        }
    }
}
