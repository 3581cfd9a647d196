//! Klondike move by move on plain piles, for the rules that the fast action space does not cover:
//! redeals that are limited, a stock that is unknown until it is turned, the Las Vegas score. Every
//! turn of the stock is then a decision of its own.
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
use super::{Card, Deal, Move, Position, PositionError, Rules};

/// What is rewarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// 1 for a win.
    #[default]
    Win,
    /// The pack is bought for 52, paid with the first move, and a card on a foundation pays 5.
    Vegas,
}

/// Klondike on a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableKlondike {
    rules: Rules,
    scoring: Scoring,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableState {
    position: Position,
    /// Hashes of the positions since the last move that cannot be undone.
    trail: Vec<u64>,
    /// Whether the pack is paid.
    begun: bool,
}

impl TableState {
    /// The piles, with what lies face down.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// The cards that came to light with a move.
pub type Seen = [Option<Card>; 3];

impl TableKlondike {
    /// The game by these rules.
    pub fn new(rules: Rules, scoring: Scoring) -> TableKlondike {
        TableKlondike { rules, scoring }
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
    pub fn state(&self, position: &Position) -> Result<TableState, PositionError> {
        position.check(&self.rules)?;
        let trail = vec![self.hash(position)];
        Ok(TableState { position: position.clone(), trail, begun: !position.is_start() })
    }

    /// The start of a deal.
    pub fn deal(&self, deal: &Deal) -> Result<TableState, PositionError> {
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

/// How many cards lie face down.
fn face_down(position: &Position) -> usize {
    position.columns.iter().map(|column| column.down.len()).sum()
}

impl Game for TableKlondike {
    type State = TableState;
    type Action = Move;
    type Obs = Seen;

    fn start(&self, rng: &mut Rng) -> TableState {
        let position = Position::deal(&self.rules, &Deal::shuffled(&self.rules, rng));
        let trail = vec![self.hash(&position)];
        TableState { position, trail, begun: false }
    }

    fn actions(&self, state: &TableState, out: &mut Vec<Move>) {
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

    fn step(&self, state: &mut TableState, action: Move, rng: &mut Rng) -> Step<Seen> {
        let home = |position: &Position| -> i32 {
            position.foundations.iter().map(|&count| i32::from(count)).sum()
        };
        let (cards, down, waste) =
            (home(&state.position), face_down(&state.position), state.position.waste.len());
        if state.position.check_known().is_err() {
            // Only a planner's state has unknown cards: all are drawn now.
            state.position = self.fill(&state.position, rng);
        }
        let played = self.rules.play(&mut state.position, action);
        debug_assert!(played.is_ok(), "{action}: {played:?}");
        let mut seen: Seen = [None; 3];
        if action == Move::Turn {
            let turned = state.position.waste.get(waste..).unwrap_or_default();
            for (place, &card) in seen.iter_mut().zip(turned) {
                *place = Some(card);
            }
        } else if face_down(&state.position) < down
            && let Move::ColumnToFoundation(from) | Move::ColumnToColumn { from, .. } = action
        {
            seen[0] = state.position.columns[usize::from(from)].up.last().copied();
        }
        let taken = matches!(action, Move::WasteToColumn(_) | Move::WasteToFoundation);
        if face_down(&state.position) < down || taken {
            state.trail.clear();
        }
        state.trail.push(self.hash(&state.position));
        let reward = match self.scoring {
            Scoring::Win => f64::from(u8::from(state.position.is_won(&self.rules))),
            Scoring::Vegas => {
                let stake = if state.begun { 0 } else { self.rules.pack_size() as i32 };
                f64::from(5 * (home(&state.position) - cards) - stake)
            }
        };
        state.begun = true;
        Step { reward, obs: seen }
    }
}

impl TableKlondike {
    /// A position with every unknown card drawn, each order alike.
    fn fill(&self, position: &Position, rng: &mut Rng) -> Position {
        let mut filled = position.clone();
        let mut unseen = position.unseen(&self.rules);
        rng.shuffle(&mut unseen);
        let down = filled.columns.iter_mut().flat_map(|column| &mut column.down);
        for card in down.chain(&mut filled.stock).filter(|card| card.is_none()) {
            *card = unseen.pop();
        }
        filled
    }
}

/// What is known is what the player sees by the view of the rules.
impl Hidden for TableKlondike {
    type Known = TableState;

    fn known(&self, state: &TableState) -> TableState {
        let position = state.position.seen(self.rules.view());
        TableState { position, ..state.clone() }
    }

    fn draw(&self, known: &TableState, rng: &mut Rng) -> TableState {
        TableState { position: self.fill(&known.position, rng), ..known.clone() }
    }
}

impl Text for TableKlondike {
    /// PySol's text, with unknown cards where the player does not see them.
    fn state_text(&self, state: &TableState) -> String {
        let seen = state.position.seen(self.rules.view());
        Format::Pysol.write(&seen).unwrap_or_default().trim_end().to_owned()
    }

    fn action_text(&self, _state: &TableState, action: Move) -> String {
        action.to_string()
    }
}
