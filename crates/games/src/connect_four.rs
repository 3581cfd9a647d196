//! Connect Four on the usual board of six rows and seven columns.

use patience_catalogue::{Benchmark, GameEntry, GameInfo, Kit, Words, Work};
use patience_model::{
    Encoded, Game, Keyed, Label, Outcome, Outcomes, Part, Rng, Scene, Shown, Step, Text, Undo,
};

use crate::{exact, stones};

/// The rules of Connect Four. The first player maximises; the one reward comes with the last move:
/// 1 if the first player has won, −1 if the second has, 0 for a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectFour;

/// Rows of the board.
pub const ROWS: u8 = 6;
/// Columns of the board.
pub const COLUMNS: u8 = 7;

// Cell (row, column) is bit `7 · column + row`, rows from the bottom. The seventh bit of each
// column is never played: it keeps lines from running over into the next column.
const HEIGHT: u32 = ROWS as u32 + 1;
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);
const TOP: u64 = BOTTOM << (ROWS - 1);

const ALL: [Column; COLUMNS as usize] =
    [Column(0), Column(1), Column(2), Column(3), Column(4), Column(5), Column(6)];

/// A position, as one bit per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Stones of the first and the second player.
    stones: [u64; 2],
    /// The lowest free cell of every column that can be played; none once the game is won.
    open: u64,
    /// Who moves next: 0 for the first player, 1 for the second.
    turn: u64,
}

/// A column into which a stone is dropped, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(pub u8);

#[inline]
fn won(stones: u64) -> bool {
    // Pairs of neighbours, then pairs of pairs: upright, level, and the two diagonals.
    let line = |by: u32| {
        let pairs = stones & (stones >> by);
        pairs & (pairs >> (2 * by))
    };
    line(1) | line(HEIGHT) | line(HEIGHT - 1) | line(HEIGHT + 1) != 0
}

impl ConnectFour {
    /// The empty board.
    pub const START: State = State { stones: [0; 2], open: BOTTOM, turn: 0 };

    /// A position from its text: six rows of `x`, `o` and dots, from the top.
    ///
    /// # Errors
    /// If there are not so many cells, a stone hangs in the air, or the numbers of stones and the rows of four are those of
    /// no game.
    pub fn read(&self, text: &str) -> Result<State, String> {
        let mut stones = [0_u64; 2];
        let (rows, columns) = (usize::from(ROWS), usize::from(COLUMNS));
        for (cell, stone) in stones::cells(text, rows, columns)?.into_iter().enumerate() {
            let (row, column) = (rows - 1 - cell / columns, cell % columns);
            if let Some(player) = stone {
                stones[player] |= 1 << (column * HEIGHT as usize + row);
            }
        }
        let both = stones[0] | stones[1];
        // In each column the stones are the lowest bits, all of them set.
        if both & (both + BOTTOM) != 0 {
            return Err("a stone hangs in the air: below it is an empty cell".to_owned());
        }
        let turn = stones::turn(stones.map(u64::count_ones))?;
        let last = usize::from(turn == 0);
        // The last stone made the line and lies on top, so without it there is none.
        let over = won(stones[last]);
        let tops = ALL.map(|c| column(c) & ((both + BOTTOM) >> 1) & stones[last]);
        let mut tops = tops.into_iter().filter(|&top| top != 0);
        if won(stones[1 - last]) || over && tops.all(|top| won(stones[last] & !top)) {
            return Err(stones::ENDED.to_owned());
        }
        let open = if over { 0 } else { (both + BOTTOM) & BOARD };
        Ok(State { stones, open, turn: turn.into() })
    }

    #[inline]
    fn play(&self, state: &mut State, action: Column) -> Step<()> {
        let stone = state.open & column(action);
        debug_assert!(stone != 0, "{action:?} cannot be played");
        let player = (state.turn & 1) as usize;
        state.stones[player] |= stone;
        state.open = (state.open ^ stone) | (stone << 1 & BOARD);
        state.turn ^= 1;
        let mut reward = 0.0;
        if won(state.stones[player]) {
            state.open = 0;
            reward = [1.0, -1.0][player];
        }
        Step { reward, obs: () }
    }
}

/// The bits of a column, the one above it included.
#[inline]
fn column(action: Column) -> u64 {
    ((1 << HEIGHT) - 1) << ((u32::from(action.0) * HEIGHT) & 63)
}

impl Game for ConnectFour {
    type State = State;
    type Action = Column;
    type Obs = ();

    fn start(&self, _rng: &mut Rng) -> State {
        ConnectFour::START
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Column>) {
        out.clear();
        if state.open == 0 {
            return;
        }
        let full = (state.stones[0] | state.stones[1]) & TOP;
        if full == 0 {
            out.extend_from_slice(&ALL);
        } else {
            out.extend(ALL.iter().filter(|c| full & column(**c) == 0));
        }
    }

    #[inline]
    fn step(&self, state: &mut State, action: Column, _rng: &mut Rng) -> Step<()> {
        self.play(state, action)
    }

    #[inline]
    fn minimising(&self, state: &State) -> bool {
        state.turn != 0
    }
}

/// Forty-nine bits without loss: in each column the highest bit set marks the height, those below
/// are the first player's stones; whose turn it is follows from the number of stones.
impl Keyed for ConnectFour {
    type Key = u64;

    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.stones[0] | ((state.stones[0] | state.stones[1]) + BOTTOM)
    }
}

