//! Klondike where the stock is to be turned: rules that the paper's action space does not cover.
//!
//! A card of the stock is unknown until it is turned ([`View::Strict`]), redeals are limited, or the
//! score is that of Las Vegas. The actions are the paper's, played by the same engine, and one more,
//! [`StockAction::Turn`]: as long as a card of the stock is unknown, turning is a decision, because it
//! brings cards to light, and of the stock only the top card of the waste can be taken. Once all of it
//! was seen, turns are absorbed again into the move that takes a card; where redeals are limited, that
//! move takes a redeal where it needs one. (Two would never be needed, and to take a card without a
//! redeal is as good as with one: the waste is the same after it.)
//!
//! **Turning first loses nothing** where redeals have no limit, only a win counts, and the waste holds
//! a whole number of turns (as it does before a card was taken from it, and always when cards are
//! turned one at a time). Let V(s) be the value of a state s in which cards of the stock are unknown, and
//! V⁺(s, z) that of the same state when the player knows the stock to be z. Then V(s) = E V⁺(s, z), the
//! mean over all stocks that agree with what was seen, and turning is an optimal move.
//!
//! *Proof.* V(s) ≤ E V⁺(s, z): who knows z can play as one who does not. V(s) ≥ E V⁺(s, z): turn the stock
//! to its end, turn the waste over, and turn back to where the waste was. All of the stock is known then,
//! no other pile was touched, and the cards that can be got at are those of s: after whole turns they are
//! every `draw`-th from the start of the stock and the last one (`Layout::aligned`). Nothing was paid for
//! it, as neither turns nor redeals count; so from there V⁺(s, z) is won. The first move of that plan is
//! to turn, so turning is optimal. ∎
//!
//! Where the waste holds no whole number of turns, cards can be got at from there that cannot after a
//! redeal, and with limited redeals a pass is worth something: there turning is a choice like others.

use patience_model::{Game, Hidden, Rng, Step, Text};

use super::super::scoring::seen_text;
use super::super::{Card, Deal, Kind, Position, PositionError, Rules, Scoring, Seen, View};
use super::state::{Stand, State, draw_from};
use super::text::text_of;
use super::{Action, Ending, KINDS, Klondike, TakingBack, parents};

/// Klondike in which turning the stock is a decision while cards of it are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockKlondike {
    rules: Rules,
    scoring: Scoring,
    /// The game of which all of the stock is known.
    pub(super) open: Klondike,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StockAction {
    /// Turn cards of the stock.
    Turn,
    /// An action of the paper's.
    Play(Action),
}

/// Redeals are not limited.
const NO_LIMIT: u8 = u8::MAX;

/// More redeals than any game can use: each but the first is followed by a card that is taken.
const MOST_REDEALS: u32 = 100;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockState {
    pub(super) inner: State,
    /// The places of the stock whose cards nobody has seen.
    pub(super) unturned: u32,
    /// How many of the cards left in waste and stock lie in the waste.
    waste: u8,
    /// How often the waste may still be turned over.
    redeals: u8,
    /// Whether what is unknown is not fixed: it is drawn when it comes to light.
    open: bool,
    /// Whether the pack is paid.
    begun: bool,
}

impl StockState {
    /// Whether a card of the stock is unknown.
    pub fn has_unknown_stock(&self) -> bool {
        self.unturned != 0
    }

