//! Tic-tac-toe: the smallest two-player game worth searching.

use patience_catalogue::{Benchmark, GameEntry, GameInfo, Kit, Words};
use patience_model::{
    Encoded, Game, Keyed, Label, Outcome, Outcomes, Part, Rng, Scene, Shown, Step, Text, Undo,
};

use crate::{exact, stones};

/// The rules of tic-tac-toe. Crosses move first and maximise; the one reward comes with the last
/// move: 1 if crosses have won, −1 if noughts have, 0 for a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe;

/// All nine cells, bit `3 · row + column`.
const BOARD: u16 = 0o777;

/// Bit `b` of this table says whether the stones `b` hold a line of three.
const WON: [u64; 8] = won_table();

const fn won_table() -> [u64; 8] {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut table = [0; 8];
    let mut stones = 0;
    while stones < 512 {
        let mut line = 0;
        while line < LINES.len() {
            if stones & LINES[line] == LINES[line] {
                table[stones as usize >> 6] |= 1 << (stones & 63);
            }
            line += 1;
        }
        stones += 1;
    }
    table
}

#[inline]
fn won(stones: u16) -> bool {
    WON[usize::from(stones >> 6) & 7] >> (stones & 63) & 1 != 0
}

/// A position, as one bit per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Stones of crosses and of noughts.
    stones: [u16; 2],
    /// Cells that can be played: the empty ones, or none once the game is won.
    open: u16,
    /// Who moves next: 0 for crosses, 1 for noughts.
    turn: u16,
}

/// A cell: `3 · row + column`, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl TicTacToe {
    /// The empty board.
    pub const START: State = State { stones: [0; 2], open: BOARD, turn: 0 };

    /// A position from its text: three rows of `x`, `o` and dots, from the top.
    ///
    /// # Errors
    /// If there are not so many cells, or no game of alternate moves gets there.
    pub fn read(&self, text: &str) -> Result<State, String> {
        let mut stones = [0_u16; 2];
        for (cell, stone) in stones::cells(text, 3, 3)?.into_iter().enumerate() {
            if let Some(player) = stone {
                stones[player] |= 1 << cell;
            }
        }
        let turn = stones::turn(stones.map(u16::count_ones))?;
        let last = usize::from(turn == 0);
        // The last stone made the line, so without it there is none.
        let mut each = (0..9).filter(|cell| stones[last] >> cell & 1 != 0);
        let over = won(stones[last]);
        if won(stones[1 - last]) || over && each.all(|cell| won(stones[last] & !(1 << cell))) {
            return Err(stones::ENDED.to_owned());
        }
        let open = if over { 0 } else { BOARD & !(stones[0] | stones[1]) };
        Ok(State { stones, open, turn: turn.into() })
    }

    #[inline]
    fn play(&self, state: &mut State, action: Cell) -> Step<()> {
        let cell = 1 << (action.0 & 15);
        debug_assert!(state.open & cell != 0, "{action:?} is not open");
        let player = usize::from(state.turn & 1);
        state.stones[player] |= cell;
        state.open &= !cell;
        state.turn ^= 1;
        let mut reward = 0.0;
        if won(state.stones[player]) {
            state.open = 0;
            reward = [1.0, -1.0][player];
        }
        Step { reward, obs: () }
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = Cell;
    type Obs = ();

    fn start(&self, _rng: &mut Rng) -> State {
        TicTacToe::START
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Cell>) {
        out.clear();
        let mut open = state.open;
        while open != 0 {
            out.push(Cell(open.trailing_zeros() as u8));
            open &= open - 1;
        }
    }

    #[inline]
    fn step(&self, state: &mut State, action: Cell, _rng: &mut Rng) -> Step<()> {
        self.play(state, action)
    }

    #[inline]
    fn minimising(&self, state: &State) -> bool {
        state.turn != 0
    }
}

/// Eighteen bits without loss: whose turn it is follows from the number of stones.
impl Keyed for TicTacToe {
    type Key = u32;