impl Encoded for ConnectFour {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(
                42,
                2,
                "by cell, columns from the left and in each from the bottom: 0 empty, 1 and 2 a stone of \
                 the first and of the second player",
            ),
            Part::new(1, 1, "whose turn it is: 0 the first player's, 1 the second's"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<()>, out: &mut [i16]) {
        for (place, out) in out[..42].iter_mut().enumerate() {
            let (column, row) = (place as u32 / u32::from(ROWS), place as u32 % u32::from(ROWS));
            let [first, second] =
                state.stones.map(|stones| (stones >> (column * HEIGHT + row) & 1) as i16);
            *out = first + 2 * second;
        }
        out[42] = state.turn as i16;
    }

    fn moves(&self) -> usize {
        usize::from(COLUMNS)
    }

    fn numbering(&self) -> &'static str {
        "the column, from the left"
    }

    fn number(&self, _state: &State, action: Column) -> usize {
        usize::from(action.0)
    }
}

impl Undo for ConnectFour {
    type Token = Column;

    #[inline]
    fn apply(&self, state: &mut State, action: Column, _rng: &mut Rng) -> (Step<()>, Column) {
        (self.play(state, action), action)
    }

    #[inline]
    fn undo(&self, state: &mut State, action: Column) {
        state.turn ^= 1;
        let stones = state.stones[0] | state.stones[1];
        let above = (stones + BOTTOM) & column(action);
        state.stones[(state.turn & 1) as usize] &= !(above >> 1);
        // A move is only ever made while the game is on, so every column was open before it.
        let stones = state.stones[0] | state.stones[1];
        state.open = (stones + BOTTOM) & BOARD;
    }
}

/// One outcome: there is no chance.
impl Outcomes for ConnectFour {
    fn outcomes(&self, state: &State, action: Column, out: &mut Vec<Outcome<State, ()>>) {
        out.clear();
        let mut state = *state;
        let step = self.play(&mut state, action);
        out.push(Outcome { probability: 1.0, state, step });
    }
}

impl Text for ConnectFour {
    fn state_text(&self, state: &State) -> String {
        let row = |r: u8| -> String {
            (0..COLUMNS)
                .map(|c| {
                    match state.stones.map(|s| s >> (u32::from(c) * HEIGHT + u32::from(r)) & 1) {
                        [1, _] => 'x',
                        [_, 1] => 'o',
                        _ => '.',
                    }
                })
                .collect()
        };
        (0..ROWS).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The column as a letter, `a` to `g`.
    fn action_text(&self, _state: &State, action: Column) -> String {
        char::from(b'a' + action.0 % COLUMNS).to_string()
    }
}

/// From so many stones on exact values are found in a fraction of a second.
const LATE: u32 = 22;

/// Exact values of all columns, where many stones lie already.
fn late_values(game: &ConnectFour, state: &State) -> Vec<(Column, f64)> {
    let stones = state.stones[0].count_ones() + state.stones[1].count_ones();
    if stones < LATE { Vec::new() } else { exact::minimax(game, state) }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "connect-four",
        title: "Connect Four",
        summary: "four in a row on six rows and seven columns",
        rewards: "at the end: 1 if the first player wins, 0 for a draw, -1 if the second wins",
        positions: "rows of x, o and dots from the top",
        players: 2,
        words: &[GERMAN],
        ..GameInfo::NEW
    };
    let kit = || {
        let kit = Kit::new(ConnectFour).shown().keyed().undo().outcomes().encoded();
        kit.oracle(late_values).reading(ConnectFour::read)
    };
    GameEntry::new(info, move |_| Ok(kit().into())).with_benchmarks(BENCHMARKS)
}

const UCT: &str = "uct(c=1.4)";

const BENCHMARKS: &[Benchmark] = &[
    Benchmark::speed("uct/connect-four/10k", "connect-four", UCT, 10_000),
    Benchmark::speed("uct/connect-four/200k", "connect-four", UCT, 200_000),
    Benchmark {
        name: "uct/connect-four/2-threads",
        what: "how many times as fast two threads are as one, with 64 episodes under way",
        unit: "times",
        work: Work::Ratio {
            game: "connect-four",
            planner: "uct(c=1.4, batch=64, threads=2)",
            beside: "uct(c=1.4, batch=64)",
            iterations: 200_000,
        },
    },
    Benchmark {
        name: "memory/connect-four/10M",
        what: "memory of a tree of 10 million nodes",
        unit: "bytes",
        work: Work::Memory { game: "connect-four", planner: UCT, nodes: 10_000_000 },
    },
];

impl Shown for ConnectFour {
    fn title(&self) -> String {
        "Connect Four".to_owned()
    }

    fn label(&self, state: &State, action: Column) -> Label {
        let stone = ['x', 'o'][usize::from(self.minimising(state))];
        let label = format!("{stone} into column {}", self.action_text(state, action));
        let height = (state.open & column(action)).trailing_zeros() % HEIGHT;
        // The lowest free square stands for its column.
        Label::square(label, action.0, ROWS - 1 - height as u8)
    }

    fn scene(&self, state: &State) -> Scene {
        let text = match (state.open, self.minimising(state)) {
            (0, _) => "",
            (_, true) => "o to move",
            (_, false) => "x to move",
        };
        Scene::squares(&self.state_text(state), text)
    }
}

const GERMAN: Words = Words::german(&[
    ("x", "x"),
    ("o", "o"),
    ("{stone} to move", "{stone} ist am Zug"),
    ("{stone} into column {cell}", "{stone} in Spalte {cell}"),
]);
