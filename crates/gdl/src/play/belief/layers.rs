//! The present as states with their probabilities, where histories are too many for a tree.
//!
//! Histories that lead to the same state are one, as long as there are not too many states. Beyond
//! that some states stand for all (a particle filter), and where hardly any of them agrees with what is
//! seen, others are looked for: see [`Walk`].

use patience_model::{Game, Rng};
use patience_plan::Halt;
use rustc_hash::FxHashMap;

use super::BeliefError;
use super::joints::Joints;
use super::walk::{Record, Walk};
use crate::engine::RunError;
use crate::play::{GdlGame, GdlState, World};

/// What one turn may cost, in bytes of positions: some tenths of a second.
const COST: u64 = 300_000_000;
/// How many moves may be played for one turn, however large or small positions are.
const PLAYS: (u64, u64) = (4_000, 40_000);
/// Moves played for each state that is kept.
const EACH: u64 = 20;
/// With fewer states than one of these parts of all, others are looked for.
const FEW: usize = 20;
/// Histories from which others are looked for.
const WALKS: usize = 16;
/// Changes between two histories that are taken from a walk.
const APART: u32 = 8;
/// Changes of one walk at most: those that cannot be played cost nothing.
const MOST_CHANGES: u32 = 100_000;
/// Turns after which what leads nowhere is forgotten.
const FORGET: usize = 64;

/// The joint moves of a match.
type History = Vec<Box<[u32]>>;

/// How a node came about.
#[derive(Clone, Debug)]
struct Node {
    /// Its number in the layer before.
    parent: u32,
    joint: Box<[u32]>,
}

/// A state that may be the present.
#[derive(Clone, Debug)]
struct Present {
    state: Box<[u64]>,
    views: Vec<u64>,
    weight: f64,
    /// Percepts that disagree on the way here.
    wrong: u32,
    /// Whether the game is over.
    over: bool,
}

/// States with their probabilities, and for each a history that leads there.
#[derive(Clone, Debug)]
pub(super) struct Layers<W: World> {
    game: GdlGame<W>,
    /// Of each turn what led to its states.
    past: Vec<Vec<Node>>,
    present: Vec<Present>,
    /// Sums of weights of `present`, up to and with each.
    sums: Vec<f64>,
    /// Whether these are all states that agree, with their true probabilities.
    exact: bool,
    plays: u64,
    most: usize,
}

/// States under construction, equal ones merged.
#[derive(Default)]
struct Merged {
    place: FxHashMap<(Box<[u64]>, Vec<u64>), usize>,
    nodes: Vec<Node>,
    states: Vec<Present>,
}

impl Merged {
    fn add(&mut self, node: impl FnOnce() -> Node, state: Present) {
        let key = (state.state.clone(), state.views.clone());
        let count = self.states.len();
        match *self.place.entry(key).or_insert(count) {
            known if known < count => {
                let known = &mut self.states[known];
                known.weight += state.weight;
                known.wrong = known.wrong.min(state.wrong);
            }
            _ => {
                self.nodes.push(node());
                self.states.push(state);
            }
        }
    }
}

/// Histories found by walks, and the states to which they lead, equal ones merged.
#[derive(Default)]
struct Mended {
    place: FxHashMap<(Box<[u64]>, Vec<u64>), usize>,
    found: Vec<(History, Present)>,
    /// How many percepts disagree with each of them.
    least: u32,
}

impl Mended {
    /// Adds a state with which no more percepts disagree than with the others.
    fn add(&mut self, history: impl FnOnce() -> History, state: Present) {
        if state.wrong < self.least {
            self.least = state.wrong;
            self.place.clear();
            self.found.clear();
        }
        let count = self.found.len();
        match *self.place.entry((state.state.clone(), state.views.clone())).or_insert(count) {
            known if known < count => self.found[known].1.weight += state.weight,
            _ => self.found.push((history(), state)),
        }
    }
}

