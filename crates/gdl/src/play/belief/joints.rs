//! The joint moves of a state in which the player makes its own.

use patience_model::Rng;

use crate::play::{GdlGame, Move, World};

/// The legal moves of all roles; the player's own is given.
#[derive(Clone, Debug, Default)]
pub(super) struct Joints {
    lists: Vec<Vec<u32>>,
    /// Whether the player's own move was legal.
    pub(super) own_is_legal: bool,
}

impl Joints {
    /// Reads the moves of a position.
    pub(super) fn read<W: World>(&mut self, game: &GdlGame<W>, at: &W::Position, own: Move) {
        self.lists.resize_with(game.role_count(), Vec::new);
        for (role, list) in self.lists.iter_mut().enumerate() {
            game.network().legal(at, role, list);
            if role == game.role() {
                // The player knows what it did.
                self.own_is_legal = list.contains(&own.0);
                list.clear();
                list.push(own.0);
            }
        }
    }

    /// How many joint moves there are; `usize::MAX` for more than that.
    pub(super) fn count(&self) -> usize {
        self.lists.iter().fold(1, |count, list| count.saturating_mul(list.len()))
    }

    /// The joint move of a number below [`Joints::count`]; those of the last role vary first.
    pub(super) fn nth(&self, mut number: usize, out: &mut Vec<u32>) {
        out.clear();
        for list in self.lists.iter().rev() {
            out.push(list[number % list.len()]);
            number /= list.len();
        }
        out.reverse();
    }

    /// A joint move, uniformly at random. There must be one.
    pub(super) fn draw(&self, rng: &mut Rng, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.lists.iter().map(|list| pick(list, rng)));
    }

    /// The same for one role only; the others keep their moves.
    pub(super) fn redraw(&self, role: usize, rng: &mut Rng, joint: &mut [u32]) {
        joint[role] = pick(&self.lists[role], rng);
    }

    /// Whether a joint move is one of these.
    pub(super) fn contains(&self, joint: &[u32]) -> bool {
        self.lists.iter().zip(joint).all(|(list, number)| list.contains(number))
    }
}

/// One of these; a single one needs no chance.
fn pick(list: &[u32], rng: &mut Rng) -> u32 {
    if let [only] = list { *only } else { rng.pick(list) }
}
