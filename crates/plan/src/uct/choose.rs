//! Which edge an episode takes, where more than the bandit's tables is to be asked: priors, urgency,
//! shared statistics, bounds, widening, episodes under way, a race at the root.

use patience_model::Game;

use super::episode::UctSearch;
use super::leaf::Leaf;
use super::merge::Merge;
use super::settings::{Rave, RootRule};
use crate::tree::{At, Node, ROOT, Seen, Selection};

/// The constant of Gumbel MuZero beside the most tries (Danihelka et al. 2022, section 4).
const VISITS: f64 = 50.0;

impl<G: Game, L: Leaf<G>, M: Merge<G>> UctSearch<'_, G, L, M> {
    /// Selects an edge of an expanded node, which has some; the visit for which it does is counted.
    #[inline(never)]
    pub(super) fn choose(&mut self, node: u32, depth: u32) -> u32 {
        let here = self.tree.arena.nodes[node as usize];
        if node == ROOT
            && let Some(mut race) = self.extras.race.take()
        {
            let edge = race.next(|edge, head_start| self.race_score(edge, head_start));
            self.extras.race = Some(race);
            return edge;
        }
        if self.settings.is_tabled() {
            return self.choose_tabled(node, here, depth);
        }
        if let Some(rave) = self.settings.rave
            && here.visits > rave.reference
        {
            self.extras.reference = node;
        }
        let most = match self.settings.widen_actions {
            None => here.len(),
            Some(widening) => widening.at(here.visits).min(here.len()),
        };
        let uniform = match self.settings.selection {
            Selection::Uniform => true,
            rule => rule
                .uniform_share(f64::from(here.visits - 1))
                .is_some_and(|share| self.workspace.rng.chance(share)),
        };
        if uniform {
            let offset = self.workspace.rng.below(u64::from(most.max(here.tried))) as u32;
            return self.take(node, here, offset);
        }
        if matches!(self.settings.selection, Selection::Improved { .. }) {
            return self.choose_improved(node, here, most);
        }
        self.choose_best(node, here, depth, most)
    }

    /// What [`choose_best`](Self::choose_best) finds where only visits and tries count, found sooner.
    fn choose_tabled(&mut self, node: u32, here: Node, depth: u32) -> u32 {
        if here.tried < here.len() {
            // Each alike, in one pass.
            let mut first = here.tried;
            for offset in here.tried..here.len() {
                if self.workspace.rng.below(u64::from(offset - here.tried + 1)) == 0 {
                    first = offset;
                }
            }
            return self.tree.arena.try_edge(node, first);
        }
        let (sign, loss) = (here.sign(), self.settings.virtual_loss);
        let at = At::new(self.settings.selection, here.visits - 1, depth, sign);
        let (mut best, mut unknown) = ((f64::NEG_INFINITY, here.first), None);
        for edge in here.tried_edges() {
            let known = &self.tree.arena.edges[edge];
            let mut value = match known.visits {
                0 => *unknown.get_or_insert_with(|| self.node_value(here)),
                _ => sign * known.mean,
            };
            let flying = self.extras.flying.get(edge).map_or(0.0, |&n| f64::from(n));
            let tries = f64::from(known.visits) + flying;
            if flying > 0.0 {
                value -= loss * flying / tries;
            }
            let score = if tries > 0.0 { at.tabled(value, tries) } else { value };
            if score > best.0 {
                best = (score, edge as u32);
            }
        }
        best.1
    }

    fn take(&mut self, node: u32, here: Node, offset: u32) -> u32 {
        if offset < here.tried {
            here.first + offset
        } else {
            self.tree.arena.try_edge(node, offset)
        }
    }

    /// The edge of the highest score among those that may be tried.
    fn choose_best(&mut self, node: u32, here: Node, depth: u32, most: u32) -> u32 {
        let (settings, sign) = (&self.settings, here.sign());
        let at = At::new(settings.selection, here.visits - 1, depth, sign);
        let entropy_weight = settings.selection.entropy_weight(at.visits());
        let even = 1.0 / f64::from(here.len());
        let comes_first =
            settings.urgency.is_none() && !matches!(settings.selection, Selection::Puct { .. });
        // What an action is worth of which nothing is known, worked out where it is asked for.
        let mut unknown = settings.urgency;
        let surely = settings.prove.map(|_| self.extras.proof.surely(&self.tree.arena, node));
        let (mut best, mut firsts, mut first) = ((f64::NEG_INFINITY, None), 0, 0);
        // The best of the actions that are not proven, where there is a proven one.
        let mut open = (f64::NEG_INFINITY, None);
        for offset in 0..here.len() {
            let untried = offset >= here.tried;
            if untried && here.tried >= most {
                break;
            }
            let edge = (here.first + offset) as usize;
            if let Some(surely) = surely
                && self.extras.proof.is_dominated(edge, sign, surely)
            {
                continue;
            }
            let known = &self.tree.arena.edges[edge];
            let own = f64::from(known.visits);
            let mut value = if known.visits > 0 {
                sign * known.mean
            } else if untried && comes_first {
                0.0
            } else {
                *unknown.get_or_insert_with(|| self.node_value(here))
            };
            let mut shares = false;
            if let Some(Rave { bias, .. }) = settings.rave {
                let played = (here.minimising(), known.own.action);
                let shared = self.extras.amaf.get(self.extras.reference, played);
                shares = shared.tries > 0.0;
                if shares {
                    let n = shared.tries;
                    let beta = n / (n + own + bias * n * own);
                    value = (1.0 - beta) * value + beta * sign * shared.mean;
                }
            }
            if untried && comes_first && !shares {
                // Each alike, in one pass.
                firsts += 1;
                if self.workspace.rng.below(firsts) == 0 {
                    first = offset;
                }
                continue;
            }
            if entropy_weight > 0.0 {
                value += entropy_weight * self.extras.entropy.of_edge(edge);
            }
            let flying = self.extras.flying.get(edge).map_or(0.0, |&n| f64::from(n));
            let tries = own + flying;
            if flying > 0.0 {
                value -= settings.virtual_loss * flying / tries;
            }
            let deviation = self.tree.arena.deviations.get(edge).copied().unwrap_or(0.0);
            let variance = if own > 0.0 { deviation / own } else { 0.0 };
            let prior = self.tree.arena.prior(edge).unwrap_or(even);
            let seen = Seen { value, tries, variance, prior };
            let score = settings.selection.score(&at, &seen, &mut self.workspace.rng);
            if score > best.0 || best.1.is_none() {
                best = (score, Some(offset));
            }
            if surely.is_some() && self.extras.proof.exact(edge).is_none() && score > open.0 {
                open = (score, Some(offset));
            }
        }
        let mut offset = if firsts > 0 { first } else { best.1.unwrap_or(0) };
        if surely.is_some() && firsts == 0 && self.settings.batch == 1 {
            offset = self.pass_over_proven(here, depth, offset, open.1);
        }
        self.take(node, here, offset)
    }

    /// An action whose value is proven need not be tried: its value is taken, and the episode goes on
    /// with the best of those that are not proven, for the sake of their proof alone.
    fn pass_over_proven(&mut self, here: Node, depth: u32, chosen: u32, open: Option<u32>) -> u32 {
        let edge = here.first + chosen;
        let (Some(value), Some(open)) = (self.extras.proof.exact(edge as usize), open) else {
            return chosen;
        };
        if !self.settings.backup.of_actions() {
            self.tree.arena.add(edge, value);
        }
        self.extras.instead.push((depth, value));
        open
    }

    /// The mean of the episodes through a node, in the eyes of the player to move; 0 before the first.
    fn node_value(&self, here: Node) -> f64 {
        let (mut sum, mut tries) = (0.0, 0.0);
        for edge in &self.tree.arena.edges[here.tried_edges()] {
            sum += f64::from(edge.visits) * edge.mean;
            tries += f64::from(edge.visits);
        }
        if tries > 0.0 { here.sign() * sum / tries } else { 0.0 }
    }

    /// The least and the most value of a node's actions, and the tries of the one tried most.
    fn spread(&self, here: Node) -> (f64, f64, f64) {
        let edges = self.tree.arena.edges[here.tried_edges()].iter().filter(|edge| edge.visits > 0);
        edges.fold(
            (f64::INFINITY, f64::NEG_INFINITY, 0.0),
            |(low, high, most): (f64, f64, f64), edge| {
                let value = here.sign() * edge.mean;
                (low.min(value), high.max(value), most.max(f64::from(edge.visits)))
            },
        )
    }

    /// What a root action scores in the race.
    pub(super) fn race_score(&self, edge: u32, head_start: f64) -> f64 {
        let root = self.tree.arena.nodes[ROOT as usize];
        let value = root.sign() * self.tree.arena.edges[edge as usize].mean;
        match self.settings.root {
            RootRule::Gumbel { scale, .. } => {
                let (low, high, most) = self.spread(root);
                head_start + (VISITS + most) * scale * unit(value, low, high)
            }
            _ => value,
        }
    }

    /// The action that is furthest behind its share of the improved policy.
    fn choose_improved(&mut self, node: u32, here: Node, most: u32) -> u32 {
        let Selection::Improved { scale } = self.settings.selection else { unreachable!() };
        let may = if here.tried < most { here.len() } else { here.tried };
        let mut policy = std::mem::take(&mut self.extras.policy);
        self.improved_policy(here, scale, may, &mut policy);
        let (arena, visits) = (&self.tree.arena, f64::from(here.visits));
        let behind = |offset: usize| {
            let known = &arena.edges[here.first as usize + offset];
            policy[offset] - f64::from(known.visits) / visits
        };
        let furthest = (0..policy.len()).rev().max_by(|&a, &b| behind(a).total_cmp(&behind(b)));
        let offset = furthest.unwrap_or(0) as u32;
        self.extras.policy = policy;
        self.take(node, here, offset)
    }

    /// The improved policy of a node's first edges (equation 11): softmax(ln prior + (50 + most tries) ·
    /// `scale` · value), where an untried action is worth what its node is.
    pub(super) fn improved_policy(&self, here: Node, scale: f64, edges: u32, out: &mut Vec<f64>) {
        let (low, high, tries) = self.spread(here);
        let completed = self.node_value(here);
        let arena = &self.tree.arena;
        out.clear();
        let mut top = f64::NEG_INFINITY;
        for edge in here.edges().take(edges as usize) {
            let known = &arena.edges[edge];
            let value = if known.visits > 0 { here.sign() * known.mean } else { completed };
            let logit = arena.prior(edge).map_or(0.0, f64::ln);
            let improved = logit + (VISITS + tries) * scale * unit(value, low, high);
            top = top.max(improved);
            out.push(improved);
        }
        out.iter_mut().for_each(|logit| *logit = (*logit - top).exp());
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|share| *share /= sum);
    }
}

/// A value within [0, 1] of the way from `low` to `high`; a half where they are the same.
fn unit(value: f64, low: f64, high: f64) -> f64 {
    if high > low { (value - low) / (high - low) } else { 0.5 }
}
