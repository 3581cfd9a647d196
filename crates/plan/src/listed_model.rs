//! A game's states with their actions and the listed outcomes of those, as far as they were asked for:
//! what the exact planners work on.

use patience_model::{Keyed, Outcome, Outcomes, Rng};
use rustc_hash::FxHashMap;

use crate::empirical_model::map_bytes;

/// The root is the first state.
pub(crate) const ROOT: usize = 0;

/// A state, and its actions in `arms` once they are listed.
struct Entry {
    arms: (usize, usize),
    minimising: bool,
    value: f64,
}

/// Actions are not listed yet.
const UNLISTED: (usize, usize) = (usize::MAX, usize::MAX);

/// An action: its expected reward, and where its outcomes are in `chances`.
struct Arm<A> {
    action: A,
    reward: f64,
    chances: (usize, usize),
}

/// An outcome: how likely it is, and the state that it leads to.
#[derive(Clone, Copy)]
pub(crate) struct Chance {
    pub(crate) probability: f64,
    pub(crate) state: usize,
}

/// States, actions and outcomes by number, with a value per state.
pub(crate) struct ListedModel<'g, G: Outcomes + Keyed> {
    game: &'g G,
    index: FxHashMap<G::Key, usize>,
    entries: Vec<Entry>,
    /// The states themselves, until their actions are listed.
    states: Vec<Option<G::State>>,
    arms: Vec<Arm<G::Action>>,
    chances: Vec<Chance>,
    actions: Vec<G::Action>,
    outcomes: Vec<Outcome<G::State, G::Obs>>,
    /// Listings of an action's outcomes.
    pub(crate) calls: u64,
}

impl<'g, G: Outcomes + Keyed> ListedModel<'g, G> {
    /// A model of nothing but the root, whose value starts at 0.
    pub(crate) fn new(game: &'g G, root: G::State) -> Self {
        let mut model = ListedModel {
            game,
            index: FxHashMap::default(),
            entries: Vec::new(),
            states: Vec::new(),
            arms: Vec::new(),
            chances: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            calls: 0,
        };
        model.state(root);
        model
    }

    /// The number of a state.
    fn state(&mut self, state: G::State) -> usize {
        let found = self.entries.len();
        let number = *self.index.entry(self.game.key(&state)).or_insert(found);
        if number == found {
            let minimising = self.game.minimising(&state);
            self.entries.push(Entry { arms: UNLISTED, minimising, value: 0.0 });
            self.states.push(Some(state));
        }
        number
    }

    /// How many states were found.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether a state's actions are listed.
    pub(crate) fn is_listed(&self, state: usize) -> bool {
        self.entries[state].arms != UNLISTED
    }

    /// A state whose actions are not listed yet.
    pub(crate) fn unlisted(&self, state: usize) -> Option<&G::State> {
        self.states[state].as_ref()
    }

    /// Lists a state's actions and their outcomes, if that was not done.
    pub(crate) fn list(&mut self, state: usize) {
        let Some(position) = self.states[state].take() else { return };
        let mut actions = std::mem::take(&mut self.actions);
        let mut outcomes = std::mem::take(&mut self.outcomes);
        self.game.actions(&position, &mut actions);
        let first = self.arms.len();
        for &action in &actions {
            self.game.outcomes(&position, action, &mut outcomes);
            self.calls += 1;
            let (mut reward, begin) = (0.0, self.chances.len());
            for Outcome { probability, state, step } in outcomes.drain(..) {
                reward += probability * step.reward;
                let state = self.state(state);
                self.chances.push(Chance { probability, state });
            }
            self.arms.push(Arm { action, reward, chances: (begin, self.chances.len()) });
        }
        self.entries[state].arms = (first, self.arms.len());
        (self.actions, self.outcomes) = (actions, outcomes);
    }

    /// The number of a state by its key.
    pub(crate) fn find(&self, key: &G::Key) -> Option<usize> {
        self.index.get(key).copied()
    }

    /// All keys with their numbers, in no particular order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&G::Key, usize)> + '_ {
        self.index.iter().map(|(key, &state)| (key, state))
    }

    /// The actions of a listed state by number.
    pub(crate) fn arms(&self, state: usize) -> std::ops::Range<usize> {
        let (first, end) = self.entries[state].arms;
        first..end
    }

    /// An action.
    pub(crate) fn action(&self, arm: usize) -> G::Action {
        self.arms[arm].action
    }

    /// The outcomes of an action.
    pub(crate) fn chances(&self, arm: usize) -> &[Chance] {
        let (first, end) = self.arms[arm].chances;
        &self.chances[first..end]
    }

    /// An outcome of an action, drawn.
    pub(crate) fn draw(&self, arm: usize, rng: &mut Rng) -> usize {
        let (mut left, chances) = (rng.unit(), self.chances(arm));
        let drawn = chances.iter().find(|chance| {
            left -= chance.probability;
            left < 0.0
        });
        drawn.or(chances.last()).expect("an action has an outcome").state
    }

    /// Whether the opponent is to move.
    pub(crate) fn minimising(&self, state: usize) -> bool {
        self.entries[state].minimising
    }

    /// The value of a state.
    pub(crate) fn value(&self, state: usize) -> f64 {
        self.entries[state].value
    }

    /// Gives a state a value.
    pub(crate) fn set_value(&mut self, state: usize, value: f64) {
        self.entries[state].value = value;
    }

    /// What an action is worth by the values of the states it leads to.
    pub(crate) fn action_value(&self, arm: usize) -> f64 {
        let chances = self.chances(arm);
        let next: f64 = chances.iter().map(|c| c.probability * self.entries[c.state].value).sum();
        self.arms[arm].reward + self.game.discount() * next
    }

    /// The best action of a listed state with its value, the first of equals; none where the game is
    /// over. The opponent takes the smallest.
    pub(crate) fn best(&self, state: usize) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for arm in self.arms(state) {
            let value = self.action_value(arm);
            let better = |b: f64| if self.minimising(state) { value < b } else { value > b };
            if best.is_none_or(|(_, b)| better(b)) {
                best = Some((arm, value));
            }
        }
        best
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = self.entries.capacity() * size_of::<Entry>()
            + self.states.capacity() * size_of::<Option<G::State>>()
            + self.arms.capacity() * size_of::<Arm<G::Action>>()
            + self.chances.capacity() * size_of::<Chance>();
        bytes as u64 + map_bytes(&self.index)
    }
}
