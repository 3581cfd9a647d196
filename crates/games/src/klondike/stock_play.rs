//! How games in which turning the stock is a decision are valued by planners: by greedy play, or by the
//! thoughtful solver.

use patience_model::Rng;
use patience_plan::uct::{Leaf, Policy, Workspace};

use super::{SolverLeaf, StockAction, StockKlondike, StockState};

/// Always the first action in the order of preference: the paper's, with turning after all that takes
/// a card from the stock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StockGreedy;

impl Policy<StockKlondike> for StockGreedy {
    #[inline]
    fn choose(
        &self,
        game: &StockKlondike,
        state: &StockState,
        _workspace: &mut Workspace<StockKlondike>,
    ) -> Option<StockAction> {
        game.greedy_action(state)
    }
}

/// Values a leaf by the thoughtful solver, as [`SolverLeaf`] does, with what is unknown drawn. Only
/// for games in which redeals have no limit and a win is all that counts: the solver knows no others.
#[derive(Clone, Debug)]
pub struct StockSolverLeaf {
    solver: SolverLeaf,
}

impl StockSolverLeaf {
    /// The leaf for a game; `None` if the solver does not know its rules.
    pub fn new(game: &StockKlondike, solver: SolverLeaf) -> Option<StockSolverLeaf> {
        game.turns_are_free().then_some(StockSolverLeaf { solver })
    }
}

impl Leaf<StockKlondike> for StockSolverLeaf {
    fn evaluate(
        &self,
        game: &StockKlondike,
        state: StockState,
        workspace: &mut Workspace<StockKlondike>,
    ) -> f64 {
        if game.is_won(&state) {
            // The reward came with the move that won.
            return 0.0;
        }
        // The solver's leaf draws the face-down cards.
        let state = state.with_stock(&mut workspace.rng);
        let mut inner = Workspace::new(Rng::new(workspace.rng.next_u64()));
        let value = self.solver.evaluate(game.known_stock(), state, &mut inner);
        workspace.model_calls += inner.model_calls;
        value
    }
}
