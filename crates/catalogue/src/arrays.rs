//! States and moves in arrays, where a game has that: what programs that learn want.

use std::sync::Arc;

use patience_model::{Encoded, Game, Part};
use serde::Serialize;

use crate::batch::{self, Many};
use crate::kit::Kit;

/// What is in the arrays of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// What an observation is made of, in order.
    pub observation: Vec<Part>,
    /// How many moves there can be, in all states together.
    pub moves: usize,
    /// What the number of a move says.
    pub numbering: &'static str,
}

/// What the player knows in a state, and saw of the last move.
type Observe<G> = fn(&G, &<G as Game>::State, Option<<G as Game>::Obs>) -> Vec<i16>;

/// So many games side by side, on so many threads.
type MakeBatch<G> = fn(Arc<Kit<G>>, usize, usize) -> Box<dyn Many>;

/// What a kit can do with a game that can be put into arrays.
pub(crate) struct Coding<G: Game> {
    pub(crate) layout: fn(&G) -> Layout,
    pub(crate) observe: Observe<G>,
    pub(crate) number: fn(&G, &G::State, G::Action) -> usize,
    pub(crate) batch: MakeBatch<G>,
}

impl<G> Coding<G>
where
    G: Encoded + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    pub(crate) const OF: Coding<G> = Coding {
        layout: |game| Layout {
            observation: game.layout(),
            moves: game.moves(),
            numbering: game.numbering(),
        },
        observe: |game, state, last| {
            let mut seen = vec![0; game.highest().len()];
            game.observe(state, last, &mut seen);
            seen
        },
        number: G::number,
        batch: batch::batch,
    };
}
