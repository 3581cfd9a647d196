//! The maximum-likelihood model of what was sampled, shared by ARTDP and PG-ID.

use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::Estimate;

/// Ends a list of [`Seen`], and marks a node whose actions were not yet listed.
const NONE: u32 = u32::MAX;

/// A state that was met.
#[derive(Debug)]
pub(crate) struct Node {
    /// The current value.
    pub(crate) value: f64,
    /// The evaluation function's value, or 0 where the game is over.
    pub(crate) initial: f64,
    first_arm: u32,
    arms: u32,
    /// Whether the player to move wants small values.
    pub(crate) minimising: bool,
    /// Whether the game is over here.
    pub(crate) over: bool,
}

/// An action in a state.
#[derive(Debug)]
pub(crate) struct Arm<A> {
    /// The action.
    pub(crate) action: A,
    /// How often it was sampled.
    pub(crate) samples: u64,
    seen: u32,
}

/// A successor that an action led to. Its frequency is the maximum-likelihood estimate of the
/// transition probability.
#[derive(Debug)]
struct Seen {
    count: u64,
    rewards: f64,
    node: u32,
    next: u32,
}

/// States met and transitions counted, in flat arenas; 32 bytes a state, 24 a distinct transition.
///
/// It holds fewer than 2³² of each, which memory allows long after any budget.
#[derive(Debug)]
pub(crate) struct EmpiricalModel<K, A> {
    index: FxHashMap<K, u32>,
    nodes: Vec<Node>,
    arms: Vec<Arm<A>>,
    seen: Vec<Seen>,
}

impl<K: Copy + Eq + Hash, A: Copy> EmpiricalModel<K, A> {
    pub(crate) fn new() -> Self {
        EmpiricalModel {
            index: FxHashMap::default(),
            nodes: Vec::new(),
            arms: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// The state's node, if it was met before.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<u32> {
        self.index.get(&key).copied()
    }

    /// Adds a state; `initial` is `None` if the game is over in it.
    pub(crate) fn add(&mut self, key: K, initial: Option<f64>, minimising: bool) -> u32 {
        let id = small(self.nodes.len());
        let value = initial.unwrap_or(0.0);
        let over = initial.is_none();
        self.nodes.push(Node { value, initial: value, first_arm: NONE, arms: 0, minimising, over });
        self.index.insert(key, id);
        id
    }

    /// Whether the state's actions are listed: it was visited, not only seen as a successor.
    #[inline]
    pub(crate) fn is_expanded(&self, node: u32) -> bool {
        self.nodes[node as usize].first_arm != NONE
    }

    /// Lists the state's actions.
    pub(crate) fn expand(&mut self, node: u32, actions: &[A]) {
        let first = small(self.arms.len());
        let entry = &mut self.nodes[node as usize];
        entry.first_arm = first;
        entry.arms = small(actions.len());
        self.arms.extend(actions.iter().map(|&action| Arm { action, samples: 0, seen: NONE }));
    }

    #[inline]
    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(crate) fn set_value(&mut self, node: u32, value: f64) {
        self.nodes[node as usize].value = value;
    }

    /// The state's actions, in the game's order; none before it is expanded.
    #[inline]
    pub(crate) fn arms(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        if node.first_arm == NONE {
            return 0..0;
        }
        node.first_arm as usize..(node.first_arm + node.arms) as usize
    }

    #[inline]
    pub(crate) fn arm(&self, arm: usize) -> &Arm<A> {
        &self.arms[arm]
    }

    /// Counts one sampled transition.
    pub(crate) fn record(&mut self, arm: usize, to: u32, reward: f64) {
        let arm = &mut self.arms[arm];
        arm.samples += 1;
        let mut at = arm.seen;
        while at != NONE {
            let seen = &mut self.seen[at as usize];
            if seen.node == to {
                seen.count += 1;
                seen.rewards += reward;
                return;
            }
            at = seen.next;
        }
        let id = small(self.seen.len());
        self.seen.push(Seen { count: 1, rewards: reward, node: to, next: arm.seen });
        arm.seen = id;
    }

    /// The successors of an action: node, frequency, mean reward on the way there.
    #[inline]
    pub(crate) fn successors(&self, arm: usize) -> impl Iterator<Item = (u32, f64, f64)> + '_ {
        let arm = &self.arms[arm];
        let mut at = arm.seen;
        std::iter::from_fn(move || {
            let seen = self.seen.get(at as usize)?;
            at = seen.next;
            let count = seen.count as f64;
            Some((seen.node, count / arm.samples as f64, seen.rewards / count))
        })
    }

