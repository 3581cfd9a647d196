//! The tree of one search of one level.
//!
//! Nodes and edges lie in two vectors that are reused from search to search: a nested search makes
//! thousands of small trees in the memory of one (nested MCTS paper, section 5).

use patience_model::Rng;

use super::settings::{Level, Untried};

pub(super) const NO_NODE: u32 = u32::MAX;

/// A node; its edges are listed when an episode first leaves it.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    edges: u32,
    /// The edges before this one have been tried.
    tried: u32,
    visits: u32,
    listed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    child: u32,
    pub(super) visits: u32,
    pub(super) mean: f64,
    /// Sum of squared distances from the mean.
    pub(super) squares: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Tree<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// The most nodes and edges of the trees before this one, whose memory it has.
    most: (usize, usize),
}

impl<A: Copy + Eq> Tree<A> {
    pub(super) fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new(), most: (0, 0) }
    }

    fn most(&self) -> (usize, usize) {
        (self.most.0.max(self.nodes.len()), self.most.1.max(self.edges.len()))
    }

    /// Empties the tree and adds a root, node 0.
    pub(super) fn start(&mut self) {
        self.most = self.most();
        self.nodes.clear();
        self.edges.clear();
        self.add();
    }

    fn add(&mut self) -> u32 {
        let node = Node { first: 0, edges: 0, tried: 0, visits: 0, listed: false };
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    pub(super) fn is_listed(&self, node: u32) -> bool {
        self.nodes[node as usize].listed
    }

    /// Gives a node its edges.
    pub(super) fn list(&mut self, node: u32, actions: &[A]) {
        let first = self.edges.len() as u32;
        let edge = |&action| Edge { action, child: NO_NODE, visits: 0, mean: 0.0, squares: 0.0 };
        self.edges.extend(actions.iter().map(edge));
        let node = &mut self.nodes[node as usize];
        (node.first, node.edges, node.listed) = (first, actions.len() as u32, true);
    }

    /// The edges of a node.
    pub(super) fn edges(&self, node: u32) -> &[Edge<A>] {
        let node = &self.nodes[node as usize];
        &self.edges[node.first as usize..(node.first + node.edges) as usize]
    }

    /// The edge that an episode takes (UCB1-Tuned as in Auer et al. 2002, see [`Level::c`]; actions
    /// never tried come first); `None` if the game is over here.
    #[inline]
    pub(super) fn select(&mut self, node: u32, level: &Level, rng: &mut Rng) -> Option<u32> {
        let here = &mut self.nodes[node as usize];
        if here.edges == 0 {
            return None;
        }
        if here.tried < here.edges {
            let left = here.edges - here.tried;
            let next = here.first + here.tried;
            here.tried += 1;
            if level.untried == Untried::Random {
                let chosen = next + rng.below(u64::from(left)) as u32;
                self.edges.swap(next as usize, chosen as usize);
            }
            return Some(next);
        }
        let log = f64::from(here.visits).ln();
        let (unit, c) = (1.0 / (level.scale * level.scale), level.c * level.scale);
        let edges = &self.edges[here.first as usize..(here.first + here.edges) as usize];
        let (mut best, mut value) = (0, f64::NEG_INFINITY);
        for (index, edge) in (0..).zip(edges) {
            let ratio = log / f64::from(edge.visits);
            let variance = edge.squares * unit / f64::from(edge.visits) + (2.0 * ratio).sqrt();
            let bound = edge.mean + c * (ratio * variance.min(0.25)).sqrt();
            if bound > value {
                (best, value) = (index, bound);
            }
        }
        Some(here.first + best)
    }

    pub(super) fn action(&self, edge: u32) -> A {
        self.edges[edge as usize].action
    }

    /// The node below an edge, and whether it was only just added.
    pub(super) fn below(&mut self, edge: u32) -> (u32, bool) {
        let child = self.edges[edge as usize].child;
        if child != NO_NODE {
            return (child, false);
        }
        let added = self.add();
        self.edges[edge as usize].child = added;
        (added, true)
    }

    /// Takes in a result along the path of an episode from `root`.
    pub(super) fn back_up(&mut self, root: u32, path: &[u32], result: f64) {
        self.nodes[root as usize].visits += 1;
        for &edge in path {
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            let distance = result - edge.mean;
            edge.mean += distance / f64::from(edge.visits);
            edge.squares += distance * (result - edge.mean);
            let child = edge.child;
            self.nodes[child as usize].visits += 1;
        }
    }

    /// The edge of a node with this action.
    pub(super) fn find(&self, node: u32, action: A) -> Option<u32> {
        let place = self.edges(node).iter().position(|edge| edge.action == action)?;
        Some(self.nodes[node as usize].first + place as u32)
    }

    /// The action of a node that was tried most often; of equals the one of higher value.
    pub(super) fn most_sampled(&self, node: u32) -> Option<A> {
        let better =
            |a: &&Edge<A>, b: &&Edge<A>| a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean));
        self.edges(node).iter().max_by(better).map(|edge| edge.action)
    }

    /// The memory that was written to: what is reserved beyond it costs address space only.
    pub(super) fn bytes(&self) -> u64 {
        let (nodes, edges) = self.most();
        (nodes * size_of::<Node>() + edges * size_of::<Edge<A>>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The action that is chosen after these results of actions 0 and 1, both divided by `scale`.
    fn chosen(results: [&[f64]; 2], c: f64, scale: f64) -> u8 {
        let level = Level { untried: Untried::InOrder, ..Level::global(1, c, scale) };
        let (mut tree, mut rng) = (Tree::new(), Rng::new(0));
        tree.start();
        tree.list(0, &[0_u8, 1]);
        for results in results {
            let edge = tree.select(0, &level, &mut rng).unwrap();
            tree.below(edge);
            for result in results {
                tree.back_up(0, &[edge], result * scale);
            }
        }
        let edge = tree.select(0, &level, &mut rng).unwrap();
        tree.action(edge)
    }

    /// What was used once is held.
    #[test]
    fn memory_is_what_was_written_to() {
        let mut tree = Tree::new();
        tree.start();
        tree.list(0, &[0_u8, 1, 2]);
        tree.below(1);
        let bytes = (2 * size_of::<Node>() + 3 * size_of::<Edge<u8>>()) as u64;
        assert_eq!(tree.bytes(), bytes);
        tree.start();
        assert_eq!(tree.bytes(), bytes);
    }

    /// n = 6, ln n = 1.79176. Action 0: mean 0.5, 1.79176 / 2 = 0.89588, V = 0.09 + 1.33857, so
    /// 1/4 counts: 0.5 + C √(0.89588 / 4) = 0.5 + 0.47325 C. Action 1: mean 0.6, 1.79176 / 4 =
    /// 0.44794, V = 0.94651: 0.6 + 0.33464 C. They are equal at C = 0.1 / 0.13861 = 0.7214; with
    /// 2 ln n in front it would be 0.5101.
    #[test]
    fn few_visits_are_weighed_as_worked_out_by_hand() {
        let results: [&[f64]; 2] = [&[0.2, 0.8], &[0.6; 4]];
        for scale in [1.0, 1000.0] {
            assert_eq!(chosen(results, 0.720, scale), 1);
            assert_eq!(chosen(results, 0.723, scale), 0);
        }
    }

    /// n = 2000, ln n = 7.60090, over 1000 visits 0.0076009. Action 0 always brings the same: V =
    /// √(2 · 0.0076009) = 0.12330, bonus √(0.0076009 · 0.12330) = 0.03061. Action 1 brings 0 or 1:
    /// V is above 1/4, bonus √(0.0076009 / 4) = 0.04359. The difference is 0.01298.
    #[test]
    fn what_varies_is_explored_more() {
        let varied: Vec<f64> = (0..1000).map(|n| f64::from(n % 2)).collect();
        for scale in [1.0, 1000.0] {
            assert_eq!(chosen([&[0.5129; 1000], &varied], 1.0, scale), 1);
            assert_eq!(chosen([&[0.5131; 1000], &varied], 1.0, scale), 0);
        }
    }
}
