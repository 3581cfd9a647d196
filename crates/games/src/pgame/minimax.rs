//! The exact value of every move of a P-game: the oracle of Figures 2 and 3.

use super::{Move, MoveValues, PGame, State, payoff};

impl PGame {
    /// The minimax value of every move in this state, in the order of [`actions`]; nothing once the
    /// game is over.
    ///
    /// Exact. Alpha-beta over the three results a game can have, which unlike a player sees the
    /// moves' values: it tries the best-looking moves first, and stops where the sum can no longer
    /// change sign.
    ///
    /// [`actions`]: patience_model::Game::actions
    pub fn minimax_values(&self, state: &State) -> Vec<(Move, f64)> {
        if state.ply >= self.depth {
            return Vec::new();
        }
        let mut solver = Solver { game: self, children: Vec::new() };
        (0..self.branching)
            .map(|number| {
                let action = Move(number);
                (action, payoff(solver.solve(self.after(state, action), -1, 1)))
            })
            .collect()
    }

    /// The lowest and the highest sum that the rest of the game can add.
    fn rest(&self, ply: u16) -> (i32, i32) {
        let left = i32::from(self.depth - ply);
        match self.values {
            MoveValues::PlusMinusOne => (-left, left),
            MoveValues::Uniform => {
                // MAX moves at even plies: of the moves left, the larger half is the mover's.
                let (mover, other) = ((left + 1) / 2, left / 2);
                let (max, min) = if ply & 1 == 0 { (mover, other) } else { (other, mover) };
                (-127 * min, 127 * max)
            }
        }
    }
}

struct Solver<'g> {
    game: &'g PGame,
    /// A stack of sorted children, shared by all levels of the recursion.
    children: Vec<State>,
}

impl Solver<'_> {
    /// −1, 0 or 1: the sign of the sum with best play, exact within (alpha, beta) and a bound
    /// outside (fail-hard).
    fn solve(&mut self, state: State, mut alpha: i32, mut beta: i32) -> i32 {
        let (low, high) = self.game.rest(state.ply);
        let (low, high) = ((state.sum + low).signum(), (state.sum + high).signum());
        if low == high || low >= beta || high <= alpha {
            return if low >= beta { beta } else { high.max(alpha).min(beta) };
        }
        let maximising = state.ply & 1 == 0;
        let first = self.children.len();
        for number in 0..self.game.branching {
            self.children.push(self.game.after(&state, Move(number)));
        }
        // The last of the stack is tried first.
        if maximising {
            self.children[first..].sort_unstable_by_key(|c| c.sum);
        } else {
            self.children[first..].sort_unstable_by_key(|c| -c.sum);
        }
        while self.children.len() > first && alpha < beta {
            let Some(child) = self.children.pop() else { break };
            let value = self.solve(child, alpha, beta);
            if maximising {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
        }
        self.children.truncate(first);
        if maximising { alpha } else { beta }
    }
}