    /// The places of the cards left in waste and stock, in the order of turning.
    fn places(&self) -> impl Iterator<Item = u32> {
        let mut left = self.inner.core.stock;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(place)
        })
    }

    /// The cards of waste and stock in so many places.
    fn cards(&self, mut places: u32) -> u64 {
        let mut cards = 0;
        while places != 0 {
            cards |= 1 << self.inner.layout.stock[places.trailing_zeros() as usize];
            places &= places - 1;
        }
        cards
    }

    /// Fills the unknown places of the stock with cards of all that are unknown.
    fn fill(&mut self, mut pick: impl FnMut(u64) -> u8) {
        let mut pool = self.inner.unseen | self.cards(self.unturned);
        let mut places = self.unturned;
        while places != 0 {
            let place = places.trailing_zeros();
            places &= places - 1;
            let card = pick(pool);
            pool &= !(1 << card);
            self.inner.layout.stock[place as usize] = card;
            self.inner.layout.place_of[usize::from(card)] = place as u8;
        }
        self.inner.unseen = pool;
        // In which column a face-down card lies is not for the open part to know.
        while pool != 0 {
            self.inner.layout.place_of[pool.trailing_zeros() as usize] = 0;
            pool &= pool - 1;
        }
    }

    /// The same with what is unknown not fixed, and nothing left of what it was.
    fn opened(&self) -> StockState {
        let mut open = StockState { inner: self.inner.opened(), open: true, ..*self };
        if self.unturned != 0 {
            open.fill(|pool| pool.trailing_zeros() as u8);
        }
        open
    }

    /// The same with the stock drawn, each order alike, and known from now on; face-down cards stay
    /// unknown.
    pub(in super::super) fn with_stock(&self, rng: &mut Rng) -> State {
        let mut drawn = self.opened();
        if self.unturned != 0 {
            drawn.fill(|pool| draw_from(pool, rng));
        }
        drawn.inner.settle_reach();
        drawn.inner
    }
}

impl StockKlondike {
    /// The game by these rules: any card may come back, and a game goes on until all cards are home.
    pub fn new(rules: Rules, scoring: Scoring) -> StockKlondike {
        let known = rules.with_view(View::Plus).with_redeals(None);
        let open = Klondike::by(known);
        let open = open.with_taking_back(TakingBack::Any).with_ending(Ending::Home);
        StockKlondike { rules, scoring, open }
    }

    /// The same with other rules for cards that come back and for the end of a game; `None` where the
    /// end cannot be foreseen, because redeals are limited or points count.
    pub fn with_game(self, open: Klondike) -> Option<StockKlondike> {
        let fits = open.ending() == Ending::Home || self.turns_are_free();
        fits.then_some(StockKlondike { open, ..self })
    }

    /// Whether turns cost nothing: redeals have no limit and only a win counts.
    pub fn turns_are_free(&self) -> bool {
        self.rules.redeals().is_none() && self.scoring == Scoring::Win
    }

    /// Whether looking through the stock loses nothing in a state: turns are free, and the waste holds
    /// a whole number of them.
    pub fn may_look(&self, state: &StockState) -> bool {
        let waste = u32::from(state.waste);
        let left = state.inner.core.stock.count_ones();
        self.turns_are_free() && state.inner.layout.aligned(waste, left) == 0
    }

    /// The game of which all of the stock is known.
    pub fn known_stock(&self) -> &Klondike {
        &self.open
    }

    /// What a game is worth.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The card on top of the waste, if there is one.
    pub fn waste_top(&self, state: &StockState) -> Option<Card> {
        let place = state.places().nth(usize::from(state.waste).checked_sub(1)?)?;
        Some(Card::at(u32::from(state.inner.layout.stock[place as usize])))
    }

    /// A game that goes on from a position. What it leaves unknown is drawn when it comes to light, and
    /// the cards of a stock that was never turned over are unknown by the strict view.
    ///
    /// # Errors
    /// If the position is none by these rules.
    pub fn state(&self, position: &Position) -> Result<StockState, PositionError> {
        position.check(&self.rules)?;
        let open = position.check_known().is_err();
        let strict = self.rules.view() == View::Strict && position.redeals == 0;
        let (mut filled, mut unturned) = (position.clone(), 0);
        let mut unseen = position.unseen(&self.rules).into_iter();
        for (place, card) in (position.waste.len()..).zip(filled.stock.iter_mut().rev()) {
            if strict || card.is_none() {
                unturned |= 1 << place;
            }
            if card.is_none() {
                *card = unseen.next();
            }
        }
        let redeals = match self.rules.redeals() {
            None => NO_LIMIT,
            Some(most) => most.saturating_sub(position.redeals).min(MOST_REDEALS) as u8,
        };
        let mut state = StockState {
            inner: State::new(&self.rules, &filled),
            unturned,
            waste: position.waste.len() as u8,
            redeals,
            open: false,
            begun: !position.is_start(),
        };
        if open {
            state = state.opened();
        }
        self.settle(&mut state);
        Ok(state)
    }

