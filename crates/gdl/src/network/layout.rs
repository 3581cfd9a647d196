//! Where each node stands: outputs first, each kind in words of its own.

use std::ops::Range;

use super::{Node, Outputs};
use crate::ground::{Circuit, Gate, Kind, Lit};
use crate::logic::TermId;

/// Nodes in their places.
pub(super) struct Layout {
    pub(super) nodes: Vec<Node>,
    pub(super) base_words: Range<usize>,
    pub(super) next_words: Range<usize>,
    pub(super) input_start: Vec<usize>,
    pub(super) legal_start: Vec<usize>,
    pub(super) legal_end: usize,
    pub(super) terminal: u32,
    pub(super) goals: Vec<Vec<(TermId, u32)>>,
    pub(super) sees: Vec<Vec<(TermId, u32)>>,
    pub(super) sees_words: Range<usize>,
}

struct Places {
    nodes: Vec<Node>,
    gates: Vec<Gate>,
    /// The node of each signal, once it has one.
    node_of: Vec<Option<u32>>,
    /// The signal whose definition each node takes over.
    takes: Vec<Option<usize>>,
}

impl Places {
    fn align(&mut self) -> usize {
        let rest = self.nodes.len().next_multiple_of(64) - self.nodes.len();
        for _ in 0..rest {
            self.push(Node { conjunction: false, inputs: Vec::new(), given: true });
        }
        self.nodes.len()
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.takes.push(None);
        self.nodes.len() as u32 - 1
    }

    /// A place for an output. It takes over the gate that it shows, if no other output has.
    fn output(&mut self, lit: Lit) -> u32 {
        let node = self.push(Node { conjunction: false, inputs: Vec::new(), given: false });
        let signal = lit.signal();
        let free = self.node_of[signal].is_none() && self.gates[signal].kind != Kind::Input;
        if free && !lit.negated() {
            self.node_of[signal] = Some(node);
        }
        self.takes[node as usize] = Some(signal);
        // Whether it shows the signal or its negation is kept as the kind for now.
        self.nodes[node as usize].conjunction = lit.negated();
        node
    }
}

pub(super) fn layout(
    bases: usize,
    moves: &[Vec<TermId>],
    circuit: Circuit,
    outputs: Outputs,
) -> Layout {
    let gates = circuit.gates;
    let mut places =
        Places { nodes: Vec::new(), node_of: vec![None; gates.len()], gates, takes: Vec::new() };
    let given = || Node { conjunction: false, inputs: Vec::new(), given: true };
    // Signals 1, 2, … are the bases and then the moves, in order.
    let mut signal = 1;
    let mut give = |places: &mut Places, count: usize| {
        for _ in 0..count {
            places.node_of[signal] = Some(places.push(given()));
            signal += 1;
        }
    };
    give(&mut places, bases);
    let base_words = 0..places.align() / 64;
    let mut input_start = Vec::new();
    for list in moves {
        input_start.push(places.align());
        give(&mut places, list.len());
    }
    let next_start = places.align();
    for &lit in &outputs.next {
        places.output(lit);
    }
    let next_words = next_start / 64..places.align() / 64;
    let mut legal_start = Vec::new();
    for list in &outputs.legal {
        legal_start.push(places.align());
        list.iter().for_each(|&lit| {
            places.output(lit);
        });
    }
    let legal_end = places.align();
    let terminal = places.output(outputs.terminal);
    let of_roles =
        |places: &mut Places, lists: Vec<Vec<(TermId, Lit)>>| -> Vec<Vec<(TermId, u32)>> {
            let mut of_role = |list: Vec<(TermId, Lit)>| {
                list.into_iter().map(|(term, lit)| (term, places.output(lit))).collect()
            };
            lists.into_iter().map(&mut of_role).collect()
        };
    let goals = of_roles(&mut places, outputs.goals);
    let sees_start = places.align();
    let sees = of_roles(&mut places, outputs.sees);
    let sees_words = sees_start / 64..places.align() / 64;
    define(&mut places);
    Layout {
        nodes: places.nodes,
        base_words,
        next_words,
        input_start,
        legal_start,
        legal_end,
        terminal,
        goals,
        sees,
        sees_words,
    }
}

/// Gives all nodes their inputs, and places to the gates that are reached and have none yet.
fn define(places: &mut Places) {
    let mut at = 0;
    while at < places.nodes.len() {
        if let Some(signal) = places.takes[at] {
            let owns = places.node_of[signal] == Some(at as u32);
            let negated = places.nodes[at].conjunction;
            let (conjunction, lits) = match (owns, signal) {
                (true, _) => {
                    let gate = &places.gates[signal];
                    (gate.kind == Kind::And, gate.inputs.clone())
                }
                // A conjunction of nothing always holds, a disjunction of nothing never.
                (false, 0) => (!negated, Vec::new()),
                (false, _) => {
                    let lit = Lit::positive(signal);
                    (false, vec![if negated { lit.not() } else { lit }])
                }
            };
            let inputs =
                lits.into_iter().map(|lit| (place(places, lit.signal()), lit.negated())).collect();
            places.nodes[at] = Node { conjunction, inputs, given: false };
        }
        at += 1;
    }
}

fn place(places: &mut Places, signal: usize) -> u32 {
    if let Some(node) = places.node_of[signal] {
        return node;
    }
    let node = places.push(Node { conjunction: false, inputs: Vec::new(), given: false });
    places.takes[node as usize] = Some(signal);
    if signal == 0 {
        // The constant is only asked for by cycles; it is a node that shows it.
        return node;
    }
    places.node_of[signal] = Some(node);
    node
}
