//! A beam in progress, one state expanded per step.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use patience_model::{Keyed, Rng};
use rustc_hash::{FxHashMap, FxHasher};

use super::BeamSettings;
use super::judge::Judge;
use crate::nested::Solution;
use crate::{Counts, Estimate, Finding, Root, Search, Status, Stepped};

/// A state of the layer in hand. Rewards are counted from the root.
struct Member<S> {
    state: S,
    value: f64,
    weight: f64,
}

/// A child that may become a member of the next layer: states are made only of those that do.
#[derive(Clone, Copy)]
struct Candidate<A> {
    rank: f64,
    /// What was collected on the way.
    value: f64,
    key: u64,
    parent: u32,
    action: A,
}

/// A beam search in progress.
pub struct BeamSearch<'g, G: Keyed, J: Judge<G>> {
    game: &'g G,
    settings: BeamSettings,
    judge: J,
    root: G::State,
    rng: Rng,
    width: usize,
    runs: u64,
    members: Vec<Member<G::State>>,
    /// The member to be expanded next.
    next: usize,
    /// No two of the same state.
    candidates: Vec<Candidate<G::Action>>,
    /// Where the candidate with a key is.
    places: FxHashMap<u64, usize>,
    /// Of each layer but the first, of each member: its parent in the layer before, and the move.
    history: Vec<Vec<(u32, G::Action)>>,
    legal: Vec<G::Action>,
    found: Vec<G::Action>,
    best: Option<Solution<G::Action>>,
    counts: Counts,
}

impl<G: Keyed, J: Judge<G>> std::fmt::Debug for BeamSearch<'_, G, J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BeamSearch")
            .field("settings", &self.settings)
            .field("width", &self.width)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<'g, G: Keyed, J: Judge<G>> BeamSearch<'g, G, J> {
    pub(super) fn new(
        settings: BeamSettings,
        judge: J,
        game: &'g G,
        root: &Root<G>,
        mut rng: Rng,
    ) -> Self {
        BeamSearch {
            root: root.sample(game, &mut rng),
            width: settings.width,
            game,
            settings,
            judge,
            rng,
            runs: 0,
            members: Vec::new(),
            next: 0,
            candidates: Vec::new(),
            places: FxHashMap::default(),
            history: Vec::new(),
            legal: Vec::new(),
            found: Vec::new(),
            best: None,
            counts: Counts::default(),
        }
    }

    fn ended(&self) -> bool {
        self.members.is_empty() && self.settings.runs.is_some_and(|n| self.runs >= n)
    }

    /// Starts a run at the root; from the second on with a wider beam.
    fn start(&mut self) {
        if self.runs > 0 {
            let wider = self.width as f64 * self.settings.growth;
            self.width = (wider.ceil() as usize).clamp(self.width, self.settings.widest);
        }
        self.runs += 1;
        self.history.clear();
        self.candidates.clear();
        self.places.clear();
        self.members.push(Member { state: self.root.clone(), value: 0.0, weight: 1.0 });
        self.next = 0;
    }

    /// The moves from the root to a member of the layer in hand.
    fn moves_to(&self, member: u32) -> Vec<G::Action> {
        let mut moves = Vec::with_capacity(self.history.len());
        let mut at = member;
        for layer in self.history.iter().rev() {
            let (parent, action) = layer[at as usize];
            moves.push(action);
            at = parent;
        }
        moves.reverse();
        moves
    }

    /// Keeps a way to the end if it is the best: to a member, by a move, and on by `found`.
    fn keep(&mut self, value: f64, parent: u32, action: Option<G::Action>) {
        if self.best.as_ref().is_none_or(|best| value > best.value) {
            let mut moves = self.moves_to(parent);
            moves.extend(action);
            moves.extend_from_slice(&self.found);
            self.best = Some(Solution { value, moves });
        }
    }

    /// Makes candidates of all children of a member.
    fn expand(&mut self, member: usize) {
        let mut legal = std::mem::take(&mut self.legal);
        self.game.actions(&self.members[member].state, &mut legal);
        let parent = member as u32;
        if legal.is_empty() {
            self.found.clear();
            self.keep(self.members[member].value, parent, None);
        }
        for &action in &legal {
            let here = &self.members[member];
            let mut state = here.state.clone();
            let reward = self.game.step(&mut state, action, &mut self.rng).reward;
            self.counts.model_calls += 1;
            let value = here.value + here.weight * reward;
            let weight = here.weight * self.game.discount();
            self.found.clear();
            let judgement = self.judge.judge(self.game, &state, &mut self.rng, &mut self.found);
            if let Some(rest) = judgement.found {
                self.counts.model_calls += self.found.len() as u64;
                self.keep(value + weight * rest, parent, Some(action));
            }
            let noise = self.settings.noise;
            let noise = if noise > 0.0 { noise * self.rng.unit() } else { 0.0 };
            let rank = value + weight * judgement.estimate + noise;
            let mut hasher = FxHasher::default();
            self.game.key(&state).hash(&mut hasher);
            let key = hasher.finish();
            self.add(Candidate { rank, value, key, parent, action });
        }
        self.legal = legal;
        // Memory is bounded: those that cannot get in any more are let go.
        if self.candidates.len() > 8 * self.width {
            self.candidates.select_nth_unstable_by(self.width, |a, b| b.rank.total_cmp(&a.rank));
            self.candidates.truncate(self.width);
            let places = self.candidates.iter().map(|candidate| candidate.key).zip(0..);
            self.places.clear();
            self.places.extend(places);
        }
    }

    /// Adds a candidate. Two ways to a state go on alike, so the one that has collected more is
    /// taken, with the better of the two judgements.
    fn add(&mut self, candidate: Candidate<G::Action>) {
        match self.places.entry(candidate.key) {
            Entry::Vacant(place) => {
                place.insert(self.candidates.len());
                self.candidates.push(candidate);
            }
            Entry::Occupied(place) => {
                let same = &mut self.candidates[*place.get()];
                let rank = same.rank.max(candidate.rank);
                if candidate.value > same.value {
                    *same = candidate;
                }
                same.rank = rank;
            }
        }
    }

    /// Makes the next layer of the best candidates.
    fn next_layer(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        candidates.truncate(self.width);
        let mut layer = Vec::with_capacity(candidates.len());
        let mut members = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            let parent = &self.members[candidate.parent as usize];
            let mut state = parent.state.clone();
            let reward = self.game.step(&mut state, candidate.action, &mut self.rng).reward;
            let value = parent.value + parent.weight * reward;
            let weight = parent.weight * self.game.discount();
            members.push(Member { state, value, weight });
            layer.push((candidate.parent, candidate.action));
        }
        self.counts.model_calls += members.len() as u64;
        self.counts.nodes += members.len() as u64;
        candidates.clear();
        self.candidates = candidates;
        self.places.clear();
        self.members = members;
        self.history.push(layer);
        self.next = 0;
    }

    fn bytes(&self) -> u64 {
        let members = self.members.capacity() * size_of::<Member<G::State>>();
        let candidates = self.candidates.capacity() * size_of::<Candidate<G::Action>>();
        let history: usize = self.history.iter().map(Vec::capacity).sum();
        let places = self.places.capacity() * size_of::<(u64, usize)>();
        (members + candidates + places + history * size_of::<(u32, G::Action)>()) as u64
    }
}

