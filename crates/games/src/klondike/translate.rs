//! Between the game on the table and the games that planners think about.

use super::solver::lower;
use super::{
    Action, Klondike, KlondikeError, KlondikeTable, Move, Position, PositionError, State,
    StockAction, StockKlondike, StockState,
};

impl KlondikeTable {
    /// A position as a state of the paper's game: only what the player may know of it.
    ///
    /// # Errors
    /// If the game cannot be played from there: its rules are others, or the stock is not known yet.
    pub fn lift(&self, game: &Klondike, position: &Position) -> Result<State, KlondikeError> {
        game.state(&position.seen(self.rules().view()))
    }

    /// The moves on the table that an action of the paper's game is: the stock is turned first where
    /// the card lies in it, and what lies on the card is moved aside.
    ///
    /// # Errors
    /// If the action cannot be played here.
    pub fn lower(&self, position: &Position, action: Action) -> Result<Vec<Move>, String> {
        lower(self.rules(), &self.dealt(position), action)
    }

    /// A position as a state of the game in which turning the stock is a decision: only what the player
    /// may know of it.
    ///
    /// # Errors
    /// If the game has other rules by which this is no position.
    pub fn lift_stock(
        &self,
        game: &StockKlondike,
        position: &Position,
    ) -> Result<StockState, PositionError> {
        game.state(&position.seen(self.rules().view()))
    }

    /// The moves on the table that an action of that game is.
    ///
    /// # Errors
    /// If the action cannot be played here.
    pub fn lower_stock(
        &self,
        game: &StockKlondike,
        position: &Position,
        action: StockAction,
    ) -> Result<Vec<Move>, String> {
        match action {
            StockAction::Turn => {
                // Where looking loses nothing, all of the stock is looked at in one go.
                let Position { stock, waste, .. } = position;
                let (draw, free) = (usize::from(self.rules().draws()), game.turns_are_free());
                let all = free && waste.len().is_multiple_of(draw);
                Ok(vec![Move::Turn; if all { stock.len().div_ceil(draw) } else { 1 }])
            }
            StockAction::Play(action) => self.lower(position, action),
        }
    }
}
