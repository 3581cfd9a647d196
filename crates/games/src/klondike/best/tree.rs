//! The tree of what can be seen: a node is a class of positions with what was turned up so far.
//!
//! Positions that differ only by moves to and from foundations are one node, as in the solver; its
//! moves are those that cannot be undone. Nodes that are reached in several ways are one node.
//!
//! It is not the tree of [`patience_plan::tree`], of which the search has its bandit's formula: nodes
//! are positions with proofs, moves are listed again when all are to be judged, and an edge has sums
//! of wins instead of a mean, so that moves which won as often are exactly equal.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

use super::super::Card;
use super::super::solver::class::{Member, neighbours};
use super::super::solver::edge::{Edge as Move, From, Target, Within, edges, forced, within_reach};
use super::super::solver::state::{Layout, State as Core};
use super::mix::Mix;
use super::sight::{below, face_down};

/// No node, no link.
const NONE: u32 = u32::MAX;
/// Samples for which what is usual stands.
const USUAL: f64 = 10.0;
/// No card was turned up.
const NOTHING: u8 = u8::MAX;

/// A class of positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) core: Core,
    /// Samples that went through or ended here.
    pub(super) visits: u32,
    /// Its moves, once it was expanded.
    first: u32,
    len: u16,
    expanded: bool,
    /// Whether the first move needs no second thought; unless it was widened, it is the only one.
    pub(super) forced: bool,
    /// What is certain: won or lost.
    pub(super) sure: Option<bool>,
}

impl Node {
    pub(super) fn edges(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }

    /// Counts a sample, as far as can be counted.
    pub(super) fn visit(&mut self) {
        self.visits = self.visits.saturating_add(1);
    }
}

/// A move out of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The member of the class from which it is made: what is face up and what is home.
    visible: u64,
    pub(super) home: [u8; 4],
    pub(super) card: Card,
    pub(super) target: Target,
    pub(super) from: From,
    pub(super) visits: u32,
    sum: f64,
    /// Where it leads, by the card that turns up.
    links: u32,
}

impl Edge {
    fn new(m: &Move, member: &Core) -> Edge {
        Edge {
            visible: member.visible,
            home: member.home,
            card: m.card,
            target: m.target,
            from: m.from,
            visits: 0,
            sum: 0.0,
            links: NONE,
        }
    }

    /// The mean of its samples.
    pub(super) fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    /// The mean as if some samples more had been worth `usual`: few samples say little.
    pub(super) fn shrunk(&self, usual: f64) -> f64 {
        (self.sum + USUAL * usual) / (f64::from(self.visits) + USUAL)
    }

    /// Adds the value of a sample; more than can be counted would change nothing.
    pub(super) fn add(&mut self, value: f64) {
        if self.visits == u32::MAX {
            return;
        }
        self.visits += 1;
        self.sum += value;
    }

    /// Whether a card is turned up by it.
    pub(super) fn turns_up(&self, deal: &Layout, core: &Core) -> bool {
        self.from == From::Column && below(deal, core, self.card).is_some()
    }

    /// The position from which it is made.
    pub(super) fn origin(&self, node: &Node) -> Core {
        Core { visible: self.visible, home: self.home, ..node.core }
    }
}

#[derive(Clone, Copy, Debug)]
struct Link {
    card: u8,
    node: u32,
    next: u32,
}

/// What makes two nodes one: the position, and the lowest face-up card of every column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key(Core, [u8; 7]);

impl Key {
    fn of(layout: &Layout, core: Core) -> Key {
        let top = |c: usize| match core.counts[c] {
            0 => NOTHING,
            n => layout.pile[c][usize::from(n) - 1],
        };
        Key(core, std::array::from_fn(top))
    }
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    links: Vec<Link>,
    known: HashMap<Key, u32, BuildHasherDefault<Mix>>,
    // Memory of `expand`.
    members: Vec<Member>,
    moves: Vec<Move>,
    talon: Vec<Within>,
}

