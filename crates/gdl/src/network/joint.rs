//! What the moves alone decide, looked up instead of derived.
//!
//! "This cell stays as it is" mostly means that no role's move touches it, said of every role and
//! every cell: a move that changes two cells then changes hundreds of conditions on the way. But the
//! value of a node that depends on nothing except moves is known once and for all for each joint
//! move. Where only one role really moves and the others pass, as in games with turns, the nodes
//! that are not as usual are a short list, and playing is going from one list to the next.

use super::Node;

/// Evaluations of nodes and entries of lists that a table may cost; beyond that, moves are propagated
/// like everything else.
const MAX_EVALUATIONS: usize = 40_000_000;
const MAX_ENTRIES: usize = 4_000_000;

/// The list of a position in which everything is as usual.
pub(super) const USUAL: u32 = 0;
/// No list: the last joint move was evaluated.
pub(super) const EVALUATED: u32 = u32::MAX;

/// One node that depends on moves only.
#[derive(Clone, Debug)]
pub(super) struct MoveNode {
    pub(super) node: u32,
    pub(super) conjunction: bool,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The values of all nodes that depend on moves only.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    /// Nodes in order, without the moves themselves.
    pub(super) nodes: Vec<MoveNode>,
    /// Their inputs: twice the node, one more if negated.
    pub(super) inputs: Vec<u32>,
    /// The nodes that are needed, moves among them, with their usual value.
    pub(super) asked: Vec<(u32, bool)>,
    /// For each role the move that counts as passing.
    pass: Vec<u32>,
    /// For each role the list of its first move; the last is the number of lists.
    first: Vec<u32>,
    /// Where each list ends; a list begins where the one before ends. The first is empty.
    ends: Vec<u32>,
    /// The nodes that are not as usual.
    unusual: Vec<u32>,
}

impl Joint {
    /// Looks for nodes that depend on moves only; `None` if there are too many moves or nodes for
    /// a table. `order` holds the nodes outside loops, each after its inputs.
    pub(super) fn new(
        nodes: &[Node],
        order: &[u32],
        in_loop: impl Fn(u32) -> bool,
        moves: &[std::ops::Range<u32>],
        outputs: &[bool],
    ) -> Option<Self> {
        let mut of_moves = vec![false; nodes.len()];
        for range in moves {
            of_moves[range.start as usize..range.end as usize].fill(true);
        }
        let mut own = Vec::new();
        for &n in order {
            let inputs = &nodes[n as usize].inputs;
            if !inputs.is_empty() && inputs.iter().all(|i| of_moves[i.0 as usize]) {
                of_moves[n as usize] = true;
                own.push(n);
            }
        }
        // The nodes on which an output depends, or something that moves alone do not decide.
        let mut asked = vec![false; nodes.len()];
        let mut uses = vec![0usize; nodes.len()];
        for (n, node) in nodes.iter().enumerate() {
            for input in &node.inputs {
                uses[input.0 as usize] += 1;
                asked[input.0 as usize] |= !of_moves[n] || in_loop(n as u32);
            }
        }
        asked.iter_mut().zip(outputs).for_each(|(asked, &output)| *asked |= output);
        let count: usize = moves.iter().map(ExactSizeIterator::len).sum();
        if own.is_empty() || count.saturating_mul(own.len()) > MAX_EVALUATIONS {
            return None;
        }
        let mut inputs = Vec::new();
        let own: Vec<MoveNode> = own
            .into_iter()
            .map(|node| {
                let Node { conjunction, inputs: all, .. } = &nodes[node as usize];
                let start = inputs.len() as u32;
                inputs.extend(all.iter().map(|&(n, neg)| n * 2 + u32::from(neg)));
                MoveNode { node, conjunction: *conjunction, start, end: inputs.len() as u32 }
            })
            .collect();
        let pass: Vec<u32> = moves
            .iter()
            .map(|range| {
                // A move that no rule mentions, or else the one that most rules do: rules usually
                // mention passing for everything that stays as it is.
                let best = range.clone().max_by_key(|&m| {
                    (uses[m as usize] == 0, uses[m as usize], std::cmp::Reverse(m))
                });
                best.map_or(0, |m| m - range.start)
            })
            .collect();
        let shown: Vec<u32> = moves
            .iter()
            .cloned()
            .flatten()
            .chain(own.iter().map(|n| n.node))
            .filter(|&n| asked[n as usize])
            .collect();
        let mut joint = Joint {
            nodes: own,
            inputs,
            asked: shown.iter().map(|&n| (n, false)).collect(),
            pass,
            first: Vec::new(),
            ends: vec![0],
            unusual: Vec::new(),
        };
        joint.fill(nodes.len(), moves).then_some(joint)
    }

    /// Evaluates every move while the others pass; false if the lists become too long.
    fn fill(&mut self, size: usize, moves: &[std::ops::Range<u32>]) -> bool {
        let mut holds = vec![false; size];
        for (range, &pass) in moves.iter().zip(&self.pass).filter(|(range, _)| !range.is_empty()) {
            holds[(range.start + pass) as usize] = true;
        }
        let mut columns: Vec<Vec<bool>> = Vec::new();
        let mut often = vec![0usize; self.asked.len()];
        for (range, &pass) in moves.iter().zip(&self.pass) {
            self.first.push(columns.len() as u32 + 1);
            if range.len().saturating_mul(self.asked.len()) > MAX_EVALUATIONS {
                return false;
            }
            for m in range.clone() {
                holds[(range.start + pass) as usize] = false;
                holds[m as usize] = true;
                for node in &self.nodes {
                    let inputs = &self.inputs[node.start as usize..node.end as usize];
                    let value = |&i: &u32| holds[i as usize / 2] != (i & 1 == 1);
                    holds[node.node as usize] = match node.conjunction {
                        true => inputs.iter().all(value),
                        false => inputs.iter().any(value),
                    };
                }
                let column: Vec<bool> = self.asked.iter().map(|a| holds[a.0 as usize]).collect();
                column.iter().zip(&mut often).for_each(|(&v, n)| *n += usize::from(v));
                columns.push(column);
                holds[m as usize] = false;
                holds[(range.start + pass) as usize] = true;
            }
        }
        for (asked, &often) in self.asked.iter_mut().zip(&often) {
            asked.1 = often * 2 > columns.len();
        }
        for column in columns {
            let unusual = column.iter().zip(&self.asked).filter(|(v, a)| **v != a.1);
            self.unusual.extend(unusual.map(|(_, a)| a.0));
            self.ends.push(self.unusual.len() as u32);
            if self.unusual.len() > MAX_ENTRIES {
                return false;
            }
        }
        true
    }

    /// The list of a joint move, if at most one role does not pass.
    #[inline]
    pub(super) fn list(&self, joint: &[u32]) -> Option<u32> {
        let mut moving = None;
        for (role, (&number, &pass)) in joint.iter().zip(&self.pass).enumerate() {
            if number != pass && moving.replace(role).is_some() {
                return None;
            }
        }
        let role = moving.unwrap_or(0);
        Some(self.first[role] + joint[role])
    }

    /// The nodes that are not as usual.
    #[inline]
    pub(super) fn unusual(&self, list: u32) -> &[u32] {
        let start = list.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.unusual[start as usize..self.ends[list as usize] as usize]
    }

    /// The nodes that depend on moves only, moves themselves not counted.
    pub(super) fn decided(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().map(|n| n.node)
    }
}