    /// The start of a deal.
    pub fn deal(&self, deal: &Deal) -> Result<StockState, PositionError> {
        self.state(&Position::deal(&self.rules, deal))
    }

    /// Whether the game was won.
    pub fn is_won(&self, state: &StockState) -> bool {
        state.inner.stand == Stand::Won
    }

    /// Whether the card after `before` others can be got at without a redeal.
    fn is_ahead(&self, state: &StockState, before: u32) -> bool {
        let (place, waste) = (before + 1, u32::from(state.waste));
        let draw = state.inner.layout.draw;
        let last = place == state.inner.core.stock.count_ones();
        place == waste || (place > waste && ((place - waste).is_multiple_of(draw) || last))
    }

    /// Finds out anew what can be got at, and whether the game is won.
    fn settle(&self, state: &mut StockState) {
        if state.unturned != 0 {
            state.inner.reach = self.waste_top(state).map_or(0, |card| card.mask());
            return;
        }
        if state.redeals != NO_LIMIT {
            let left = state.inner.core.stock.count_ones();
            let draw = state.inner.layout.draw;
            let mut reach = 0;
            for (before, place) in (0..).zip(state.places()) {
                let again = state.redeals > 0
                    && ((before + 1u32).is_multiple_of(draw) || before + 1 == left);
                if again || self.is_ahead(state, before) {
                    reach |= 1 << state.inner.layout.stock[place as usize];
                }
            }
            state.inner.reach = reach;
        } else {
            state.inner.settle_reach();
        }
        self.open.judge(&mut state.inner);
    }

    /// Turns cards of the stock.
    fn turn(&self, state: &mut StockState) -> Seen {
        let left = state.inner.core.stock.count_ones();
        let count = state.inner.layout.draw.min(left - u32::from(state.waste));
        let mut seen = [None; 3];
        let turned: Vec<u32> =
            state.places().skip(usize::from(state.waste)).take(count as usize).collect();
        for (seen, &place) in seen.iter_mut().zip(&turned) {
            *seen = Some(Card::at(u32::from(state.inner.layout.stock[place as usize])));
            state.unturned &= !(1 << place);
        }
        state.waste += count as u8;
        state.inner.core.offset = state.inner.layout.aligned(u32::from(state.waste), left);
        state.inner.begin_trail();
        seen
    }

    /// The first action in the order of preference: turning comes after all that takes a card from the
    /// stock.
    #[inline]
    pub fn greedy_action(&self, state: &StockState) -> Option<StockAction> {
        if state.inner.stand == Stand::Won {
            return None;
        }
        for (place, cards) in self.groups(state).into_iter().enumerate() {
            if place == TURN_BEFORE && state.unturned != 0 {
                return Some(StockAction::Turn);
            }
            if cards != 0 {
                let card = Card::at(cards.trailing_zeros());
                return Some(StockAction::Play(Action { kind: KINDS[place], card }));
            }
        }
        None
    }

    /// The sets of actions, in the order of preference. Who is paid for every card need not take one
    /// back only because nothing else is left to do.
    #[inline]
    fn groups(&self, state: &StockState) -> [u64; 7] {
        let mut groups = self.open.groups(&state.inner);
        let back = KINDS.iter().position(|&kind| kind == Kind::FoundationToColumn);
        if let (Scoring::Vegas, Some(back)) = (self.scoring, back)
            && state.unturned == 0
            && groups.iter().enumerate().all(|(place, &cards)| cards == 0 || place == back)
        {
            let core = &state.inner.core;
            groups[back] &= parents(state.inner.reach | core.visible & core.locked);
        }
        groups
    }
}

