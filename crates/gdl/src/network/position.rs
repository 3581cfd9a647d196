//! A position: the truth of every node, kept up to date.

use std::borrow::Cow;

use patience_model::Rng;

use super::changes::{Changes, FanOut, KEEPS, LOOP, Late};
use super::joint::{EVALUATED, Joint, USUAL};
use super::{MAX_ROLES, Network};
use crate::terms::TermId;

/// Where a game stands. All that a move asks for is up to date at all times; a move touches only
/// what it changes, and nothing is allocated after the first few moves.
#[derive(Debug)]
pub struct Position {
    /// By rank.
    counts: Vec<i32>,
    /// By node. A legal move's bit says that it would be legal if its gate were open.
    bits: Vec<u64>,
    /// Legal moves of all roles.
    legal: Vec<u64>,
    /// Ranks whose counter has crossed zero: crossing back takes it out again.
    pending: Vec<u64>,
    /// Whether what only goals depend on is up to date.
    late: bool,
    scratch: Vec<u64>,
    loop_counts: Vec<i32>,
    loop_stack: Vec<u32>,
    loop_changes: Vec<u32>,
    /// The number of the move that each role has made last; `u32::MAX` for none.
    done: Vec<u32>,
    /// The list of the joint move in what the moves alone decide; usual between moves.
    list: u32,
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
            legal: vec![0; changes.ungated.len()],
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
        // Nothing holds yet and nobody has been told: so start from what holds without inputs,
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
    fn count(&mut self, target: u32, held: u32) -> (usize, i32, i32) {
        let rank = target as usize / 2;
        let old = self.counts[rank];
        // Up if the input holds now and the target counts so, or neither.
        let new = old - 1 + 2 * ((held ^ target) & 1) as i32;
        self.counts[rank] = new;
        (rank, old, new)
    }

    /// Tells a target. Half of those that are told change, at random as it seems, so there is no
    /// branch here.
    #[inline]
    fn tell(&mut self, target: u32, held: u32) {
        let (rank, old, new) = self.count(target, held);
        let crossed = u64::from((old ^ new) as u32 >> 31);
        self.pending[rank / 64] ^= crossed << (rank % 64);
    }

    /// Tells a target that passes on what it is told.
    #[inline]
    fn pass_on(&mut self, changes: &Changes, mut target: u32, mut held: u32) {
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

    /// Lets all changes take their effect. A rank is above those of its inputs, so whatever is
    /// found pending first changes for good.
    #[inline]
    fn propagate(&mut self, network: &Network) {
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

    /// Lets all changes take their effect and lays the gates over the legal moves; goals are
    /// derived if the game is over.
    #[inline]
    fn settle(&mut self, network: &Network) {
        self.propagate(network);
        let changes = &network.changes;
        self.legal.copy_from_slice(&changes.ungated);
        for gate in &changes.gates {
            if self.holds(gate.node) != gate.negated {
                for (legal, moves) in self.legal.iter_mut().zip(&gate.moves) {
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

    /// Derives what only goals depend on.
    fn derive_late(&mut self, network: &Network) {
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
    fn derive_one_late(&mut self, network: &Network, i: usize) -> bool {
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

    /// Tells the network what everybody does.
    #[inline]
    fn set_joint(&mut self, network: &Network, moves: &[u32]) {
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

    /// Takes a joint move that was looked up back: what it has brought about would otherwise be
    /// changed by the new state, for nothing.
    #[inline]
    fn clear_joint(&mut self, network: &Network) {
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
    fn evaluate_joint(&mut self, network: &Network, joint: &Joint, moves: &[u32]) {
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
                // Nobody is told of what nobody asks for.
                self.flip(network, op.node);
            }
        }
        self.list = EVALUATED;
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

    /// Plays random moves to the end, at most so many; gives how many were played.
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

/// The place of the `n`-th set bit, counted from 0 and from the lowest.
#[inline]
pub(super) fn nth_bit(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros()
}
