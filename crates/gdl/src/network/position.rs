//! A position: the truth of every node, kept up to date.

use patience_model::Rng;

use super::{Evaluation, MAX_ROLES, Network};
use crate::terms::TermId;

/// Where a game stands. Everything that the network knows is up to date at all times; a move
/// touches only what it changes, and nothing is allocated after the first few moves.
#[derive(Debug)]
pub struct Position {
    counts: Vec<i32>,
    bits: Vec<u64>,
    /// Nodes whose counter crossed zero, by level.
    queue: Vec<Vec<u32>>,
    /// Loops to be derived anew, by number.
    dirty: Vec<bool>,
    any_dirty: bool,
    scratch: Vec<u64>,
    loop_counts: Vec<i32>,
    loop_stack: Vec<u32>,
    loop_changes: Vec<u32>,
    /// The number of the move that each role has made last; `u32::MAX` for none.
    done: Vec<u32>,
    /// What was seen at the last move, as words of the percepts.
    seen: Vec<u64>,
    /// How many words are the state.
    state_words: usize,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Position {
            counts: self.counts.clone(),
            bits: self.bits.clone(),
            queue: vec![Vec::new(); self.queue.len()],
            dirty: vec![false; self.dirty.len()],
            any_dirty: false,
            scratch: self.scratch.clone(),
            loop_counts: Vec::new(),
            loop_stack: Vec::new(),
            loop_changes: Vec::new(),
            done: self.done.clone(),
            seen: self.seen.clone(),
            state_words: self.state_words,
        }
    }

    /// Copies without allocating.
    fn clone_from(&mut self, source: &Self) {
        self.counts.clone_from(&source.counts);
        self.bits.clone_from(&source.bits);
        self.done.clone_from(&source.done);
        self.seen.clone_from(&source.seen);
    }
}

impl PartialEq for Position {
    /// Whether the same facts are true.
    fn eq(&self, other: &Self) -> bool {
        self.bits[..self.state_words] == other.bits[..other.state_words]
    }
}

impl Network {
    /// The initial position.
    pub fn position(&self) -> Position {
        let mut position = Position {
            counts: vec![-1; self.nodes.len()],
            bits: vec![0; self.nodes.len().div_ceil(64)],
            queue: vec![Vec::new(); self.levels],
            dirty: vec![false; self.loops.len()],
            any_dirty: false,
            scratch: vec![0; self.next_words.len()],
            loop_counts: Vec::new(),
            loop_stack: Vec::new(),
            loop_changes: Vec::new(),
            done: vec![u32::MAX; self.roles.len()],
            seen: vec![0; self.sees_words.len()],
            state_words: self.base_words.len(),
        };
        position.bits[self.base_words.clone()].copy_from_slice(&self.initial);
        position.evaluate_all(self);
        position
    }
}

