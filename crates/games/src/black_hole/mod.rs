//! Black Hole (David Parlett): the ace of spades is the hole, the other cards lie in seventeen fans of
//! three. The last card of a fan goes into the hole if its rank is one above or below that of the card
//! that went there before, ace and king being neighbours. The game is won when all cards are in the
//! hole.
//!
//! All cards are in sight. Gent and others ("Search in the patience game Black Hole", 2007) found that
//! about 87% of deals can be won.

mod encoded;
mod entry;
mod validator;

use patience_model::{Game, Keyed, Label, Pile, PileKind, Rng, Scene, Shown, Step, Text};

pub use entry::entry;
pub use validator::{Replayed, replay};

use crate::cards::{Card, chain};

/// How many fans there are.
pub const FANS: usize = 17;
/// How many cards a fan has at the start.
pub const DEPTH: usize = 3;

/// The rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlackHole;

/// A game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The fans, each from its first card on; only the first so many as in `left` are there.
    fans: [[Card; DEPTH]; FANS],
    left: [u8; FANS],
    /// The card that went into the hole last.
    hole: Card,
    /// Tells deals apart.
    deal: u64,
}

/// The last card of a fan, by its place from 0, goes into the hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fan(pub u8);

/// What can be wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A word is no card.
    #[error("line {0}: {1}")]
    Card(usize, crate::cards::NotACard),
    /// A card comes twice.
    #[error("line {0}: {1} is here for the second time")]
    Twice(usize, Card),
    /// The first line has the card in the hole.
    #[error("line 1: expected `hole:` and the card that went there last")]
    Hole,
    /// A fan is too long, or there are too many of them.
    #[error("line {0}: there are {FANS} fans of at most {DEPTH} cards, one per line")]
    Fans(usize),
}

/// A number that tells deals apart, for the keys of states whose layout never changes: FNV-1a.
fn deal_key<'c>(piles: impl IntoIterator<Item = &'c Vec<Card>>) -> u64 {
    let ends = |pile: &'c Vec<Card>| pile.iter().map(|card| card.index() as u64).chain([52]);
    piles
        .into_iter()
        .flat_map(ends)
        .fold(0xcbf2_9ce4_8422_2325, |key, part| (key ^ part).wrapping_mul(0x0000_0100_0000_01b3))
}

impl State {
    /// The cards of a fan that are left.
    pub fn fan(&self, fan: usize) -> &[Card] {
        &self.fans[fan][..usize::from(self.left[fan])]
    }

    /// The card that went into the hole last.
    pub fn hole(&self) -> Card {
        self.hole
    }

    fn of(fans: [Vec<Card>; FANS], hole: Card) -> Self {
        let mut state =
            State { fans: [[hole; DEPTH]; FANS], left: [0; FANS], hole, deal: deal_key(&fans) };
        for (place, fan) in fans.iter().enumerate() {
            state.fans[place][..fan.len()].copy_from_slice(fan);
            state.left[place] = fan.len() as u8;
        }
        state
    }
}

impl BlackHole {
    /// Whether some cards can surely not go into the hole, because too few cards are neighbours of theirs.
    pub fn is_dead_end(&self, state: &State) -> bool {
        let mut above = chain::NONE;
        (0..FANS).for_each(|fan| chain::count(state.fan(fan), &mut above));
        let mut below = above;
        chain::count([&state.hole], &mut below);
        !chain::can_lie(&above, &below, true)
    }

    /// Whether all cards are in the hole.
    pub fn is_won(&self, state: &State) -> bool {
        state.left == [0; FANS]
    }

