//! Hindsight optimisation, for comparison: UCT in states that are sampled and then taken to be seen.

use patience_model::{Game, Rng, Step};
use patience_plan::determinise::{Clairvoyant, Determinised, Ties, Values};
use patience_plan::uct::{Rollout, Settings, Uct, Uniform};
use patience_plan::{Budget, Cancel, Counts, ParameterError, Planner, Root, Search};

use crate::play::{GdlGame, GdlState, Move, World, fingerprint};

/// Samples states of the present, searches each as if everything were seen from then on, and
/// averages the values of moves: what players of GDL-II did before NORNS (section 1).
///
/// **Guarantees.** Anytime. Not optimal, however long it searches: a move that only gains
/// information is worth nothing to a player who believes to know all.
#[derive(Clone, Debug)]
pub struct Hindsight {
    uct: Uct<Rollout<Uniform>>,
    samples: Option<u64>,
    iterations: u64,
}

impl Hindsight {
    /// A planner that samples this many states (`None`: as many as the budget allows), with this many
    /// iterations in each.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(
        samples: Option<u64>,
        iterations: u64,
        c: f64,
        limit: u32,
    ) -> Result<Self, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("iterations", iterations, |&n| n > 0, above_0)?;
        if let Some(n) = samples {
            ParameterError::check("samples", n, |&n| n > 0, above_0)?;
        }
        let selection = patience_plan::uct::Selection::Ucb1 { c };
        let settings = Settings { selection, ..Settings::default() };
        let uct = Uct::new(settings, Rollout { limit, ..Rollout::default() })?;
        Ok(Hindsight { uct, samples, iterations })
    }
}

impl<W: World> Planner<GdlGame<W>> for Hindsight {
    fn search<'g>(
        &self,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> Box<dyn Search<GdlGame<W>> + 'g> {
        let planner = Seeing { planner: self.clone(), revealed: Revealed(game.clone()) };
        // Of equals any is recommended: the order of the rules prefers none.
        let search = Determinised::new(game, root, rng, planner, Ties::Random);
        match self.samples {
            Some(samples) => Box::new(search.with_samples(samples)),
            None => Box::new(search),
        }
    }

    fn ends(&self) -> bool {
        self.samples.is_some()
    }
}

/// The same game with everything seen.
struct Revealed<W: World>(GdlGame<W>);

impl<W: World> Game for Revealed<W> {
    type State = GdlState<W::Position>;
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

/// UCT in the game in which everything is seen.
struct Seeing<W: World> {
    planner: Hindsight,
    revealed: Revealed<W>,
}

impl<W: World> Clairvoyant<GdlGame<W>> for Seeing<W> {
    fn search(
        &mut self,
        _game: &GdlGame<W>,
        state: GdlState<W::Position>,
        rng: &mut Rng,
        values: &mut Values<Move>,
    ) -> Counts {
        let stream = Rng::new(rng.next_u64());
        let mut search = self.planner.uct.search(&self.revealed, Root::Certain(state), stream);
        let stats = search.run(&Budget::iterations(self.planner.iterations), &Cancel::new());
        for estimate in search.estimates() {
            if let Some(value) = estimate.value {
                values.add(estimate.action, value, estimate.visits);
            }
        }
        stats.counts
    }
}
