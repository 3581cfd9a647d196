//! The propositional network: what every move changes, and nothing else.
//!
//! Each node is a conjunction or disjunction with a counter that is at least 0 exactly when the
//! node holds: −1 plus the inputs that hold for a disjunction, minus the inputs that do not for a
//! conjunction. Negations are edges that count the other way. When a node changes, its targets'
//! counters change by one, and those that cross 0 change in turn, in an order in which no node
//! changes twice. Positive cycles (chains of stones, ways through a maze) are their own small
//! fixpoints.
//!
//! Truth values are bits, with states, moves, successors and legal moves each in their own words:
//! a successor is compared with its state 64 facts at a time, and legal moves are counted so.

mod bits;
mod changes;
mod engine;
mod guards;
mod joint;
mod late;
mod layout;
mod levels;
mod moves;
mod position;
mod propagate;
mod sliced;
mod world;

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::check::goal_value;
use crate::ground::{Circuit, Lit};
use crate::logic::{TermId, Terms};

pub(crate) use bits::for_each_bit;
use changes::Changes;
pub use engine::Grounded;
pub use position::Position;
pub use sliced::{Sliced, Tally};

/// How many roles a grounded game may have: joint moves are kept on the stack.
pub(crate) const MAX_ROLES: usize = 64;

/// The outputs of a network, as signals of its circuit.
pub(crate) struct Outputs {
    pub(crate) next: Vec<Lit>,
    pub(crate) legal: Vec<Vec<Lit>>,
    pub(crate) terminal: Lit,
    pub(crate) goals: Vec<Vec<(TermId, Lit)>>,
    pub(crate) sees: Vec<Vec<(TermId, Lit)>>,
}

/// How large a network is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Sizes {
    /// Instances of rules that were found.
    pub instances: usize,
    /// Propositions that make a state.
    pub bases: usize,
    /// Moves of all roles.
    pub moves: usize,
    /// Conjunctions and disjunctions.
    pub gates: usize,
    /// Connections between nodes.
    pub edges: usize,
    /// Levels through which a change goes.
    pub levels: usize,
    /// Cycles that are fixpoints of their own.
    pub loops: usize,
    /// Bytes of one [`Position`].
    pub position_bytes: usize,
}

/// A conjunction or disjunction, or what is given from outside.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) conjunction: bool,
    /// Inputs with their sign; empty for what is given from outside.
    pub(crate) inputs: Vec<(u32, bool)>,
    pub(crate) given: bool,
}

/// A cycle: its members are derived together, starting from what holds outside.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) members: Vec<LoopMember>,
}

#[derive(Clone, Debug)]
pub(crate) struct LoopMember {
    pub(crate) node: u32,
    /// The node that stands for all inputs from outside the cycle.
    pub(crate) outside: Option<u32>,
    /// The counter without any input.
    pub(crate) start: i32,
    /// The members that this one feeds.
    pub(crate) feeds: Vec<u32>,
}

/// A grounded game. Make positions with [`Network::position`].
#[derive(Clone, Debug)]
pub struct Network {
    pub(crate) terms: Terms,
    pub(crate) roles: Vec<TermId>,
    pub(crate) bases: Vec<TermId>,
    pub(crate) initial: Vec<u64>,
    pub(crate) moves: Vec<Vec<TermId>>,
    pub(crate) move_number: Vec<FxHashMap<TermId, u32>>,
    pub(crate) nodes: Vec<Node>,
    /// Words of the bit vector.
    pub(crate) base_words: Range<usize>,
    pub(crate) next_words: Range<usize>,
    /// First node of each role's moves, a multiple of 64.
    pub(crate) input_start: Vec<usize>,
    pub(crate) legal_start: Vec<usize>,
    pub(crate) terminal: u32,
    pub(crate) goals: Vec<Vec<(TermId, u32)>>,
    /// The numbers that the goals are; 0 for what is none from 0 to 100.
    pub(crate) goal_values: Vec<Vec<u8>>,
    pub(crate) sees: Vec<Vec<(TermId, u32)>>,
    pub(crate) sees_words: Range<usize>,
    pub(crate) loops: Vec<Loop>,
    /// The order in which nodes and loops are evaluated from scratch.
    pub(crate) order: Vec<Evaluation>,
    /// How a position is kept up to date.
    pub(crate) changes: Changes,
    pub(crate) sizes: Sizes,
    /// The initial position, once it is known: copying is quicker than going there.
    pub(crate) start: Option<Box<Position>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Evaluation {
    Node(u32),
    Loop(u32),
}

impl Network {
    pub(crate) fn new(
        terms: Terms,
        roles: Vec<TermId>,
        bases: Vec<TermId>,
        initial: Vec<bool>,
        moves: Vec<Vec<TermId>>,
        circuit: Circuit,
        outputs: Outputs,
    ) -> Self {
        let layout = layout::layout(bases.len(), &moves, circuit, outputs);
        let mut network = levels::connect(layout, terms, roles, bases, moves);
        let mut words = vec![0u64; network.base_words.len()];
        for (i, _) in initial.iter().enumerate().filter(|(_, holds)| **holds) {
            words[i / 64] |= 1 << (i % 64);
        }
        network.initial = words;
        let terms = &network.terms;
        let value = |&(term, _): &(TermId, u32)| {
            goal_value(terms.symbols().name(terms.name(term))).unwrap_or(0)
        };
        network.goal_values =
            network.goals.iter().map(|goals| goals.iter().map(value).collect()).collect();
        let start = network.position();
        network.sizes.position_bytes = start.bytes();
        network.start = Some(Box::new(start));
        network
    }

    /// How large it is.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// How many roles there are.
    pub fn role_count(&self) -> usize {
        self.roles.len()
    }

    /// The moves of a role, in the order of their numbers.
    pub fn moves(&self, role: usize) -> &[TermId] {
        &self.moves[role]
    }

    /// The table of terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The roles.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The facts of which states are made, in the order of their bits.
    pub fn bases(&self) -> &[TermId] {
        &self.bases
    }
}