impl<W: World> Layers<W> {
    pub(super) fn new(game: GdlGame<W>) -> Self {
        let start = game.start(&mut Rng::new(0));
        let world = game.network();
        let state = world.words(&start.position).into();
        let over = world.terminal(&start.position);
        let (low, high) = PLAYS;
        let plays = (COST / world.cost().max(1)).clamp(low, high);
        let present = vec![Present { state, views: start.views, weight: 1.0, wrong: 0, over }];
        let most = (plays / EACH) as usize;
        Layers { game, past: Vec::new(), present, sums: vec![1.0], exact: true, plays, most }
    }

    /// Whether some percepts disagree with all that was found.
    pub(super) fn is_astray(&self) -> bool {
        self.present.first().is_none_or(|present| present.wrong > 0)
    }

    /// How many states are kept.
    pub(super) fn states(&self) -> usize {
        self.present.len()
    }

    /// Goes on to the end of what was done and seen.
    ///
    /// # Errors
    /// If that cannot be, or a [`Halt`] of this thread strikes; what was done up to then is kept.
    pub(super) fn follow(&mut self, record: &Record, rng: &mut Rng) -> Result<(), BeliefError> {
        debug_assert!(self.past.len() <= record.len(), "only what was not followed is taken back");
        while self.past.len() < record.len() {
            self.turn(&record[..=self.past.len()], rng)?;
        }
        Ok(())
    }

    /// Draws a state by its probability.
    pub(super) fn draw(&self, into: &mut GdlState<W::Position>, rng: &mut Rng) {
        let left = rng.unit() * self.sums.last().copied().unwrap_or(0.0);
        let at = self.sums.partition_point(|&sum| sum <= left).min(self.present.len() - 1);
        self.load(at, into);
    }

    fn load(&self, at: usize, into: &mut GdlState<W::Position>) {
        let present = &self.present[at];
        self.game.network().load(&mut into.position, &present.state);
        into.views.clone_from(&present.views);
    }

    /// Takes in the last turn of the record.
    fn turn(&mut self, record: &Record, rng: &mut Rng) -> Result<(), BeliefError> {
        let (mut found, mut exact) = self.successors(record, rng)?;
        if found.states.is_empty() && self.exact && exact {
            return Err(BeliefError::Impossible { moves: record.len() });
        }
        let least = found.states.iter().map(|state| state.wrong).min();
        let few = found.states.len() < (self.most / FEW).max(1) || least > Some(0);
        if few && !(self.exact && exact) {
            let histories = self.histories(&found, record, rng);
            let mended = self.mend(&histories, record, rng)?;
            let wrong = mended.first().map(|(_, state)| state.wrong);
            let more = wrong == least && mended.len() > found.states.len();
            if wrong.is_some() && (least.is_none() || wrong < least || more) {
                (self.exact, self.past) = (false, vec![Vec::new(); record.len()]);
                let mut present = Vec::with_capacity(mended.len());
                for (number, (history, state)) in mended.into_iter().enumerate() {
                    for (turn, joint) in history.into_iter().enumerate() {
                        let parent = if turn == 0 { 0 } else { number as u32 };
                        self.past[turn].push(Node { parent, joint });
                    }
                    present.push(state);
                }
                self.settle(present);
                return Ok(());
            }
        }
        if found.states.is_empty() {
            // Nothing at all can be played on: the game is over in every state that was found.
            return Err(BeliefError::Impossible { moves: record.len() });
        }
        exact &= self.thin(&mut found, least.unwrap_or(0), rng);
        self.exact &= exact;
        self.past.push(found.nodes);
        self.settle(found.states);
        if self.past.len().is_multiple_of(FORGET) {
            self.forget();
        }
        Ok(())
    }

