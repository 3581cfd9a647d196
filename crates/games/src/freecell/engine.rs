//! The fast engine: moves, made and taken back.

use super::notation::{Place, Step};
use super::rules::{Fill, MetricError, RulesError};
use super::state::{BASE, CELL, HOME, NONE, State, bits};
use super::{Board, Build, Card, Metric, Rules, Sequence};

/// A game of this family: rules, and the metric that says what one move is.
///
/// As a game for planners its reward is 1 for every card that goes home; it is over when it is
/// solved or no move is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeCell {
    rules: Rules,
    metric: Metric,
    /// For each card those onto which it may go.
    pub(super) onto: [u64; 52],
    /// For each card those that may go onto it.
    pub(super) takes: [u64; 52],
}

/// A game that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The rules do not have the metric.
    #[error(transparent)]
    Metric(#[from] MetricError),
}

/// From a cell, or to one.
pub(super) const CELLS: u8 = 16;
/// To the foundations.
pub(super) const HOMES: u8 = 17;

/// A move: a card, with the run that lies on it, from a column or cell to a column, cell or home.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) card: u8,
    pub(super) count: u8,
    from: u8,
    pub(super) to: u8,
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = |p: u8| match p {
            CELLS => "cell".to_string(),
            HOMES => "home".to_string(),
            column => format!("column {}", column + 1),
        };
        let card = Card::from_index(self.card);
        write!(f, "{card} x{} {} -> {}", self.count, place(self.from), place(self.to))
    }
}

impl Move {
    /// The deepest card that moves.
    pub fn card(&self) -> Card {
        Card::from_index(self.card)
    }

    /// How many cards move.
    pub fn count(&self) -> u8 {
        self.count
    }

    /// The column that the cards leave.
    pub(super) fn source(&self) -> Option<usize> {
        (self.from < CELLS).then_some(usize::from(self.from))
    }

    /// The column that they go to.
    pub(super) fn target(&self) -> Option<usize> {
        (self.to < CELLS).then_some(usize::from(self.to))
    }

    /// Whether the card goes home.
    pub fn is_home(&self) -> bool {
        self.to == HOMES
    }
}

/// Where cards can go in a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// The highest cards of columns, and of which columns they are.
    pub(super) tops: u64,
    column_of: [u8; 52],
    /// Columns that are empty, and the first of them.
    empty_columns: u32,
    empty: u8,
    pub(super) free_cells: u32,
    /// How many cards can move at once onto a card, and into an empty column.
    limits: (u32, u32),
}

impl Targets {
    /// Whether there is one free cell and nothing else.
    #[inline]
    pub(super) fn is_last_room(&self) -> bool {
        self.free_cells == 1 && self.empty_columns == 0
    }
}

