//! Hindsight optimisation, for comparison: UCT in states that are sampled and then taken to be seen.

use patience_model::{Game, Rng, Step};
use patience_plan::uct::{Rollout, Settings, Uct, Uniform};
use patience_plan::{
    Budget, Cancel, Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped,
};

use crate::play::{GdlGame, Move, Standing, World, fingerprint};

/// Samples states of the present, searches each as if everything were seen from then on, and
/// averages the values of moves: what players of GDL-II did before NORNS (section 1).
///
/// **Guarantees.** Anytime. Not optimal, however long it searches: a move that only gains
/// information is worth nothing to a player who believes to know all.
#[derive(Clone, Debug)]
pub struct Hindsight {
    uct: Uct<Rollout<Uniform>>,
    worlds: Option<u64>,
    each: u64,
}

impl Hindsight {
    /// A planner that samples this many states (`None`: as many as the budget allows), with this many
    /// simulations in each.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(worlds: Option<u64>, each: u64, c: f64, limit: u32) -> Result<Self, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("each", each, |&n| n > 0, above_0)?;
        if let Some(n) = worlds {
            ParameterError::check("worlds", n, |&n| n > 0, above_0)?;
        }
        let selection = patience_plan::uct::Selection::Ucb1 { c };
        let settings = Settings { selection, ..Settings::default() };
        let uct = Uct::new(settings, Rollout { limit, ..Rollout::default() })?;
        Ok(Hindsight { uct, worlds, each })
    }
}

impl<W: World> Planner<GdlGame<W>> for Hindsight {
    fn search<'g>(
        &self,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> Box<dyn Search<GdlGame<W>> + 'g> {
        let mut rng = rng;
        let mut actions = Vec::new();
        game.actions(&root.sample(game, &mut rng), &mut actions);
        // Of equals the first is recommended, so the order must not prefer any.
        rng.shuffle(&mut actions);
        let tallies = vec![(0, 0.0, 0); actions.len()];
        let counts = Counts::default();
        let revealed = Revealed(game.clone());
        Box::new(HindsightSearch {
            planner: self.clone(),
            revealed,
            root,
            rng,
            actions,
            tallies,
            counts,
        })
    }

    fn ends(&self) -> bool {
        self.worlds.is_some()
    }
}

/// The same game with everything seen.
struct Revealed<W: World>(GdlGame<W>);

impl<W: World> Game for Revealed<W> {
    type State = Standing<W::Position>;
    type Action = Move;
    type Obs = u128;

    fn start(&self, rng: &mut Rng) -> Self::State {
        self.0.start(rng)
    }

    fn actions(&self, state: &Self::State, out: &mut Vec<Move>) {
        self.0.actions(state, out);
    }

    fn step(&self, state: &mut Self::State, action: Move, rng: &mut Rng) -> Step<u128> {
        let reward = self.0.step(state, action, rng).reward;
        let words = self.0.network().words(&state.position);
        Step { reward, obs: fingerprint(words.iter().copied()) }
    }
}

struct HindsightSearch<W: World> {
    planner: Hindsight,
    revealed: Revealed<W>,
    root: Root<GdlGame<W>>,
    rng: Rng,
    actions: Vec<Move>,
    /// Per action: worlds in which it was tried, the mean of its values there, visits.
    tallies: Vec<(u64, f64, u64)>,
    counts: Counts,
}

impl<W: World> Stepped for HindsightSearch<W> {
    /// One sampled state, searched.
    fn step(&mut self) -> Status {
        if self.actions.is_empty() || self.planner.worlds == Some(self.counts.iterations) {
            return Status::Complete;
        }
        let state = self.root.sample(&self.revealed.0, &mut self.rng);
        let stream = Rng::new(self.rng.next_u64());
        let mut search = self.planner.uct.search(&self.revealed, Root::Certain(state), stream);
        let budget = Budget::iterations(self.planner.each);
        let stats = search.run(&budget, &Cancel::new());
        for estimate in search.estimates() {
            let Some(place) = self.actions.iter().position(|&a| a == estimate.action) else {
                continue;
            };
            if let Some(value) = estimate.value {
                let (worlds, mean, visits) = &mut self.tallies[place];
                *worlds += 1;
                *mean += (value - *mean) / *worlds as f64;
                *visits += estimate.visits;
            }
        }
        self.counts.iterations += 1;
        self.counts.model_calls += stats.counts.model_calls;
        self.counts.nodes = stats.counts.nodes;
        self.counts.bytes = stats.counts.bytes;
        Status::Running
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<W: World> Search<GdlGame<W>> for HindsightSearch<W> {
    fn estimates(&self) -> Vec<Estimate<Move>> {
        let tried = self.actions.iter().zip(&self.tallies);
        let mut estimates: Vec<Estimate<Move>> = tried
            .map(|(&action, &(worlds, mean, visits))| {
                let value = (worlds > 0).then_some(mean);
                Estimate::new(action, value, visits)
            })
            .collect();
        estimates.sort_by_key(|estimate| estimate.action);
        estimates
    }

    fn best(&self) -> Option<Move> {
        let mut best: Option<(f64, Move)> = None;
        for (&action, &(worlds, mean, _)) in self.actions.iter().zip(&self.tallies) {
            let value = if worlds > 0 { mean } else { f64::NEG_INFINITY };
            if best.is_none_or(|(other, _)| value > other) {
                best = Some((value, action));
            }
        }
        best.map(|(_, action)| action)
    }
}
