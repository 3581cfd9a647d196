//! Rollout policies: random, and with a colour that is left alone (nested MCTS paper, section 5).
//!
//! All groups that may be played are alike. They are not listed: a corner is drawn (see
//! [`Board::corners`]), and the group that it belongs to is taken with probability 1 / its number
//! of corners, which is 1 for nearly all of them.

use patience_model::Rng;
use patience_plan::nested::BasePolicy;

use super::bandit::Bandit;
use super::board::{Board, Cell, Change};
use super::rules::SameGame;
use super::word::Word;

/// Every group alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomPolicy;

/// TabuColorRandom: groups of the tabu colour are played only while there is no other. The tabu
/// colour is the one with the most tiles where the rollout begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabuColor;

/// TabuColorRandom with a bandit that learns, within one search of level 1, which colour is best
/// left alone: the paper's informed rollouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TabuBandit {
    /// The exploration factor of its UCB1-Tuned, in parts of the range of results seen.
    pub c: f64,
}

/// What [`TabuBandit`] learns: the colours to choose from, and how well each did as the tabu colour.
#[derive(Clone, Debug, PartialEq)]
pub struct ColourBandit {
    bandit: Bandit,
    colours: Vec<u8>,
}

impl Default for TabuBandit {
    fn default() -> Self {
        TabuBandit { c: 1.0 }
    }
}

impl<W: Word, const N: usize> BasePolicy<SameGame<W, N>> for RandomPolicy {
    type Memory = ();

    fn begin(&self, _game: &SameGame<W, N>, _board: &Board<W, N>) {}

    fn play(
        &self,
        _memory: &mut (),
        game: &SameGame<W, N>,
        mut board: Board<W, N>,
        rng: &mut Rng,
        moves: &mut Vec<Cell>,
    ) -> f64 {
        play_out(game, &mut board, 0, rng, moves)
    }
}

impl<W: Word, const N: usize> BasePolicy<SameGame<W, N>> for TabuColor {
    type Memory = ();

    fn begin(&self, _game: &SameGame<W, N>, _board: &Board<W, N>) {}

    fn play(
        &self,
        _memory: &mut (),
        game: &SameGame<W, N>,
        mut board: Board<W, N>,
        rng: &mut Rng,
        moves: &mut Vec<Cell>,
    ) -> f64 {
        let counts = board.counts();
        let most = (1..16u8).rev().max_by_key(|&colour| counts[usize::from(colour)]);
        play_out(game, &mut board, most.unwrap_or(0), rng, moves)
    }
}

impl<W: Word, const N: usize> BasePolicy<SameGame<W, N>> for TabuBandit {
    type Memory = ColourBandit;

    /// A choice for each colour that is still on the board.
    fn begin(&self, _game: &SameGame<W, N>, board: &Board<W, N>) -> ColourBandit {
        let counts = board.counts();
        let colours: Vec<u8> = (1..16).filter(|&c| counts[usize::from(c)] > 0).collect();
        // An empty board is not played on, but it may be asked for.
        let colours = if colours.is_empty() { vec![1] } else { colours };
        ColourBandit { bandit: Bandit::new(colours.len(), self.c), colours }
    }

    #[inline]
    fn play(
        &self,
        memory: &mut ColourBandit,
        game: &SameGame<W, N>,
        mut board: Board<W, N>,
        rng: &mut Rng,
        moves: &mut Vec<Cell>,
    ) -> f64 {
        let tabu = memory.colours[memory.bandit.choose(rng)];
        play_out(game, &mut board, tabu, rng, moves)
    }

    #[inline]
    fn learn(&self, memory: &mut ColourBandit, result: f64) {
        memory.bandit.learn(result);
    }
}

/// The corners that may be drawn, by column.
struct Corners<W, const N: usize> {
    sets: [W; N],
    counts: [u8; N],
    total: u32,
    /// The colour to leave alone, in every place; no tile's colour if there is none.
    tabu: W,
}

impl<W: Word, const N: usize> Corners<W, N> {
    #[inline]
    fn new(board: &Board<W, N>, tabu: u8) -> Self {
        // Fifteen is the colour of no tile.
        let tabu = W::of_colour(if tabu == 0 { 15 } else { tabu });
        let mut corners = Corners { sets: [W::ZERO; N], counts: [0; N], total: 0, tabu };
        corners.update(board, Change { from: 0, to: N });
        corners
    }

    #[inline]
    fn update(&mut self, board: &Board<W, N>, change: Change) {
        for c in change.from..change.to {
            let set = board.corners(c) & !board.of_colour(c, self.tabu);
            let count = set.count() as u8;
            self.total = self.total + u32::from(count) - u32::from(self.counts[c]);
            self.sets[c] = set;
            self.counts[c] = count;
        }
    }

    /// The corner of this number: its column and place.
    #[inline]
    fn nth(&self, mut n: u32) -> (usize, W) {
        let mut column = 0;
        while n >= u32::from(self.counts[column]) {
            n -= u32::from(self.counts[column]);
            column += 1;
        }
        let mut set = self.sets[column];
        for _ in 0..n {
            set = set.without_lowest();
        }
        (column, W::place(set.lowest()))
    }
}

/// Plays to the end, leaving a colour alone (0: none), and gives the score.
#[inline]
fn play_out<W: Word, const N: usize>(
    game: &SameGame<W, N>,
    board: &mut Board<W, N>,
    tabu: u8,
    rng: &mut Rng,
    moves: &mut Vec<Cell>,
) -> f64 {
    let scoring = game.scoring();
    let (mut score, before) = (0.0, moves.len());
    let mut corners = Corners::new(board, tabu);
    loop {
        let change = if corners.total > 0 {
            draw(board, &corners, rng, |cell, size| {
                moves.push(cell);
                score += scoring.group(size);
            })
        } else {
            let all = Corners::new(board, 0);
            if all.total == 0 {
                break;
            }
            draw(board, &all, rng, |cell, size| {
                moves.push(cell);
                score += scoring.group(size);
            })
        };
        corners.update(board, change);
    }
    if moves.len() > before { score + scoring.end(&board.counts()) } else { 0.0 }
}

/// Draws a group, every one alike, and plays it.
#[inline]
fn draw<W: Word, const N: usize>(
    board: &mut Board<W, N>,
    corners: &Corners<W, N>,
    rng: &mut Rng,
    mut played: impl FnMut(Cell, u32),
) -> Change {
    loop {
        let (column, place) = corners.nth(rng.below(u64::from(corners.total)) as u32);
        let group = board.group(column, place);
        let sets = &group.sets[group.first..=group.last];
        let of_group: u32 = sets
            .iter()
            .zip(&corners.sets[group.first..=group.last])
            .map(|(&set, &corners)| (set & corners).count())
            .sum();
        if of_group == 1 || rng.below(u64::from(of_group)) == 0 {
            let size = sets.iter().map(|set| set.count()).sum();
            played(group.cell(), size);
            return board.remove(&group);
        }
    }
}