    /// What follows from all states and agrees with what was seen; and whether everything was tried.
    fn successors(&self, record: &Record, rng: &mut Rng) -> Result<(Merged, bool), BeliefError> {
        let (own, seen) = record[record.len() - 1];
        let world = self.game.network();
        let mut standing = self.game.start(&mut Rng::new(0));
        let (mut joints, mut joint) = (Joints::default(), Vec::new());
        let (mut found, mut exact, mut played) = (Merged::default(), true, 0u64);
        for at in 0..self.present.len() {
            let present = &self.present[at];
            self.load(at, &mut standing);
            joints.read(&self.game, &standing.position, own);
            let count = joints.count();
            if present.over || !joints.own_is_legal || count == 0 {
                continue;
            }
            // What is left is shared evenly.
            let states = (self.present.len() - at) as u64;
            let share = (self.plays.saturating_sub(played) / states).max(4) as usize;
            let all = count <= share;
            exact &= all;
            let tried = count.min(share);
            for number in 0..tried {
                match all {
                    true => joints.nth(number, &mut joint),
                    false => joints.draw(rng, &mut joint),
                }
                if number > 0 {
                    self.load(at, &mut standing);
                }
                played += 1;
                if played.is_multiple_of(16) && Halt::is_due() {
                    return Err(BeliefError::Run(RunError::Stopped { during: None }));
                }
                let agrees = self.game.play(&mut standing, &joint) == seen;
                if let Some(fault) = world.fault(&standing.position) {
                    return Err(BeliefError::Run(fault.clone()));
                }
                if agrees {
                    let node = || Node { parent: at as u32, joint: joint[..].into() };
                    let weight = present.weight / tried as f64;
                    found.add(node, present_of(&self.game, &standing, weight, present.wrong));
                }
            }
        }
        Ok((found, exact))
    }

    /// Some histories that agree, or nearly do.
    fn histories(&self, found: &Merged, record: &Record, rng: &mut Rng) -> Vec<History> {
        let mut histories = Vec::with_capacity(WALKS);
        let (mut joints, mut joint) = (Joints::default(), Vec::new());
        let mut standing = self.game.start(&mut Rng::new(0));
        for _ in 0..WALKS {
            if !found.states.is_empty() {
                let total: f64 = found.states.iter().map(|state| state.weight).sum();
                let mut left = rng.unit() * total;
                let at = found.states.iter().position(|state| {
                    left -= state.weight;
                    left < 0.0
                });
                let node = &found.nodes[at.unwrap_or(found.nodes.len() - 1)];
                let mut history = self.history(node.parent as usize);
                history.push(node.joint.clone());
                histories.push(history);
                continue;
            }
            let at = rng.index(self.present.len());
            self.load(at, &mut standing);
            joints.read(&self.game, &standing.position, record[record.len() - 1].0);
            if joints.count() > 0 {
                joints.draw(rng, &mut joint);
                let mut history = self.history(at);
                history.push(joint[..].into());
                histories.push(history);
            }
        }
        histories
    }

    /// The joint moves that lead to a state.
    fn history(&self, mut at: usize) -> History {
        let mut history = Vec::with_capacity(self.past.len() + 1);
        for layer in self.past.iter().rev() {
            history.push(layer[at].joint.clone());
            at = layer[at].parent as usize;
        }
        history.reverse();
        history
    }

    /// Looks for histories that agree by changing those that nearly do; if there are none, gives those
    /// with which the fewest percepts disagree.
    fn mend(
        &self,
        histories: &[History],
        record: &Record,
        rng: &mut Rng,
    ) -> Result<Vec<(History, Present)>, BeliefError> {
        let mut mended = Mended { least: u32::MAX, ..Mended::default() };
        let share = 4 * self.plays / histories.len().max(1) as u64;
        self.walk(histories, record, share, &mut mended, rng)?;
        if mended.found.len() < self.most / FEW {
            // Few were found, and late: there are more of them nearby.
            let found = mended.found.iter().take(WALKS).map(|(history, _)| history.clone());
            let found: Vec<History> = found.collect();
            self.walk(&found, record, share / 4, &mut mended, rng)?;
        }
        Ok(mended.found)
    }

