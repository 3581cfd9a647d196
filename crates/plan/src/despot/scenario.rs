//! Scenarios: a state and all the chance that is still to come, and what a policy comes to in one.

use patience_model::{Game, Rng, Step};

use super::carry::DefaultPolicy;
use crate::Root;

/// How things stand in a scenario.
pub(super) struct Scenario<G: Game> {
    pub(super) number: u32,
    pub(super) state: G::State,
}

/// What goes on below the leaves of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Default<A> {
    /// Each action alike.
    Random,
    /// The same action again; each alike where it is not legal.
    Repeat(A),
    /// As the planner was told.
    Given,
}

/// The chance of all scenarios.
pub(super) struct Chance<G: Game> {
    keys: Vec<u64>,
    /// The default policy draws from a stream of its own: it must not know what is to come.
    choices: u64,
    legal: Vec<G::Action>,
    pub(super) model_calls: u64,
}

impl<G: Game> Chance<G> {
    /// That of no scenarios.
    pub(super) fn none() -> Self {
        Chance { keys: Vec::new(), choices: 0, legal: Vec::new(), model_calls: 0 }
    }

    /// So many scenarios: where they start.
    pub(super) fn draw(
        &mut self,
        game: &G,
        root: &Root<G>,
        count: u32,
        rng: &mut Rng,
    ) -> Vec<Scenario<G>> {
        let key = rng.next_u64();
        self.choices = rng.next_u64();
        let mut starts = Vec::new();
        for number in 0..count {
            let mut stream = Rng::numbered(key, u64::from(number));
            starts.push(Scenario { number, state: root.sample(game, &mut stream) });
            self.keys.push(stream.next_u64());
        }
        starts
    }

    /// Plays an action in a scenario.
    pub(super) fn step(
        &mut self,
        game: &G,
        scenario: &mut Scenario<G>,
        action: G::Action,
        depth: u32,
    ) -> Step<G::Obs> {
        self.model_calls += 1;
        let mut rng = Rng::numbered(self.keys[scenario.number as usize], u64::from(depth));
        game.step(&mut scenario.state, action, &mut rng)
    }

    /// What a policy comes to in a scenario, from one depth to another.
    pub(super) fn play(
        &mut self,
        game: &G,
        scenario: &Scenario<G>,
        (policy, given): (Default<G::Action>, &impl DefaultPolicy<G>),
        depth: u32,
        end: u32,
    ) -> f64 {
        let Scenario { number, ref state } = *scenario;
        let mut scenario = Scenario::<G> { number, state: state.clone() };
        let mut draws = Rng::numbered(self.choices, u64::from(number) << 32 | u64::from(depth));
        let (mut sum, mut weight) = (0.0, 1.0);
        for depth in depth..end {
            game.actions(&scenario.state, &mut self.legal);
            if self.legal.is_empty() {
                break;
            }
            let chosen = match policy {
                Default::Random => None,
                Default::Repeat(action) => Some(action),
                Default::Given => given.action(game, &scenario.state),
            };
            let chosen = chosen.filter(|action| self.legal.contains(action));
            let action = chosen.unwrap_or_else(|| draws.pick(&self.legal));
            sum += weight * self.step(game, &mut scenario, action, depth).reward;
            weight *= game.discount();
        }
        sum
    }
}