    /// A position from its text: `hole:` and its card, then a line for each fan; an empty fan is a dot.
    ///
    /// # Errors
    /// Says in which line it is wrong.
    pub fn read(&self, text: &str) -> Result<State, ReadError> {
        let mut fans: [Vec<Card>; FANS] = std::array::from_fn(|_| Vec::new());
        let (mut seen, mut hole, mut fan) = (Vec::new(), None, 0);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let (is_hole, cards) = match line.trim().strip_prefix("hole:") {
                Some(cards) if hole.is_none() => (true, cards),
                _ => (false, line.trim()),
            };
            if !is_hole && hole.is_none() {
                return Err(ReadError::Hole);
            }
            for word in cards.split_whitespace().filter(|word| *word != ".") {
                let card: Card = word.parse().map_err(|error| ReadError::Card(number, error))?;
                if seen.contains(&card) {
                    return Err(ReadError::Twice(number, card));
                }
                seen.push(card);
                if is_hole {
                    hole = Some(card);
                } else {
                    fans.get_mut(fan).ok_or(ReadError::Fans(number))?.push(card);
                }
            }
            if !is_hole {
                fan += 1;
                if fan > FANS || fans[fan - 1].len() > DEPTH {
                    return Err(ReadError::Fans(number));
                }
            }
        }
        Ok(State::of(fans, hole.ok_or(ReadError::Hole)?))
    }
}

impl Game for BlackHole {
    type State = State;
    type Action = Fan;
    type Obs = ();

    fn start(&self, rng: &mut Rng) -> State {
        let hole = Card::new(1, 3);
        let mut deck: Vec<Card> =
            (0..52).map(Card::from_index).filter(|card| *card != hole).collect();
        rng.shuffle(&mut deck);
        let fans = std::array::from_fn(|fan| deck[fan * DEPTH..][..DEPTH].to_vec());
        State::of(fans, hole)
    }

    /// The longest fans first: what lies deepest is in the way longest.
    fn actions(&self, state: &State, out: &mut Vec<Fan>) {
        out.clear();
        for length in (1..=DEPTH).rev() {
            for fan in (0..FANS).filter(|&fan| usize::from(state.left[fan]) == length) {
                let away = state.fans[fan][length - 1].rank().abs_diff(state.hole.rank());
                if away == 1 || away == 12 {
                    out.push(Fan(fan as u8));
                }
            }
        }
    }

    fn step(&self, state: &mut State, Fan(fan): Fan, _rng: &mut Rng) -> Step<()> {
        let fan = usize::from(fan);
        state.left[fan] -= 1;
        state.hole = state.fans[fan][usize::from(state.left[fan])];
        Step { reward: 1.0, obs: () }
    }
}

/// How many cards each fan has left, and the rank in the hole; suits make no difference.
impl Keyed for BlackHole {
    type Key = (u64, u64);

    fn key(&self, state: &State) -> (u64, u64) {
        let heights = state.left.iter().fold(0, |key, &left| key << 2 | u64::from(left));
        (state.deal, heights << 4 | u64::from(state.hole.rank()))
    }
}

impl Text for BlackHole {
    fn state_text(&self, state: &State) -> String {
        let mut text = format!("hole: {}\n", state.hole);
        for fan in 0..FANS {
            let cards: Vec<String> = state.fan(fan).iter().map(Card::to_string).collect();
            text += if cards.is_empty() { "." } else { "" };
            text += &(cards.join(" ") + "\n");
        }
        text
    }

    /// The number of the fan, from 1.
    fn action_text(&self, _state: &State, Fan(fan): Fan) -> String {
        (fan + 1).to_string()
    }
}

impl Shown for BlackHole {
    fn title(&self) -> String {
        "Black Hole".to_owned()
    }

    fn scene(&self, state: &State) -> Scene {
        let hole = vec![state.hole.to_string()];
        let mut piles = vec![Pile::new("hole", PileKind::Foundation, "the hole", hole)];
        for fan in 0..FANS {
            let cards = state.fan(fan).iter().map(Card::to_string).collect();
            let (id, name) = (format!("c{}", fan + 1), format!("fan {}", fan + 1));
            piles.push(Pile::new(id, PileKind::Column, name, cards));
        }
        Scene::Cards { piles }
    }

    fn label(&self, state: &State, Fan(fan): Fan) -> Label {
        let card = state.fan(usize::from(fan)).last();
        let called = card.map_or("the card".to_owned(), |card| card.words());
        let label = format!("{called} from fan {}", fan + 1);
        Label::cards(label, format!("c{}", fan + 1), "hole", 1)
    }

    fn won(&self, state: &State) -> bool {
        self.is_won(state)
    }

    /// Cards in the hole.
    fn score(&self, state: &State, _result: f64) -> f64 {
        let left: u32 = state.left.iter().map(|&left| u32::from(left)).sum();
        52.0 - f64::from(left)
    }
}
