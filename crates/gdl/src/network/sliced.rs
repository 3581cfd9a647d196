//! Many playouts at once: one bit of every word is one playout.
//!
//! The whole network is evaluated in order with bitwise operations on 256 positions together, so
//! a gate with two inputs costs a few instructions for all of them. Playouts that end begin anew,
//! so that all lanes are always busy.
// Words of several arrays are taken by one number throughout: the shape that becomes vector code.
#![allow(clippy::needless_range_loop)]

use patience_model::Rng;

use super::bits::{nth_bit, transpose};
use super::{Evaluation, Network};
use crate::check::goal_value;

/// Words per node.
const WORDS: usize = 4;
/// Playouts that run side by side.
const LANES: usize = 64 * WORDS;

type Word = [u64; WORDS];

/// What random playouts have come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Playouts that came to an end.
    pub playouts: u64,
    /// Moves played in all.
    pub moves: u64,
    /// Sum of the goal values of each role over the playouts that ended.
    pub goals: Vec<u64>,
    /// Playouts given up because a role had no legal move or the limit was reached.
    pub given_up: u64,
}

#[derive(Clone, Copy, Debug)]
enum Op {
    And { node: u32, start: u32, end: u32 },
    Or { node: u32, start: u32, end: u32 },
    Loop(u32),
}

/// Random playouts from one state, 256 side by side.
#[derive(Debug)]
pub struct Sliced<'n> {
    network: &'n Network,
    values: Vec<Word>,
    /// Twice the node, one more if negated.
    inputs: Vec<u32>,
    /// What depends on the state only.
    view: Vec<Op>,
    /// What depends on the moves.
    step: Vec<Op>,
    start: Vec<u64>,
    goals: Vec<Vec<(u64, u32)>>,
    chosen: Vec<[u32; LANES]>,
    blocks: Vec<[u64; 64]>,
    moves: [u32; LANES],
}

impl<'n> Sliced<'n> {
    /// Playouts from the initial state.
    pub fn new(network: &'n Network) -> Self {
        Sliced::from_state(network, &network.initial)
    }

