//! What a search of the player answers.

use patience_model::Rng;
use patience_plan::{Branch, Counts, Estimate, Root, Search, Status, Stepped};

use super::super::game::{Action, Ending, Kind};
use super::super::{Card, Klondike};
use super::odds::odds;
use super::search::BestSearch;
use super::sight::face_down;
use super::tree::Edge;

impl BestSearch<'_> {
    /// What is certain of an action.
    fn sure(&self, place: usize) -> Option<bool> {
        let node = &self.tree.nodes[self.root as usize];
        if node.sure == Some(false) {
            return Some(false);
        }
        // A plan may need a card back that the game does not offer: losses are sure all the same.
        self.certain(place).filter(|won| !won || self.any_back())
    }

    /// What is certain of an action if any card may come back.
    fn certain(&self, place: usize) -> Option<bool> {
        let node = &self.tree.nodes[self.root as usize];
        if node.sure == Some(true) && node.edges().is_empty() {
            // All cards can go home as they lie.
            return self.stays(self.actions[place]).then_some(true);
        }
        let mut leading = node.edges().zip(&self.leads).filter(|(_, lead)| **lead == Some(place));
        if self.is_safe(place) {
            // It takes nothing away, so it wins if anything does.
            return self.won().map(|_| true);
        }
        if self.stays(self.actions[place]) {
            // Everything can still be done after it; but in the paper's game no position comes twice.
            let won = match self.game.ending() {
                Ending::Home => self.won(),
                Ending::Greedy => leading
                    .map(|(edge, _)| edge)
                    .find(|&edge| self.tree.sure(self.root, edge) == Some(true)),
            };
            return won.map(|_| true);
        }
        leading.next().and_then(|(edge, _)| self.tree.sure(self.root, edge))
    }

    /// Whether an action can be undone, so that all is open after it that was before.
    fn stays(&self, action: Action) -> bool {
        let core = &self.tree.nodes[self.root as usize].core;
        match action.kind {
            Kind::FoundationToColumn => true,
            Kind::ColumnToFoundation => core.locked & action.card.mask() == 0,
            _ => false,
        }
    }

    /// Whether an action is the one that needs no second thought.
    fn is_safe(&self, place: usize) -> bool {
        let node = &self.tree.nodes[self.root as usize];
        node.forced && self.leads.first() == Some(&Some(place))
    }

    /// The moves of the root that are open after an action. After a safe one, too, all are, or others
    /// that are as good: it is worth as much as the best of them.
    fn moves(&self, place: usize) -> impl Iterator<Item = &Edge> {
        let stays = self.stays(self.actions[place]) || self.is_safe(place);
        let edges = self.tree.nodes[self.root as usize].edges();
        let led = move |lead: &Option<usize>| stays || *lead == Some(place);
        edges
            .zip(&self.leads)
            .filter(move |(_, lead)| led(lead))
            .map(|(edge, _)| &self.tree.edges[edge])
    }

    /// What an action is worth where the game was solved.
    fn exact(&self, place: usize) -> Option<f64> {
        let stays = self.stays(self.actions[place]) || self.is_safe(place);
        let values = self.belief.moves.as_ref()?.iter().zip(&self.leads);
        let led = values.filter(|(_, lead)| stays || **lead == Some(place));
        led.map(|(value, _)| *value).max_by(f64::total_cmp)
    }

    /// What an action is worth. Where the game was solved, that is exact. Else there is no interval: that of sampling is not one of the odds, which
    /// depend on how well the game is played on.
    fn estimate(&self, place: usize) -> Estimate<Action> {
        let action = self.actions[place];
        let usual = self.tree.mean(self.root);
        let tried = self.moves(place).filter(|edge| edge.visits > 0);
        let best = tried.max_by(|a, b| a.shrunk(usual).total_cmp(&b.shrunk(usual)));
        let own = match self.is_safe(place) {
            // What it is worth is told by others, too; how often it was tried is its own.
            true => self.tree.edges.get(self.tree.nodes[self.root as usize].edges().start),
            false => best,
        };
        let visits = own.map_or(0, |edge| u64::from(edge.visits));
        if let Some(won) = self.sure(place) {
            let value = f64::from(u8::from(won));
            let known = Estimate::new(action, Some(value), visits);
            return Estimate { proven: true, ..known.within(Some((value, value))) };
        }
        if let Some(value) = self.exact(place) {
            return Estimate::new(action, Some(value), visits).within(Some((value, value)));
        }
        let value = best.map(|edge| self.odds(edge.shrunk(usual)));
        Estimate::new(action, value, visits)
    }

    /// The chance to win that a mean stands for, with the cards that lie face down here and the
    /// samples so far.
    fn odds(&self, mean: f64) -> f64 {
        let node = &self.tree.nodes[self.root as usize];
        let draw = self.sight.layout().draw;
        odds(mean, draw, face_down(&node.core), u64::from(node.visits))
    }

    /// The move of the root that is thought best, by its place: one that surely wins, else the one
    /// that needs no second thought, else the one of the largest mean, few samples counting less.
    fn choice(&self) -> Option<usize> {
        let node = &self.tree.nodes[self.root as usize];
        let usual = self.tree.mean(self.root);
        let mut best: Option<((bool, f64, u32), usize)> = None;
        for (place, edge) in
            node.edges().enumerate().filter(|(place, _)| self.leads[*place].is_some())
        {
            let sure = self.tree.sure(self.root, edge);
            if sure == Some(true) || (place == 0 && node.forced) {
                return Some(place);
            }
            let e = &self.tree.edges[edge];
            let exact = self.belief.moves.as_ref().map(|values| values[place]);
            let score = (sure.is_none(), exact.unwrap_or(e.shrunk(usual)), e.visits);
            if best.is_none_or(|(least, _)| score > least) {
                best = Some((score, place));
            }
        }
        best.map(|(_, place)| place)
    }
}

