//! A game of choices and moves without one in turn, under so much chance that what follows a move
//! was hardly ever simulated before.

use patience::prelude::*;

/// Moves in a game.
pub(crate) const LENGTH: u8 = 9;

pub(crate) struct Fork;

/// Moves made, and the last number drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State(u8, u8);

impl Game for Fork {
    type State = State;
    type Action = u8;
    type Obs = u8;

    fn start(&self, _rng: &mut Rng) -> State {
        State(0, 0)
    }

    /// Every third position has a choice; its moves are those of no other third.
    fn actions(&self, state: &State, out: &mut Vec<u8>) {
        out.clear();
        let State(ply, _) = *state;
        match ply {
            LENGTH.. => {}
            _ if ply % 3 == 0 => out.extend([0, ply + 1, ply + 2]),
            _ => out.push(0),
        }
    }

    fn step(&self, state: &mut State, action: u8, rng: &mut Rng) -> Step<u8> {
        let mut legal = Vec::new();
        self.actions(state, &mut legal);
        assert!(legal.contains(&action), "{action} is not legal after {} moves", state.0);
        let drawn = rng.below(6) as u8;
        *state = State(state.0 + 1, drawn);
        Step { reward: f64::from(drawn) / 50.0, obs: drawn }
    }
}

impl Keyed for Fork {
    type Key = (u8, u8);

    fn key(&self, state: &State) -> (u8, u8) {
        (state.0, state.1)
    }
}