    /// Walks on from each of these histories for some moves.
    fn walk(
        &self,
        histories: &[History],
        record: &Record,
        share: u64,
        mended: &mut Mended,
        rng: &mut Rng,
    ) -> Result<(), BeliefError> {
        for history in histories {
            let Some(mut walk) = Walk::new(&self.game, record, history)? else { continue };
            let mut changes = 0;
            while walk.plays < share && changes < MOST_CHANGES && mended.found.len() < self.most {
                if changes % APART == 0 && walk.wrong() <= mended.least {
                    let state = present_of(&self.game, &walk.end, 1.0, walk.wrong());
                    mended.add(|| walk.history(), state);
                }
                walk.step(rng)?;
                changes += 1;
            }
        }
        Ok(())
    }

    /// Leaves what disagrees least, and no more than can be kept; says whether that is all.
    fn thin(&self, found: &mut Merged, least: u32, rng: &mut Rng) -> bool {
        let count = found.states.len();
        let mut stays: Vec<bool> = found.states.iter().map(|state| state.wrong == least).collect();
        let left = stays.iter().filter(|stays| **stays).count();
        if left > self.most {
            // Systematic resampling: as many draws as there is room for, evenly spaced.
            let weight =
                |(state, stays): (&Present, &bool)| if *stays { state.weight } else { 0.0 };
            let weights: Vec<f64> = found.states.iter().zip(&stays).map(weight).collect();
            let each = weights.iter().sum::<f64>() / self.most as f64;
            let mut next = rng.unit() * each;
            let mut sum = 0.0;
            for (at, weight) in weights.into_iter().enumerate() {
                sum += weight;
                let mut draws = 0u32;
                while next < sum {
                    draws += 1;
                    next += each;
                }
                stays[at] = draws > 0;
                found.states[at].weight = f64::from(draws);
            }
        }
        let mut keep = stays.iter();
        found.states.retain(|_| *keep.next().unwrap_or(&false));
        let mut keep = stays.iter();
        found.nodes.retain(|_| *keep.next().unwrap_or(&false));
        found.states.len() == count
    }

    /// Makes these the present.
    fn settle(&mut self, mut present: Vec<Present>) {
        let total: f64 = present.iter().map(|state| state.weight).sum();
        present.iter_mut().for_each(|state| state.weight /= total);
        // Whoever draws wants to move: where the game may go on, it does.
        let all_over = present.iter().all(|state| state.over);
        let mut sum = 0.0;
        self.sums.clear();
        for state in &present {
            sum += if state.over && !all_over { 0.0 } else { state.weight };
            self.sums.push(sum);
        }
        self.present = present;
    }

    /// Forgets nodes that lead to no state of the present.
    fn forget(&mut self) {
        let mut needed: Vec<bool> = vec![true; self.present.len()];
        for at in (0..self.past.len()).rev() {
            let before = if at == 0 { 1 } else { self.past[at - 1].len() };
            let mut parents = vec![false; before];
            let mut keep = needed.iter();
            self.past[at].retain(|_| *keep.next().unwrap_or(&false));
            self.past[at].iter().for_each(|node| parents[node.parent as usize] = true);
            // Those of the layer before that stay move together.
            let mut number = 0;
            let numbers: Vec<u32> = parents
                .iter()
                .map(|&stays| {
                    number += u32::from(stays);
                    number.saturating_sub(1)
                })
                .collect();
            for node in &mut self.past[at] {
                node.parent = numbers[node.parent as usize];
            }
            needed = parents;
        }
    }
}

fn present_of<W: World>(
    game: &GdlGame<W>,
    state: &GdlState<W::Position>,
    weight: f64,
    wrong: u32,
) -> Present {
    let world = game.network();
    let words = world.words(&state.position).into();
    let over = world.terminal(&state.position);
    Present { state: words, views: state.views.clone(), weight, wrong, over }
}
