//! The suite that every game is put through, with one line.
//!
//! ```
//! # use patience_model::{Game, Keyed, Rng, Step, conformance};
//! # struct Countdown;
//! # impl Game for Countdown {
//! #     type State = u8;
//! #     type Action = u8;
//! #     type Obs = ();
//! #     fn start(&self, _: &mut Rng) -> u8 { 9 }
//! #     fn actions(&self, s: &u8, out: &mut Vec<u8>) { out.clear(); out.extend(1..=(*s).min(3)); }
//! #     fn step(&self, s: &mut u8, a: u8, _: &mut Rng) -> Step<()> {
//! #         *s -= a;
//! #         Step { reward: -1.0, obs: () }
//! #     }
//! # }
//! # impl Keyed for Countdown {
//! #     type Key = u8;
//! #     fn key(&self, s: &u8) -> u8 { *s }
//! # }
//! conformance::of(&Countdown).keyed().check();
//! ```
//!
//! Each capability that the game has adds its checks: [`Suite::keyed`], [`Suite::undoes`],
//! [`Suite::outcomes`], [`Suite::hidden`]. All play is random but fixed by the [`Suite::seed`], so
//! a violation that was found once is found again. A game that passes has not been proved right;
//! a [`Violation`] is always one.

mod hidden;
mod keyed;
mod outcomes;
mod play;
mod undo;
mod violation;

use std::fmt::{self, Debug};

use crate::{Game, Hidden, Keyed, Outcomes, Undo};
use play::{Moment, Play};
pub use violation::{Property, Violation};

/// A group of checks on the recorded plays; gives the number of comparisons made.
type Check<G> = fn(&Suite<'_, G>, &[Play<G>]) -> Result<u64, Violation>;

/// What the state's type says to be the same state.
type Same<S> = fn(&S, &S) -> bool;

/// Starts a suite for this game, with the checks that every game must pass.
pub fn of<G: Game>(game: &G) -> Suite<'_, G> {
    Suite {
        game,
        seed: 1,
        games: 20,
        limit: 10_000,
        samples: 2_000,
        endless: false,
        checks: vec![play::replays],
        key_text: None,
        same_key: None,
    }
}

/// The checks that a game will be put through. Built by [`of`].
pub struct Suite<'g, G: Game> {
    game: &'g G,
    seed: u64,
    games: u64,
    limit: u64,
    samples: u64,
    endless: bool,
    checks: Vec<Check<G>>,
    /// The key as text, once the suite knows that there is one: other checks compare it too.
    key_text: Option<fn(&G, &G::State) -> String>,
    same_key: Option<Same<G::State>>,
}

impl<G: Game> Debug for Suite<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite")
            .field("seed", &self.seed)
            .field("games", &self.games)
            .field("limit", &self.limit)
            .field("samples", &self.samples)
            .field("endless", &self.endless)
            .field("groups", &self.checks.len())
            .finish_non_exhaustive()
    }
}

/// What was looked at by a suite that found no violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played.
    pub games: u64,
    /// Games that came to their end.
    pub ended: u64,
    /// Moves played in them.
    pub moves: u64,
    /// Comparisons made.
    pub comparisons: u64,
}

impl<'g, G: Game> Suite<'g, G> {
    /// The seed of all random play; 1 unless set.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many games are played; 20 unless set.
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// The number of moves within which random play must come to an end; 10 000 unless set.
    pub fn limit(mut self, moves: u64) -> Self {
        self.limit = moves;
        self
    }

    /// How many samples are drawn where frequencies are compared; 2 000 unless set.
    pub fn samples(mut self, samples: u64) -> Self {
        self.samples = samples;
        self
    }

    /// Games need not end: they are cut at the limit.
    pub fn endless(mut self) -> Self {
        self.endless = true;
        self
    }

    /// Adds: equal states have equal keys, and different states different ones.
    pub fn keyed(self) -> Self
    where
        G: Keyed,
        G::State: PartialEq + Debug,
    {
        self.keyed_up_to(|a, b| a == b)
    }

    /// Like [`Suite::keyed`] for a key that takes some states to be alike: `same` says, slowly and
    /// obviously, which.
    pub fn keyed_up_to(mut self, same: fn(&G::State, &G::State) -> bool) -> Self
    where
        G: Keyed,
        G::State: Debug,
    {
        self.checks.push(keyed::keys);
        self.key_text = Some(|game, state| format!("{:?}", game.key(state)));
        self.same_key = Some(same);
        self
    }

    /// Adds: [`Undo::apply`] does what [`Game::step`] does, and [`Undo::undo`] restores the state.
    pub fn undoes(mut self) -> Self
    where
        G: Undo,
        G::State: PartialEq + Debug,
    {
        self.checks.push(undo::restores);
        self
    }

    /// Adds: outcomes have probabilities that sum to 1, observations of their own, and are what
    /// [`Game::step`] samples, as often as they say.
    pub fn outcomes(mut self) -> Self
    where
        G: Outcomes,
        G::State: PartialEq + Debug,
    {
        self.checks.push(outcomes::listed);
        self
    }

    /// Adds: nothing hidden leaks through actions or observations, and states drawn from what is
    /// known agree with it and come as often as they should.
    pub fn hidden(mut self) -> Self
    where
        G: Hidden,
        G::State: PartialEq + Debug,
    {
        self.checks.push(hidden::nothing_leaks);
        self.checks.push(hidden::draws_as_dealt);
        self
    }

    /// Runs all checks; the first violation found ends the run.
    pub fn run(&self) -> Result<Report, Violation> {
        let discount = self.game.discount();
        if !(0.0..=1.0).contains(&discount) {
            let detail = format!("it is {discount}");
            return Err(self.violation(Property::DiscountInRange, 0, None, detail));
        }
        let mut report = Report::default();
        let mut plays = Vec::new();
        for number in 0..self.games {
            let play = play::record(self, number)?;
            report.games += 1;
            report.ended += u64::from(play.ended);
            report.moves += play.moves.len() as u64;
            plays.push(play);
        }
        for check in &self.checks {
            report.comparisons += check(self, &plays)?;
        }
        Ok(report)
    }

    /// Runs all checks.
    ///
    /// # Panics
    /// If the game violates a property; the message names it, with the seed and the move.
    #[track_caller]
    pub fn check(&self) -> Report {
        match self.run() {
            Ok(report) => report,
            Err(violation) => panic!("{violation}"),
        }
    }

    fn violation(
        &self,
        property: Property,
        game: u64,
        after_moves: Option<usize>,
        detail: String,
    ) -> Violation {
        let after_moves = after_moves.map(|n| n as u64);
        Violation { property, seed: self.seed, game, after_moves, detail }
    }
}

/// About `wanted` moments spread evenly over all plays, with their play's and their own number.
fn spread<G: Game>(
    plays: &[Play<G>],
    wanted: usize,
) -> impl Iterator<Item = (&Play<G>, usize, &Moment<G>)> {
    let total: usize = plays.iter().map(|p| p.moves.len()).sum();
    let every = total.div_ceil(wanted).max(1);
    plays
        .iter()
        .flat_map(|play| play.moves.iter().enumerate().map(move |(i, m)| (play, i, m)))
        .step_by(every)
}
