//! NORNS (Geißer, Keller and Mattmüller 2014, section 3).

use patience_model::Rng;
use patience_plan::uct::{Rollout, Settings, Uct, Uniform};
use patience_plan::{Counts, Estimate, ParameterError, Planner, Root, Search, Status, Stepped};

use super::Several;
use super::exact::solver;
use crate::play::belief::SharedBelief;
use crate::play::exact::Exact;
use crate::play::{GdlGame, Move, Percepts, World};

/// What the other roles are taken to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// They search as well, each for its own goal.
    Search,
    /// They move at random.
    Random,
}

/// NORNS: each simulation draws a present from the belief-state tree, then simulates a future by UCT
/// on the tree of own actions and percepts. The tree is kept below the move that was played.
///
/// Beside the simulations [`Exact`] looks for a proof, and plays at most eight times as many moves as
/// they do: where the game is small enough, the move is the certified optimum. Until then the best plan
/// that it has found is followed wherever that is worth at least what simulations say of any move; and
/// where moves are so many that simulations say nothing, the move that promises to tell most is made.
/// With `exact` = 0 it is the paper's NORNS.
///
/// **Guarantees.** Anytime; asymptotically optimal where one role decides (section 4). Where several
/// decide, see [`Several`].
#[derive(Clone, Debug)]
pub struct Norns {
    alone: Uct<Rollout<Uniform>>,
    several: Several,
    opponents: Opponents,
    exact: u64,
}

impl Norns {
    /// NORNS with these ingredients of UCT, which values leaves by this rollout, and may play so
    /// many moves in search of a proof.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(
        settings: Settings,
        rollout: Rollout<Uniform>,
        several: Several,
        opponents: Opponents,
        exact: u64,
    ) -> Result<Self, ParameterError> {
        Ok(Norns { alone: Uct::new(settings, rollout)?, several, opponents, exact })
    }

    fn is_alone<W: World>(&self, game: &GdlGame<W>) -> bool {
        let world = game.network();
        let others = (0..game.role_count()).filter(|&r| r != game.role() && !world.is_chance(r));
        self.opponents == Opponents::Random || others.count() == 0
    }
}

impl<W: World> Planner<GdlGame<W>> for Norns {
    fn search<'g>(
        &self,
        game: &'g GdlGame<W>,
        root: Root<GdlGame<W>>,
        rng: Rng,
    ) -> Box<dyn Search<GdlGame<W>> + 'g> {
        if !self.is_alone(game) {
            return self.several.search(game, root, rng);
        }
        if self.exact == 0 {
            return self.alone.search(game, root, rng);
        }
        let exact = solver(game, &root, MOST_BELIEFS).ok().map(Exact::in_small_steps);
        let mut rng = rng;
        let spare = Rng::new(rng.next_u64());
        let simulations = self.alone.search(game, root, rng);
        let most = self.exact.min(MOST_COST / game.network().cost().max(1));
        let before = exact.as_ref().map_or(0, Exact::plays);
        let ahead = self.alone.settings().iterations.is_some();
        let (working, certain) = (true, None);
        Box::new(NornsSearch { simulations, exact, working, most, ahead, before, spare, certain })
    }

    fn ends(&self) -> bool {
        Planner::<GdlGame<W>>::ends(&self.several) && Planner::<GdlGame<W>>::ends(&self.alone)
    }

    fn advances(&self) -> bool {
        true
    }
}

/// Beliefs kept in search of a proof.
const MOST_BELIEFS: usize = 1_000_000;
/// Bytes kept in search of a proof.
const MOST_BYTES: u64 = 256 << 20;
/// What a proof may cost in all, in bytes of positions: in large games it is soon given up.
const MOST_COST: u64 = 5_000_000_000;
/// Moves that the proof may play before the first simulation, if there is a number of them, and as
/// long as simulations play fewer it plays no more than they do, if there is a clock.
const AHEAD: u64 = 10_000;
/// Moves that it plays in one step, so that a step stays short.
const EACH: u64 = 500;
/// Moves of the proof for each move of a simulation. What it finds serves all later moves too.
const SHARE: u64 = 8;

/// Simulations for each move before which they say nothing.
const FEW: u64 = 4;

/// Simulations, and a proof beside them.
struct NornsSearch<'g, W: World> {
    simulations: Box<dyn Search<GdlGame<W>> + 'g>,
    /// `None` if what happened cannot be followed.
    exact: Option<Exact<W>>,
    /// Whether it goes on; not once the game was found to be too large from here.
    working: bool,
    most: u64,
    /// Whether it goes ahead of the simulations.
    ahead: bool,
    /// Moves that it had played before this decision.
    before: u64,
    /// Seeds for simulations that start anew.
    spare: Rng,
    certain: Option<(f64, Move)>,
}

