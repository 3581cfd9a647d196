//! 2048 (Gabriele Cirulli 2014): slide tiles together until nothing moves.
//!
//! All tiles slide one way as far as they can. Two that are alike and meet become one of twice the number,
//! which is scored; a tile that was made in a move is not merged again in it, and of three alike the two
//! that are ahead merge. Then a tile comes to an empty square, each alike: a 2 in nine of ten cases, else a
//! 4. A move that changes nothing is not legal. The game starts with two tiles, and ends when no move is
//! left.

mod encoded;
mod entry;

pub use entry::entry;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Scene, Shown, Step, Text};

use crate::words;

/// Squares of the largest board.
const SQUARES: usize = 16;
/// How likely a new tile is a 2.
const TWO: f64 = 0.9;

/// The rules: squares of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twenty48 {
    size: usize,
}

/// The board, row by row: the logarithm of a tile's number, 0 where none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board(pub [u8; SQUARES]);

/// Where tiles slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Slide {
    Left,
    Right,
    Up,
    Down,
}

/// The tile that came: its square, and the logarithm of its number.
pub type Tile = (u8, u8);

/// Pushes the tiles of a line to its front, and gives what is scored.
fn push(line: &mut [u8]) -> f64 {
    let (mut to, mut points, mut merges) = (0, 0.0, false);
    for from in 0..line.len() {
        let tile = std::mem::take(&mut line[from]);
        if tile == 0 {
            continue;
        }
        if merges && line[to - 1] == tile {
            line[to - 1] += 1;
            points += f64::from(1_u32 << (tile + 1));
            merges = false;
        } else {
            line[to] = tile;
            (to, merges) = (to + 1, true);
        }
    }
    points
}

impl Twenty48 {
    /// A board of so many squares a side.
    ///
    /// # Errors
    /// If it is not 2, 3 or 4.
    pub fn new(size: usize) -> Result<Self, String> {
        match (2..=4).contains(&size) {
            true => Ok(Twenty48 { size }),
            false => Err(format!("there are boards of 2 to 4 squares a side, not {size}")),
        }
    }

    /// The squares of the board.
    pub fn squares(&self) -> usize {
        self.size * self.size
    }

    /// The logarithm of the highest number that can come up: on a full board of all smaller ones a 4 came to
    /// the last square.
    pub fn highest_tile(&self) -> u8 {
        self.squares() as u8 + 1
    }

    /// A position from its text: rows of numbers, and dots for empty squares, from the top.
    ///
    /// # Errors
    /// Says in which line it is wrong.
    pub fn read(&self, text: &str) -> Result<Board, String> {
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
        let lines: Vec<_> = lines.into_iter().filter(|(_, line)| !line.trim().is_empty()).collect();
        if lines.len() != self.size {
            return Err(format!("expected {} rows, got {}", self.size, lines.len()));
        }
        let mut board = Board([0; SQUARES]);
        let mut squares = board.0.iter_mut();
        for (number, line) in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.len() != self.size {
                let count = words.len();
                return Err(format!("line {number}: {count} squares, expected {}", self.size));
            }
            for (word, square) in words.into_iter().zip(&mut squares) {
                let highest = self.highest_tile();
                let tile = (1..=highest).find(|&tile| (1_u32 << tile).to_string() == word);
                *square = match tile {
                    Some(tile) => tile,
                    None if word == "." => 0,
                    None => {
                        let most = 1_u32 << highest;
                        let expected = format!("a dot, or a power of 2 from 2 to {most}");
                        return Err(format!("line {number}: {word:?}, expected {expected}"));
                    }
                };
            }
        }
        // Tiles of more than a full board of all numbers could slide to one that never comes up.
        let sum: u64 = board.0.iter().filter(|&&tile| tile > 0).map(|&tile| 1 << tile).sum();
        let most = (1 << (self.squares() + 2)) - 4;
        match board.0.iter().filter(|&&tile| tile > 0).count() {
            0 | 1 => Err("there are always two tiles or more".to_owned()),
            _ if sum > most => {
                Err(format!("the tiles come to {sum}, and never to more than {most}"))
            }
            _ => Ok(board),
        }
    }

    /// The square that is so far from the front on a line.
    fn square(&self, slide: Slide, line: usize, place: usize) -> usize {
        let back = self.size - 1 - place;
        match slide {
            Slide::Left => line * self.size + place,
            Slide::Right => line * self.size + back,
            Slide::Up => place * self.size + line,
            Slide::Down => back * self.size + line,
        }
    }

    /// The board after a slide and before a tile comes, and what is scored; `None` where nothing moves.
    pub fn slide(&self, board: &Board, slide: Slide) -> Option<(Board, f64)> {
        let (mut next, mut points) = (*board, 0.0);
        for line in 0..self.size {
            let mut tiles = [0; 4];
            let tiles = &mut tiles[..self.size];
            for (place, tile) in tiles.iter_mut().enumerate() {
                *tile = board.0[self.square(slide, line, place)];
            }
            points += push(tiles);
            for (place, &tile) in tiles.iter().enumerate() {
                next.0[self.square(slide, line, place)] = tile;
            }
        }
        (next != *board).then_some((next, points))
    }

    fn empty(&self, board: &Board) -> impl Iterator<Item = u8> {
        let board = *board;
        (0..self.squares()).filter(move |&square| board.0[square] == 0).map(|s| s as u8)
    }

    /// Puts a tile where none is.
    fn add(&self, board: &mut Board, rng: &mut Rng) -> Tile {
        let nth = rng.index(self.empty(board).count());
        let square = self.empty(board).nth(nth).expect("there are so many empty squares");
        let tile = if rng.chance(TWO) { 1 } else { 2 };
        board.0[usize::from(square)] = tile;
        (square, tile)
    }

    /// The largest number on the board.
    pub fn largest(&self, board: &Board) -> u32 {
        1 << board.0.iter().max().expect("there are squares")
    }
}

