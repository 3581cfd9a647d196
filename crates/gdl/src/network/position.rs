//! A position: the truth of every node, kept up to date.

use patience_model::Rng;

use super::bits::nth_bit;
use super::changes::{KEEPS, LOOP};
use super::joint::USUAL;
use super::{MAX_ROLES, Network};
use crate::logic::TermId;

/// Where a game stands. All that a move asks for is up to date at all times; a move touches only
/// what it changes, and nothing is allocated after the first few moves.
#[derive(Debug)]
pub struct Position {
    /// By rank.
    pub(super) counts: Vec<i32>,
    /// By node. A legal move's bit says that it would be legal if its guard held.
    pub(super) bits: Vec<u64>,
    /// Legal moves of all roles.
    pub(super) legal: Vec<u64>,
    /// Ranks whose counter has crossed zero: crossing back takes it out again.
    pub(super) pending: Vec<u64>,
    /// Whether what only goals depend on is up to date.
    pub(super) late: bool,
    pub(super) scratch: Vec<u64>,
    pub(super) loop_counts: Vec<i32>,
    pub(super) loop_stack: Vec<u32>,
    pub(super) loop_changes: Vec<u32>,
    /// The number of the move that each role has made last; `u32::MAX` for none.
    pub(super) done: Vec<u32>,
    /// The list of the joint move in what the moves alone decide; usual between moves.
    pub(super) list: u32,
    /// What was seen at the last move, as words of the percepts.
    pub(super) seen: Vec<u64>,
    /// How many words are the state.
    pub(super) state_words: usize,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Position {
            counts: self.counts.clone(),
            bits: self.bits.clone(),
            legal: self.legal.clone(),
            pending: vec![0; self.pending.len()],
            late: self.late,
            scratch: self.scratch.clone(),
            loop_counts: Vec::new(),
            loop_stack: Vec::new(),
            loop_changes: Vec::new(),
            done: self.done.clone(),
            list: self.list,
            seen: self.seen.clone(),
            state_words: self.state_words,
        }
    }

    /// Copies without allocating.
    fn clone_from(&mut self, source: &Self) {
        self.counts.clone_from(&source.counts);
        self.bits.clone_from(&source.bits);
        self.legal.clone_from(&source.legal);
        self.late = source.late;
        self.done.clone_from(&source.done);
        self.list = source.list;
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
        let changes = &self.changes;
        let mut position = Position {
            counts: changes.empty.clone(),
            bits: vec![0; self.nodes.len().div_ceil(64)],
            legal: vec![0; changes.unguarded.len()],
            pending: vec![0; changes.node_of.len().div_ceil(64)],
            late: false,
            scratch: vec![0; self.next_words.len()],
            loop_counts: Vec::new(),
            loop_stack: Vec::new(),
            loop_changes: Vec::new(),
            done: vec![u32::MAX; self.roles.len()],
            list: USUAL,
            seen: vec![0; self.sees_words.len()],
            state_words: self.base_words.len(),
        };
        // Nothing holds yet and nothing has been propagated: start from what holds without inputs,
        // from what negations make hold, and from every loop.
        for &target in changes.targets.iter().filter(|&&target| target & 1 == 1) {
            position.counts[target as usize / 2] += 1;
        }
        let starts =
            |&rank: &usize| changes.node_of[rank] & LOOP != 0 || position.counts[rank] >= 0;
        let starts: Vec<usize> = (0..changes.node_of.len()).filter(starts).collect();
        for rank in starts {
            match changes.passes_on[rank] {
                KEEPS => position.pending[rank / 64] ^= 1 << (rank % 64),
                next if next & 1 == 0 => position.tell(next / 2, 1),
                next => position.pass_on(changes, next / 2, 1),
            }
        }
        let usual = changes.joint.iter().flat_map(|joint| &joint.asked);
        for (node, _) in usual.filter(|(_, holds)| *holds) {
            position.flip(self, *node);
        }
        position.set_bases(self, &self.initial);
        position.settle(self);
        position
    }
}

impl Position {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let words = [&self.bits, &self.legal, &self.pending, &self.scratch, &self.seen];
        let words: usize = words.iter().map(|words| words.len()).sum();
        size_of::<Self>() + (self.counts.len() + self.done.len()) * 4 + words * 8
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

    /// Goes to a state, given by its words; as if nobody had moved yet.
    pub fn load(&mut self, network: &Network, state: &[u64]) {
        if network.changes.joint.is_none() {
            for role in 0..self.done.len() {
                self.set_move(network, role, u32::MAX);
            }
        }
        self.seen.fill(0);
        self.set_bases(network, state);
        self.settle(network);
    }

    /// Goes to the initial state.
    pub fn restart(&mut self, network: &Network) {
        match &network.start {
            Some(start) => self.clone_from(start),
            None => self.load(network, &network.initial),
        }
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

    /// Plays one move for each role, given by its number.
    #[inline]
    pub fn play(&mut self, network: &Network, joint: &[u32]) {
        self.set_joint(network, joint);
        self.propagate(network);
        self.seen.copy_from_slice(&self.bits[network.sees_words.clone()]);
        let mut next = std::mem::take(&mut self.scratch);
        next.copy_from_slice(&self.bits[network.next_words.clone()]);
        self.clear_joint(network);
        self.set_bases(network, &next);
        self.scratch = next;
        self.settle(network);
    }

    /// Whether the game is over.
    #[inline]
    pub fn terminal(&self, network: &Network) -> bool {
        self.holds(network.terminal)
    }

    /// The words of a role's legal moves: one bit for each of [`Network::moves`].
    #[inline]
    pub fn legal<'a>(&'a self, network: &Network, role: usize) -> &'a [u64] {
        let start = (network.legal_start[role] - network.legal_start[0]) / 64;
        &self.legal[start..start + network.moves[role].len().div_ceil(64)]
    }

    /// A legal move of a role, uniformly at random; `None` if there is none.
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

    /// Plays random moves to the end, at most `most`; returns how many were played.
    ///
    /// # Errors
    /// With the same number, if some role had no legal move or the game did not end.
    pub fn playout(&mut self, network: &Network, rng: &mut Rng, most: u32) -> Result<u32, u32> {
        let mut joint = [0u32; MAX_ROLES];
        let roles = network.roles.len();
        let mut moves = 0;
        while !self.terminal(network) {
            if moves == most {
                return Err(moves);
            }
            for (role, number) in joint[..roles].iter_mut().enumerate() {
                *number = self.random_move(network, role, rng).ok_or(moves)?;
            }
            self.play(network, &joint[..roles]);
            moves += 1;
        }
        Ok(moves)
    }

    /// The goal values that are derived for a role.
    pub fn goals<'a>(&'a self, network: &'a Network, role: usize) -> impl Iterator<Item = TermId> {
        let position = self.with_goals(network);
        network.goals[role].iter().filter(move |(_, n)| position.holds(*n)).map(|(goal, _)| *goal)
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
