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
    ) -> CodedMove<Cell, ()> {
        let cell = group.cell();
        let colour = board.colour(cell);
        let mut code = (u64::from(colour) << 8 | group.first as u64).wrapping_mul(ODD);
        for set in &group.sets[group.first..=group.last] {
            code = (code.rotate_left(23) ^ set.mix()).wrapping_mul(ODD);
        }
        let factor = if colour == self.colour { self.factor } else { 1.0 };
        CodedMove::with_factor(cell, code, factor, ())
    }
}

impl Default for GroupCodes {
    fn default() -> Self {
        GroupCodes::PLAIN
    }
}

impl<W: Word, const N: usize> Coding<SameGame<W, N>> for GroupCodes {
    type Memo = ();

    fn list(
        &self,
        _game: &SameGame<W, N>,
        board: &Board<W, N>,
        moves: &mut Vec<CodedMove<Cell, ()>>,
    ) {
        moves.clear();
        board.groups(|group| moves.push(self.coded(board, group)));
    }

    /// Groups that a move does not touch stay in the list, before those that are new.
    #[inline]
    fn play(
        &self,
        game: &SameGame<W, N>,
        board: &mut Board<W, N>,
        moves: &mut Vec<CodedMove<Cell, ()>>,
        chosen: usize,
        _rng: &mut Rng,
    ) -> f64 {
        let cell = moves[chosen].action;
        let group = board.group(usize::from(cell.column), W::place(u32::from(cell.row)));
        let size = group.size();
        let mut touched = board.take(&group);
        let listed = moves.len();
        board.touched_groups(&mut touched, |group| moves.push(self.coded(board, group)));
        // Which stay is hard to foresee, so that is found without a branch: a bit for each of 64 moves.
        let mut kept = listed;
        for from in (0..listed).step_by(64).rev() {
            let mut stale = 0_u64;
            for coded in moves[from..listed.min(from + 64)].iter().rev() {
                let Cell { column, row } = coded.action;
                let here = touched.sets[usize::from(column) % N] & W::place(u32::from(row));
                stale = stale << 1 | u64::from(here != W::ZERO);
            }
            while stale != 0 {
                let last = 63 - stale.leading_zeros();
                stale ^= 1 << last;
                kept -= 1;
                moves[from + last as usize] = moves[kept];
            }
        }
        moves.copy_within(listed.., kept);
        moves.truncate(kept + moves.len() - listed);
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