impl Tree {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.links.clear();
        self.known.clear();
    }

    pub(super) fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        let edges = self.edges.capacity() * size_of::<Edge>();
        let links = self.links.capacity() * size_of::<Link>();
        let known = self.known.capacity() * (size_of::<Key>() + size_of::<u32>() + 1);
        (nodes + edges + links + known) as u64
    }

    /// The node of a settled position, made if there is none.
    pub(super) fn node(&mut self, layout: &Layout, core: Core) -> u32 {
        let id = self.nodes.len() as u32;
        let found = *self.known.entry(Key::of(layout, core)).or_insert(id);
        if found == id {
            let sure = layout.won(&core).then_some(true);
            self.nodes.push(Node {
                core,
                visits: 0,
                first: 0,
                len: 0,
                expanded: false,
                forced: false,
                sure,
            });
        }
        found
    }

    /// Lists a node's moves, if that was not done yet: only one, if it needs no second thought.
    pub(super) fn expand(&mut self, layout: &Layout, at: u32) {
        let node = self.nodes[at as usize];
        if node.expanded {
            return;
        }
        self.list(layout, &node.core);
        let masks = self.members[0].masks;
        let forced = forced(layout, &node.core, &masks, &self.talon);
        if let Some(only) = forced {
            self.moves.clear();
            self.moves.push(only);
        }
        let first = self.edges.len() as u32;
        for m in &self.moves {
            self.edges.push(Edge::new(m, &self.members[m.member as usize].state));
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.len, node.expanded) = (first, self.moves.len() as u16, true);
        node.forced = forced.is_some();
        if self.moves.is_empty() && node.sure.is_none() {
            node.sure = Some(false);
        }
    }

    /// Lists all moves of a node that has one without a second thought, which stays the first.
    pub(super) fn widen(&mut self, layout: &Layout, at: u32) {
        let node = self.nodes[at as usize];
        if !node.forced || node.len != 1 {
            return;
        }
        let only = self.edges[node.first as usize];
        self.list(layout, &node.core);
        let first = self.edges.len() as u32;
        self.edges.push(only);
        for m in &self.moves {
            if (m.card, m.target) != (only.card, only.target) {
                self.edges.push(Edge::new(m, &self.members[m.member as usize].state));
            }
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.len) = (first, (self.edges.len() as u32 - first) as u16);
    }

    /// Lists the members of a class and its moves.
    fn list(&mut self, layout: &Layout, core: &Core) {
        self.members.clear();
        self.moves.clear();
        self.talon.clear();
        within_reach(layout, core, &mut self.talon);
        let masks = layout.masks(core);
        self.members.push(Member { state: *core, masks, from: 0, moved: 0 });
        let mut at = 0;
        while at < self.members.len() {
            let Member { state, masks, from, .. } = self.members[at];
            let before = (at > 0).then(|| self.members[from as usize].masks);
            let talon = &self.talon;
            edges(&state, &masks, before.as_ref(), at as u32, talon, &mut self.moves);
            neighbours(layout, &mut self.members, 0, at, true);
            at += 1;
        }
    }

    /// The node to which a move leads if the face-down cards are those of a deal; `settle` sends
    /// cards home.
    pub(super) fn child(
        &mut self,
        deal: &Layout,
        at: u32,
        edge: usize,
        settle: impl Fn(&Layout, &mut Core),
    ) -> u32 {
        let this = self.edges[edge];
        let turned = match this.from {
            From::Column => below(deal, &self.nodes[at as usize].core, this.card),
            _ => None,
        };
        let turned = turned.unwrap_or(NOTHING);
        let mut link = this.links;
        while link != NONE {
            let Link { card, node, next } = self.links[link as usize];
            if card == turned {
                return node;
            }
            link = next;
        }
        let core = self.after(deal, at, edge, settle);
        let node = self.node(deal, core);
        self.edges[edge].links = self.links.len() as u32;
        self.links.push(Link { card: turned, node, next: this.links });
        node
    }

    /// The position to which a move leads in a deal; no node is made of it.
    pub(super) fn after(
        &self,
        deal: &Layout,
        at: u32,
        edge: usize,
        settle: impl Fn(&Layout, &mut Core),
    ) -> Core {
        let this = self.edges[edge];
        let m = Move { member: 0, card: this.card, target: this.target, from: this.from };
        let mut core = m.apply(deal, &this.origin(&self.nodes[at as usize]));
        settle(deal, &mut core);
        core
    }

    /// A number for a position, by what is seen of it.
    pub(super) fn name(layout: &Layout, core: &Core) -> u64 {
        BuildHasherDefault::<Mix>::default().hash_one(Key::of(layout, *core))
    }

    /// The move of a node that is made where the foundations hold so much.
    pub(super) fn find(&self, at: u32, home: [u8; 4], card: Card, target: Target) -> Option<usize> {
        let is = |&edge: &usize| {
            let e = &self.edges[edge];
            e.home == home && e.card == card && e.target == target
        };
        self.nodes[at as usize].edges().find(is)
    }

    /// What is certain of a move: `true` if every node it can lead to is surely won, `false` if all
    /// are surely lost.
    pub(super) fn sure(&self, at: u32, edge: usize) -> Option<bool> {
        let (node, edge) = (&self.nodes[at as usize], &self.edges[edge]);
        let (mut won, mut lost, mut links) = (true, true, 0);
        let mut link = edge.links;
        let mut turns = false;
        while link != NONE {
            let Link { card, node, next } = self.links[link as usize];
            let sure = self.nodes[node as usize].sure;
            (won, lost) = (won && sure == Some(true), lost && sure == Some(false));
            turns = card != NOTHING;
            links += 1;
            link = next;
        }
        let all = if turns { face_down(&node.core) } else { 1 };
        if links < all || won == lost { None } else { Some(won) }
    }

    /// Where a move has led so far: the link's own number, the card that was turned up, the node.
    pub(super) fn links(&self, edge: usize) -> impl Iterator<Item = (u32, Option<Card>, u32)> {
        let mut at = self.edges[edge].links;
        std::iter::from_fn(move || {
            let link = self.links.get(at as usize)?;
            let card = (link.card != NOTHING).then(|| Card::at(u32::from(link.card)));
            let found = (at, card, link.node);
            at = link.next;
            Some(found)
        })
    }

    /// By node, the number of the link that led to it first; the root of all has none.
    pub(super) fn first_ways(&self) -> Vec<u32> {
        let mut first = vec![NONE; self.nodes.len()];
        for (number, link) in (0..).zip(&self.links) {
            let first = &mut first[link.node as usize];
            *first = number.min(*first);
        }
        first
    }

    /// The mean of all samples of a node.
    pub(super) fn mean(&self, at: u32) -> f64 {
        let edges = &self.edges[self.nodes[at as usize].edges()];
        let visits: f64 = edges.iter().map(|edge| f64::from(edge.visits)).sum();
        edges.iter().map(|edge| edge.sum).sum::<f64>() / visits.max(1.0)
    }

    /// Notes whether a node has become a sure win or a sure loss.
    pub(super) fn judge(&mut self, at: u32) {
        let node = &self.nodes[at as usize];
        if node.sure.is_some() {
            return;
        }
        let (mut won, mut lost) = (false, true);
        for edge in node.edges() {
            let sure = self.sure(at, edge);
            won |= sure == Some(true);
            lost &= sure == Some(false);
        }
        if won || lost {
            self.nodes[at as usize].sure = Some(won);
        }
    }
}
