//! Nodes and edges in two vectors, addressed by index.
//!
//! A node is a point of decision, its edges are the actions there. A node gets its edges when a
//! search first has to choose, because most nodes are never visited twice; those that were tried
//! stand before the others. What else belongs to an edge, like its action and where it leads, is the
//! search's own.

use std::ops::Range;

/// No node.
pub const NONE: u32 = u32::MAX;
/// The root is always the first node.
pub const ROOT: u32 = 0;

/// A node of the tree: 16 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The first of its edges.
    pub first: u32,
    /// How many edges it has; the top bit says whether the opponent is to move.
    edges: u32,
    /// How many of the edges were tried: they stand before the others.
    pub tried: u32,
    /// Episodes that came here.
    pub visits: u32,
}

const MINIMISING: u32 = 1 << 31;
/// Edges are not known yet.
const UNEXPANDED: u32 = MINIMISING - 1;

impl Node {
    const NEW: Node = Node { first: 0, edges: UNEXPANDED, tried: 0, visits: 0 };

    /// Whether its edges are known.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.edges != UNEXPANDED
    }

    /// How many edges it has, once expanded.
    #[inline]
    pub fn len(&self) -> u32 {
        self.edges & !MINIMISING
    }

    /// Whether it has none, once expanded.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the opponent is to move.
    #[inline]
    pub fn minimising(&self) -> bool {
        self.edges & MINIMISING != 0
    }

    /// 1 where values are to be large, −1 where the opponent wants them small.
    #[inline]
    pub fn sign(&self) -> f64 {
        if self.minimising() { -1.0 } else { 1.0 }
    }

    /// The indices of its edges, once expanded.
    #[inline]
    pub fn edges(&self) -> Range<usize> {
        self.first as usize..(self.first + self.len()) as usize
    }

    /// The indices of the edges that were tried.
    #[inline]
    pub fn tried_edges(&self) -> Range<usize> {
        self.first as usize..(self.first + self.tried) as usize
    }
}

/// An action at a node, with what is known of it: 16 bytes and the search's own.
#[derive(Clone, Copy, Debug)]
pub struct Edge<E> {
    /// Value from the maximising player's view.
    pub mean: f64,
    /// Episodes that took it.
    pub visits: u32,
    /// The factor of the bias that shrinks with `visits`, where the bandit keeps one.
    pub spread: f32,
    /// What the search keeps with it.
    pub own: E,
}

/// A tree.
#[derive(Clone, Debug)]
pub struct Arena<E> {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// All edges; those of a node stand together.
    pub edges: Vec<Edge<E>>,
    /// Sums of squared deviations from the mean, of the first edges: of as many as the search wants
    /// them for.
    pub deviations: Vec<f64>,
    /// How likely each edge seemed before it was tried; of none where there are no priors.
    pub priors: Vec<f32>,
    /// The most nodes, edges, deviations and priors of the trees before this one, whose memory it has.
    most: [usize; 4],
}

impl<E> Default for Arena<E> {
    fn default() -> Self {
        Arena {
            nodes: Vec::new(),
            edges: Vec::new(),
            deviations: Vec::new(),
            priors: Vec::new(),
            most: [0; 4],
        }
    }
}

impl<E> Arena<E> {
    /// A tree without a node, in the memory of the old one.
    pub fn clear(&mut self) {
        self.most = self.most();
        self.nodes.clear();
        self.edges.clear();
        self.deviations.clear();
        self.priors.clear();
    }

    /// Adds a node without edges; gives its index.
    pub fn add_node(&mut self) -> u32 {
        let index = self.nodes.len() as u32;
        assert!(index < NONE, "a tree has fewer than 2³² nodes");
        self.nodes.push(Node::NEW);
        index
    }

    /// Gives a node its edges.
    pub fn expand(&mut self, node: u32, own: impl Iterator<Item = E>, minimising: bool) {
        let first = self.edges.len();
        self.edges.extend(own.map(|own| Edge { mean: 0.0, visits: 0, spread: 0.0, own }));
        let node = &mut self.nodes[node as usize];
        node.first = first as u32;
        let edges = (self.edges.len() - first) as u32;
        node.edges = edges | if minimising { MINIMISING } else { 0 };
    }

