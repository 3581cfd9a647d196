//! The tree as it is shown: what the search tried, in the actions of the game.
//!
//! A move of the tree is made from any position of a class, so cards may have to go home or come back
//! before it. These are actions of their own on the way to it, and have its samples.

use patience_model::{Game, Rng};
use patience_plan::tree::ucb1_bias;
use patience_plan::{After, Branch};

use super::super::Card;
use super::super::game::{Action, State};
use super::search::BestSearch;
use super::sight::Sight;
use super::way::{Ways, action_of};

type Branches = Vec<Branch<Action, Option<Card>>>;

impl BestSearch<'_> {
    /// The tree from the root, so many actions deep, most samples first.
    pub(super) fn branches(&self, depth: u32) -> Branches {
        let first_ways = self.tree.first_ways();
        Look { search: self, first_ways }.below(self.root, &self.state, depth)
    }

    /// What the next selection adds to the mean of a move, where it compares that.
    fn bonus(&self, at: u32, edge: usize) -> Option<f64> {
        let decided =
            at == self.root && (self.won().is_some() || self.tree.sure(self.root, edge).is_some());
        if decided {
            return None;
        }
        let node = &self.tree.nodes[at as usize];
        let log = f64::from(node.visits.max(1)).ln();
        Some(ucb1_bias(self.settings.c, log, f64::from(self.tree.edges[edge].visits)))
    }
}

struct Look<'s, 'g> {
    search: &'s BestSearch<'g>,
    /// By node, the first way that led to it: what lies below a node is shown once.
    first_ways: Vec<u32>,
}

impl Look<'_, '_> {
    /// What was tried in a node, from a position of its class.
    fn below(&self, at: u32, state: &State, depth: u32) -> Branches {
        let tree = &self.search.tree;
        let edges = tree.nodes[at as usize].edges();
        let tried: Vec<usize> = edges.filter(|&edge| tree.edges[edge].visits > 0).collect();
        self.towards(at, &tried, state, depth)
    }

    /// The actions that lead to some moves of a node.
    fn towards(&self, at: u32, edges: &[usize], state: &State, depth: u32) -> Branches {
        if depth == 0 || edges.is_empty() {
            return Vec::new();
        }
        let (tree, game) = (&self.search.tree, self.search.game);
        // Nothing is drawn here.
        let sight = Sight::new(state, &mut Rng::new(0));
        let ways = Ways::from(sight.layout(), &sight.core);
        let mut legal = Vec::new();
        game.actions(state, &mut legal);
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for &edge in edges {
            let Some(place) = ways.action(&tree.edges[edge], &legal) else { continue };
            match groups.iter_mut().find(|(other, _)| *other == place) {
                Some((_, group)) => group.push(edge),
                None => groups.push((place, vec![edge])),
            }
        }
        let branch = |(place, group): (usize, Vec<usize>)| {
            let action: Action = legal[place];
            let visits = group.iter().map(|&edge| u64::from(tree.edges[edge].visits)).sum();
            let sum = |&edge: &usize| tree.edges[edge].mean() * f64::from(tree.edges[edge].visits);
            let value = group.iter().map(sum).sum::<f64>() / visits as f64;
            let (made, led): (Vec<usize>, Vec<usize>) =
                group.iter().partition(|&&edge| action_of(&tree.edges[edge]) == action);
            let mut after: Vec<_> =
                made.iter().flat_map(|&edge| self.after(edge, state, action, depth)).collect();
            if !led.is_empty() {
                let mut next = *state;
                game.step(&mut next, action, &mut Rng::new(0));
                let visits = led.iter().map(|&edge| u64::from(tree.edges[edge].visits)).sum();
                let branches = self.towards(at, &led, &next, depth - 1);
                after.push(After { obs: None, visits, branches });
            }
            after.sort_by_key(|after| std::cmp::Reverse(after.visits));
            let bonus = match made[..] {
                [edge] if led.is_empty() => self.search.bonus(at, edge),
                _ => None,
            };
            Branch { action, value, visits, bonus, after }
        };
        let mut branches: Branches = groups.into_iter().map(branch).collect();
        branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
        branches
    }

    /// What a move of the tree led to, by the card that turned up.
    fn after(
        &self,
        edge: usize,
        state: &State,
        action: Action,
        depth: u32,
    ) -> Vec<After<Action, Option<Card>>> {
        let tree = &self.search.tree;
        let after = |(link, card, node): (u32, Option<Card>, u32)| {
            let mut next = *state;
            if let Some(card) = card {
                next.lay_below(action.card, card);
            }
            self.search.game.step(&mut next, action, &mut Rng::new(0));
            let first = self.first_ways[node as usize] == link;
            let branches = if first { self.below(node, &next, depth - 1) } else { Vec::new() };
            After { obs: card, visits: u64::from(tree.nodes[node as usize].visits), branches }
        };
        tree.links(edge).map(after).collect()
    }
}