    /// Q(s, a) under the model: mean reward and discounted mean value of the successors; `None`
    /// if the action was never sampled.
    #[inline]
    pub(crate) fn action_value(&self, arm: usize, discount: f64) -> Option<f64> {
        if self.arms[arm].samples == 0 {
            return None;
        }
        Some(
            self.successors(arm)
                .map(|(node, p, reward)| p * (reward + discount * self.node(node).value))
                .sum(),
        )
    }

    /// The sampled action with the best value, the first of equals.
    pub(crate) fn best_arm(&self, node: u32, discount: f64) -> Option<(usize, f64)> {
        let minimising = self.node(node).minimising;
        let mut best: Option<(usize, f64)> = None;
        for arm in self.arms(node) {
            if let Some(value) = self.action_value(arm, discount)
                && best.is_none_or(|(_, b)| if minimising { value < b } else { value > b })
            {
                best = Some((arm, value));
            }
        }
        best
    }

    /// What is thought of each action of a state, in the game's order.
    pub(crate) fn estimates(&self, node: u32, discount: f64) -> Vec<Estimate<A>> {
        let estimate = |arm: usize| {
            let value = self.action_value(arm, discount);
            Estimate::new(self.arms[arm].action, value, self.arms[arm].samples)
        };
        self.arms(node).map(estimate).collect()
    }

    /// The best of the actions that were sampled; before the first sample, the game's first.
    pub(crate) fn best_action(&self, node: u32, discount: f64) -> Option<A> {
        let best = self.best_arm(node, discount).map(|(arm, _)| arm);
        let arm = best.or_else(|| self.arms(node).next())?;
        Some(self.arms[arm].action)
    }

    /// States held.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        let arms = self.arms.capacity() * size_of::<Arm<A>>();
        let seen = self.seen.capacity() * size_of::<Seen>();
        (nodes + arms + seen) as u64 + map_bytes(&self.index)
    }
}

/// Bytes held by a hash table: one control byte a slot, and an eighth of the slots kept free.
pub(crate) fn map_bytes<K, V>(map: &FxHashMap<K, V>) -> u64 {
    (map.capacity() / 7 * 8 * (size_of::<(K, V)>() + 1)) as u64
}

fn small(n: usize) -> u32 {
    u32::try_from(n).ok().filter(|&n| n != NONE).expect("memory ends before 2^32 entries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_and_mean_rewards_are_those_of_the_samples() {
        let mut model = EmpiricalModel::new();
        let a = model.add('a', Some(5.0), false);
        let b = model.add('b', Some(10.0), false);
        let c = model.add('c', None, false);
        assert_eq!(model.find('b'), Some(b));
        assert_eq!(model.find('z'), None);
        assert!(model.arms(a).is_empty());
        model.expand(a, &["x", "y"]);
        let arms = model.arms(a);
        assert_eq!(arms.len(), 2);
        assert_eq!(model.action_value(arms.start, 0.5), None);
        for (to, reward) in [(b, 1.0), (b, 2.0), (b, 3.0), (c, 8.0)] {
            model.record(arms.start, to, reward);
        }
        assert_eq!(model.successors(arms.start).count(), 2, "equal ones are counted together");
        // 3/4 (2 + 0.5 · 10) + 1/4 (8 + 0)
        assert_eq!(model.action_value(arms.start, 0.5), Some(7.25));
        model.record(arms.start + 1, c, 7.5);
        assert_eq!(model.best_arm(a, 0.5), Some((arms.start + 1, 7.5)));
        assert_eq!(model.best_arm(b, 0.5), None);
        assert_eq!(model.node(c).value, 0.0);
        assert!(model.node(c).over);
    }

    #[test]
    fn a_state_and_a_transition_are_as_small_as_stated() {
        assert_eq!((size_of::<Node>(), size_of::<Seen>()), (32, 24));
    }
}
