//! Exact values of small games: by value iteration, and of two players by alpha-beta with a table.

use std::collections::HashMap;

use patience_model::{Keyed, Outcomes, Rng, Undo};
use patience_plan::{Budget, Cancel, Root, Search, Stepped, ValueIteration};

/// The value of every action in a state, from the table of all states that follow.
pub(crate) fn values<G: Outcomes + Keyed>(game: &G, state: &G::State) -> Vec<(G::Action, f64)> {
    let planner = ValueIteration::new(1e-12).expect("a number above 0");
    let mut search = planner.start(game, Root::Certain(state.clone()), Rng::new(0));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let estimates = search.estimates().into_iter();
    estimates.filter_map(|estimate| Some((estimate.action, estimate.value?))).collect()
}

/// The value of every action in a state of a game of two without chance, which is lost, drawn or won: what
/// is still to come is from −1 to 1, and nothing shrinks.
pub(crate) fn minimax<G: Undo + Keyed>(game: &G, state: &G::State) -> Vec<(G::Action, f64)> {
    let mut minimax = Minimax { game, bounds: HashMap::new(), rng: Rng::new(0) };
    let mut legal = Vec::new();
    game.actions(state, &mut legal);
    let values = legal.into_iter().map(|action| {
        let mut state = state.clone();
        let reward = game.step(&mut state, action, &mut minimax.rng).reward;
        (action, reward + minimax.value(&mut state, -1.0, 1.0))
    });
    values.collect()
}

/// Alpha-beta with a table of what is known of states.
struct Minimax<'g, G: Undo + Keyed> {
    game: &'g G,
    /// Between which values a state's lies.
    bounds: HashMap<G::Key, (f64, f64)>,
    rng: Rng,
}

impl<G: Undo + Keyed> Minimax<'_, G> {
    /// The value of a state where it is above alpha and below beta, else a bound on that side.
    fn value(&mut self, state: &mut G::State, alpha: f64, beta: f64) -> f64 {
        let mut legal = Vec::new();
        self.game.actions(state, &mut legal);
        if legal.is_empty() {
            return 0.0;
        }
        let key = self.game.key(state);
        let (low, high) = *self.bounds.get(&key).unwrap_or(&(-1.0, 1.0));
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        let minimising = self.game.minimising(state);
        let (mut above, mut below) = (alpha.max(low), beta.min(high));
        let (alpha, beta) = (above, below);
        let mut best = if minimising { f64::INFINITY } else { f64::NEG_INFINITY };
        for action in legal {
            let (step, token) = self.game.apply(state, action, &mut self.rng);
            let rest = self.value(state, above - step.reward, below - step.reward);
            self.game.undo(state, token);
            let value = step.reward + rest;
            if minimising {
                best = best.min(value);
                below = below.min(best);
            } else {
                best = best.max(value);
                above = above.max(best);
            }
            if above >= below {
                break;
            }
        }
        let known = self.bounds.entry(key).or_insert((-1.0, 1.0));
        if best > alpha {
            known.0 = known.0.max(best);
        }
        if best < beta {
            known.1 = known.1.min(best);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConnectFour, TicTacToe};

    /// Positions after so many moves at random, in which both ways find the same values: how many are lost,
    /// drawn and won.
    fn agree<G: Undo + Keyed + Outcomes>(game: &G, moves: usize, positions: u64) -> [u32; 3] {
        let (mut legal, mut seen, mut kinds) = (Vec::new(), 0, [0; 3]);
        for seed in 0.. {
            let mut rng = Rng::new(seed);
            let mut state = game.start(&mut rng);
            for _ in 0..moves {
                game.actions(&state, &mut legal);
                if !legal.is_empty() {
                    game.step(&mut state, rng.pick(&legal), &mut rng);
                }
            }
            game.actions(&state, &mut legal);
            if legal.is_empty() {
                continue;
            }
            let (mut slow, mut fast) = (values(game, &state), minimax(game, &state));
            slow.sort_by_key(|(action, _)| format!("{action:?}"));
            fast.sort_by_key(|(action, _)| format!("{action:?}"));
            assert_eq!(slow, fast, "seed {seed}");
            fast.iter().for_each(|(_, value)| kinds[(value + 1.0) as usize] += 1);
            seen += 1;
            if seen == positions {
                break;
            }
        }
        kinds
    }

    #[test]
    fn alpha_beta_with_a_table_finds_what_sweeps_over_all_states_find() {
        for moves in [1, 2, 3, 5, 7] {
            agree(&TicTacToe, moves, 9);
        }
        let kinds = agree(&ConnectFour, 32, 20);
        assert!(kinds.iter().all(|&n| n > 0), "lost, drawn and won: {kinds:?}");
    }
}