impl Stepped for BestSearch<'_> {
    fn step(&mut self) -> Status {
        if self.is_complete() {
            return Status::Complete;
        }
        if self.may_solve_belief() {
            self.solve_belief();
            return Status::Running;
        }
        self.sample();
        Status::Running
    }

    fn counts(&self) -> Counts {
        Counts {
            iterations: self.iterations,
            model_calls: self.model_calls,
            nodes: self.tree.nodes.len() as u64,
            bytes: self.tree.bytes(),
        }
    }
}

impl Search<Klondike> for BestSearch<'_> {
    fn estimates(&self) -> Vec<Estimate<Action>> {
        (0..self.actions.len()).map(|place| self.estimate(place)).collect()
    }

    fn best(&self) -> Option<Action> {
        let lead = self.choice().and_then(|place| self.leads[place]);
        // Where all is lost, or nothing leads on, one action is as good as another.
        lead.map(|place| self.actions[place]).or(self.actions.first().copied())
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        let Some(place) = self.choice() else { return Vec::new() };
        let node = &self.tree.nodes[self.root as usize];
        let usual = self.tree.mean(self.root);
        let worth = |edge: usize| match &self.belief.moves {
            Some(values) => values[edge - node.edges().start],
            None => self.tree.edges[edge].shrunk(usual),
        };
        let mean = match place == 0 && node.forced {
            true => node.edges().map(worth).fold(0.0, f64::max),
            false => worth(node.edges().start + place),
        };
        let down = f64::from(face_down(&node.core));
        let values = [mean, down, f64::from(node.visits)];
        FIGURES.iter().copied().zip(values).collect()
    }

    fn reason(&self) -> Option<&'static str> {
        let place = self.choice()?;
        let node = &self.tree.nodes[self.root as usize];
        (place == 0 && node.forced && self.won().is_none()).then_some(SAFE)
    }

    /// Its values are the means that the search compares; the odds are told from them.
    fn tree(&self, depth: u32) -> Vec<Branch<Action, Option<Card>>> {
        self.branches(depth)
    }

    fn restart(&mut self, root: Root<Klondike>, rng: Rng) -> bool {
        self.start(root, rng);
        true
    }

    fn advance(&mut self, _played: Action, _obs: Option<Card>, root: Root<Klondike>) -> bool {
        self.follow(root);
        true
    }
}

/// Of a move by [`forced`](super::super::solver::edge::forced).
const SAFE: &str = "it is safe: all that can be done now can still be done after it";

/// What the search of a decision gives beside its answer: the mean of the samples of the move that it
/// chose, of which the odds are told; the cards that lie face down; and the samples.
pub(super) const FIGURES: &[&str] = &["mean", "face_down", "samples"];
