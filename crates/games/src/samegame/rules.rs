//! The rules as a game: the fast board with a reward function.

use patience_model::{Game, Keyed, Outcome, Outcomes, Rng, Step, Undo};

use super::board::{Board, Cell};
use super::grid::{Grid, LARGEST, MOST_COLOURS};
use super::word::Word;
use super::{SameGameError, Scoring};

/// SameGame, Bubble Breaker or Clickomania on boards of up to `N` columns of words `W`.
///
/// `SameGame` holds boards of up to 16×16 in little memory; [`LargeSameGame`] those of up to
/// 32×32. A group is named by the lowest tile of its leftmost column; any of its tiles will do.
///
/// ```
/// use patience_games::SameGame;
/// use patience_games::samegame::{Grid, Scoring};
/// use patience_model::{Game, Rng};
/// let game: SameGame = SameGame::new(15, 15, 5, Scoring::default())?;
/// let board = game.board(&Grid::seeded(15, 15, 5, 7)?)?;
/// let mut moves = Vec::new();
/// game.actions(&board, &mut moves);
/// assert!(!moves.is_empty());
/// # Ok::<(), patience_games::samegame::SameGameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameGame<W: Word = u64, const N: usize = 16> {
    width: usize,
    height: usize,
    colours: usize,
    scoring: Scoring,
    fixed: Option<Box<Board<W, N>>>,
}

/// [`SameGame`] for boards of up to 32×32.
pub type LargeSameGame = SameGame<u128, 32>;

impl<W: Word, const N: usize> SameGame<W, N> {
    /// Boards of this size, drawn at the start of each game as [`Grid::random`] draws them.
    ///
    /// # Errors
    /// If the size does not fit or the number of colours is out of range.
    pub fn new(
        width: usize,
        height: usize,
        colours: usize,
        scoring: Scoring,
    ) -> Result<Self, SameGameError> {
        Self::check(width, height)?;
        if !(2..=MOST_COLOURS).contains(&colours) {
            return Err(SameGameError::Colours { given: colours });
        }
        Ok(SameGame { width, height, colours, scoring, fixed: None })
    }

    /// Every game starts from this board.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn on(grid: &Grid, scoring: Scoring) -> Result<Self, SameGameError> {
        let most = grid.columns().iter().flatten().max().map_or(0, |&c| usize::from(c));
        let width = grid.columns().len().max(1);
        let mut game = Self::new(width, grid.height().max(1), (most + 1).max(2), scoring)?;
        game.fixed = Some(Box::new(game.board(grid)?));
        Ok(game)
    }

    /// Whether boards of this size fit.
    pub fn fits(width: usize, height: usize) -> bool {
        Self::check(width, height).is_ok()
    }

    fn check(width: usize, height: usize) -> Result<(), SameGameError> {
        for (what, size, room) in [("columns", width, N), ("rows", height, W::ROWS)] {
            let most = room.min(LARGEST);
            if size == 0 || size > most {
                return Err(SameGameError::Size { what, given: size, most });
            }
        }
        Ok(())
    }

    /// The fast board of a plain one.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn board(&self, grid: &Grid) -> Result<Board<W, N>, SameGameError> {
        Self::check(grid.columns().len().max(1), grid.height().max(1))?;
        // 0 is no tile, so colours begin with 1.
        let columns: Vec<Vec<u8>> =
            grid.columns().iter().map(|column| column.iter().map(|c| c + 1).collect()).collect();
        Ok(Board::new(columns.iter().map(Vec::as_slice)))
    }

    /// Reads a position of this game: no larger, and of no other colours.
    ///
    /// # Errors
    /// Names the line and the column of what is wrong.
    pub fn read(&self, text: &str) -> Result<Board<W, N>, SameGameError> {
        self.board(&Grid::within(text, self.width, self.height, self.colours)?)
    }

    /// The plain board of a fast one.
    pub fn grid(&self, board: &Board<W, N>) -> Grid {
        let columns = board.columns()[..board.width()].iter().map(|&column| {
            (0..column.height()).map(|row| column.tile(row).saturating_sub(1)).collect()
        });
        match Grid::new(columns.collect()) {
            Ok(grid) => grid.shown_with(self.height),
            Err(error) => unreachable!("a board came from a grid: {error}"),
        }
    }

    /// What is rewarded.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// How many columns and rows there are at the start.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// How many colours there may be.
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// No play from here can bring more.
    pub fn bound(&self, board: &Board<W, N>) -> f64 {
        self.scoring.bound(&board.counts())
    }

    /// The reward of a move that removed `size` tiles and led here.
    #[inline]
    pub(super) fn reward(&self, size: u32, after: &Board<W, N>) -> f64 {
        let reward = self.scoring.group(size);
        if after.is_over() { reward + self.scoring.end(&after.counts()) } else { reward }
    }

    #[inline]
    fn play(&self, board: &mut Board<W, N>, action: Cell) -> Step<()> {
        debug_assert!(board.colour(action) != 0, "there is no tile at {action}");
        let group = board.group(usize::from(action.column), W::place(u32::from(action.row)));
        let size = group.size();
        debug_assert!(size >= 2, "the tile at {action} is alone");
        board.remove(&group);
        Step { reward: self.reward(size, board), obs: () }
    }
}

impl<W: Word, const N: usize> Game for SameGame<W, N> {
    type State = Board<W, N>;
    type Action = Cell;
    type Obs = ();

    fn start(&self, rng: &mut Rng) -> Board<W, N> {
        if let Some(board) = &self.fixed {
            return **board;
        }
        let grid = Grid::random(self.width, self.height, self.colours, rng);
        match grid.and_then(|grid| self.board(&grid)) {
            Ok(board) => board,
            Err(error) => unreachable!("the size was checked: {error}"),
        }
    }

    #[inline]
    fn actions(&self, board: &Board<W, N>, out: &mut Vec<Cell>) {
        out.clear();
        board.groups(|group| out.push(group.cell()));
    }

    #[inline]
    fn step(&self, board: &mut Board<W, N>, action: Cell, _rng: &mut Rng) -> Step<()> {
        self.play(board, action)
    }
}

/// The columns themselves.
impl<W: Word, const N: usize> Keyed for SameGame<W, N> {
    type Key = [W; N];

    fn key(&self, board: &Board<W, N>) -> [W; N] {
        *board.columns()
    }
}

/// The old board is remembered: it is smaller than any description of what fell where.
impl<W: Word, const N: usize> Undo for SameGame<W, N> {
    type Token = Board<W, N>;

    fn apply(
        &self,
        board: &mut Board<W, N>,
        action: Cell,
        _rng: &mut Rng,
    ) -> (Step<()>, Board<W, N>) {
        let before = *board;
        (self.play(board, action), before)
    }

    fn undo(&self, board: &mut Board<W, N>, before: Board<W, N>) {
        *board = before;
    }
}

/// One outcome: there is no chance.
impl<W: Word, const N: usize> Outcomes for SameGame<W, N> {
    fn outcomes(&self, board: &Board<W, N>, action: Cell, out: &mut Vec<Outcome<Board<W, N>, ()>>) {
        out.clear();
        let mut state = *board;
        let step = self.play(&mut state, action);
        out.push(Outcome { probability: 1.0, state, step });
    }
}
