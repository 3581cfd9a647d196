//! How changes propagate: the nodes that are kept up to date, in their order, and their targets.
//!
//! Two kinds of nodes are spared most of the work: legal moves that wait for a [`Guard`], and what
//! only goals depend on (counting stones). That is *late*: it is derived when a game is over, and
//! then only where it can hold at all: of all sums that a row of stones may have, one does.

use rustc_hash::FxHashMap;

use super::guards::Guard;
use super::joint::Joint;
use super::{Evaluation, Loop, Node};

/// In [`Changes::node_of`]: the rank is that of a loop.
pub(super) const LOOP: u32 = 1 << 31;

/// In [`Changes::passes_on`]: the value of the rank is needed, or it has several targets.
pub(super) const KEEPS: u32 = u32::MAX;

/// Where a node's targets begin, where those of them that pass on, and where they end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FanOut {
    pub(super) start: u32,
    pub(super) passing: u32,
    pub(super) end: u32,
}

/// How changes go through a network. Nodes that are kept up to date have a *rank*, above those of
/// all their inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// The node of each rank; with [`LOOP`] set, the number of a loop.
    pub(super) node_of: Vec<u32>,
    /// The counter of each rank if no input holds: a node holds if its counter is at least 0.
    pub(super) empty: Vec<i32>,
    /// Where the targets of each node begin and end.
    pub(super) fan_out: Vec<FanOut>,
    /// Twice the rank of the target, one more if it counts down when the node holds.
    pub(super) targets: Vec<u32>,
    /// The one target of a rank that nobody else asks for: whatever crosses there is passed on at
    /// once, and the node has no bit. Twice the target, one more if it passes on itself; [`KEEPS`]
    /// for all others.
    pub(super) passes_on: Vec<u32>,
    /// The rank of the loop that a change of each node starts; empty without loops.
    pub(super) starts_loop: Vec<u32>,
    pub(super) guards: Vec<Guard>,
    /// The legal moves that wait for no guard.
    pub(super) unguarded: Vec<u64>,
    /// What the moves alone decide, if that is looked up.
    pub(super) joint: Option<Joint>,
    /// What only goals depend on, in order.
    pub(super) late: Vec<Late>,
    /// Inputs of late nodes: twice the node, one more if negated.
    pub(super) late_inputs: Vec<u32>,
    /// Which of what is late is derived in any case, as words; the rest only when it is woken by
    /// something late that holds. Empty where there are loops: then everything is derived.
    pub(super) awake: Vec<u32>,
    /// Where the list of those that each wakes begins and ends.
    pub(super) wakes_of: Vec<(u32, u32)>,
    pub(super) wakes: Vec<u32>,
    /// Words of late nodes, and which bits they have there.
    pub(super) late_bits: Vec<(u32, u64)>,
}

/// One step of what is derived late.
#[derive(Clone, Copy, Debug)]
pub(super) enum Late {
    Node { node: u32, conjunction: bool, start: u32, end: u32 },
    Loop(u32),
}

/// The parts of a network that decide how changes go through it.
pub(super) struct Parts<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) loops: &'a [Loop],
    pub(super) loop_of: &'a [u32],
    /// All nodes and loops, each after those on which it depends.
    pub(super) order: &'a [Evaluation],
    /// The nodes of the legal moves, whole words.
    pub(super) legal: std::ops::Range<usize>,
    /// The nodes of each role's moves.
    pub(super) moves: Vec<std::ops::Range<u32>>,
    /// What is needed before a move: legal moves and the end.
    pub(super) before: Vec<u32>,
    /// What is needed once the moves are made: successors and percepts.
    pub(super) after: Vec<u32>,
    /// What is needed at the end.
    pub(super) goals: Vec<u32>,
}

