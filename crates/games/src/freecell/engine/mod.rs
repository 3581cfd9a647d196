//! The fast engine: compact states, move generation, moves made and taken back.

mod encoded;
mod game;
mod make;
mod moves;
mod packing;
mod safe;
mod state;

pub(crate) use moves::Targets;
pub use packing::Packing;
pub use state::State;
pub(crate) use state::{BASE, CELL, HOME, NONE, bits, changed};

use super::rules::{Fill, MetricError, RulesError};
use super::{Card, Metric, Rules, Sequence};

/// A game of this family: rules, and the metric that says what one move is.
///
/// As a game for planners, its reward is 1 for every card that goes home. It is over when it is
/// solved or no move is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeCell {
    rules: Rules,
    metric: Metric,
    /// For each card, the cards it may be placed on.
    pub(crate) onto: [u64; 52],
    /// For each card, the cards that may be placed on it.
    pub(crate) takes: [u64; 52],
}

/// A game that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The rules do not have the metric.
    #[error(transparent)]
    Metric(#[from] MetricError),
}

/// From a cell, or to one.
pub(crate) const CELLS: u8 = 16;
/// To the foundations.
pub(crate) const HOMES: u8 = 17;

/// A move: a card, with the run on top of it, from a column or cell to a column, cell or home.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) card: u8,
    pub(crate) count: u8,
    from: u8,
    pub(crate) to: u8,
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = |p: u8| match p {
            CELLS => "cell".to_string(),
            HOMES => "home".to_string(),
            column => format!("column {}", column + 1),
        };
        let card = Card::from_index(self.card);
        write!(f, "{card} x{} {} -> {}", self.count, place(self.from), place(self.to))
    }
}

impl Move {
    /// The deepest card that moves.
    pub fn card(&self) -> Card {
        Card::from_index(self.card)
    }

    /// How many cards move.
    pub fn count(&self) -> u8 {
        self.count
    }

    /// The source column, unless the card comes from a cell.
    pub(crate) fn source(&self) -> Option<usize> {
        (self.from < CELLS).then_some(usize::from(self.from))
    }

    /// The target column, unless the card goes to a cell or home.
    pub(crate) fn target(&self) -> Option<usize> {
        (self.to < CELLS).then_some(usize::from(self.to))
    }

    /// Whether the card goes home.
    pub fn is_home(&self) -> bool {
        self.to == HOMES
    }
}

impl FreeCell {
    /// The game with these rules and this metric.
    pub fn new(rules: Rules, metric: Metric) -> Result<Self, GameError> {
        rules.check()?;
        metric.check(&rules)?;
        let mut onto = [0; 52];
        for (upper, onto) in onto.iter_mut().enumerate() {
            for lower in 0..rules.cards() {
                if rules.builds(Card::from_index(upper as u8), Card::from_index(lower)) {
                    *onto |= 1 << lower;
                }
            }
        }
        let mut takes = [0; 52];
        for (upper, &onto) in onto.iter().enumerate() {
            for lower in bits(onto) {
                takes[lower] |= 1 << upper;
            }
        }
        Ok(FreeCell { rules, metric, onto, takes })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many cards can move at once: onto a card, and into an empty column.
    #[inline]
    pub(crate) fn limits(&self, free_cells: u32, empty_columns: u32) -> (u32, u32) {
        match (self.metric, self.rules.sequence) {
            (Metric::Single, _) | (_, Sequence::Single) => (1, 1),
            (_, Sequence::Unlimited) => (13, 13),
            (metric, Sequence::Room) => {
                let empty = if self.rules.fill == Fill::Any { empty_columns } else { 0 };
                let cells = free_cells + 1;
                let others = if metric == Metric::Supermove { empty.saturating_sub(1) } else { 0 };
                (cells << empty, cells << others)
            }
        }
    }
}
