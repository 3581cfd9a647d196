//! Any solution within some hundred expansions: greedy best-first search in an arena that is used
//! again. States are told apart by a hash alone, so that one may be missed; that there is no
//! solution is for the search that is complete to say.

use patience_plan::Counts;

use super::engine::{FreeCell, Move};
use super::score::{Tally, Weights};
use super::state::{HOME, State};

/// One more than the highest score; what is worse counts as this.
const SCORES: usize = 2048;
const NOBODY: u32 = u32::MAX;
/// States that one expansion may add at most, as far as memory is concerned.
const AHEAD: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    tally: Tally,
    key: u64,
    parent: u32,
    /// The next one of the same score.
    next: u32,
    /// The move that led here; cards that safely go home after it did so by themselves.
    last: Move,
    moves: u32,
}

/// How an attempt ended.
pub(super) enum End {
    /// With a solution: its moves without those of cards that go home by themselves.
    Solved(Vec<Move>),
    /// With its length, or no state was left.
    Over,
    /// It could have taken more memory than it may.
    Full,
}

/// The arena.
#[derive(Debug)]
pub(super) struct Quick<'g> {
    game: &'g FreeCell,
    nodes: Vec<Node>,
    /// The keys of all nodes: open addressing with linear probing, 0 where there is none.
    table: Vec<u64>,
    /// The last state of each score.
    heads: Vec<u32>,
    lowest: usize,
    counts: Counts,
}

/// What a card and what lies beneath it add to the key of a state.
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
            heads: vec![NOBODY; SCORES],
            lowest: SCORES,
            counts: Counts::default(),
        }
    }

    /// What has been spent, and what the last attempt holds.
    pub(super) fn counts(&self) -> Counts {
        Counts { nodes: self.nodes.len() as u64, bytes: self.bytes(), ..self.counts }
    }

    fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>() + 8 * self.table.len() + 4 * SCORES) as u64
    }

    /// Bytes that the next expansion can take on top, old arrays beside new ones included.
    fn growth(&self) -> u64 {
        let nodes = (self.nodes.len() + AHEAD > self.nodes.capacity()) as u64;
        2 * nodes * self.bytes()
    }

    /// Whether the key is new.
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        if self.nodes.len() * 2 >= self.table.len() {
            let old = std::mem::take(&mut self.table);
            self.table = vec![0; 2 * old.len()];
            for key in old.into_iter().filter(|&key| key != 0) {
                self.put(key);
            }
        }
        self.put(key | 1)
    }

    #[inline]
    fn put(&mut self, key: u64) -> bool {
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

    /// Makes a move and those home that follow by themselves; the key after it, and whether any
    /// card went home.
    #[inline]
    fn go(&self, node: &Node, state: &mut State, m: Move) -> (u64, bool) {
        let card = usize::from(m.card);
        let mut key = node.key ^ part(m.card, state.below[card]);
        self.game.make(state, m);
        key ^= part(m.card, state.below[card]);
        // All that safely can has gone home before, except at the start.
        let mut homes = m.is_home();
        if homes || node.parent == NOBODY || self.game.frees_safe_card(&node.state, m) {
            while let Some(m) = self.game.safe_home_move(state) {
                key ^= part(m.card, state.below[usize::from(m.card)]) ^ part(m.card, HOME);
                self.game.make(state, m);
                homes = true;
            }
        }
        (key, homes)
    }

    /// Takes the state of the lowest score.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let at = *self.heads[self.lowest..].iter().find(|&&head| {
            self.lowest += usize::from(head == NOBODY);
            head != NOBODY
        })?;
        self.heads[self.lowest] = self.nodes[at as usize].next;
        Some(at)
    }

    /// Looks for a solution with at most so many expansions, in at most so many bytes.
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
        self.heads.fill(NOBODY);
        self.lowest = SCORES;
        let key = (0u8..).zip(start.below).fold(0, |key, (card, below)| key ^ part(card, below));
        self.insert(key);
        let node = Node {
            state: *start,
            tally: Tally::of(game, start),
            key,
            parent: NOBODY,
            next: NOBODY,
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
                let (key, homes) = self.go(&node, &mut next, m);
                if !self.insert(key) {
                    continue;
                }
                if next.is_solved(game.rules()) {
                    return End::Solved(self.path(at, m));
                }
                let tally = match homes {
                    true => Tally::of(game, &next),
                    false => node.tally.after(game, &node.state, m),
                };
                let score =
                    (weights.weigh(game, &next, &tally, node.moves) as usize).min(SCORES - 1);
                let head = std::mem::replace(&mut self.heads[score], self.nodes.len() as u32);
                self.lowest = self.lowest.min(score);
                self.nodes.push(Node {
                    state: next,
                    tally,
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