impl Changes {
    pub(super) fn new(parts: &Parts) -> Self {
        let Parts { nodes, loops, order, .. } = parts;
        let needed = needed(parts, parts.before.iter().chain(&parts.after).copied());
        let mut changes = Changes { joint: parts.joint(&needed), ..Changes::default() };
        let mut decided = vec![false; nodes.len()];
        for node in changes.joint.iter().flat_map(Joint::decided) {
            decided[node as usize] = true;
        }
        let guard_of = changes.choose_guards(parts);
        // The gathered inputs of a loop's members are no members, so both have their own place.
        const NONE: u32 = u32::MAX;
        let mut rank_of = vec![NONE; nodes.len()];
        let mut loop_rank = vec![NONE; loops.len()];
        for &evaluation in *order {
            let rank = changes.node_of.len() as u32;
            match evaluation {
                Evaluation::Node(n) if decided[n as usize] => {}
                Evaluation::Node(n) if needed[n as usize] => {
                    rank_of[n as usize] = rank;
                    let node = &nodes[n as usize];
                    let inputs = node.inputs.len() - usize::from(guard_of.contains_key(&n));
                    let all = node.conjunction || guard_of.contains_key(&n);
                    changes.node_of.push(n);
                    changes.empty.push(if all { -(inputs as i32) } else { -1 });
                }
                Evaluation::Loop(l) if needed[loops[l as usize].members[0].node as usize] => {
                    loop_rank[l as usize] = rank;
                    changes.node_of.push(LOOP | l);
                    changes.empty.push(-1);
                }
                Evaluation::Node(node) => {
                    let own = &nodes[node as usize];
                    let start = changes.late_inputs.len() as u32;
                    let inputs = own.inputs.iter().map(|&(n, neg)| n * 2 + u32::from(neg));
                    changes.late_inputs.extend(inputs);
                    let end = changes.late_inputs.len() as u32;
                    let conjunction = own.conjunction;
                    changes.late.push(Late::Node { node, conjunction, start, end });
                }
                Evaluation::Loop(l) => changes.late.push(Late::Loop(l)),
            }
        }
        changes.connect(parts, &guard_of, &rank_of);
        changes.let_pass(parts);
        changes.let_sleep(nodes.len());
        if !loops.is_empty() {
            changes.starts_loop = vec![NONE; nodes.len()];
            for (number, cycle) in loops.iter().enumerate() {
                for outside in cycle.members.iter().filter_map(|m| m.outside) {
                    changes.starts_loop[outside as usize] = loop_rank[number];
                }
            }
        }
        changes
    }

    /// Finds the nodes that need not wait for their turn, because only one other depends on them. Most
    /// rules are such conjunctions. What crosses 0 twice is passed on twice, and the counts are right
    /// in the end.
    fn let_pass(&mut self, parts: &Parts) {
        let mut asked = vec![false; parts.nodes.len()];
        let late = self.late_inputs.iter().map(|&input| input / 2);
        let outside = parts.loops.iter().flat_map(|l| &l.members).filter_map(|m| m.outside);
        let guards = self.guards.iter().map(|guard| guard.node);
        let outputs = parts.before.iter().chain(&parts.after).chain(&parts.goals).copied();
        for node in outputs.chain(late).chain(outside).chain(guards) {
            asked[node as usize] = true;
        }
        let passes = |&node: &u32| {
            if node & LOOP != 0 || asked[node as usize] {
                return false;
            }
            let FanOut { start, end, .. } = self.fan_out[node as usize];
            end - start == 1
        };
        let passes: Vec<bool> = self.node_of.iter().map(passes).collect();
        for fan_out in &mut self.fan_out {
            let targets = &mut self.targets[fan_out.start as usize..fan_out.end as usize];
            targets.sort_by_key(|&target| passes[target as usize / 2]);
            let keep = targets.iter().take_while(|&&target| !passes[target as usize / 2]).count();
            fan_out.passing = fan_out.start + keep as u32;
        }
        let target = |(&node, &passes_on): (&u32, &bool)| {
            if !passes_on {
                return KEEPS;
            }
            let target = self.targets[self.fan_out[node as usize].start as usize];
            target * 2 + u32::from(passes[target as usize / 2])
        };
        self.passes_on = self.node_of.iter().zip(&passes).map(target).collect();
    }

