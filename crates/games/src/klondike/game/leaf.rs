//! A leaf valued by the thoughtful solver: the face-down cards are fixed as they were drawn, and
//! the deal is solved within a few nodes.

use std::sync::{Mutex, PoisonError};

use patience_plan::ParameterError;
use patience_plan::uct::{Leaf, Workspace};

use super::super::solver::search::{Found, Hunt};
use super::Klondike;
use super::state::{Stand, State};

/// Values a leaf 1 if the solver wins the deal with all cards known, 0 if it shows that it is lost
/// and `unknown` if its nodes end before.
///
/// Optimistic where it matters which cards are hidden (averaging over clairvoyance), so it belongs
/// below a search over what is seen, not in its place.
#[derive(Debug)]
pub struct SolverLeaf {
    nodes: u64,
    unknown: f64,
    hunt: Mutex<Hunt>,
}

impl SolverLeaf {
    /// A leaf with so many nodes of the solver, and this value where they are not enough.
    ///
    /// # Errors
    /// If `nodes` is 0 or `unknown` is not within [0, 1].
    pub fn new(nodes: u64, unknown: f64) -> Result<SolverLeaf, ParameterError> {
        ParameterError::check("nodes", nodes, |&n| n > 0, "a whole number above 0")?;
        let expected = "a number from 0 to 1";
        ParameterError::check("unknown", unknown, |v| (0.0..=1.0).contains(v), expected)?;
        Ok(SolverLeaf { nodes, unknown, hunt: Mutex::new(Hunt::of(nodes)) })
    }
}

/// A clone has memory of its own.
impl Clone for SolverLeaf {
    fn clone(&self) -> Self {
        SolverLeaf {
            nodes: self.nodes,
            unknown: self.unknown,
            hunt: Mutex::new(Hunt::of(self.nodes)),
        }
    }
}

impl Leaf<Klondike> for SolverLeaf {
    fn evaluate(&self, _game: &Klondike, state: State, workspace: &mut Workspace<Klondike>) -> f64 {
        if state.stand == Stand::Won {
            // The reward came with the move that won.
            return 0.0;
        }
        let (layout, core) = state.dealt(&mut workspace.rng).thoughtful();
        // A search that panicked elsewhere leaves nothing that the next one reads.
        let mut hunt = self.hunt.lock().unwrap_or_else(PoisonError::into_inner);
        let found = hunt.run(&layout, core);
        workspace.model_calls += hunt.nodes();
        match found {
            Found::Won => 1.0,
            Found::Lost => 0.0,
            Found::Stopped => self.unknown,
        }
    }
}
