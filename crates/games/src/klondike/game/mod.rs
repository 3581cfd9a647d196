//! Klondike with hidden cards as a game for planners: the paper's action space.
//!
//! All turns of the stock are absorbed into the moves that take a card from it (the paper's
//! "turn-deck" macro): every card that turning can bring to the top of the waste is within reach.
//! Moves of parts of runs that turn nothing up are absorbed too, by the fast engine's
//! representation ([`solver`](super::solver)). Actions come in the paper's order of preference:
//! 1. from a column to a foundation, turning up a card;
//! 2. to a foundation;
//! 3. from a column to another, turning up a card;
//! 4. from the stock to a column;
//! 5. from a foundation to a column;
//! 6. from a column to another, turning up nothing (which empties the column).
//!
//! A card comes back from its foundation only where that can be of use ([`TakingBack`]).
//!
//! An action that leads back to a position visited before in the game is not offered, so every
//! game ends. Once nothing lies face down, the greedy play (always the first action) is tried, and
//! if it wins the game is won, unless it is to be played to the last card ([`Ending`]).
//!
//! The reward is 1 for a win, with the move that wins.

mod encoded;
mod hop;
mod leaf;
mod nested;
mod policy;
mod rollouts;
mod state;
mod stock;
mod text;
mod value;

use patience_model::{Game, Hidden, Rng, Step};

use super::{Card, Deal, Place, Position, PositionError, Rules, View};
pub use hop::{Hop, Ties};
pub use leaf::SolverLeaf;
pub use nested::NestedRollout;
pub use policy::{Greedy, UniformPlay};
use state::Stand;
pub use state::State;
pub use stock::{StockAction, StockKlondike, StockState};
pub use value::Heuristic;

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// From a column to its foundation.
    ColumnToFoundation,
    /// From the stock to its foundation.
    StockToFoundation,
    /// The card and all that lies on it from one column to another.
    ColumnToColumn,
    /// From the stock to a column.
    StockToColumn,
    /// From its foundation to a column.
    FoundationToColumn,
}

/// A move: which card, and from where to where. Which column takes it makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// From where to where.
    pub kind: Kind,
    /// The card.
    pub card: Card,
}

/// What the sets of actions are, in the order of preference.
const KINDS: [Kind; 7] = [
    Kind::ColumnToFoundation,
    Kind::ColumnToFoundation,
    Kind::StockToFoundation,
    Kind::ColumnToColumn,
    Kind::StockToColumn,
    Kind::FoundationToColumn,
    Kind::ColumnToColumn,
];

/// Which cards may come back from the foundations, of those that have a place to go to and that
/// need not stay home (Bjarnason et al. 2007: a card of which all cards two ranks below are home).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TakingBack {
    /// One on which a card can be laid at once: one of the stock that is within reach, or the lowest
    /// face-up card of a column with all that lies on it. The paper does not say so, but its
    /// baselines are met with this reading and with no other that was tried.
    #[default]
    Useful,
    /// Any.
    Any,
}

/// When a game is won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Once nothing lies face down and greedy play gets all cards home, as in the paper.
    #[default]
    Greedy,
    /// Once all cards are home: for people, who play on.
    Home,
}

/// Klondike for planners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Klondike {
    rules: Rules,
    taking_back: TakingBack,
    ending: Ending,
}

/// Why Klondike cannot be played so, or from there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KlondikeError {
    /// The position is none.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Rules that the action space does not cover.
    #[error("planners need redeals without limit and the view in which the stock is known")]
    Rules,
    /// An unknown card in the stock.
    #[error("{0}: the card is unknown, but in this view all of the stock is known")]
    UnknownStock(Place),
}

impl Klondike {
    /// The game by these rules.
    ///
    /// # Errors
    /// If redeals are limited or the view is strict: turns are then decisions of their own.
    pub fn new(rules: Rules) -> Result<Klondike, KlondikeError> {
        if rules.redeals().is_some() || rules.view() != View::Plus {
            return Err(KlondikeError::Rules);
        }
        Ok(Klondike::by(rules))
    }

    /// The same by rules that are known to fit.
    fn by(rules: Rules) -> Klondike {
        Klondike { rules, taking_back: TakingBack::default(), ending: Ending::default() }
    }

    /// The same with another rule for cards that come back.
    pub fn with_taking_back(self, taking_back: TakingBack) -> Klondike {
        Klondike { taking_back, ..self }
    }

    /// Which cards may come back.
    pub fn taking_back(&self) -> TakingBack {
        self.taking_back
    }

    /// The same with another end.
    pub fn with_ending(self, ending: Ending) -> Klondike {
        Klondike { ending, ..self }
    }

    /// When a game is won.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A state of a position. Face-down cards that the position names are fixed; unknown ones are
    /// drawn when they are turned up.
    ///
    /// # Errors
    /// If the position is none by these rules.
    pub fn state(&self, position: &Position) -> Result<State, KlondikeError> {
        position.check(&self.rules)?;
        let unknown = position.stock.iter().rev().position(Option::is_none);
        if let Some(at) = unknown {
            return Err(KlondikeError::UnknownStock(Place::Stock(at + 1)));
        }
        let mut state = State::new(&self.rules, position);
        self.judge(&mut state);
        Ok(state)
    }

    /// The state in which a deal starts.
    pub fn deal(&self, deal: &Deal) -> Result<State, KlondikeError> {
        self.state(&Position::deal(&self.rules, deal))
    }

    /// The same state with nothing fixed that lies face down: what turns up is then drawn at that
    /// moment, each unseen card alike. This is the paper's stochastic planning problem, and what a
    /// search with a limited sampling width must start from.
    pub fn open(&self, state: &State) -> State {
        state.opened()
    }