impl<G: Keyed, J: Judge<G>> BeamSearch<'_, G, J> {
    /// The best solution so far; `None` before the first episode has ended.
    pub fn solution(&self) -> Option<&Solution<G::Action>> {
        self.best.as_ref()
    }
}

impl<G: Keyed, J: Judge<G>> Stepped for BeamSearch<'_, G, J> {
    /// Expands one state.
    fn step(&mut self) -> Status {
        if self.ended() {
            return Status::Complete;
        }
        if self.members.is_empty() {
            self.start();
        }
        self.expand(self.next);
        self.next += 1;
        self.counts.iterations += 1;
        if self.next == self.members.len() {
            self.next_layer();
            self.counts.bytes = self.counts.bytes.max(self.bytes());
        }
        if self.ended() { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<G: Keyed, J: Judge<G>> Search<G> for BeamSearch<'_, G, J> {
    /// A beam has no estimates of actions: only what the one brings that it would take.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let mut legal = Vec::new();
        self.game.actions(&self.root, &mut legal);
        let unknown = |action| Estimate::untried(action);
        Solution::known(self.best.as_ref(), legal.into_iter().map(unknown).collect())
    }

    fn finding(&self) -> Finding<G::Action> {
        Solution::finding(self.best.as_ref())
    }

    /// The first move of the best solution.
    fn best(&self) -> Option<G::Action> {
        match &self.best {
            Some(best) => best.moves.first().copied(),
            None => {
                let mut legal = Vec::new();
                self.game.actions(&self.root, &mut legal);
                legal.first().copied()
            }
        }
    }
}
