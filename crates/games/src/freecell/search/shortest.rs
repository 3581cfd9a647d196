//! The shortest solution as a problem for A*.

use patience_plan::astar::{BitReader, BitWriter, Problem};

use super::commutativity::LastMacro;
use super::successors::SuccessorGenerator;
use crate::freecell::engine::{FreeCell, Move, Packing, State};
use crate::freecell::heuristics::{AnalysisCache, Heuristic};
use crate::freecell::{Board, Step, validator};

/// From a board to all cards home, in the fewest moves of the game's metric.
#[derive(Clone, Debug)]
pub struct Shortest<'g> {
    game: &'g FreeCell,
    board: Board,
    packing: Packing,
    heuristic: Heuristic,
    safe_moves: bool,
    macro_moves: bool,
    commutativity_pruning: bool,
}

impl<'g> Shortest<'g> {
    /// The problem with a heuristic. [Safe moves home](FreeCell::safe_home_move) are made at once,
    /// cards go into cells only as part of macro moves, and macro moves that commute are searched
    /// in one order.
    pub fn new(game: &'g FreeCell, board: &Board, heuristic: Heuristic) -> Self {
        let packing = Packing::new(game, board);
        let board = board.clone();
        Shortest {
            game,
            board,
            packing,
            heuristic,
            safe_moves: true,
            macro_moves: true,
            commutativity_pruning: true,
        }
    }

    /// Without safe moves: the search decides when cards go home. More states, the same lengths.
    pub fn without_safe_moves(mut self) -> Self {
        self.safe_moves = false;
        self
    }

    /// Without macro moves: the search decides when cards go into cells. More states, the same
    /// lengths.
    pub fn without_late_moves(mut self) -> Self {
        self.macro_moves = false;
        self
    }

    /// Without commutativity pruning: more states are generated, the same lengths.
    pub fn in_any_order(mut self) -> Self {
        self.commutativity_pruning = false;
        self
    }

    /// Generates the successors of a state within a limit. The least cost plus estimate that was
    /// pruned.
    #[inline]
    fn generate(
        &self,
        state: &State,
        last: Option<LastMacro>,
        limit: u32,
        work: &mut Work,
        each: impl FnMut(&State, &[Move], u32),
    ) -> Option<u32> {
        let Work { cache, moves, cell_moves } = work;
        let mut generator = SuccessorGenerator {
            game: self.game,
            heuristic: self.heuristic,
            safe_moves: self.safe_moves,
            macro_moves: self.macro_moves,
            last,
            limit,
            pruned: None,
            moves,
            cell_moves,
            each,
        };
        generator.generate(state, cache);
        generator.pruned
    }

    /// The steps on the board for moves, each followed by the safe moves home.
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

    /// The steps on the board along a path of states; `None` if it is no path.
    pub fn steps(&self, path: &[State]) -> Option<Vec<Step>> {
        let mut board = self.board.clone();
        let mut steps = Vec::new();
        for pair in path.windows(2) {
            // Several macro moves can lead to one state, at different costs.
            let mut best: Option<Vec<Move>> = None;
            let mut least = u32::MAX;
            self.generate(&pair[0], None, u32::MAX, &mut Work::default(), |next, moves, cost| {
                if next.below == pair[1].below && cost < least {
                    (best, least) = (Some(moves.to_vec()), cost);
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

    fn estimate_up_to(&self, state: &State, limit: u32) -> Option<u32> {
        Some(self.heuristic.estimate_up_to(self.game, state, Some(limit)))
    }

    fn successors(&self, state: &State, limit: u32, out: &mut Vec<(State, u32)>) -> Option<u32> {
        self.expand(state, None, limit, &mut Work::default(), out)
    }

    fn expand(
        &self,
        state: &State,
        parent: Option<&State>,
        limit: u32,
        work: &mut Work,
        out: &mut Vec<(State, u32)>,
    ) -> Option<u32> {
        out.clear();
        let last = parent
            .filter(|_| self.commutativity_pruning && self.macro_moves)
            .and_then(|parent| LastMacro::between(self.game, parent, state));
        self.generate(state, last, limit, work, |next, _, cost| out.push((*next, cost)))
    }

    fn estimate_successor(&self, state: &State, limit: u32, work: &mut Work) -> Option<u32> {
        let known = match self.heuristic {
            Heuristic::Best => work.cache.successor(self.game, state),
            Heuristic::Deadlock(_) => None,
        };
        Some(match known {
            Some(analysis) => Heuristic::best_up_to(self.game, state, analysis, Some(limit)),
            None => self.heuristic.estimate_up_to(self.game, state, Some(limit)),
        })
    }
}

/// The analysis of the state being expanded, and buffers that are used again.
#[derive(Debug, Default)]
pub struct Work {
    cache: AnalysisCache,
    moves: Vec<Move>,
    cell_moves: Vec<Move>,
}