    /// Whether the game was won.
    pub fn is_won(&self, state: &State) -> bool {
        state.stand == Stand::Won
    }

    /// The legal actions as sets of cards, by [`KINDS`], in the order of preference.
    #[inline]
    fn groups(&self, state: &State) -> [u64; 7] {
        let masks = state.masks();
        let core = &state.core;
        let up = masks.free & masks.next;
        let mut plain_up = up & !core.locked;
        // A card need not come back once all cards two ranks below it are home (Bjarnason et al.
        // 2007): what could be laid on it can go home as well.
        let lowest = core.home.iter().fold(13, |least, &count| count.min(least));
        let high = u64::MAX << (4 * u32::from(lowest) + 8);
        let mut back = state.tops() & masks.fits & high;
        if self.taking_back == TakingBack::Useful && back != 0 {
            back &= parents(state.reach | core.visible & core.locked);
        }
        if plain_up | back != 0 && state.has_trail() {
            (plain_up, back) = unvisited(state, plain_up, back);
        }
        let plain_up = plain_up | up & core.locked & !state.covers;
        let placed = core.visible & core.locked & masks.fits;
        [
            up & state.covers,
            plain_up,
            state.reach & masks.next,
            placed & state.covers,
            state.reach & masks.fits,
            back,
            placed & !state.covers,
        ]
    }

    /// The first action in the order of preference.
    #[inline]
    fn first(&self, state: &State) -> Option<Action> {
        let groups = self.groups(state);
        let place = groups.iter().position(|cards| *cards != 0)?;
        Some(Action { kind: KINDS[place], card: Card::at(groups[place].trailing_zeros()) })
    }

    /// Plays an action without looking whether it wins; gives the card turned up.
    #[inline]
    fn play(&self, state: &mut State, action: Action, rng: &mut Rng) -> Option<Card> {
        let Action { kind, card } = action;
        let mut seen = None;
        let mut undoable = false;
        match kind {
            Kind::ColumnToFoundation => {
                state.core.visible &= !card.mask();
                state.core.home[card.suit_index()] += 1;
                if state.core.locked & card.mask() != 0 {
                    seen = state.unlock(card, rng);
                } else {
                    undoable = true;
                }
            }
            Kind::StockToFoundation => {
                state.take(card);
                state.core.home[card.suit_index()] += 1;
            }
            Kind::ColumnToColumn => seen = state.unlock(card, rng),
            Kind::StockToColumn => {
                state.take(card);
                state.core.visible |= card.mask();
            }
            Kind::FoundationToColumn => {
                state.core.home[card.suit_index()] -= 1;
                state.core.visible |= card.mask();
                undoable = true;
            }
        }
        if undoable {
            state.visit();
        } else {
            state.begin_trail();
        }
        seen
    }

    /// Whether the game is won: all cards home, or nothing face down and greedy play gets there.
    #[inline]
    fn judge(&self, state: &mut State) {
        if state.unseen != 0 {
            return;
        }
        if self.ending == Ending::Home {
            if state.layout.won(&state.core) {
                state.stand = Stand::Won;
            }
            return;
        }
        let mut ahead = *state;
        // Nothing is hidden any more, so no chance is left.
        let mut rng = Rng::new(0);
        loop {
            if ahead.layout.won(&ahead.core) {
                state.stand = Stand::Won;
                return;
            }
            match self.first(&ahead) {
                Some(action) => {
                    self.play(&mut ahead, action, &mut rng);
                }
                None => return,
            }
        }
    }
}

/// The cards on which a card of a set may be laid.
#[inline]
fn parents(cards: u64) -> u64 {
    // Both parents are in the same pair of bits, four bits up.
    const LOW: u64 = 0x5555_5555_5555_5555;
    let up = cards << 4;
    up | (up & LOW) << 1 | (up >> 1) & LOW
}

/// Of the cards that can go home or come back, those that lead to a position not visited yet.
#[inline]
fn unvisited(state: &State, mut up: u64, mut back: u64) -> (u64, u64) {
    if !state.may_take_back() {
        back = 0;
    }
    let (mut rest, home) = (up | back, state.core.home);
    while rest != 0 {
        let card = Card::at(rest.trailing_zeros());
        rest &= rest - 1;
        let mut after = home;
        let change = if up & card.mask() != 0 { 1 } else { u8::MAX };
        let count = &mut after[card.suit_index()];
        *count = count.wrapping_add(change);
        if state.was_visited(after) {
            (up, back) = (up & !card.mask(), back & !card.mask());
        }
    }
    (up, back)
}

impl Game for Klondike {
    type State = State;
    type Action = Action;
    /// The card turned up, if one was.
    type Obs = Option<Card>;

    fn start(&self, rng: &mut Rng) -> State {
        let position = Position::deal(&self.rules, &Deal::shuffled(&self.rules, rng));
        let mut state = State::new(&self.rules, &position);
        self.judge(&mut state);
        state
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if state.stand == Stand::Won {
            return;
        }
        for (kind, mut cards) in KINDS.into_iter().zip(self.groups(state)) {
            while cards != 0 {
                out.push(Action { kind, card: Card::at(cards.trailing_zeros()) });
                cards &= cards - 1;
            }
        }
    }

    #[inline]
    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<Option<Card>> {
        let obs = self.play(state, action, rng);
        self.judge(state);
        Step { reward: if state.stand == Stand::Won { 1.0 } else { 0.0 }, obs }
    }
}

/// What is known is the state with nothing fixed; a draw fixes the face-down cards, each order
/// alike.
impl Hidden for Klondike {
    type Known = State;

    fn known(&self, state: &State) -> State {
        state.opened()
    }

    fn draw(&self, known: &State, rng: &mut Rng) -> State {
        known.dealt(rng)
    }
}