impl<W: World> NornsSearch<'_, W> {
    /// Moves that the proof may have played for this decision by now.
    fn share(&self) -> u64 {
        let simulated = self.simulations.counts().model_calls;
        let (same, more) = (simulated.min(AHEAD), simulated.saturating_sub(AHEAD));
        match self.ahead {
            true => simulated.saturating_mul(SHARE) + AHEAD,
            false => same + more.saturating_mul(SHARE),
        }
    }

    /// Works on the proof as long as it has not cost its share.
    fn prove(&mut self) {
        let spent = self.share();
        let Some(exact) = self.exact.as_mut().filter(|_| self.working) else { return };
        let until = (self.before + spent).min(self.most).min(exact.plays() + EACH);
        match exact.work(until) {
            Ok(Some((value, best))) => self.certain = best.map(|best| (value, best)),
            Ok(None) if exact.plays() < self.most && exact.bytes() < MOST_BYTES => {}
            Ok(None) | Err(_) => self.working = false,
        }
    }

    /// What the best plan that was found is worth at least, and its move, where that is no less than
    /// what simulations say of theirs; or what promises most, where they say nothing.
    fn planned(&self, simulated: Option<Move>) -> Option<Move> {
        let exact = self.exact.as_ref()?;
        let estimates = self.simulations.estimates();
        let Some((least, planned)) = exact.bound() else {
            let enough = estimates.len() as u64 * FEW;
            return exact.guess().filter(|_| self.simulations.counts().iterations < enough);
        };
        let of_simulated = estimates.iter().find(|estimate| Some(estimate.action) == simulated);
        let value = of_simulated.and_then(|estimate| estimate.value);
        value.is_none_or(|value| least >= value).then_some(planned)
    }
}

impl<W: World> Stepped for NornsSearch<'_, W> {
    fn step(&mut self) -> Status {
        if self.certain.is_none() {
            self.prove();
        }
        if self.certain.is_some() {
            return Status::Complete;
        }
        // What the proof may play ahead comes before the first simulation.
        let first = (self.before + AHEAD).min(self.most);
        let working = self.exact.as_ref().filter(|_| self.working);
        if self.ahead && working.is_some_and(|exact| exact.plays() < first) {
            return Status::Running;
        }
        self.simulations.step()
    }

    fn counts(&self) -> Counts {
        let mut counts = self.simulations.counts();
        if let Some(exact) = &self.exact {
            counts.model_calls += exact.plays() - self.before;
            counts.nodes += exact.beliefs() as u64;
            counts.bytes += exact.bytes();
        }
        counts
    }
}

impl<W: World> Search<GdlGame<W>> for NornsSearch<'_, W> {
    fn estimates(&self) -> Vec<Estimate<Move>> {
        let mut estimates = self.simulations.estimates();
        for estimate in &mut estimates {
            if let Some((value, _)) = self.certain.filter(|(_, best)| *best == estimate.action) {
                estimate.value = Some(value);
            }
        }
        estimates
    }

    fn best(&self) -> Option<Move> {
        if let Some((_, best)) = self.certain {
            return Some(best);
        }
        let simulated = self.simulations.best();
        self.planned(simulated).or(simulated)
    }

    fn advance(&mut self, action: Move, obs: Percepts, root: Root<GdlGame<W>>) -> bool {
        self.certain = None;
        if self.exact.as_mut().is_some_and(|exact| exact.observe(action, obs).is_err()) {
            self.exact = None;
        }
        // What was too large from there may not be from here.
        self.working = true;
        if let Some(exact) = self.exact.as_mut().filter(|exact| exact.bytes() >= MOST_BYTES) {
            exact.forget();
        }
        self.before = self.exact.as_ref().map_or(0, Exact::plays);
        let again = again(&root);
        if self.simulations.advance(action, obs, root) {
            return true;
        }
        // No simulation came here, but the proof may have: what it found is kept.
        match again.filter(|_| self.exact.is_some()) {
            Some(root) => self.simulations.restart(root, Rng::new(self.spare.next_u64())),
            None => false,
        }
    }
}

/// The same root once more.
fn again<W: World>(root: &Root<GdlGame<W>>) -> Option<Root<GdlGame<W>>> {
    match root {
        Root::Certain(state) => Some(Root::Certain(state.clone())),
        Root::Belief(belief) => {
            let shared = belief.as_any()?.downcast_ref::<SharedBelief<W>>()?;
            Some(Root::Belief(Box::new(shared.clone())))
        }
    }
}