    /// Playouts from a state, given by its words (see [`Position::state`](super::Position::state)).
    pub fn from_state(network: &'n Network, state: &[u64]) -> Self {
        let mut on_moves = vec![false; network.nodes.len()];
        for (role, &start) in network.input_start.iter().enumerate() {
            on_moves[start..start + network.moves[role].len()].fill(true);
        }
        let (mut view, mut step, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        for &evaluation in &network.order {
            match evaluation {
                Evaluation::Node(node) => {
                    let own = &network.nodes[node as usize];
                    let start = inputs.len() as u32;
                    inputs.extend(own.inputs.iter().map(|&(n, neg)| n * 2 + u32::from(neg)));
                    let end = inputs.len() as u32;
                    let moves = own.inputs.iter().any(|&(n, _)| on_moves[n as usize]);
                    on_moves[node as usize] = moves;
                    let op = match own.conjunction {
                        true => Op::And { node, start, end },
                        false => Op::Or { node, start, end },
                    };
                    (if moves { &mut step } else { &mut view }).push(op);
                }
                Evaluation::Loop(number) => {
                    let members = &network.loops[number as usize].members;
                    let moves =
                        members.iter().any(|m| m.outside.is_some_and(|o| on_moves[o as usize]));
                    members.iter().for_each(|m| on_moves[m.node as usize] = moves);
                    (if moves { &mut step } else { &mut view }).push(Op::Loop(number));
                }
            }
        }
        let value = |term| {
            let name = network.terms.symbols().name(network.terms.name(term));
            goal_value(name).map_or(0, u64::from)
        };
        let goals = network
            .goals
            .iter()
            .map(|list| list.iter().map(|&(term, node)| (value(term), node)).collect())
            .collect();
        let mut sliced = Sliced {
            network,
            values: vec![[0; WORDS]; network.nodes.len()],
            inputs,
            view,
            step,
            start: state.to_vec(),
            goals,
            chosen: vec![[u32::MAX; LANES]; network.roles.len()],
            blocks: Vec::new(),
            moves: [0; LANES],
        };
        for base in 0..network.bases.len() {
            sliced.values[base] = [sliced.start_word(base); WORDS];
        }
        sliced
    }

    /// All ones if a base holds at the start.
    #[inline]
    fn start_word(&self, base: usize) -> u64 {
        0u64.wrapping_sub(self.start[base / 64] >> (base % 64) & 1)
    }

    /// Plays until at least this many playouts have ended or were given up; playouts that are longer
    /// than `most` moves are given up. Moves are uniform up to one part in 2³² per move.
    pub fn run(&mut self, rng: &mut Rng, playouts: u64, most: u32) -> Tally {
        let mut tally = Tally { goals: vec![0; self.network.roles.len()], ..Tally::default() };
        while tally.playouts + tally.given_up < playouts {
            self.turn(rng, most, &mut tally);
        }
        tally
    }

    /// One move in every lane, or a new beginning where the game is over.
    fn turn(&mut self, rng: &mut Rng, most: u32, tally: &mut Tally) {
        self.evaluate(true);
        let ended = self.values[self.network.terminal as usize];
        let mut fresh = ended;
        if ended != [0; WORDS] {
            for (sum, list) in tally.goals.iter_mut().zip(&self.goals) {
                for &(value, node) in list {
                    *sum += value * u64::from(count(&and(&self.values[node as usize], &ended)));
                }
            }
            let lanes = count(&ended);
            tally.playouts += u64::from(lanes);
        }
        for role in 0..self.network.roles.len() {
            self.choose(role, rng, &mut fresh);
        }
        for (lane, moves) in self.moves.iter_mut().enumerate() {
            let bit = 1u64 << (lane % 64);
            if *moves == most {
                fresh[lane / 64] |= bit;
            }
            if fresh[lane / 64] & bit == 0 {
                *moves += 1;
                tally.moves += 1;
            } else {
                *moves = 0;
            }
        }
        tally.given_up += u64::from(count(&fresh) - count(&ended));
        self.evaluate(false);
        let next = self.network.next_words.start * 64;
        for base in 0..self.network.bases.len() {
            let start = self.start_word(base);
            for word in 0..WORDS {
                let after = self.values[next + base][word];
                self.values[base][word] = (after & !fresh[word]) | (start & fresh[word]);
            }
        }
    }

    /// Draws a legal move of a role in every lane; lanes without one are marked as `fresh`.
    fn choose(&mut self, role: usize, rng: &mut Rng, fresh: &mut Word) {
        let network = self.network;
        let (input, legal) = (network.input_start[role], network.legal_start[role]);
        for (lane, chosen) in self.chosen[role].iter_mut().enumerate() {
            if *chosen != u32::MAX {
                self.values[input + *chosen as usize][lane / 64] &= !(1 << (lane % 64));
                *chosen = u32::MAX;
            }
        }
        let count = network.moves[role].len();
        for word in 0..WORDS {
            self.blocks.clear();
            for first in (0..count).step_by(64) {
                let mut block = [0; 64];
                for (row, place) in block.iter_mut().enumerate().take(count - first) {
                    *place = self.values[legal + first + row][word];
                }
                transpose(&mut block);
                self.blocks.push(block);
            }
            for lane in 0..64 {
                if fresh[word] >> lane & 1 == 1 {
                    continue;
                }
                let total: u32 = self.blocks.iter().map(|b| b[lane].count_ones()).sum();
                if total == 0 {
                    fresh[word] |= 1 << lane;
                    continue;
                }
                let mut nth = match total {
                    1 => 0,
                    _ => (((rng.next_u64() >> 32) * u64::from(total)) >> 32) as u32,
                };
                for (i, block) in self.blocks.iter().enumerate() {
                    let here = block[lane].count_ones();
                    if nth < here {
                        let number = i as u32 * 64 + nth_bit(block[lane], nth);
                        self.chosen[role][word * 64 + lane] = number;
                        self.values[input + number as usize][word] |= 1 << lane;
                        break;
                    }
                    nth -= here;
                }
            }
        }
    }

    fn evaluate(&mut self, view: bool) {
        let ops = std::mem::take(if view { &mut self.view } else { &mut self.step });
        for op in &ops {
            match *op {
                Op::And { node, start, end } => {
                    let mut all = [!0; WORDS];
                    for &input in &self.inputs[start as usize..end as usize] {
                        let sign = 0u64.wrapping_sub(u64::from(input & 1));
                        let value = &self.values[input as usize / 2];
                        for word in 0..WORDS {
                            all[word] &= value[word] ^ sign;
                        }
                    }
                    self.values[node as usize] = all;
                }
                Op::Or { node, start, end } => {
                    let mut any = [0; WORDS];
                    for &input in &self.inputs[start as usize..end as usize] {
                        let sign = 0u64.wrapping_sub(u64::from(input & 1));
                        let value = &self.values[input as usize / 2];
                        for word in 0..WORDS {
                            any[word] |= value[word] ^ sign;
                        }
                    }
                    self.values[node as usize] = any;
                }
                Op::Loop(number) => self.derive_loop(number as usize),
            }
        }
        *(if view { &mut self.view } else { &mut self.step }) = ops;
    }

    /// The least fixpoint in all lanes: members are evaluated from nothing until none changes.
    fn derive_loop(&mut self, number: usize) {
        let members = &self.network.loops[number].members;
        for member in members {
            self.values[member.node as usize] = [0; WORDS];
        }
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); members.len()];
        for member in members {
            member.feeds.iter().for_each(|&fed| sources[fed as usize].push(member.node));
        }
        loop {
            let mut changed = false;
            for (member, sources) in members.iter().zip(&sources) {
                let conjunction = self.network.nodes[member.node as usize].conjunction;
                let mut value = [if conjunction { !0 } else { 0 }; WORDS];
                for &source in member.outside.iter().chain(sources) {
                    for word in 0..WORDS {
                        let input = self.values[source as usize][word];
                        value[word] =
                            if conjunction { value[word] & input } else { value[word] | input };
                    }
                }
                changed |= value != self.values[member.node as usize];
                self.values[member.node as usize] = value;
            }
            if !changed {
                return;
            }
        }
    }
}

fn and(a: &Word, b: &Word) -> Word {
    std::array::from_fn(|i| a[i] & b[i])
}

fn count(word: &Word) -> u32 {
    word.iter().map(|w| w.count_ones()).sum()
}
