//! Any solution within some hundred expansions: greedy best-first search in an arena that is used
//! again. States are distinguished by a hash alone, so the search is incomplete; proofs are left to
//! the complete search.

use patience_plan::Counts;

use super::score::{Features, Weights};
use crate::freecell::engine::{FreeCell, HOME, Move, State};

/// The number of buckets of the open list; worse scores go into the last.
const SCORES: usize = 2048;
/// No node.
const NONE: u32 = u32::MAX;
/// An upper bound on the states that one expansion adds, for the memory check.
const MAX_SUCCESSORS: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    features: Features,
    key: u64,
    parent: u32,
    /// The next node in its bucket of the open list.
    next: u32,
    /// The move that led here, before the safe moves home.
    last: Move,
    moves: u32,
}

/// How an attempt ended.
pub(super) enum End {
    /// With a solution: its moves, without the safe moves home.
    Solved(Vec<Move>),
    /// The expansions were spent, or the open list was empty.
    Over,
    /// The next expansion could exceed the memory.
    Full,
}

/// The arena: closed list and open list.
#[derive(Debug)]
pub(super) struct Quick<'g> {
    game: &'g FreeCell,
    nodes: Vec<Node>,
    /// The keys of all nodes: open addressing with linear probing, 0 for a free slot.
    table: Vec<u64>,
    /// The open list: for each score, the node that was inserted last.
    buckets: Vec<u32>,
    lowest: usize,
    counts: Counts,
}

/// The part of a state's Zobrist key for a card and what lies beneath it.
#[inline]
fn part(card: u8, below: u8) -> u64 {
    let n = u64::from(card) << 6 | u64::from(below);
    let n = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    n ^ n >> 29
}

impl<'g> Quick<'g> {
    pub(super) fn new(game: &'g FreeCell) -> Self {
        Quick {
            game,
            nodes: Vec::with_capacity(1024),
            table: vec![0; 1 << 12],
            buckets: vec![NONE; SCORES],
            lowest: SCORES,
            counts: Counts::default(),
        }
    }

    /// What all attempts have spent, and what the last one holds.
    pub(super) fn counts(&self) -> Counts {
        Counts { nodes: self.nodes.len() as u64, bytes: self.bytes(), ..self.counts }
    }

    fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>() + 8 * self.table.len() + 4 * SCORES) as u64
    }

    /// Bytes that the next expansion may add, with old arrays beside new ones.
    fn growth(&self) -> u64 {
        let nodes = (self.nodes.len() + MAX_SUCCESSORS > self.nodes.capacity()) as u64;
        2 * nodes * self.bytes()
    }

    /// Inserts a key. Whether it is new.
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        if self.nodes.len() * 2 >= self.table.len() {
            let old = std::mem::take(&mut self.table);
            self.table = vec![0; 2 * old.len()];
            for key in old.into_iter().filter(|&key| key != 0) {
                self.insert_key(key);
            }
        }
        self.insert_key(key | 1)
    }

    #[inline]
    fn insert_key(&mut self, key: u64) -> bool {
        let mask = self.table.len() - 1;
        let mut slot = (key >> 32) as usize & mask;
        while self.table[slot] != 0 {
            if self.table[slot] == key {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.table[slot] = key;
        true
    }

    /// Makes a move and the safe moves home that follow. The key after them, and whether any card
    /// went home.
    #[inline]
    fn make(&self, node: &Node, state: &mut State, m: Move) -> (u64, bool) {
        let card = usize::from(m.card);
        let mut key = node.key ^ part(m.card, state.below[card]);
        self.game.make(state, m);
        key ^= part(m.card, state.below[card]);
        // Safe moves have been made before, except at the start.
        let mut homes = m.is_home();
        if homes || node.parent == NONE || self.game.frees_safe_card(&node.state, m) {
            while let Some(m) = self.game.safe_home_move(state) {
                key ^= part(m.card, state.below[usize::from(m.card)]) ^ part(m.card, HOME);
                self.game.make(state, m);
                homes = true;
            }
        }
        (key, homes)
    }

    /// Takes the node of the lowest score from the open list.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let at = *self.buckets[self.lowest..].iter().find(|&&head| {
            self.lowest += usize::from(head == NONE);
            head != NONE
        })?;
        self.buckets[self.lowest] = self.nodes[at as usize].next;
        Some(at)
    }

    /// Searches for a solution with at most `length` expansions, in at most so many bytes.
    pub(super) fn attempt(
        &mut self,
        start: &State,
        weights: &Weights,
        length: u64,
        memory: Option<u64>,
    ) -> End {
        let game = self.game;
        self.nodes.clear();
        self.table.fill(0);
        self.buckets.fill(NONE);
        self.lowest = SCORES;
        let key = (0u8..).zip(start.below).fold(0, |key, (card, below)| key ^ part(card, below));
        self.insert(key);
        let node = Node {
            state: *start,
            features: Features::of(game, start),
            key,
            parent: NONE,
            next: NONE,
            last: Move::default(),
            moves: 0,
        };
        self.nodes.push(node);
        let until = self.counts.iterations.saturating_add(length);
        let mut moves = Vec::with_capacity(64);
        let mut at = 0;
        loop {
            if memory.is_some_and(|n| self.bytes() + self.growth() > n) {
                return End::Full;
            }
            if self.counts.iterations >= until {
                return End::Over;
            }
            self.counts.iterations += 1;
            let node = self.nodes[at as usize];
            moves.clear();
            game.moves(&node.state, &mut moves);
            self.counts.model_calls += moves.len() as u64;
            for &m in &moves {
                let mut next = node.state;
                let (key, homes) = self.make(&node, &mut next, m);
                if !self.insert(key) {
                    continue;
                }
                if next.is_solved(game.rules()) {
                    return End::Solved(self.path(at, m));
                }
                let features = match homes {
                    true => Features::of(game, &next),
                    false => node.features.after(game, &node.state, m),
                };
                let score =
                    (weights.score_of(game, &next, &features, node.moves) as usize).min(SCORES - 1);
                let head = std::mem::replace(&mut self.buckets[score], self.nodes.len() as u32);
                self.lowest = self.lowest.min(score);
                self.nodes.push(Node {
                    state: next,
                    features,
                    key,
                    parent: at,
                    next: head,
                    last: m,
                    moves: node.moves + 1,
                });
            }
            match self.pop() {
                Some(next) => at = next,
                None => return End::Over,
            }
        }
    }

    fn path(&self, mut at: u32, last: Move) -> Vec<Move> {
        let mut path = vec![last];
        while at != 0 {
            path.push(self.nodes[at as usize].last);
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
        path
    }
}
