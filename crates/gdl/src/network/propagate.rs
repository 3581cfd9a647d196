//! How a change goes through the network: counters, pending ranks, fixpoints of loops.

use super::changes::{Changes, FanOut, LOOP};
use super::{Network, Position};

impl Position {
    /// The least fixpoint of a loop; the nodes whose truth changes are left in `loop_changes`.
    pub(super) fn derive_loop(&mut self, network: &Network, number: usize) {
        let members = &network.loops[number].members;
        self.loop_counts.clear();
        self.loop_stack.clear();
        for (i, member) in members.iter().enumerate() {
            let held = member.outside.is_some_and(|o| self.holds(o));
            let count = member.start + i32::from(held);
            self.loop_counts.push(count);
            if count >= 0 {
                self.loop_stack.push(i as u32);
            }
        }
        while let Some(i) = self.loop_stack.pop() {
            for &fed in &members[i as usize].feeds {
                let count = &mut self.loop_counts[fed as usize];
                *count += 1;
                if *count == 0 {
                    self.loop_stack.push(fed);
                }
            }
        }
        self.loop_changes.clear();
        for (member, &count) in members.iter().zip(&self.loop_counts) {
            if self.bits[member.node as usize / 64] >> (member.node % 64) & 1
                != u64::from(count >= 0)
            {
                self.loop_changes.push(member.node);
            }
        }
    }

    /// Changes the value of a node and updates its targets.
    #[inline]
    pub(super) fn flip(&mut self, network: &Network, node: u32) {
        let changes = &network.changes;
        let word = &mut self.bits[node as usize / 64];
        *word ^= 1 << (node % 64);
        let held = (*word >> (node % 64)) as u32 & 1;
        let FanOut { start, passing, end } = changes.fan_out[node as usize];
        for &target in &changes.targets[start as usize..passing as usize] {
            self.tell(target, held);
        }
        for &target in &changes.targets[passing as usize..end as usize] {
            self.pass_on(changes, target, held);
        }
        if !changes.starts_loop.is_empty() {
            let rank = changes.starts_loop[node as usize];
            if rank != u32::MAX {
                self.pending[rank as usize / 64] |= 1 << (rank % 64);
            }
        }
    }

    /// Counts for a target that one of its inputs holds now, or no longer does: its rank, and its
    /// counter before and after.
    #[inline]
    pub(super) fn count(&mut self, target: u32, held: u32) -> (usize, i32, i32) {
        let rank = target as usize / 2;
        let old = self.counts[rank];
        // Up if the input holds now and the target counts so, or neither.
        let new = old - 1 + 2 * ((held ^ target) & 1) as i32;
        self.counts[rank] = new;
        (rank, old, new)
    }

    /// Updates a target. Half of them change, with no pattern, so there is no branch here.
    #[inline]
    pub(super) fn tell(&mut self, target: u32, held: u32) {
        let (rank, old, new) = self.count(target, held);
        let crossed = u64::from((old ^ new) as u32 >> 31);
        self.pending[rank / 64] ^= crossed << (rank % 64);
    }

    /// Updates a target that passes changes on.
    #[inline]
    pub(super) fn pass_on(&mut self, changes: &Changes, mut target: u32, mut held: u32) {
        loop {
            let (rank, old, new) = self.count(target, held);
            if (old ^ new) >= 0 {
                return;
            }
            held = u32::from(new >= 0);
            let next = changes.passes_on[rank];
            target = next / 2;
            if next & 1 == 0 {
                return self.tell(target, held);
            }
        }
    }

    /// Propagates all changes. A rank is above those of its inputs, so the first pending one changes
    /// for good.
    #[inline]
    pub(super) fn propagate(&mut self, network: &Network) {
        for word in 0..self.pending.len() {
            while self.pending[word] != 0 {
                let rank = word * 64 + self.pending[word].trailing_zeros() as usize;
                self.pending[word] &= self.pending[word] - 1;
                let node = network.changes.node_of[rank];
                if node & LOOP == 0 {
                    self.flip(network, node);
                } else {
                    self.derive_loop(network, (node ^ LOOP) as usize);
                    while let Some(change) = self.loop_changes.pop() {
                        self.flip(network, change);
                    }
                }
            }
        }
    }

    /// Propagates all changes and applies the guards to the legal moves; goals are derived if the
    /// game is over.
    #[inline]
    pub(super) fn settle(&mut self, network: &Network) {
        self.propagate(network);
        let changes = &network.changes;
        self.legal.copy_from_slice(&changes.unguarded);
        for guard in &changes.guards {
            if self.holds(guard.node) != guard.negated {
                for (legal, moves) in self.legal.iter_mut().zip(&guard.moves) {
                    *legal |= moves;
                }
            }
        }
        let start = network.legal_start.first().map_or(0, |start| start / 64);
        for (legal, possible) in self.legal.iter_mut().zip(&self.bits[start..]) {
            *legal &= possible;
        }
        self.late = changes.late.is_empty();
        if !self.late && self.terminal(network) {
            self.derive_late(network);
        }
    }
}
