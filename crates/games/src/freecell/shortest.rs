//! The shortest solution as a problem for A*.

use patience_plan::astar::{BitReader, BitWriter, Problem};

use super::engine::{FreeCell, Move};
use super::heuristic::Heuristic;
use super::packing::Packing;
use super::state::State;
use super::{Board, Step, validator};

/// From a board to all cards home in the fewest moves of the game's metric.
#[derive(Clone, Debug)]
pub struct Shortest<'g> {
    game: &'g FreeCell,
    board: Board,
    packing: Packing,
    heuristic: Heuristic,
    safe_moves: bool,
}

impl<'g> Shortest<'g> {
    /// The problem, with a heuristic for it. Cards that can [safely go
    /// home](FreeCell::safe_home_move) are sent there at once.
    pub fn new(game: &'g FreeCell, board: &Board, heuristic: Heuristic) -> Self {
        let packing = Packing::new(game, board);
        Shortest { game, board: board.clone(), packing, heuristic, safe_moves: true }
    }

    /// Leaves it to the search when cards go home: more states, the same lengths.
    pub fn without_safe_moves(mut self) -> Self {
        self.safe_moves = false;
        self
    }

    /// The moves that lead on from a state, each with those that follow from it at once.
    fn follow(&self, state: &State, mut each: impl FnMut(State, Move, u32)) {
        let go = |m: Move| {
            let mut next = *state;
            self.game.make(&mut next, m);
            let mut cost = 1;
            if self.safe_moves {
                while let Some(safe) = self.game.safe_home_move(&next) {
                    self.game.make(&mut next, safe);
                    cost += 1;
                }
            }
            (next, m, cost)
        };
        if let Some(safe) = self.game.safe_home_move(state).filter(|_| self.safe_moves) {
            let (next, m, cost) = go(safe);
            return each(next, m, cost);
        }
        let mut moves = Vec::with_capacity(64);
        self.game.moves(state, &mut moves);
        for m in moves {
            let (next, m, cost) = go(m);
            each(next, m, cost);
        }
    }

    /// The steps on the table that lead along a path of states; `None` if it is not a path.
    pub fn steps(&self, path: &[State]) -> Option<Vec<Step>> {
        let mut board = self.board.clone();
        let mut steps = Vec::new();
        for pair in path.windows(2) {
            // Several moves can lead to one state, some with more cards going home on the way.
            let mut first = None;
            let mut least = u32::MAX;
            self.follow(&pair[0], |next, m, cost| {
                if next.below == pair[1].below && cost < least {
                    (first, least) = (Some(m), cost);
                }
            });
            let mut state = pair[0];
            let mut next = Some(first?);
            while let Some(m) = next {
                let step = self.game.step_on(&board, &state, m);
                validator::make(&mut board, &step);
                steps.push(step);
                self.game.make(&mut state, m);
                next = self.game.safe_home_move(&state).filter(|_| self.safe_moves);
            }
        }
        Some(steps)
    }
}

impl Problem for Shortest<'_> {
    type State = State;

    fn start(&self) -> State {
        State::of(&self.board)
    }

    fn pack(&self, state: &State, bits: &mut BitWriter) {
        self.packing.pack(state, bits);
    }

    fn unpack(&self, bits: &mut BitReader<'_>) -> State {
        self.packing.unpack(bits)
    }

    fn is_goal(&self, state: &State) -> bool {
        state.is_solved(self.game.rules())
    }

    fn estimate(&self, state: &State) -> Option<u32> {
        Some(self.heuristic.estimate(self.game, state))
    }

    fn successors(&self, state: &State, out: &mut Vec<(State, u32)>) {
        out.clear();
        self.follow(state, |next, _, cost| out.push((next, cost)));
    }
}