impl Game for Twenty48 {
    type State = Board;
    type Action = Slide;
    type Obs = Tile;

    fn start(&self, rng: &mut Rng) -> Board {
        let mut board = Board([0; SQUARES]);
        self.add(&mut board, rng);
        self.add(&mut board, rng);
        board
    }

    fn actions(&self, board: &Board, out: &mut Vec<Slide>) {
        out.clear();
        let all = [Slide::Left, Slide::Right, Slide::Up, Slide::Down];
        out.extend(all.iter().filter(|&&slide| self.slide(board, slide).is_some()));
    }

    fn step(&self, board: &mut Board, slide: Slide, rng: &mut Rng) -> Step<Tile> {
        let (next, reward) = self.slide(board, slide).expect("a legal slide moves something");
        *board = next;
        Step { reward, obs: self.add(board, rng) }
    }
}

impl Keyed for Twenty48 {
    type Key = Board;

    fn key(&self, board: &Board) -> Board {
        *board
    }
}

impl Outcomes for Twenty48 {
    fn outcomes(&self, board: &Board, slide: Slide, out: &mut Vec<Outcome<Board, Tile>>) {
        out.clear();
        let (next, reward) = self.slide(board, slide).expect("a legal slide moves something");
        let share = 1.0 / self.empty(&next).count() as f64;
        for square in self.empty(&next) {
            for (tile, chance) in [(1, TWO), (2, 1.0 - TWO)] {
                let mut state = next;
                state.0[usize::from(square)] = tile;
                let step = Step { reward, obs: (square, tile) };
                out.push(Outcome { probability: share * chance, state, step });
            }
        }
    }
}

/// A tile as people see it; nothing on an empty square.
fn number(tile: u8) -> String {
    if tile == 0 { String::new() } else { (1_u32 << tile).to_string() }
}

impl Text for Twenty48 {
    fn state_text(&self, board: &Board) -> String {
        let width = number(*board.0.iter().max().expect("there are squares")).len();
        let tile = |&tile: &u8| match tile {
            0 => format!("{:>width$}", "."),
            _ => format!("{:>width$}", number(tile)),
        };
        let row = |row: &[u8]| row.iter().map(tile).collect::<Vec<_>>().join(" ");
        let squares = &board.0[..self.squares()];
        squares.chunks(self.size).map(row).collect::<Vec<_>>().join("\n")
    }

    fn action_text(&self, _: &Board, slide: Slide) -> String {
        format!("{slide:?}").to_lowercase()
    }

    fn obs_text(&self, _: &Board, (square, tile): Tile) -> String {
        let size = self.size as u8;
        format!("a {} on {}", number(tile), words::square(square % size, square / size, size))
    }
}

impl Shown for Twenty48 {
    fn title(&self) -> String {
        "2048".to_owned()
    }

    fn label(&self, board: &Board, slide: Slide) -> Label {
        let points = self.slide(board, slide).map(|(_, points)| points);
        let label = Label::words(format!("slide {}", self.action_text(board, slide)));
        Label { points, ..label }
    }

    fn scene(&self, board: &Board) -> Scene {
        let squares = &board.0[..self.squares()];
        let rows = squares.chunks(self.size);
        let rows = rows.map(|row| row.iter().copied().map(number).collect()).collect();
        Scene::Grid { rows, text: String::new(), seen: String::new() }
    }
}
