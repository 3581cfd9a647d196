//! The tree of a UCT search: an edge remembers the first observation that followed it and the node
//! there; further observations are in one flat table, which deterministic games never touch.

use patience_model::Game;
use rustc_hash::FxHashMap;

use crate::tree::{Arena, Edge, NONE, Node, ROOT};

/// An action, and where it leads: with the statistics 24 bytes for a small action and observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<A, O> {
    /// The node after `obs`.
    pub(crate) child: u32,
    pub(crate) action: A,
    /// The first observation that followed.
    pub(crate) obs: Option<O>,
}

pub(crate) struct Tree<G: Game> {
    pub(crate) arena: Arena<Way<G::Action, G::Obs>>,
    /// Where the other observations lead.
    outcomes: FxHashMap<(u32, G::Obs), u32>,
}

/// A tree cut from a larger one.
pub(crate) struct Subtree<G: Game> {
    pub(crate) tree: Tree<G>,
    /// Where each node of the larger tree went.
    pub(crate) nodes: FxHashMap<u32, u32>,
}

impl<G: Game> Tree<G> {
    pub(crate) fn new() -> Self {
        let mut tree = Tree { arena: Arena::default(), outcomes: FxHashMap::default() };
        tree.clear();
        tree
    }

    /// A tree of nothing but a root, in the memory of the old one.
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.outcomes.clear();
        self.arena.add_node();
    }

    /// Gives a node its edges.
    pub(crate) fn expand(&mut self, node: u32, actions: &[G::Action], minimising: bool) {
        let ways = actions.iter().map(|&action| Way { child: NONE, action, obs: None });
        self.arena.expand(node, ways, minimising);
    }

    /// The node that an observation after an edge leads to, or [`NONE`].
    #[inline]
    pub(crate) fn child(&self, edge: u32, obs: G::Obs) -> u32 {
        let known = &self.arena.edges[edge as usize].own;
        match known.obs {
            None => NONE,
            Some(first) if first == obs => known.child,
            Some(_) => self.outcomes.get(&(edge, obs)).copied().unwrap_or(NONE),
        }
    }

    /// Observations beyond the first of their edge: edge, observation, and where it leads.
    pub(crate) fn other_outcomes(&self) -> impl Iterator<Item = (u32, G::Obs, u32)> {
        self.outcomes.iter().map(|(&(edge, obs), &child)| (edge, obs, child))
    }

    /// Notes where an observation leads.
    #[inline]
    pub(crate) fn link(&mut self, edge: u32, obs: G::Obs, child: u32) {
        let known = &mut self.arena.edges[edge as usize].own;
        if known.obs.is_none() {
            known.obs = Some(obs);
            known.child = child;
        } else {
            self.outcomes.insert((edge, obs), child);
        }
    }

    /// The tree below `top`.
    pub(crate) fn subtree(&self, top: u32) -> Subtree<G> {
        let mut tree = Tree::new();
        let mut moved = FxHashMap::default();
        moved.insert(top, ROOT);
        let mut others: FxHashMap<u32, Vec<(G::Obs, u32)>> = FxHashMap::default();
        for (&(edge, obs), &child) in &self.outcomes {
            others.entry(edge).or_default().push((obs, child));
        }
        let mut queue = vec![top];
        let mut next = 0;
        while let Some(&old) = queue.get(next) {
            let new = moved[&old];
            next += 1;
            let node = self.arena.nodes[old as usize];
            tree.arena.nodes[new as usize] = node;
            tree.arena.nodes[new as usize].first = tree.arena.edges.len() as u32;
            if !node.is_expanded() {
                continue;
            }
            for edge in node.first..node.first + node.len() {
                let place = tree.arena.edges.len() as u32;
                let mut copy = self.arena.edges[edge as usize];
                let mut take = |child: u32, tree: &mut Tree<G>| {
                    *moved.entry(child).or_insert_with(|| {
                        queue.push(child);
                        tree.arena.add_node()
                    })
                };
                if copy.own.child != NONE {
                    copy.own.child = take(copy.own.child, &mut tree);
                }
                tree.arena.edges.push(copy);
                // Where only the old root's were kept, those of the new one are not known.
                if let Some(&deviation) = self.arena.deviations.get(edge as usize) {
                    tree.arena.deviations.push(deviation);
                }
                if let Some(&prior) = self.arena.priors.get(edge as usize) {
                    tree.arena.priors.resize(place as usize, -1.0);
                    tree.arena.priors.push(prior);
                }
                for &(obs, child) in others.get(&edge).map_or(&[][..], Vec::as_slice) {
                    let child = take(child, &mut tree);
                    tree.outcomes.insert((place, obs), child);
                }
            }
        }
        Subtree { tree, nodes: moved }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.arena.bytes() + table_bytes::<(u32, G::Obs), u32>(self.outcomes.len())
    }
}

/// Bytes that a hash table of so many entries needs: one more per entry, at most 7/8 full.
pub(crate) fn table_bytes<K, V>(entries: usize) -> u64 {
    (entries * (size_of::<(K, V)>() + 1) * 8 / 7) as u64
}

/// Bytes of a node and of an edge in the tree of this game.
pub fn bytes_per_node_and_edge<G: Game>() -> (usize, usize) {
    (size_of::<Node>(), size_of::<Edge<Way<G::Action, G::Obs>>>())
}
