//! The tree for those who want to look at it.

use patience_model::Game;
use rustc_hash::FxHashMap;

use super::tree::Tree;
use crate::tree::{Bandit, NONE};
use crate::{After, Branch};

/// How a tree is looked at.
struct Look<'l, G: Game> {
    levels: u32,
    bandit: &'l Bandit,
    /// What edges lead to beside the outcome that stands at them.
    others: &'l FxHashMap<u32, Vec<(G::Obs, u32)>>,
}

impl<G: Game> Tree<G> {
    /// The tree below a node, so many levels of actions deep, most visited first.
    pub(super) fn branches(
        &self,
        node: u32,
        depth: u32,
        bandit: &Bandit,
    ) -> Vec<Branch<G::Action, G::Obs>> {
        // Most games have one outcome of an action, which stands at its edge; the others are here.
        let mut others: FxHashMap<u32, Vec<(G::Obs, u32)>> = FxHashMap::default();
        for (edge, obs, child) in self.other_outcomes() {
            others.entry(edge).or_default().push((obs, child));
        }
        let look = Look { levels: depth, bandit, others: &others };
        self.below(node, 0, &look)
    }

    fn below(&self, node: u32, depth: u32, look: &Look<'_, G>) -> Vec<Branch<G::Action, G::Obs>> {
        if depth == look.levels {
            return Vec::new();
        }
        let branch = |index: usize| {
            let edge = &self.arena.edges[index];
            let way = edge.own;
            let first = way.obs.map(|obs| (obs, way.child));
            let more = look.others.get(&(index as u32)).into_iter().flatten().copied();
            let after = first.into_iter().chain(more).filter(|&(_, child)| child != NONE);
            let mut after: Vec<After<G::Action, G::Obs>> = after
                .map(|(obs, child)| After {
                    obs,
                    visits: u64::from(self.arena.nodes[child as usize].visits),
                    branches: self.below(child, depth + 1, look),
                })
                .collect();
            after.sort_by_cached_key(|after| std::cmp::Reverse(after.visits));
            Branch {
                action: way.action,
                value: edge.mean,
                visits: u64::from(edge.visits),
                bonus: look.bandit.bonus(&self.arena, node, index, depth),
                after,
            }
        };
        let mut branches: Vec<_> =
            self.arena.nodes[node as usize].tried_edges().map(branch).collect();
        branches.sort_by_cached_key(|branch| std::cmp::Reverse(branch.visits));
        branches
    }
}
