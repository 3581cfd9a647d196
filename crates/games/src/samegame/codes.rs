//! Codes of SameGame's moves for NRPA: a group by its cells and its colour.

use patience_model::Rng;
use patience_plan::nrpa::{CodedMove, Coding, factor};

use super::board::{Board, Cell, Group};
use super::rules::SameGame;
use super::word::Word;

/// An odd number without a pattern, to hash by multiplication.
const ODD: u64 = 0xd6e8_feb8_6659_fd93;

/// The code of a move is a hash of the cells and the colour of its group, wherever it is met.
///
/// With a tabu colour its moves have a bias (GNRPA's β), most often a negative one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupCodes {
    /// Whether a colour is tabu in each start: the colour with most tiles in the first, the next
    /// in the second, and so on around.
    pub tabu: bool,
    /// The bias of moves of the tabu colour.
    pub tabu_bias: f32,
    /// The factor that this bias is.
    factor: f32,
    colour: u8,
    first: u64,
    /// The tabu colour of every start, if it is given.
    given: Option<u8>,
}

impl GroupCodes {
    /// Plain NRPA: no bias.
    pub const PLAIN: GroupCodes =
        GroupCodes { tabu: false, tabu_bias: 0.0, factor: 1.0, colour: 0, first: 0, given: None };

    /// Moves of the tabu colour have this bias.
    pub fn tabu(bias: f32) -> Self {
        GroupCodes { tabu: true, tabu_bias: bias, factor: factor(bias), ..GroupCodes::PLAIN }
    }

    /// The same, with this tabu colour in every start.
    pub(super) fn of_colour(self, colour: u8) -> Self {
        GroupCodes { given: Some(colour), ..self }
    }

    /// The same, with the order of tabu colours begun at another place.
    pub fn first(self, first: u64) -> Self {
        GroupCodes { first, ..self }
    }

    #[inline]
    fn coded<W: Word, const N: usize>(
        &self,
        board: &Board<W, N>,
        group: &Group<W, N>,
    ) -> CodedMove<Cell, Reach> {
        let cell = group.cell();
        let colour = board.colour(cell);
        let mut code = (u64::from(colour) << 8 | group.first as u64).wrapping_mul(ODD);
        for set in &group.sets[group.first..=group.last] {
            code = (code.rotate_left(23) ^ set.mix()).wrapping_mul(ODD);
        }
        let factor = if colour == self.colour { self.factor } else { 1.0 };
        let memo = Reach { last: group.last as u8, top: group.top() as u8 };
        CodedMove::with_factor(cell, code, factor, memo)
    }
}

impl Default for GroupCodes {
    fn default() -> Self {
        GroupCodes::PLAIN
    }
}

/// How far a group reaches to the right and up; where it begins, its move says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    last: u8,
    top: u8,
}

impl<W: Word, const N: usize> Coding<SameGame<W, N>> for GroupCodes {
    type Memo = Reach;

    fn list(
        &self,
        _game: &SameGame<W, N>,
        board: &Board<W, N>,
        moves: &mut Vec<CodedMove<Cell, Reach>>,
    ) {
        moves.clear();
        board.groups(|group| moves.push(self.coded(board, group)));
    }

    /// Groups that have no tile where something changes stay in the list.
    #[inline]
    fn play(
        &self,
        game: &SameGame<W, N>,
        board: &mut Board<W, N>,
        moves: &mut Vec<CodedMove<Cell, Reach>>,
        chosen: usize,
        _rng: &mut Rng,
    ) -> f64 {
        let cell = moves[chosen].action;
        let group = board.group(usize::from(cell.column), W::place(u32::from(cell.row)));
        let size = group.size();
        let change = board.remove(&group);
        let listed = moves.len();
        let seen = board.groups_touching(change, |group| moves.push(self.coded(board, group)));
        for index in (0..listed).rev() {
            // A group that had a tile in the region has gone, or still reaches into the region
            // and was found again: see `Change`.
            let CodedMove { action: Cell { column, row }, memo, .. } = moves[index];
            let (first, row) = (usize::from(column), u32::from(row));
            let apart = usize::from(memo.last) < change.from
                || first >= change.to
                || u32::from(memo.top) < change.row;
            if apart {
                continue;
            }
            let inside = first >= change.from && row >= change.row;
            if inside || seen[first] & W::place(row) != W::ZERO {
                moves.swap_remove(index);
            }
        }
        let reward = game.scoring().group(size);
        if moves.is_empty() { reward + game.scoring().end(&board.counts()) } else { reward }
    }

    fn begin(&mut self, _game: &SameGame<W, N>, root: &Board<W, N>, start: u64) {
        self.colour = 0;
        if let Some(colour) = self.given {
            self.colour = colour;
        } else if self.tabu {
            let counts = root.counts();
            let mut colours: Vec<u8> = (1..16).filter(|&c| counts[usize::from(c)] > 0).collect();
            colours.sort_by_key(|&c| std::cmp::Reverse(counts[usize::from(c)]));
            if !colours.is_empty() {
                self.colour =
                    colours[(self.first.wrapping_add(start) % colours.len() as u64) as usize];
            }
        }
    }
}
