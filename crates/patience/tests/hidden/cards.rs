//! A card lies face down. Bet on one card and turn it over: 1 if it is that one. For a price one
//! may look at it first.

use patience::prelude::*;

/// How many cards there are.
pub(crate) const CARDS: u8 = 3;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cards;

/// The table: the card, and what the player knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) card: u8,
    pub(crate) known: Known,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    seen: Option<u8>,
    bet: Option<u8>,
    over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Play {
    Bet(u8),
    Look,
    Turn,
}

impl Cards {
    fn follow(&self, table: &Table, play: Play) -> (Table, Step<Option<u8>>) {
        let mut next = *table;
        // Every first move has its own price: the reward says which it was.
        let (reward, obs) = match play {
            Play::Bet(card) => {
                next.known.bet = Some(card);
                (-0.01 * f64::from(card), None)
            }
            Play::Look => {
                next.known.seen = Some(table.card);
                (-0.3, Some(table.card))
            }
            Play::Turn => {
                next.known.over = true;
                next.known.seen = Some(table.card);
                (f64::from(u8::from(table.known.bet == Some(table.card))), Some(table.card))
            }
        };
        (next, Step { reward, obs })
    }
}

impl Game for Cards {
    type State = Table;
    type Action = Play;
    type Obs = Option<u8>;

    fn start(&self, rng: &mut Rng) -> Table {
        self.draw(&Known { seen: None, bet: None, over: false }, rng)
    }

    fn actions(&self, table: &Table, out: &mut Vec<Play>) {
        out.clear();
        match table.known {
            Known { over: true, .. } => {}
            Known { bet: Some(_), .. } => out.push(Play::Turn),
            Known { seen, .. } => {
                out.extend((0..CARDS).map(Play::Bet));
                out.extend(seen.is_none().then_some(Play::Look));
            }
        }
    }

    fn step(&self, table: &mut Table, play: Play, _rng: &mut Rng) -> Step<Option<u8>> {
        let (next, step) = self.follow(table, play);
        *table = next;
        step
    }
}

impl Keyed for Cards {
    type Key = (u8, Option<u8>, Option<u8>, bool);

    fn key(&self, table: &Table) -> Self::Key {
        let Known { seen, bet, over } = table.known;
        (table.card, seen, bet, over)
    }
}

impl Undo for Cards {
    type Token = Table;

    fn apply(&self, table: &mut Table, play: Play, rng: &mut Rng) -> (Step<Option<u8>>, Table) {
        let before = *table;
        (self.step(table, play, rng), before)
    }

    fn undo(&self, table: &mut Table, before: Table) {
        *table = before;
    }
}

impl Outcomes for Cards {
    fn outcomes(&self, table: &Table, play: Play, out: &mut Vec<Outcome<Table, Option<u8>>>) {
        out.clear();
        let (state, step) = self.follow(table, play);
        out.push(Outcome { probability: 1.0, state, step });
    }
}

impl Hidden for Cards {
    type Known = Known;

    fn known(&self, table: &Table) -> Known {
        table.known
    }

    fn draw(&self, known: &Known, rng: &mut Rng) -> Table {
        let card = known.seen.unwrap_or_else(|| rng.below(u64::from(CARDS)) as u8);
        Table { card, known: *known }
    }
}

impl Text for Cards {
    fn state_text(&self, table: &Table) -> String {
        format!("{:?}", self.known(table))
    }

    fn action_text(&self, _table: &Table, play: Play) -> String {
        format!("{play:?}")
    }
}
