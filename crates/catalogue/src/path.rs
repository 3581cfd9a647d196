//! The way to a position: with it a game that was begun here is gone on with elsewhere.

use patience_model::Rng;

use crate::game::{AnyGame, DealName};
use crate::state::AnyState;

/// Where a game began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// At the deal of its seed.
    #[default]
    Seed,
    /// At a deal by its name; see [`AnyGame::deal`].
    Deal(String),
    /// At a position, from its text.
    Text(String),
}

/// Where a game began, and the moves since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    /// The seed of its deal, where nothing else says where it began, and of its chance.
    pub seed: u64,
    /// Which of the games of this seed it is: 0 the first one, as [`AnyGame::start`] has it. Those after
    /// it have deals and chance of their own.
    pub number: u64,
    /// Where it began.
    pub origin: Origin,
    /// The moves, each by its place among the legal ones.
    pub moves: Vec<u32>,
}

impl Path {
    /// Where the first game of a seed begins.
    pub fn of(seed: u64) -> Path {
        Path { seed, ..Path::default() }
    }
}

/// The seed of chance where only a deal is named: `7` for `7` and `seed:7`, and 0 for names without a
/// number.
pub fn chance_of(deal: &str) -> u64 {
    let deal = deal.trim();
    deal.strip_prefix("seed:").unwrap_or(deal).trim().parse().unwrap_or(0)
}

/// The stream of a game, by what it is for.
pub(crate) fn stream(purpose: &str, seed: u64, number: u64) -> Rng {
    match number {
        0 => Rng::named(seed, &[purpose]),
        _ => Rng::named(seed, &[purpose, &number.to_string()]),
    }
}

/// That a move of a path leads nowhere.
pub(crate) fn no_such_move(number: usize, place: u32, legal: usize) -> String {
    format!("move {number} is at place {place} of {legal} legal moves")
}

impl AnyGame {
    /// The path that begins at a deal by its name, and has no move. `seed` is that of chance.
    ///
    /// # Errors
    /// If the name is no deal's.
    pub fn path_from(&self, deal: &str, seed: u64) -> Result<Path, String> {
        Ok(match DealName::read(deal, self.info.deals)? {
            DealName::Seed(own) if own == seed => Path::of(seed),
            _ => Path { origin: Origin::Deal(deal.trim().to_owned()), ..Path::of(seed) },
        })
    }

    /// The game of a path, gone on with where it ends.
    ///
    /// # Errors
    /// If there is no such deal or position, or a move is not legal.
    pub fn follow(&self, path: &Path) -> Result<AnyState, String> {
        let mut state = match &path.origin {
            Origin::Seed => self.nth(path.seed, path.number),
            Origin::Deal(name) => self.deal(name, path.seed)?,
            Origin::Text(text) => self.read(text, path.seed)?,
        };
        for (number, &place) in (1..).zip(&path.moves) {
            let legal = state.count();
            let stepped = state.step(place as usize);
            stepped.ok_or_else(|| no_such_move(number, place, legal))?;
        }
        Ok(state)
    }
}
