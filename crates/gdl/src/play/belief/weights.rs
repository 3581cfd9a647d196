//! Probabilities on the edges of a tree, and the Bayes update of section 3.2.3.

/// A tree whose edges carry the probability of going there from the parent. Node 0 is the root.
#[derive(Clone, Debug)]
pub struct Weights {
    children: Vec<Vec<(u32, f64)>>,
}

impl Default for Weights {
    fn default() -> Self {
        Weights { children: vec![Vec::new()] }
    }
}

impl Weights {
    /// A tree of a root only.
    pub fn new() -> Self {
        Weights::default()
    }

    /// Adds a child with its local probability and gives its number.
    pub fn add(&mut self, parent: u32, probability: f64) -> u32 {
        let child = self.children.len() as u32;
        self.children.push(Vec::new());
        self.children[parent as usize].push((child, probability));
        child
    }

    /// The children that are left, with their local probabilities P_e(h).
    pub fn children(&self, node: u32) -> &[(u32, f64)] {
        &self.children[node as usize]
    }

    /// How many nodes were ever added, the root among them.
    pub fn len(&self) -> usize {
        self.children.len()
    }

    /// Never: there is always the root.
    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// Removes the node at the end of a path from the root, and its predecessors that are left
    /// without a child (Algorithm 1, lines 9 to 11), and updates all local probabilities by
    /// Bayes' rule: P'_e(h) = (1 − P(c|h)) / (1 − P(c|e)) · P_e(h). `false` if the root itself has
    /// become impossible.
    ///
    /// The path must lead along existing edges.
    pub fn remove(&mut self, path: &[u32]) -> bool {
        let mut end = path.len();
        while end >= 2 && self.children[path[end - 2] as usize].len() == 1 {
            end -= 1;
        }
        if end < 2 {
            self.children[0].clear();
            return false;
        }
        // From the removed node upwards: P(c|h) of the path's node below, P(c|e) of the parent.
        let mut below = 1.0;
        for i in (0..end - 1).rev() {
            let (parent, child) = (path[i] as usize, path[i + 1]);
            let list = &mut self.children[parent];
            let local = list.iter().find(|(n, _)| *n == child).map_or(0.0, |(_, p)| *p);
            let above = below * local;
            let rest = 1.0 - above;
            if i == end - 2 {
                list.retain(|(n, _)| *n != child);
            }
            if rest > f64::EPSILON {
                for (node, probability) in list.iter_mut() {
                    let own = if *node == child { below } else { 0.0 };
                    *probability *= (1.0 - own) / rest;
                }
            } else {
                // All but nothing was removed: rounding must not make the rest impossible.
                let even = 1.0 / list.len().max(1) as f64;
                list.iter_mut().for_each(|(_, probability)| *probability = even);
            }
            below = above;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    /// Example 1 and Figure 1 of the paper.
    #[test]
    fn figure_1() {
        let mut tree = Weights::new();
        let (a, e) = (tree.add(0, 0.5), tree.add(0, 0.5));
        let (b, c) = (tree.add(a, 0.5), tree.add(a, 0.5));
        assert!(tree.remove(&[0, a, c]));
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12);
        assert_eq!(tree.children(a).iter().map(|x| x.0).collect::<Vec<_>>(), [b]);
        close(tree.children(a)[0].1, 1.0);
        assert_eq!(tree.children(0).iter().map(|x| x.0).collect::<Vec<_>>(), [a, e]);
        close(tree.children(0)[0].1, 1.0 / 3.0);
        close(tree.children(0)[1].1, 2.0 / 3.0);
    }

    /// Section 4: removing step by step is removing at once.
    #[test]
    fn the_order_of_removal_does_not_matter() {
        let build = || {
            let mut tree = Weights::new();
            let top = [tree.add(0, 0.2), tree.add(0, 0.3), tree.add(0, 0.5)];
            let leaves = top.map(|t| [tree.add(t, 0.1), tree.add(t, 0.4), tree.add(t, 0.5)]);
            (tree, top, leaves)
        };
        let (mut one, top, leaves) = build();
        let (mut two, ..) = build();
        let paths =
            [[0, top[0], leaves[0][1]], [0, top[2], leaves[2][2]], [0, top[0], leaves[0][0]]];
        paths.iter().for_each(|p| assert!(one.remove(p)));
        paths.iter().rev().for_each(|p| assert!(two.remove(p)));
        // What is left: 0.2·0.5, 0.3, 0.5·0.5, of 0.65.
        for (i, mass) in [0.1, 0.3, 0.25].into_iter().enumerate() {
            assert!((one.children(0)[i].1 - mass / 0.65).abs() < 1e-12);
            assert!((two.children(0)[i].1 - mass / 0.65).abs() < 1e-12);
        }
    }

    #[test]
    fn a_parent_without_children_goes_too() {
        let mut tree = Weights::new();
        let (a, e) = (tree.add(0, 0.5), tree.add(0, 0.5));
        let b = tree.add(a, 1.0);
        assert!(tree.remove(&[0, a, b]));
        assert_eq!(tree.children(0), [(e, 1.0)]);
        assert!(!tree.remove(&[0, e]));
        assert!(tree.children(0).is_empty());
    }
}