impl Position {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.counts.len() * 4 + self.bits.len() * 8
    }

    /// Whether a percept was seen at the last move.
    #[inline]
    pub(crate) fn saw(&self, network: &Network, node: u32) -> bool {
        let at = node - network.sees_words.start as u32 * 64;
        self.seen[at as usize / 64] >> (at % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn holds(&self, node: u32) -> bool {
        self.bits[node as usize / 64] >> (node % 64) & 1 == 1
    }

    /// Derives everything from what is given.
    fn evaluate_all(&mut self, network: &Network) {
        for &evaluation in &network.order {
            match evaluation {
                Evaluation::Node(n) => {
                    let node = &network.nodes[n as usize];
                    let held = node.inputs.iter().filter(|&&(i, neg)| self.holds(i) != neg).count();
                    let start = if node.conjunction { node.inputs.len() as i32 } else { 1 };
                    self.counts[n as usize] = held as i32 - start;
                    if self.counts[n as usize] >= 0 {
                        self.bits[n as usize / 64] |= 1 << (n % 64);
                    }
                }
                Evaluation::Loop(number) => {
                    self.derive_loop(network, number as usize);
                    for &change in &self.loop_changes {
                        self.bits[change as usize / 64] ^= 1 << (change % 64);
                    }
                }
            }
        }
    }

    /// The least fixpoint of a loop; the nodes whose truth changes are left in `loop_changes`.
    fn derive_loop(&mut self, network: &Network, number: usize) {
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

    /// Changes the truth of a node and tells its targets.
    #[inline]
    fn flip(&mut self, network: &Network, node: u32) {
        let word = &mut self.bits[node as usize / 64];
        *word ^= 1 << (node % 64);
        let up = if *word >> (node % 64) & 1 == 1 { 1 } else { -1 };
        let fan = network.fan_out[node as usize];
        let mut count = |targets: &[u32], by: i32| {
            for &target in targets {
                let old = self.counts[target as usize];
                let new = old + by;
                self.counts[target as usize] = new;
                if (old ^ new) < 0 {
                    self.queue[network.level[target as usize] as usize].push(target);
                }
            }
        };
        count(&network.targets[fan.start as usize..fan.up_end as usize], up);
        count(&network.targets[fan.up_end as usize..fan.end as usize], -up);
        if !network.loops.is_empty() {
            let started = network.starts_loop[node as usize];
            if started != u32::MAX {
                self.dirty[started as usize] = true;
                self.any_dirty = true;
            }
        }
    }

    /// Lets all changes take their effect.
    fn propagate(&mut self, network: &Network) {
        for level in 0..network.levels {
            while let Some(node) = self.queue[level].pop() {
                // It may have crossed zero and come back.
                if (self.counts[node as usize] >= 0) != self.holds(node) {
                    self.flip(network, node);
                }
            }
            if self.any_dirty {
                for number in 0..network.loops.len() {
                    if self.dirty[number] && network.loops[number].level as usize == level {
                        self.dirty[number] = false;
                        self.derive_loop(network, number);
                        while let Some(change) = self.loop_changes.pop() {
                            self.flip(network, change);
                        }
                    }
                }
                self.any_dirty = self.dirty.iter().any(|&d| d);
            }
        }
    }

    /// Goes to a state, given by its words; as if nobody had moved yet.
    pub fn load(&mut self, network: &Network, state: &[u64]) {
        for role in 0..self.done.len() {
            self.set_move(network, role, u32::MAX);
        }
        self.seen.fill(0);
        self.set_bases(network, state);
        self.propagate(network);
    }

    /// Goes to the initial state.
    pub fn restart(&mut self, network: &Network) {
        self.load(network, &network.initial);
    }

    /// The words of the state: one bit for each of [`Network::bases`].
    pub fn state<'a>(&'a self, network: &Network) -> &'a [u64] {
        &self.bits[network.base_words.clone()]
    }

    fn set_bases(&mut self, network: &Network, wanted: &[u64]) {
        for (i, &word) in wanted.iter().enumerate() {
            let mut change = word ^ self.bits[network.base_words.start + i];
            while change != 0 {
                let bit = change.trailing_zeros();
                change &= change - 1;
                self.flip(network, i as u32 * 64 + bit);
            }
        }
    }

    fn set_move(&mut self, network: &Network, role: usize, number: u32) {
        let before = std::mem::replace(&mut self.done[role], number);
        if before != number {
            let start = network.input_start[role] as u32;
            for n in [before, number].into_iter().filter(|&n| n != u32::MAX) {
                self.flip(network, start + n);
            }
        }
    }

    /// Plays one move for each role, given by its number.
    #[inline]
    pub fn play(&mut self, network: &Network, joint: &[u32]) {
        for (role, &number) in joint.iter().enumerate() {
            self.set_move(network, role, number);
        }
        self.propagate(network);
        self.seen.copy_from_slice(&self.bits[network.sees_words.clone()]);
        let mut next = std::mem::take(&mut self.scratch);
        next.copy_from_slice(&self.bits[network.next_words.clone()]);
        self.set_bases(network, &next);
        self.scratch = next;
        self.propagate(network);
    }

    /// Whether the game is over.
    #[inline]
    pub fn terminal(&self, network: &Network) -> bool {
        self.holds(network.terminal)
    }

    /// The words of a role's legal moves: one bit for each of [`Network::moves`].
    #[inline]
    pub fn legal<'a>(&'a self, network: &Network, role: usize) -> &'a [u64] {
        let start = network.legal_start[role] / 64;
        &self.bits[start..start + network.moves[role].len().div_ceil(64)]
    }

    /// A legal move of a role, each alike; `None` if there is none.
    #[inline]
    pub fn random_move(&self, network: &Network, role: usize, rng: &mut Rng) -> Option<u32> {
        let words = self.legal(network, role);
        let count: u32 = words.iter().map(|w| w.count_ones()).sum();
        if count <= 1 {
            return words
                .iter()
                .position(|&w| w != 0)
                .map(|i| i as u32 * 64 + words[i].trailing_zeros());
        }
        let mut nth = rng.below(u64::from(count)) as u32;
        for (i, &word) in words.iter().enumerate() {
            let here = word.count_ones();
            if nth < here {
                return Some(i as u32 * 64 + nth_bit(word, nth));
            }
            nth -= here;
        }
        None
    }

    /// Plays random moves to the end, at most so many; gives how many were played, or `None` if
    /// some role had no legal move or the game did not end.
    pub fn playout(&mut self, network: &Network, rng: &mut Rng, most: u32) -> Option<u32> {
        let mut joint = [0u32; MAX_ROLES];
        let roles = network.roles.len();
        let mut moves = 0;
        while !self.terminal(network) {
            if moves == most {
                return None;
            }
            for (role, number) in joint[..roles].iter_mut().enumerate() {
                *number = self.random_move(network, role, rng)?;
            }
            self.play(network, &joint[..roles]);
            moves += 1;
        }
        Some(moves)
    }

    /// The goal values that are derived for a role.
    pub fn goals<'a>(&'a self, network: &'a Network, role: usize) -> impl Iterator<Item = TermId> {
        network.goals[role].iter().filter(|(_, n)| self.holds(*n)).map(|(value, _)| *value)
    }

    /// What a role saw of the last move.
    pub fn percepts<'a>(
        &'a self,
        network: &'a Network,
        role: usize,
    ) -> impl Iterator<Item = TermId> {
        network.sees[role].iter().filter(|(_, n)| self.saw(network, *n)).map(|(term, _)| *term)
    }
}

/// The place of the `n`-th set bit, counted from 0 and from the lowest.
#[inline]
pub(super) fn nth_bit(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros()
}
