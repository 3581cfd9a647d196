//! What can be wrong with a game.

use std::fmt;

/// A property that every game, or every game with a capability, must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// The discount is in \[0, 1\].
    DiscountInRange,
    /// Random play comes to an end within the limit.
    Ends,
    /// The same state, or its clone, has the same actions in the same order.
    ActionsRepeatable,
    /// Actions replace what was in the buffer.
    ActionsReplace,
    /// No action is listed twice.
    ActionsDistinct,
    /// Every listed action can be played.
    ActionsPlayable,
    /// The same state, or its clone, has the same player to move.
    MinimisingRepeatable,
    /// Rewards are finite.
    RewardsFinite,
    /// The same stream gives the same play.
    SameStreamSamePlay,
    /// The same state has the same key, however it was reached.
    EqualKeys,
    /// Different states have different keys.
    DistinctKeys,
    /// Applying a move does what stepping does.
    ApplySteps,
    /// Undoing a move restores the state.
    UndoRestores,
    /// Outcomes have probabilities above 0 that sum to 1.
    ProbabilitiesSumToOne,
    /// Each outcome of a move has an observation of its own.
    ObservationsDistinct,
    /// What a step brings is one of the outcomes: observation, reward and state.
    OutcomesComplete,
    /// Outcomes come as often as their probabilities say.
    Frequencies,
    /// In a state drawn from what is known, the same is known.
    DrawAgrees,
    /// Actions and the player to move depend only on what is known.
    KnownDecidesActions,
    /// What is known after a move follows from what was known, the move and the observation.
    NothingLeaks,
    /// Where something is hidden, draws differ.
    DrawVaries,
    /// States are drawn as often as play leads to them.
    DrawFrequencies,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Property::DiscountInRange => "the discount is in [0, 1]",
            Property::Ends => "random play comes to an end within the limit",
            Property::ActionsRepeatable => "the same state has the same actions in the same order",
            Property::ActionsReplace => "actions replace what was in the buffer",
            Property::ActionsDistinct => "no action is listed twice",
            Property::ActionsPlayable => "every listed action can be played",
            Property::MinimisingRepeatable => "the same state has the same player to move",
            Property::RewardsFinite => "rewards are finite",
            Property::SameStreamSamePlay => "the same stream gives the same play",
            Property::EqualKeys => "the same state has the same key",
            Property::DistinctKeys => "different states have different keys",
            Property::ApplySteps => "applying a move does what stepping does",
            Property::UndoRestores => "undoing a move restores the state",
            Property::ProbabilitiesSumToOne => "outcome probabilities are above 0 and sum to 1",
            Property::ObservationsDistinct => "each outcome has an observation of its own",
            Property::OutcomesComplete => "what a step brings is one of the outcomes",
            Property::Frequencies => "outcomes come as often as their probabilities say",
            Property::DrawAgrees => "in a state drawn from what is known, the same is known",
            Property::KnownDecidesActions => "actions depend only on what is known",
            Property::NothingLeaks => "what is known changes only by what is observed",
            Property::DrawVaries => "draws of what is hidden differ",
            Property::DrawFrequencies => "states are drawn as often as play leads to them",
        })
    }
}

/// A property that the game does not have, and where that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The seed of the suite.
    pub seed: u64,
    /// The number of the game, from 0.
    pub game: u64,
    /// How many moves had been made, where the violation belongs to one position.
    pub after_moves: Option<u64>,
    /// What was seen.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "violated: {} (seed {}, game {}", self.property, self.seed, self.game)?;
        if let Some(moves) = self.after_moves {
            write!(f, ", after {moves} moves")?;
        }
        write!(f, "): {}", self.detail)
    }
}

impl std::error::Error for Violation {}
