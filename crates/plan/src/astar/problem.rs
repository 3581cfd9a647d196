//! The problem that A* solves, and what it finds out.

use super::{BitReader, BitWriter};

/// A shortest-path problem: from a start to any goal, at the least cost.
pub trait Problem {
    /// A state.
    type State: Clone + Send;

    /// What is computed for the state being expanded and used again for its successors. A value
    /// serves one problem only.
    type Work: Default + Send + std::fmt::Debug;

    /// The start of the path.
    fn start(&self) -> Self::State;

    /// Writes the state as bits: the same bits exactly for states that are equivalent.
    fn pack(&self, state: &Self::State, bits: &mut BitWriter);

    /// A state with these bits.
    fn unpack(&self, bits: &mut BitReader<'_>) -> Self::State;

    /// Whether the state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// A lower bound on the cost from the state to a goal (admissible), and 0 at a goal. `None` if
    /// the state is a dead end.
    fn estimate(&self, state: &Self::State) -> Option<u32>;

    /// The same if it only matters whether it exceeds `limit`: admissible, and above the limit if
    /// [`Problem::estimate`] is.
    fn estimate_up_to(&self, state: &Self::State, _limit: u32) -> Option<u32> {
        self.estimate(state)
    }

    /// Replaces the contents of `out` by the successors and their costs from the state.
    ///
    /// Successors whose cost plus estimate exceeds `limit` may be pruned. The answer is the least
    /// of the sums that were pruned, or a lower bound on it: the state is expanded again when the
    /// limit has risen that far.
    fn successors(
        &self,
        state: &Self::State,
        limit: u32,
        out: &mut Vec<(Self::State, u32)>,
    ) -> Option<u32>;

    /// [`Problem::successors`], before [`Problem::estimate_successor`] is asked about them.
    ///
    /// `parent` is the state's parent on the cheapest path known. A successor may be pruned if it
    /// is reached as cheaply by another path that is not pruned itself.
    fn expand(
        &self,
        state: &Self::State,
        _parent: Option<&Self::State>,
        limit: u32,
        _work: &mut Self::Work,
        out: &mut Vec<(Self::State, u32)>,
    ) -> Option<u32> {
        self.successors(state, limit, out)
    }

    /// [`Problem::estimate_up_to`], for a successor of the state expanded last.
    fn estimate_successor(
        &self,
        state: &Self::State,
        limit: u32,
        _work: &mut Self::Work,
    ) -> Option<u32> {
        self.estimate_up_to(state, limit)
    }
}

/// What A* has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Bounds on the least cost, both included. Without an upper bound there may be no path.
    Between {
        /// No path costs less.
        lower: u32,
        /// A path of this cost is known.
        upper: Option<u32>,
    },
    /// The least cost: no path costs less, and one of this cost is known.
    Optimal(u32),
    /// There is no path to a goal.
    Unsolvable,
}
