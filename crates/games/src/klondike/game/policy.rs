//! How playouts choose: at random, or greedily by the paper's preferences.

use patience_model::Rng;
use patience_plan::uct::{Policy, Workspace};

use super::state::{Stand, State, nth_of};
use super::{Action, Card, Kind, Klondike};

/// Every action alike, like [`patience_plan::uct::Uniform`] but without listing them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformPlay;

/// Always the first action in the paper's order of preference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Greedy;

impl Klondike {
    /// One of the legal actions, each alike; `None` if the game is over.
    #[inline]
    pub fn random_action(&self, state: &State, rng: &mut Rng) -> Option<Action> {
        if state.stand == Stand::Won {
            return None;
        }
        // A card goes home or comes back in one way, and to a column in one way: two sets of cards
        // hold all actions, which saves counting seven.
        let [reveal_up, up, stock_up, reveal, stock, back, empty] = self.groups(state);
        let (home, column) = (reveal_up | up | stock_up | back, reveal | stock | empty);
        let (homes, columns) = (home.count_ones(), column.count_ones());
        let nth = match homes + columns {
            0 => return None,
            1 => 0,
            count => rng.below(u64::from(count)) as u32,
        };
        let (bit, kinds) = if nth < homes {
            (
                nth_of(home, nth),
                [(Kind::StockToFoundation, stock_up), (Kind::FoundationToColumn, back)],
            )
        } else {
            (nth_of(column, nth - homes), [(Kind::StockToColumn, stock), (Kind::StockToColumn, 0)])
        };
        let card = Card::at(u32::from(bit));
        let kind = match kinds.iter().find(|(_, cards)| cards & card.mask() != 0) {
            Some(&(kind, _)) => kind,
            None if nth < homes => Kind::ColumnToFoundation,
            None => Kind::ColumnToColumn,
        };
        Some(Action { kind, card })
    }

    /// The first action in the order of preference; `None` if the game is over.
    #[inline]
    pub fn greedy_action(&self, state: &State) -> Option<Action> {
        if state.stand == Stand::Won { None } else { self.first(state) }
    }

    /// Plays on at random; whether the game was won, and after how many moves.
    #[inline]
    pub fn random_playout(&self, mut state: State, rng: &mut Rng) -> (bool, u32) {
        let mut moves = 0;
        while let Some(action) = self.random_action(&state, rng) {
            self.play(&mut state, action, rng);
            self.judge(&mut state);
            moves += 1;
        }
        (state.stand == Stand::Won, moves)
    }
}

impl Policy<Klondike> for UniformPlay {
    #[inline]
    fn choose(
        &self,
        game: &Klondike,
        state: &State,
        workspace: &mut Workspace<Klondike>,
    ) -> Option<Action> {
        game.random_action(state, &mut workspace.rng)
    }
}

impl Policy<Klondike> for Greedy {
    #[inline]
    fn choose(
        &self,
        game: &Klondike,
        state: &State,
        _workspace: &mut Workspace<Klondike>,
    ) -> Option<Action> {
        game.greedy_action(state)
    }
}
