//! Determinisation: what is hidden is fixed, each sample is searched as if all were seen, and what
//! actions came to is averaged.
//!
//! Also called hindsight optimisation and perfect-information Monte-Carlo search. How a sample is
//! searched is a [`Clairvoyant`]'s: by a tree, or by playing one action and solving the rest.
//! HOP-UCT is the same idea with other bookkeeping: there [`uct`](crate::uct) fixes chance, outcome by
//! outcome, in each of many `trees` with `width` = 1.
//!
//! **Guarantees.** Anytime. Not optimal, however many samples there are: an action that only gains
//! information is worth nothing to a player who believes to know all, and what is luck looks like a
//! plan (averaging over clairvoyance).

use patience_model::{Game, Rng};

use crate::{Counts, Estimate, Root, Search, Status, Stepped};

/// Searches one sample, as if everything in it were seen.
pub trait Clairvoyant<G: Game> {
    /// Adds what actions are worth in a state that was drawn to `values`; gives what it spent.
    fn search(
        &mut self,
        game: &G,
        state: G::State,
        rng: &mut Rng,
        values: &mut Values<G::Action>,
    ) -> Counts;

    /// Adds to an estimate what can be said of the error of a mean of such values.
    fn with_error(&self, estimate: Estimate<G::Action>) -> Estimate<G::Action> {
        estimate
    }
}

/// Which of several actions is taken that are worth the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the game's order, which may be one of preference.
    #[default]
    Preferred,
    /// Any of them.
    Random,
}

/// What the actions at the root came to in the samples so far.
#[derive(Clone, Debug)]
pub struct Values<A> {
    actions: Vec<A>,
    /// Places of actions, in the order in which they have their turn and equals are taken.
    order: Vec<usize>,
    tallies: Vec<Tally>,
    samples: u64,
}

/// A sum and not a running mean, so that equal values in another order stay equal.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    samples: u64,
    sum: f64,
    visits: u64,
}

impl Tally {
    fn mean(&self) -> Option<f64> {
        (self.samples > 0).then(|| self.sum / self.samples as f64)
    }
}

impl<A: Copy + Eq> Values<A> {
    /// Nothing is known yet of the actions at a root.
    pub(crate) fn new<G: Game<Action = A>>(
        game: &G,
        root: &Root<G>,
        rng: &mut Rng,
        ties: Ties,
    ) -> Self {
        let mut actions = Vec::new();
        game.actions(&root.sample(game, rng), &mut actions);
        let mut order: Vec<usize> = (0..actions.len()).collect();
        if ties == Ties::Random {
            rng.shuffle(&mut order);
        }
        let tallies = vec![Tally::default(); actions.len()];
        Values { actions, order, tallies, samples: 0 }
    }

    /// How many samples were searched.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// Whether so many samples are enough, or there is nothing to choose.
    pub(crate) fn enough(&self, samples: Option<u64>) -> bool {
        self.actions.is_empty() || samples.is_some_and(|n| self.samples >= n)
    }

    /// A sample is done.
    pub(crate) fn count(&mut self) {
        self.samples += 1;
    }

    /// The action whose turn it is, where a sample is searched for one action only.
    pub fn turn(&self) -> Option<A> {
        let turn = self.samples.checked_rem(self.order.len() as u64)?;
        Some(self.actions[self.order[turn as usize]])
    }

    /// An action is worth this in the sample, after so many visits.
    pub fn add(&mut self, action: A, value: f64, visits: u64) {
        if let Some(place) = self.actions.iter().position(|&other| other == action) {
            let tally = &mut self.tallies[place];
            tally.samples += 1;
            tally.sum += value;
            tally.visits += visits;
        }
    }

    /// What the actions came to, in the game's order.
    pub(crate) fn estimates(&self) -> impl Iterator<Item = Estimate<A>> {
        let actions = self.actions.iter().zip(&self.tallies);
        actions.map(|(&action, tally)| Estimate::new(action, tally.mean(), tally.visits))
    }

    /// The action with the highest mean, the first of equals.
    pub(crate) fn best(&self) -> Option<A> {
        let mut best: Option<(f64, A)> = None;
        for &place in &self.order {
            let mean = self.tallies[place].mean().unwrap_or(f64::NEG_INFINITY);
            if best.is_none_or(|(most, _)| mean > most) {
                best = Some((mean, self.actions[place]));
            }
        }
        best.map(|(_, action)| action)
    }
}

/// A search by determinisation in progress.
#[derive(Debug)]
pub struct Determinised<'g, G: Game, C> {
    game: &'g G,
    root: Root<G>,
    rng: Rng,
    clairvoyant: C,
    samples: Option<u64>,
    values: Values<G::Action>,
    counts: Counts,
}

impl<'g, G: Game, C: Clairvoyant<G>> Determinised<'g, G, C> {
    /// Starts a search with as many samples as the budget allows.
    pub fn new(game: &'g G, root: Root<G>, mut rng: Rng, clairvoyant: C, ties: Ties) -> Self {
        let values = Values::new(game, &root, &mut rng, ties);
        let counts = Counts::default();
        Determinised { game, root, rng, clairvoyant, samples: None, values, counts }
    }

    /// The same with so many samples.
    pub fn with_samples(self, samples: u64) -> Self {
        Determinised { samples: Some(samples), ..self }
    }

    /// The actions at the root, in the game's order.
    pub fn actions(&self) -> &[G::Action] {
        &self.values.actions
    }
}

impl<G: Game, C: Clairvoyant<G>> Stepped for Determinised<'_, G, C> {
    /// One sample.
    fn step(&mut self) -> Status {
        let values = &mut self.values;
        if values.enough(self.samples) {
            return Status::Complete;
        }
        let state = self.root.sample(self.game, &mut self.rng);
        let spent = self.clairvoyant.search(self.game, state, &mut self.rng, values);
        values.count();
        self.counts.iterations += 1;
        self.counts.model_calls += spent.model_calls;
        (self.counts.nodes, self.counts.bytes) = (spent.nodes, spent.bytes);
        Status::Running
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<G: Game, C: Clairvoyant<G>> Search<G> for Determinised<'_, G, C> {
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        self.values.estimates().map(|estimate| self.clairvoyant.with_error(estimate)).collect()
    }

    fn best(&self) -> Option<G::Action> {
        self.values.best()
    }
}