    /// Finds the late nodes that need no work until another late node holds: of all possible sums, few
    /// hold.
    fn let_sleep(&mut self, nodes: usize) {
        let mut place = vec![None; nodes];
        for (i, late) in self.late.iter().enumerate() {
            let Late::Node { node, .. } = *late else { return };
            place[node as usize] = Some(i as u32);
        }
        let mut uses = vec![0u32; self.late.len()];
        for place in self.late_inputs.iter().filter_map(|&input| place[input as usize / 2]) {
            uses[place as usize] += 1;
        }
        self.awake = vec![0; self.late.len().div_ceil(32)];
        let mut wakes = vec![Vec::new(); self.late.len()];
        let mut words: FxHashMap<u32, u64> = FxHashMap::default();
        for (i, late) in self.late.iter().enumerate() {
            let Late::Node { node, conjunction, start, end } = *late else { return };
            *words.entry(node / 64).or_default() |= 1 << (node % 64);
            let inputs = &self.late_inputs[start as usize..end as usize];
            let waker = |&input: &u32| place[input as usize / 2].filter(|_| input & 1 == 0);
            let mut wakers: Vec<u32> = inputs.iter().filter_map(waker).collect();
            if conjunction {
                // One of them is enough: the one for which fewest others wait.
                wakers.sort_unstable_by_key(|&w| (uses[w as usize], w));
                wakers.truncate(1);
            } else if wakers.len() < inputs.len() {
                wakers.clear();
            }
            if wakers.is_empty() {
                self.awake[i / 32] |= 1 << (i % 32);
            }
            wakers.into_iter().for_each(|w| wakes[w as usize].push(i as u32));
        }
        for list in wakes {
            let start = self.wakes.len() as u32;
            self.wakes.extend(list);
            self.wakes_of.push((start, self.wakes.len() as u32));
        }
        self.late_bits = words.into_iter().collect();
        self.late_bits.sort_unstable();
    }

    /// Connects nodes with their targets. Members of a loop are no targets: the loop is started instead.
    fn connect(&mut self, parts: &Parts, guards: &FxHashMap<u32, (u32, bool)>, rank_of: &[u32]) {
        let nodes = parts.nodes;
        let mut targets_of = vec![Vec::new(); nodes.len()];
        for &n in self.node_of.iter().filter(|&&n| n & LOOP == 0) {
            let mut guard = guards.get(&n).copied();
            for &(input, negated) in &nodes[n as usize].inputs {
                if guard == Some((input, negated)) {
                    guard = None;
                    continue;
                }
                targets_of[input as usize].push(rank_of[n as usize] * 2 + u32::from(negated));
            }
        }
        for targets in targets_of {
            let start = self.targets.len() as u32;
            self.targets.extend(targets);
            let end = self.targets.len() as u32;
            self.fan_out.push(FanOut { start, passing: end, end });
        }
    }
}

impl Parts<'_> {
    /// What the moves alone decide. Legal moves and the end never depend on them: grounding refuses
    /// such rules.
    fn joint(&self, needed_at_all: &[bool]) -> Option<Joint> {
        let order: Vec<u32> = self
            .order
            .iter()
            .filter_map(|evaluation| match *evaluation {
                Evaluation::Node(n) if needed_at_all[n as usize] => Some(n),
                _ => None,
            })
            .collect();
        let mut outputs = vec![false; self.nodes.len()];
        self.after.iter().for_each(|&n| outputs[n as usize] = true);
        let in_loop = |n: u32| self.loop_of[n as usize] != u32::MAX;
        Joint::new(self.nodes, &order, in_loop, &self.moves, &outputs)
    }
}

/// Which nodes are needed for these.
fn needed(parts: &Parts, asked: impl Iterator<Item = u32>) -> Vec<bool> {
    let mut needed = vec![false; parts.nodes.len()];
    let mut open: Vec<u32> = asked.collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut needed[node as usize], true) {
            continue;
        }
        open.extend(parts.nodes[node as usize].inputs.iter().map(|i| i.0));
        if let Some(cycle) = parts.loops.get(parts.loop_of[node as usize] as usize) {
            open.extend(cycle.members.iter().map(|m| m.node));
        }
    }
    needed
}