    #[inline]
    fn key(&self, state: &State) -> u32 {
        u32::from(state.stones[0]) | u32::from(state.stones[1]) << 9
    }
}

impl Undo for TicTacToe {
    type Token = Cell;

    #[inline]
    fn apply(&self, state: &mut State, action: Cell, _rng: &mut Rng) -> (Step<()>, Cell) {
        (self.play(state, action), action)
    }

    #[inline]
    fn undo(&self, state: &mut State, cell: Cell) {
        state.turn ^= 1;
        state.stones[usize::from(state.turn & 1)] &= !(1 << (cell.0 & 15));
        // A move is only ever made while the game is on, so every empty cell was open before it.
        state.open = BOARD & !(state.stones[0] | state.stones[1]);
    }
}

impl Encoded for TicTacToe {
    fn layout(&self) -> Vec<Part> {
        vec![
            Part::new(9, 2, "by cell, in rows from the top left: 0 empty, 1 a cross, 2 a nought"),
            Part::new(1, 1, "whose turn it is: 0 crosses, 1 noughts"),
        ]
    }

    fn observe(&self, state: &State, _last: Option<()>, out: &mut [i16]) {
        for (cell, out) in out[..9].iter_mut().enumerate() {
            let [crosses, noughts] = state.stones.map(|stones| (stones >> cell & 1) as i16);
            *out = crosses + 2 * noughts;
        }
        out[9] = state.turn as i16;
    }

    fn moves(&self) -> usize {
        9
    }

    fn numbering(&self) -> &'static str {
        "the cell"
    }

    fn number(&self, _state: &State, action: Cell) -> usize {
        usize::from(action.0)
    }
}

/// One outcome: there is no chance.
impl Outcomes for TicTacToe {
    fn outcomes(&self, state: &State, action: Cell, out: &mut Vec<Outcome<State, ()>>) {
        out.clear();
        let mut state = *state;
        let step = self.play(&mut state, action);
        out.push(Outcome { probability: 1.0, state, step });
    }
}

impl Text for TicTacToe {
    fn state_text(&self, state: &State) -> String {
        let row = |r: u8| -> String {
            (0..3)
                .map(|c| match state.stones.map(|s| s >> (3 * r + c) & 1) {
                    [1, _] => 'x',
                    [_, 1] => 'o',
                    _ => '.',
                })
                .collect()
        };
        [row(0), row(1), row(2)].join("\n")
    }

    /// Column and row as in chess: `a3` is the top left cell.
    fn action_text(&self, _state: &State, action: Cell) -> String {
        format!("{}{}", char::from(b'a' + action.0 % 3), 3 - action.0 / 3 % 3)
    }
}

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    let info = GameInfo {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        summary: "three in a row on a board of nine",
        rewards: "at the end: 1 if the first player wins, 0 for a draw, -1 if the second wins",
        lesson: "tic-tac-toe",
        positions: "rows of x, o and dots from the top",
        players: 2,
        words: &[GERMAN],
        ..GameInfo::NEW
    };
    let kit = || {
        let kit = Kit::new(TicTacToe).shown().keyed().undo().outcomes().encoded();
        kit.oracle(exact::minimax).reading(TicTacToe::read)
    };
    GameEntry::new(info, move |_| Ok(kit().into())).with_benchmarks(BENCHMARKS)
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark::speed("uct/tic-tac-toe/10k", "tic-tac-toe", "uct(c=1.4)", 10_000),
    Benchmark::speed("uct/tic-tac-toe/200k", "tic-tac-toe", "uct(c=1.4)", 200_000),
];

impl Shown for TicTacToe {
    fn title(&self) -> String {
        "Tic-tac-toe".to_owned()
    }

    fn label(&self, state: &State, action: Cell) -> Label {
        let stone = ['x', 'o'][usize::from(self.minimising(state))];
        let label = format!("{stone} at {}", self.action_text(state, action));
        Label::square(label, action.0 % 3, action.0 / 3)
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
    ("{stone} at {cell}", "{stone} auf {cell}"),
]);