/// Of the sets of actions, the one before which the stock is turned.
const TURN_BEFORE: usize = 5;

impl Game for StockKlondike {
    type State = StockState;
    type Action = StockAction;
    /// The cards that came to light.
    type Obs = Seen;

    fn start(&self, rng: &mut Rng) -> StockState {
        let deal = Deal::shuffled(&self.rules, rng);
        self.deal(&deal).expect("a deal by the game's own rules")
    }

    fn actions(&self, state: &StockState, out: &mut Vec<StockAction>) {
        out.clear();
        if state.inner.stand == Stand::Won {
            return;
        }
        for (place, mut cards) in self.groups(state).into_iter().enumerate() {
            if place == TURN_BEFORE && state.unturned != 0 {
                out.push(StockAction::Turn);
            }
            while cards != 0 {
                let card = Card::at(cards.trailing_zeros());
                out.push(StockAction::Play(Action { kind: KINDS[place], card }));
                cards &= cards - 1;
            }
        }
    }

    fn step(&self, state: &mut StockState, action: StockAction, rng: &mut Rng) -> Step<Seen> {
        if state.open && state.unturned != 0 {
            // A card that comes to light may be any that is unknown.
            state.fill(|pool| draw_from(pool, rng));
        }
        let home = |state: &StockState| -> u8 { state.inner.core.home.iter().sum() };
        let before = home(state);
        let seen = match action {
            StockAction::Turn => self.turn(state),
            StockAction::Play(action) => {
                if let Kind::StockToFoundation | Kind::StockToColumn = action.kind {
                    let place = state.inner.layout.place_of[action.card.bit() as usize];
                    let below = (1u32 << place) - 1;
                    let before = (state.inner.core.stock & below).count_ones();
                    if state.redeals != NO_LIMIT && !self.is_ahead(state, before) {
                        state.redeals -= 1;
                    }
                    state.waste = before as u8;
                }
                [self.open.play(&mut state.inner, action, rng), None, None]
            }
        };
        self.settle(state);
        let reward = match self.scoring {
            Scoring::Win => f64::from(u8::from(self.is_won(state))),
            Scoring::Vegas => {
                let stake = if state.begun { 0.0 } else { self.rules.pack_size() as f64 };
                5.0 * (f64::from(home(state)) - f64::from(before)) - stake
            }
        };
        state.begun = true;
        Step { reward, obs: seen }
    }
}

/// What is known is the state with nothing fixed that is hidden; a draw fixes it, each order alike.
impl Hidden for StockKlondike {
    type Known = StockState;

    fn known(&self, state: &StockState) -> StockState {
        state.opened()
    }

    fn draw(&self, known: &StockState, rng: &mut Rng) -> StockState {
        let mut drawn = known.opened();
        if drawn.unturned != 0 {
            drawn.fill(|pool| draw_from(pool, rng));
        }
        StockState { inner: drawn.inner.dealt(rng), open: false, ..drawn }
    }
}

impl Text for StockKlondike {
    /// As in the paper's game, with `?` for a card of the stock that nobody has seen and `|` where the
    /// waste ends.
    fn state_text(&self, state: &StockState) -> String {
        let mut text = text_of(&state.inner, self.rules.columns(), state.unturned, |before| {
            before == u32::from(state.waste)
        });
        if state.redeals != NO_LIMIT {
            text += &format!("\nredeals left {}", state.redeals);
        }
        text
    }

    fn obs_text(&self, _state: &StockState, seen: Seen) -> String {
        seen_text(seen)
    }

    /// `turn`, or as in the paper's game.
    fn action_text(&self, state: &StockState, action: StockAction) -> String {
        match action {
            StockAction::Turn => "turn".to_owned(),
            StockAction::Play(action) => self.open.action_text(&state.inner, action),
        }
    }
}
