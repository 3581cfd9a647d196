//! Klondike for planners move by move on plain piles, for the rules that the paper's action space does
//! not cover: redeals that are limited, a stock that is unknown until it is turned, the Las Vegas
//! score. Every turn of the stock is then a decision of its own.
//!
//! Played by the obvious engine, so it is slow and plain. Left out are moves that can be of no use:
//! a king from an empty column to another, and a part of a run unless the card below it can then go
//! home (all else that it could be moved for can be had without it).
//!
//! A position that was there before since the last card was turned up or taken from the waste does
//! not come again, so every game ends.

use std::hash::{DefaultHasher, Hash, Hasher};

use patience_model::{Game, Hidden, Rng, Step, Text};

use super::format::Format;
use super::{Card, Deal, Move, Position, PositionError, Rules, Scoring, Seen};

/// Klondike in which turning the stock is a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockKlondike {
    rules: Rules,
    scoring: Scoring,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockState {
    position: Position,
    /// Hashes of the positions since the last move that cannot be undone.
    trail: Vec<u64>,
    /// Whether the pack is paid.
    begun: bool,
}

impl StockState {
    /// The piles, with what lies face down.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl StockKlondike {
    /// The game by these rules.
    pub fn new(rules: Rules, scoring: Scoring) -> StockKlondike {
        StockKlondike { rules, scoring }
    }

    /// What a game is worth.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A game that goes on from a position; what is unknown in it is drawn by planners.
    ///
    /// # Errors
    /// If the position is none by these rules.
    pub fn state(&self, position: &Position) -> Result<StockState, PositionError> {
        position.check(&self.rules)?;
        let trail = vec![self.hash(position)];
        Ok(StockState { position: position.clone(), trail, begun: !position.is_start() })
    }

    /// The start of a deal.
    pub fn deal(&self, deal: &Deal) -> Result<StockState, PositionError> {
        self.state(&Position::deal(&self.rules, deal))
    }

    /// Whether a move can be of use at all.
    fn is_sensible(&self, position: &Position, m: Move) -> bool {
        let Move::ColumnToColumn { from, to, count } = m else { return true };
        let column = &position.columns[usize::from(from)];
        let rest = column.up.len() - usize::from(count);
        match rest.checked_sub(1).map(|below| column.up[below]) {
            Some(below) => position.foundations[below.suit() as usize] + 1 == below.rank(),
            None => !(column.down.is_empty() && position.columns[usize::from(to)].is_empty()),
        }
    }

    /// What tells positions apart between two moves that cannot be undone: nothing that is hidden.
    fn hash(&self, position: &Position) -> u64 {
        let mut hasher = DefaultHasher::new();
        for column in &position.columns {
            (column.down.len(), &column.up).hash(&mut hasher);
        }
        // The cards of stock and waste are the same until one is taken.
        (position.waste.len(), position.foundations).hash(&mut hasher);
        // Without a limit it matters only whether all of the stock has been seen.
        let redeals = self.rules.redeals().map_or(position.redeals.min(1), |_| position.redeals);
        redeals.hash(&mut hasher);
        hasher.finish()
    }
}

impl Game for StockKlondike {
    type State = StockState;
    type Action = Move;
    type Obs = Seen;

    fn start(&self, rng: &mut Rng) -> StockState {
        let position = Position::deal(&self.rules, &Deal::shuffled(&self.rules, rng));
        let trail = vec![self.hash(&position)];
        StockState { position, trail, begun: false }
    }

    fn actions(&self, state: &StockState, out: &mut Vec<Move>) {
        out.clear();
        if state.position.is_won(&self.rules) {
            return;
        }
        // What is hidden must not decide what is legal: any card will do in its place.
        let any = Card::of(0, 0);
        let mut known = state.position.clone();
        for card in known.columns.iter_mut().flat_map(|column| &mut column.down) {
            card.get_or_insert(any);
        }
        for card in &mut known.stock {
            card.get_or_insert(any);
        }
        for m in self.rules.moves(&known) {
            if !self.is_sensible(&known, m) {
                continue;
            }
            let mut next = state.position.clone();
            // A move that brings a card to light leads to no position that was there.
            if self.rules.play(&mut next, m).is_err() || !state.trail.contains(&self.hash(&next)) {
                out.push(m);
            }
        }
    }

    fn step(&self, state: &mut StockState, action: Move, rng: &mut Rng) -> Step<Seen> {
        if state.position.check_known().is_err() {
            // Only a planner's state has unknown cards: all are drawn now.
            state.position = state.position.filled(&self.rules, rng);
        }
        let step = self.scoring.play(&self.rules, &mut state.position, action, !state.begun);
        let taken = matches!(action, Move::WasteToColumn(_) | Move::WasteToFoundation);
        if taken || (action != Move::Turn && step.obs[0].is_some()) {
            state.trail.clear();
        }
        state.trail.push(self.hash(&state.position));
        state.begun = true;
        step
    }
}

/// What is known is what the player sees by the view of the rules.
impl Hidden for StockKlondike {
    type Known = StockState;

    fn known(&self, state: &StockState) -> StockState {
        let position = state.position.seen(self.rules.view());
        StockState { position, ..state.clone() }
    }

    fn draw(&self, known: &StockState, rng: &mut Rng) -> StockState {
        StockState { position: known.position.filled(&self.rules, rng), ..known.clone() }
    }
}

impl Text for StockKlondike {
    /// PySol's text, with unknown cards where the player does not see them.
    fn state_text(&self, state: &StockState) -> String {
        let seen = state.position.seen(self.rules.view());
        Format::Pysol.write(&seen).unwrap_or_default().trim_end().to_owned()
    }

    fn action_text(&self, _state: &StockState, action: Move) -> String {
        action.to_string()
    }
}
