//! How games in which turning the stock is a move are valued by planners: by greedy play, or by the
//! thoughtful solver.

use patience_model::{Game, Hidden, Rng};
use patience_plan::uct::{Leaf, Policy, Workspace};

use super::{Klondike, Move, Position, Rules, Scoring, SolverLeaf, StockKlondike, StockState};

/// Moves a card home where it can, else turns one up, else takes one from the waste, else turns the
/// stock; what takes a card back from its foundation comes last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StockGreedy;

fn preference(position: &Position, m: Move) -> u8 {
    match m {
        Move::ColumnToFoundation(_) => 0,
        Move::WasteToFoundation => 1,
        Move::ColumnToColumn { from, count, .. } => {
            let column = &position.columns[usize::from(from)];
            let turns_up = column.up.len() == usize::from(count) && !column.down.is_empty();
            if turns_up { 2 } else { 5 }
        }
        Move::WasteToColumn(_) => 3,
        Move::Turn | Move::Redeal => 4,
        Move::FoundationToColumn { .. } => 6,
    }
}

impl Policy<StockKlondike> for StockGreedy {
    /// Of the most preferred moves any.
    fn choose(
        &self,
        game: &StockKlondike,
        state: &StockState,
        workspace: &mut Workspace<StockKlondike>,
    ) -> Option<Move> {
        let position = state.position();
        game.actions(state, &mut workspace.legal);
        let best = workspace.legal.iter().map(|&m| preference(position, m)).min()?;
        workspace.legal.retain(|&m| preference(position, m) == best);
        Some(workspace.rng.pick(&workspace.legal))
    }
}

/// Values a leaf by the thoughtful solver, as [`SolverLeaf`] does, with what is unknown drawn. Only
/// for games in which redeals have no limit and a win is all that counts: the solver knows no others.
#[derive(Clone, Debug)]
pub struct StockSolverLeaf {
    open: Klondike,
    solver: SolverLeaf,
}

impl StockSolverLeaf {
    /// The leaf for a game; `None` if the solver does not know its rules.
    pub fn new(game: &StockKlondike, solver: SolverLeaf) -> Option<StockSolverLeaf> {
        let rules = game.rules();
        if rules.redeals().is_some() || game.scoring() != Scoring::Win {
            return None;
        }
        let open = Klondike::new(Rules::draw(rules.draws().into()).ok()?).ok()?;
        Some(StockSolverLeaf { open, solver })
    }
}

impl Leaf<StockKlondike> for StockSolverLeaf {
    fn evaluate(
        &self,
        game: &StockKlondike,
        state: StockState,
        workspace: &mut Workspace<StockKlondike>,
    ) -> f64 {
        if state.position().is_won(game.rules()) {
            // The reward came with the move that won.
            return 0.0;
        }
        let filled = game.draw(&state, &mut workspace.rng);
        let Ok(state) = self.open.state(filled.position()) else { return 0.0 };
        if self.open.is_won(&state) {
            return 1.0;
        }
        let mut inner = Workspace::new(Rng::new(workspace.rng.next_u64()));
        let value = self.solver.evaluate(&self.open, state, &mut inner);
        workspace.model_calls += inner.model_calls;
        value
    }
}
