//! The tree: nodes and edges in two arenas, addressed by index.
//!
//! A node is what the player has seen so far; its edges are the actions there. A node gets its
//! edges at its second visit only, because most nodes are never visited twice. An edge remembers
//! the first observation that followed it and the node there; further observations are in one flat
//! table, which deterministic games never touch.

use patience_model::Game;
use rustc_hash::FxHashMap;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// The root is always the first node.
pub(crate) const ROOT: u32 = 0;

/// A node of the tree: 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The first of its edges.
    pub(crate) first: u32,
    /// How many edges it has; the top bit says whether the opponent is to move.
    edges: u32,
    /// How many of the edges were tried: they stand before the others.
    pub(crate) tried: u32,
    /// Episodes that came here.
    pub(crate) visits: u32,
}

const MINIMISING: u32 = 1 << 31;
/// Edges are not known yet.
const UNEXPANDED: u32 = MINIMISING - 1;

impl Node {
    const NEW: Node = Node { first: 0, edges: UNEXPANDED, tried: 0, visits: 0 };

    #[inline]
    pub(crate) fn is_expanded(&self) -> bool {
        self.edges != UNEXPANDED
    }

    /// How many edges it has, once expanded.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.edges & !MINIMISING
    }

    #[inline]
    pub(crate) fn minimising(&self) -> bool {
        self.edges & MINIMISING != 0
    }

    /// The indices of the edges that were tried.
    #[inline]
    pub(crate) fn tried_edges(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.tried) as usize
    }
}

/// An action at a node, with what is known of it: 24 bytes for a small action and observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<A, O> {
    /// Value from the maximising player's view.
    pub(crate) mean: f64,
    /// Episodes that took it.
    pub(crate) visits: u32,
    /// The factor of the bias that shrinks with `visits`.
    pub(crate) spread: f32,
    /// The node after `obs`.
    pub(crate) child: u32,
    pub(crate) action: A,
    /// The first observation that followed.
    pub(crate) obs: Option<O>,
}

pub(crate) struct Tree<G: Game> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge<G::Action, G::Obs>>,
    /// Where the other observations lead.
    outcomes: FxHashMap<(u32, G::Obs), u32>,
}

/// A tree cut from a larger one.
pub(crate) struct Subtree<G: Game> {
    pub(crate) tree: Tree<G>,
    /// Where each node of the larger tree went.
    pub(crate) nodes: FxHashMap<u32, u32>,
    /// Where each edge came from.
    pub(crate) edges: Vec<u32>,
}

impl<G: Game> Tree<G> {
    pub(crate) fn new() -> Self {
        let mut tree =
            Tree { nodes: Vec::new(), edges: Vec::new(), outcomes: FxHashMap::default() };
        tree.clear();
        tree
    }

    /// A tree of nothing but a root, in the memory of the old one.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.outcomes.clear();
        self.add_node();
    }

    pub(crate) fn add_node(&mut self) -> u32 {
        let index = self.nodes.len() as u32;
        assert!(index < NONE, "a tree has fewer than 2³² nodes");
        self.nodes.push(Node::NEW);
        index
    }

    /// Gives a node its edges.
    pub(crate) fn expand(&mut self, node: u32, actions: &[G::Action], minimising: bool) {
        let first = self.edges.len() as u32;
        self.edges.extend(actions.iter().map(|&action| Edge {
            mean: 0.0,
            visits: 0,
            spread: 0.0,
            child: NONE,
            action,
            obs: None,
        }));
        let node = &mut self.nodes[node as usize];
        node.first = first;
        node.edges = actions.len() as u32 | if minimising { MINIMISING } else { 0 };
    }

    /// Moves an untried edge to the others that were tried; gives its index, which stays.
    #[inline]
    pub(crate) fn try_edge(&mut self, node: u32, offset: u32) -> u32 {
        let node = &mut self.nodes[node as usize];
        let place = node.first + node.tried;
        self.edges.swap((node.first + offset) as usize, place as usize);
        node.tried += 1;
        place
    }

    /// The node that an observation after an edge leads to, or [`NONE`].
    #[inline]
    pub(crate) fn child(&self, edge: u32, obs: G::Obs) -> u32 {
        let known = &self.edges[edge as usize];
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
        let known = &mut self.edges[edge as usize];
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
        let mut edges = Vec::new();
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
            let node = self.nodes[old as usize];
            tree.nodes[new as usize] = Node { first: tree.edges.len() as u32, ..node };
            if !node.is_expanded() {
                continue;
            }
            for edge in node.first..node.first + node.len() {
                let place = tree.edges.len() as u32;
                let mut copy = self.edges[edge as usize];
                let mut take = |child: u32, tree: &mut Tree<G>| {
                    *moved.entry(child).or_insert_with(|| {
                        queue.push(child);
                        tree.add_node()
                    })
                };
                if copy.child != NONE {
                    copy.child = take(copy.child, &mut tree);
                }
                tree.edges.push(copy);
                edges.push(edge);
                for &(obs, child) in others.get(&edge).map_or(&[][..], Vec::as_slice) {
                    let child = take(child, &mut tree);
                    tree.outcomes.insert((place, obs), child);
                }
            }
        }
        Subtree { tree, nodes: moved, edges }
    }

    /// Bytes in use. What is reserved beyond them depends on earlier trees, and is not touched.
    pub(crate) fn bytes(&self) -> u64 {
        let arenas = self.nodes.len() * size_of::<Node>()
            + self.edges.len() * size_of::<Edge<G::Action, G::Obs>>();
        arenas as u64 + table_bytes::<(u32, G::Obs), u32>(self.outcomes.len())
    }
}

/// Bytes that a hash table of so many entries needs: one more per entry, at most 7/8 full.
pub(crate) fn table_bytes<K, V>(entries: usize) -> u64 {
    (entries * (size_of::<(K, V)>() + 1) * 8 / 7) as u64
}

/// Bytes of a node and of an edge in the tree of this game.
pub fn bytes_per_node_and_edge<G: Game>() -> (usize, usize) {
    (size_of::<Node>(), size_of::<Edge<G::Action, G::Obs>>())
}