    /// Gives a node one more edge. Edges stand together, so all of the node move to the end.
    pub fn widen(&mut self, node: u32, own: E)
    where
        E: Copy,
    {
        let node = &mut self.nodes[node as usize];
        let (first, old) = (self.edges.len() as u32, node.edges());
        self.edges.extend_from_within(old);
        self.edges.push(Edge { mean: 0.0, visits: 0, spread: 0.0, own });
        (node.first, node.edges) = (first, node.edges + 1);
    }

    /// Keeps the deviations of all edges that there are now.
    #[inline]
    pub fn keep_deviations(&mut self) {
        self.deviations.resize(self.edges.len(), 0.0);
    }

    /// The edges of a node.
    #[inline]
    pub fn edges_of(&self, node: u32) -> &[Edge<E>] {
        &self.edges[self.nodes[node as usize].edges()]
    }

    /// Counts an episode that comes to a node; gives the node.
    #[inline]
    pub fn visit(&mut self, node: u32) -> Node {
        let node = &mut self.nodes[node as usize];
        node.visits = node.visits.saturating_add(1);
        *node
    }

    /// Moves an untried edge to the others that were tried; gives its index, which stays.
    #[inline]
    pub fn try_edge(&mut self, node: u32, offset: u32) -> u32 {
        let node = &mut self.nodes[node as usize];
        let place = node.first + node.tried;
        self.edges.swap((node.first + offset) as usize, place as usize);
        // A node has priors of all its edges or of none.
        if ((node.first + offset) as usize) < self.priors.len() {
            self.priors.swap((node.first + offset) as usize, place as usize);
        }
        node.tried += 1;
        place
    }

    /// The prior of an edge, where it has one.
    #[inline]
    pub fn prior(&self, edge: usize) -> Option<f64> {
        self.priors.get(edge).filter(|&&prior| prior >= 0.0).map(|&prior| f64::from(prior))
    }

    /// Gives the edges of a node priors, in their order.
    pub fn set_priors(&mut self, node: u32, priors: &[f32]) {
        // Edges of other nodes that have none are marked.
        self.priors.resize(self.edges.len(), -1.0);
        self.priors[self.nodes[node as usize].edges()].copy_from_slice(priors);
    }

    /// Bytes in use. What is reserved beyond them depends on earlier trees, and is not touched.
    pub fn bytes(&self) -> u64 {
        Self::bytes_of(self.now())
    }

    /// Bytes that were ever written to, by this tree and those before it.
    pub fn most_bytes(&self) -> u64 {
        Self::bytes_of(self.most())
    }

    fn now(&self) -> [usize; 4] {
        [self.nodes.len(), self.edges.len(), self.deviations.len(), self.priors.len()]
    }

    fn most(&self) -> [usize; 4] {
        let now = self.now();
        std::array::from_fn(|i| self.most[i].max(now[i]))
    }

    fn bytes_of([nodes, edges, deviations, priors]: [usize; 4]) -> u64 {
        let edges = edges * size_of::<Edge<E>>() + deviations * size_of::<f64>();
        (nodes * size_of::<Node>() + edges + priors * size_of::<f32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(actions: &[u8]) -> Arena<u8> {
        let mut tree = Arena::default();
        tree.add_node();
        tree.expand(ROOT, actions.iter().copied(), false);
        tree
    }

    /// What was used once is held.
    #[test]
    fn memory_is_what_was_written_to() {
        let mut tree = tree(&[0, 1, 2]);
        tree.add_node();
        tree.keep_deviations();
        let bytes = (2 * size_of::<Node>() + 3 * (size_of::<Edge<u8>>() + 8)) as u64;
        assert_eq!((tree.bytes(), tree.most_bytes()), (bytes, bytes));
        tree.clear();
        assert_eq!((tree.bytes(), tree.most_bytes()), (0, bytes));
    }

    #[test]
    fn a_wider_node_keeps_what_it_knows() {
        let mut tree = tree(&[7, 8]);
        tree.add(1, 0.25);
        let other = tree.add_node();
        tree.expand(other, [1, 2, 3].into_iter(), true);
        tree.widen(ROOT, 9);
        let known: Vec<(u8, u32, f64)> =
            tree.edges_of(ROOT).iter().map(|edge| (edge.own, edge.visits, edge.mean)).collect();
        assert_eq!(known, [(7, 0, 0.0), (8, 1, 0.25), (9, 0, 0.0)]);
        let (root, other) = (tree.nodes[ROOT as usize], tree.nodes[other as usize]);
        assert_eq!((root.len(), root.minimising()), (3, false));
        assert_eq!((other.edges(), other.minimising()), (2..5, true));
    }
}
