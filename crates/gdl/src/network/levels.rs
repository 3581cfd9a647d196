//! Levels, cycles and connections.

use rustc_hash::FxHashMap;

use super::changes::{Changes, Parts};
use super::layout::Layout;
use super::{Evaluation, Loop, LoopMember, Network, Node, Sizes};
use crate::logic::{TermId, Terms, components};

pub(super) fn connect(
    layout: Layout,
    terms: Terms,
    roles: Vec<TermId>,
    bases: Vec<TermId>,
    moves: Vec<Vec<TermId>>,
) -> Network {
    let mut nodes = layout.nodes;
    let inputs = |nodes: &[Node]| -> Vec<Vec<usize>> {
        nodes.iter().map(|n| n.inputs.iter().map(|i| i.0 as usize).collect()).collect()
    };
    let targets = inputs(&nodes);
    let cycles: Vec<Vec<usize>> = components(&targets)
        .into_iter()
        .filter(|m| m.len() > 1 || targets[m[0]].contains(&m[0]))
        .collect();
    // The loop of each node, and what its members ask of each other.
    let mut loop_of = vec![u32::MAX; nodes.len()];
    let mut loops = Vec::new();
    for (number, members) in cycles.iter().enumerate() {
        members.iter().for_each(|&m| loop_of[m] = number as u32);
    }
    for (number, members) in cycles.iter().enumerate() {
        let place: FxHashMap<usize, u32> =
            members.iter().enumerate().map(|(i, &m)| (m, i as u32)).collect();
        let mut cycle = Loop { members: Vec::new() };
        let mut feeds = vec![Vec::new(); members.len()];
        for (i, &member) in members.iter().enumerate() {
            let conjunction = nodes[member].conjunction;
            let all = std::mem::take(&mut nodes[member].inputs);
            let (inside, outside): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|(n, _)| place.contains_key(&(*n as usize)));
            for (source, _) in &inside {
                feeds[place[&(*source as usize)] as usize].push(i as u32);
            }
            // All that comes from outside is gathered in one node, whose changes start the loop.
            let gathered = (!outside.is_empty()).then(|| {
                nodes.push(Node { conjunction, inputs: outside, given: false });
                loop_of.push(u32::MAX);
                nodes.len() as u32 - 1
            });
            let count = inside.len() as i32 + i32::from(gathered.is_some());
            let start = if conjunction { -count } else { -1 };
            nodes[member].inputs = gathered.iter().map(|&g| (g, false)).collect();
            cycle.members.push(LoopMember {
                node: member as u32,
                outside: gathered,
                start,
                feeds: Vec::new(),
            });
        }
        for (member, feeds) in cycle.members.iter_mut().zip(feeds) {
            member.feeds = feeds;
        }
        debug_assert_eq!(loops.len(), number);
        loops.push(cycle);
    }

    let (order, levels) = levels(&nodes, &loop_of, loops.len());
    let legal = layout.legal_start.first().map_or(0..0, |&start| start..layout.legal_end);
    let words = |words: &std::ops::Range<usize>| words.start as u32 * 64..words.end as u32 * 64;
    let seen = layout.sees.iter().flatten().map(|s| s.1);
    let starts = layout.input_start.iter().map(|&start| start as u32);
    let changes = Changes::new(&Parts {
        nodes: &nodes,
        loops: &loops,
        loop_of: &loop_of,
        order: &order,
        moves: starts.zip(&moves).map(|(s, list)| s..s + list.len() as u32).collect(),
        before: legal.clone().map(|n| n as u32).chain([layout.terminal]).collect(),
        after: words(&layout.next_words).chain(seen).collect(),
        goals: layout.goals.iter().flatten().map(|goal| goal.1).collect(),
        legal,
    });
    let gates = nodes.iter().filter(|n| !n.given).count();
    let sizes = Sizes {
        instances: 0,
        bases: bases.len(),
        moves: moves.iter().map(Vec::len).sum(),
        gates,
        edges: nodes.iter().map(|n| n.inputs.len()).sum(),
        levels,
        loops: loops.len(),
        position_bytes: 0,
    };
    let move_number = moves
        .iter()
        .map(|list| list.iter().enumerate().map(|(i, &m)| (m, i as u32)).collect())
        .collect();
    Network {
        terms,
        roles,
        bases,
        initial: Vec::new(),
        moves,
        move_number,
        nodes,
        base_words: layout.base_words,
        next_words: layout.next_words,
        input_start: layout.input_start,
        legal_start: layout.legal_start,
        terminal: layout.terminal,
        goals: layout.goals,
        goal_values: Vec::new(),
        sees: layout.sees,
        sees_words: layout.sees_words,
        loops,
        order,
        changes,
        sizes,
        start: None,
    }
}

/// All nodes and loops in an order in which each comes after its inputs, and how many levels that
/// takes: a node is above all its inputs, the members of a loop on the same level.
fn levels(nodes: &[Node], loop_of: &[u32], loops: usize) -> (Vec<Evaluation>, usize) {
    // One vertex for each node and, beyond them, one for each loop.
    let vertex = |n: usize| match loop_of[n] {
        u32::MAX => n,
        l => nodes.len() + l as usize,
    };
    let mut targets = vec![Vec::new(); nodes.len() + loops];
    for (n, node) in nodes.iter().enumerate() {
        let own = vertex(n);
        targets[own].extend(node.inputs.iter().map(|i| vertex(i.0 as usize)).filter(|&v| v != own));
    }
    let mut level_of = vec![0u32; targets.len()];
    let mut order = Vec::new();
    for members in components(&targets) {
        let v = members[0];
        let below = targets[v].iter().map(|&t| level_of[t] + 1).max();
        let own_start = u32::from(v >= nodes.len() || !nodes[v].given);
        level_of[v] = below.unwrap_or(0).max(own_start);
        if v >= nodes.len() {
            order.push(Evaluation::Loop((v - nodes.len()) as u32));
        } else if loop_of[v] == u32::MAX && !nodes[v].given {
            order.push(Evaluation::Node(v as u32));
        }
    }
    let levels = level_of.iter().max().map_or(0, |&l| l as usize + 1);
    (order, levels)
}