impl FreeCell {
    /// The game with these rules and this metric.
    pub fn new(rules: Rules, metric: Metric) -> Result<Self, GameError> {
        rules.check()?;
        metric.check(&rules)?;
        let mut onto = [0; 52];
        for (upper, onto) in onto.iter_mut().enumerate() {
            for lower in 0..rules.cards() {
                if rules.builds(Card::from_index(upper as u8), Card::from_index(lower)) {
                    *onto |= 1 << lower;
                }
            }
        }
        let mut takes = [0; 52];
        for (upper, &onto) in onto.iter().enumerate() {
            for lower in bits(onto) {
                takes[lower] |= 1 << upper;
            }
        }
        Ok(FreeCell { rules, metric, onto, takes })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many cards can move at once onto a card, and into an empty column.
    #[inline]
    pub(super) fn limits(&self, free_cells: u32, empty_columns: u32) -> (u32, u32) {
        match (self.metric, self.rules.sequence) {
            (Metric::Single, _) | (_, Sequence::Single) => (1, 1),
            (_, Sequence::Unlimited) => (13, 13),
            (metric, Sequence::Room) => {
                let empty = if self.rules.fill == Fill::Any { empty_columns } else { 0 };
                let cells = free_cells + 1;
                let others = if metric == Metric::Supermove { empty.saturating_sub(1) } else { 0 };
                (cells << empty, cells << others)
            }
        }
    }

    /// Appends the moves of a state. Of several empty columns or cells only the first is a target,
    /// and what fills a column alone does not go to an empty one: the others lead to positions
    /// that differ only in which column or cell is which.
    #[inline]
    pub fn moves(&self, state: &State, out: &mut Vec<Move>) {
        let targets = self.targets(state);
        self.moves_to(state, &targets, targets.free_cells > 0, out);
    }

    /// Appends the moves to these targets, with or without those into cells.
    #[inline]
    pub(super) fn moves_to(
        &self,
        state: &State,
        targets: &Targets,
        cells: bool,
        out: &mut Vec<Move>,
    ) {
        for from in 0..usize::from(self.rules.columns) {
            let top = state.tops[from];
            if top == NONE {
                continue;
            }
            if state.goes_home(top) {
                out.push(Move { card: top, count: 1, from: from as u8, to: HOMES });
            }
            if cells {
                out.push(Move { card: top, count: 1, from: from as u8, to: CELLS });
            }
            self.moves_from(state, from, targets, u64::MAX, out);
        }
        for card in bits(state.cells) {
            let one = |to| Move { card: card as u8, count: 1, from: CELLS, to };
            if state.goes_home(card as u8) {
                out.push(one(HOMES));
            }
            out.extend(bits(self.onto[card] & targets.tops).map(|t| one(targets.column_of[t])));
            if targets.empty_columns > 0 && self.rules.fills(Card::from_index(card as u8)) {
                out.push(one(targets.empty));
            }
        }
    }

    /// Where cards can go.
    #[inline]
    pub(super) fn targets(&self, state: &State) -> Targets {
        let mut targets = Targets {
            tops: 0,
            column_of: [0; 52],
            empty_columns: 0,
            empty: 0,
            free_cells: 0,
            limits: (1, 1),
        };
        let columns = usize::from(self.rules.columns);
        for (n, &top) in state.tops[..columns].iter().enumerate().rev() {
            if top == NONE {
                targets.empty_columns += 1;
                targets.empty = n as u8;
            } else {
                targets.tops |= 1 << top;
                targets.column_of[usize::from(top)] = n as u8;
            }
        }
        if self.rules.refill {
            targets.free_cells = u32::from(self.rules.cells) - state.cells.count_ones();
        }
        targets.limits = self.limits(targets.free_cells, targets.empty_columns);
        targets
    }

    /// Appends the moves from a column onto those cards, and where these are all into an empty
    /// column too.
    #[inline]
    fn moves_from(
        &self,
        state: &State,
        from: usize,
        targets: &Targets,
        onto: u64,
        out: &mut Vec<Move>,
    ) {
        let (limit_onto, limit_empty) = targets.limits;
        let limit = limit_onto.max(limit_empty);
        let tops = targets.tops & onto;
        let (mut card, mut count) = (state.tops[from], 1);
        let from = from as u8;
        loop {
            let below = state.below[usize::from(card)];
            if count <= limit_onto {
                for t in bits(self.onto[usize::from(card)] & tops) {
                    let to = targets.column_of[t];
                    out.push(Move { card, count: count as u8, from, to });
                }
            }
            if onto == u64::MAX
                && targets.empty_columns > 0
                && count <= limit_empty
                && below != BASE
                && self.rules.fills(Card::from_index(card))
            {
                out.push(Move { card, count: count as u8, from, to: targets.empty });
            }
            let joined = below < BASE && self.onto[usize::from(card)] >> below & 1 == 1;
            if !joined || count >= limit {
                break;
            }
            card = below;
            count += 1;
        }
    }

    /// Appends the moves from a column that is not empty, or to it, but for those into cells.
    #[inline]
    pub(super) fn moves_at(
        &self,
        state: &State,
        at: usize,
        targets: &Targets,
        out: &mut Vec<Move>,
    ) {
        let top = state.tops[at];
        if state.goes_home(top) {
            out.push(Move { card: top, count: 1, from: at as u8, to: HOMES });
        }
        self.moves_from(state, at, targets, u64::MAX, out);
        let takes = self.takes[usize::from(top)];
        for (from, &first) in state.tops[..usize::from(self.rules.columns)].iter().enumerate() {
            // Of a run at most one card may go there, and cards further down are higher.
            let (mut card, mut count) = (first, 1);
            while card < top {
                if takes >> card & 1 == 1 {
                    out.push(Move { card, count, from: from as u8, to: at as u8 });
                    break;
                }
                let below = state.below[usize::from(card)];
                let joined = below < BASE && self.onto[usize::from(card)] >> below & 1 == 1;
                if !joined || u32::from(count) >= targets.limits.0 {
                    break;
                }
                card = below;
                count += 1;
            }
        }
        for card in bits(state.cells & takes) {
            out.push(Move { card: card as u8, count: 1, from: CELLS, to: at as u8 });
        }
    }

    /// Appends the moves from one of two columns that are not empty to the other.
    #[inline]
    pub(super) fn moves_between(
        &self,
        state: &State,
        [one, other]: [usize; 2],
        targets: &Targets,
        out: &mut Vec<Move>,
    ) {
        self.moves_from(state, one, targets, 1 << state.tops[other], out);
        self.moves_from(state, other, targets, 1 << state.tops[one], out);
    }

    /// The move of the highest card of a column into a cell.
    #[inline]
    pub(super) fn to_cell(&self, state: &State, from: usize) -> Move {
        Move { card: state.tops[from], count: 1, from: from as u8, to: CELLS }
    }

    /// Makes a legal move.
    #[inline]
    pub fn make(&self, state: &mut State, m: Move) {
        let card = usize::from(m.card);
        let mut top = m.card;
        if m.from == CELLS {
            state.cells &= !(1 << m.card);
        } else {
            let column = &mut state.tops[usize::from(m.from)];
            top = *column;
            *column = match state.below[card] {
                below if below < BASE => below,
                _ => NONE,
            };
        }
        state.below[card] = match m.to {
            HOMES => {
                state.home[card & 3] += 1;
                HOME
            }
            CELLS => {
                state.cells |= 1 << m.card;
                CELL
            }
            column => match std::mem::replace(&mut state.tops[usize::from(column)], top) {
                NONE => BASE,
                below => below,
            },
        };
    }

    /// Takes the last move back.
    #[inline]
    pub fn take_back(&self, state: &mut State, m: Move) {
        let card = usize::from(m.card);
        let mut top = m.card;
        match m.to {
            HOMES => state.home[card & 3] -= 1,
            CELLS => state.cells &= !(1 << m.card),
            column => {
                let column = &mut state.tops[usize::from(column)];
                top = *column;
                *column = match state.below[card] {
                    BASE => NONE,
                    below => below,
                };
            }
        }
        state.below[card] = if m.from == CELLS {
            state.cells |= 1 << m.card;
            CELL
        } else {
            match std::mem::replace(&mut state.tops[usize::from(m.from)], top) {
                NONE => BASE,
                below => below,
            }
        };
    }

    /// A card that can go home at once and, without loss, should: some shortest solution of the
    /// state begins so.
    ///
    /// A card is needed in the columns only to take another one. It may go if every card that
    /// could lie on it is home or could go home as soon as it can be reached, by the same rule:
    /// wherever a solution puts such a card onto it, the card can go home instead, and its later
    /// moves fall away. In building by suit that is always so; by rank it is so if all other
    /// suits are home up to two ranks lower; by alternating colour if both suits of the other
    /// colour are home up to two ranks lower and the other suit of its colour up to three.
    #[inline]
    pub fn safe_home_move(&self, state: &State) -> Option<Move> {
        for (from, &top) in state.tops[..usize::from(self.rules.columns)].iter().enumerate() {
            if top != NONE && state.goes_home(top) && self.is_safe(state, top) {
                return Some(Move { card: top, count: 1, from: from as u8, to: HOMES });
            }
        }
        bits(state.cells)
            .map(|card| card as u8)
            .find(|&card| state.goes_home(card) && self.is_safe(state, card))
            .map(|card| Move { card, count: 1, from: CELLS, to: HOMES })
    }

    /// Whether a card safely goes home after a move from a column, in a state in which none does: it
    /// is the one that is uncovered.
    #[inline]
    pub(super) fn frees_safe_card(&self, state: &State, m: Move) -> bool {
        let below = state.below[usize::from(m.card)];
        below < BASE && state.goes_home(below) && self.is_safe(state, below)
    }

    #[inline]
    fn is_safe(&self, state: &State, card: u8) -> bool {
        let (rank, suit) = (card / 4 + 1, card % 4);
        let home = |suit: u8, up_to: u8| state.home[usize::from(suit)] >= up_to;
        match self.rules.build {
            Build::Suit => true,
            Build::Rank => (0..4).all(|s| s == suit || home(s, rank.saturating_sub(2))),
            // Suits 0 and 3 are black, 1 and 2 red: s and 3 − s have one colour.
            Build::AlternatingColour => {
                home(suit ^ 1, rank.saturating_sub(2))
                    && home(suit ^ 2, rank.saturating_sub(2))
                    && home(3 - suit, rank.saturating_sub(3))
            }
        }
    }

    /// The move on a table that lies like the state up to the order of columns and cells.
    ///
    /// # Panics
    /// If it does not lie so, or the move is not legal.
    pub fn step_on(&self, board: &Board, state: &State, m: Move) -> Step {
        let card = Card::from_index(m.card);
        let column_with = |top: Option<Card>| {
            let there = board.columns.iter().position(|c| c.last().copied() == top);
            Place::Column(there.expect("a column that ends so") as u8)
        };
        let from = match m.from {
            CELLS => {
                let there = board.cells.iter().position(|&c| c == Some(card));
                Place::Cell(there.expect("the card in a cell") as u8)
            }
            column => column_with(Some(Card::from_index(state.tops[usize::from(column)]))),
        };
        let to = match m.to {
            HOMES => Place::Home,
            CELLS => {
                let there = board.cells.iter().position(Option::is_none);
                Place::Cell(there.expect("a free cell") as u8)
            }
            column => match state.tops[usize::from(column)] {
                NONE => column_with(None),
                top => column_with(Some(Card::from_index(top))),
            },
        };
        Step { from, to, count: m.count }
    }
}
