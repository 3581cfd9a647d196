//! The shortest solution as a problem for A*.

use patience_plan::astar::{BitReader, BitWriter, Problem};

use super::digging::{Basis, Digging, Ground};
use super::engine::{FreeCell, Move};
use super::heuristic::Heuristic;
use super::order::Last;
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
    late: bool,
    ordered: bool,
}

impl<'g> Shortest<'g> {
    /// The problem, with a heuristic for it. Cards that can [safely go
    /// home](FreeCell::safe_home_move) are sent there at once, and cards go into cells only where
    /// the next move needs it.
    pub fn new(game: &'g FreeCell, board: &Board, heuristic: Heuristic) -> Self {
        let packing = Packing::new(game, board);
        let board = board.clone();
        Shortest { game, board, packing, heuristic, safe_moves: true, late: true, ordered: true }
    }

    /// Leaves it to the search when cards go home: more states, the same lengths.
    pub fn without_safe_moves(mut self) -> Self {
        self.safe_moves = false;
        self
    }

    /// Leaves it to the search when cards go into cells: more states, the same lengths.
    pub fn without_late_moves(mut self) -> Self {
        self.late = false;
        self
    }

    /// Looks at ways in every order: more is generated, the same lengths.
    pub fn in_any_order(mut self) -> Self {
        self.ordered = false;
        self
    }

    /// Makes the ways on from a state; the least of those beyond the room.
    #[inline]
    fn ways(
        &self,
        state: &State,
        last: Option<Last>,
        room: u32,
        work: &mut Work,
        each: impl FnMut(&State, &[Move], u32),
    ) -> Option<u32> {
        let Work { basis, moves, way } = work;
        let mut digging = Digging {
            game: self.game,
            heuristic: self.heuristic,
            safe_moves: self.safe_moves,
            late: self.late,
            last,
            room,
            later: None,
            moves,
            way,
            each,
        };
        digging.all(state, basis);
        digging.later
    }

    /// The steps on the table for moves, each followed by the cards that safely go home.
    pub(super) fn steps_of(&self, moves: &[Move]) -> Vec<Step> {
        let mut board = self.board.clone();
        let mut state = State::of(&board);
        let mut steps = Vec::with_capacity(2 * moves.len());
        for &m in moves {
            let mut made = Some(m);
            while let Some(m) = made {
                let step = self.game.step_on(&board, &state, m);
                validator::make(&mut board, &step);
                steps.push(step);
                self.game.make(&mut state, m);
                made = self.game.safe_home_move(&state);
            }
        }
        steps
    }

    /// The steps on the table that lead along a path of states; `None` if it is not a path.
    pub fn steps(&self, path: &[State]) -> Option<Vec<Step>> {
        let mut board = self.board.clone();
        let mut steps = Vec::new();
        for pair in path.windows(2) {
            // Several ways can lead to one state, some with more cards going home on the way.
            let mut best: Option<Vec<Move>> = None;
            let mut least = u32::MAX;
            self.ways(&pair[0], None, u32::MAX, &mut Work::default(), |next, way, cost| {
                if next.below == pair[1].below && cost < least {
                    (best, least) = (Some(way.to_vec()), cost);
                }
            });
            let mut state = pair[0];
            let mut make = |state: &mut State, m: Move| {
                let step = self.game.step_on(&board, state, m);
                validator::make(&mut board, &step);
                steps.push(step);
                self.game.make(state, m);
            };
            for m in best? {
                make(&mut state, m);
            }
            while let Some(m) = self.game.safe_home_move(&state).filter(|_| self.safe_moves) {
                make(&mut state, m);
            }
        }
        Some(steps)
    }
}

impl Problem for Shortest<'_> {
    type State = State;
    type Work = Work;

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

    fn estimate_for(&self, state: &State, enough: u32) -> Option<u32> {
        Some(self.heuristic.estimate_for(self.game, state, Some(enough)))
    }

    fn successors(&self, state: &State, room: u32, out: &mut Vec<(State, u32)>) -> Option<u32> {
        self.expand(state, None, room, &mut Work::default(), out)
    }

    fn expand(
        &self,
        state: &State,
        before: Option<&State>,
        room: u32,
        work: &mut Work,
        out: &mut Vec<(State, u32)>,
    ) -> Option<u32> {
        out.clear();
        let last = before
            .filter(|_| self.ordered && self.late)
            .and_then(|before| Last::between(self.game, before, state));
        self.ways(state, last, room, work, |next, _, cost| out.push((*next, cost)))
    }

    fn estimate_next(&self, state: &State, enough: u32, work: &mut Work) -> Option<u32> {
        let known = match self.heuristic {
            Heuristic::Best => work.basis.after(self.game, state),
            Heuristic::Deadlock(_) => None,
        };
        Some(match known {
            Some(Ground { blockers, pairs, cover, .. }) => {
                Heuristic::best_for(self.game, state, blockers, pairs, *cover, Some(enough))
            }
            None => self.heuristic.estimate_for(self.game, state, Some(enough)),
        })
    }
}

/// What is worked out for a state that is expanded, and lists that are used again.
#[derive(Debug, Default)]
pub struct Work {
    basis: Basis,
    moves: Vec<Move>,
    way: Vec<Move>,
}
