//! The fast engine as a game for planners.

use patience_model::{Game, Keyed, Outcome, Outcomes, Rng, Step as Outturn, Text, Undo};

use super::{FreeCell, Move, State};
use crate::freecell::Board;

impl Game for FreeCell {
    type State = State;
    type Action = Move;
    type Obs = ();

    /// A random deal.
    fn start(&self, rng: &mut Rng) -> State {
        State::of(&Board::shuffled(self.rules(), rng))
    }

    fn actions(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        self.moves(state, out);
    }

    fn step(&self, state: &mut State, action: Move, _rng: &mut Rng) -> Outturn<()> {
        self.make(state, action);
        Outturn { reward: f64::from(u8::from(action.is_home())), obs: () }
    }
}

/// What lies beneath each card: the order of columns and cells makes no difference.
impl Keyed for FreeCell {
    type Key = [u8; 52];

    fn key(&self, state: &State) -> [u8; 52] {
        state.below
    }
}

impl Undo for FreeCell {
    type Token = Move;

    fn apply(&self, state: &mut State, action: Move, rng: &mut Rng) -> (Outturn<()>, Move) {
        (self.step(state, action, rng), action)
    }

    fn undo(&self, state: &mut State, action: Move) {
        self.take_back(state, action);
    }
}

/// One outcome: there is no chance.
impl Outcomes for FreeCell {
    fn outcomes(&self, state: &State, action: Move, out: &mut Vec<Outcome<State, ()>>) {
        out.clear();
        let mut state = *state;
        self.make(&mut state, action);
        let reward = f64::from(u8::from(action.is_home()));
        out.push(Outcome { probability: 1.0, state, step: Outturn { reward, obs: () } });
    }
}

impl Text for FreeCell {
    fn state_text(&self, state: &State) -> String {
        state.board(self.rules()).to_string().trim_end().to_string()
    }

    /// Standard notation, with cards in cells from the left in their order.
    fn action_text(&self, state: &State, action: Move) -> String {
        self.step_on(&state.board(self.rules()), state, action).to_string()
    }
}
