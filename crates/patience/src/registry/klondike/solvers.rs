//! Solvers of Klondike by name: all cards are known to them.

use patience_games::klondike::{Klondike, NestedRollout, State};
use patience_lab::{Column, TaskError};
use patience_model::Rng;
use patience_plan::Cancel;

use super::super::PlannerInfo;
use super::super::planners::param;
use crate::call::{Arguments, CallError};
use crate::kit::Kit;
use crate::solver::Solver;

pub(in super::super) const SOLVERS: &[PlannerInfo] = &[NESTED];

const NESTED: PlannerInfo = PlannerInfo {
    name: "nested",
    summary: "nested rollouts over a hand-coded value function, with all cards known",
    guarantee: "ends by itself; a win is a win, no win is no proof",
    paper: "Bjarnason, Tadepalli and Fern 2007",
    needs: "",
    hidden: false,
    iteration: "",
    games: &["klondike"],
    parameters: &[
        param("level", "1", "nesting of the rollouts with the function that ends games, 0 to 5"),
        param(
            "opening",
            "none",
            "two stages: first the function that opens games, at this level, 0 to 5",
        ),
    ],
};

pub(super) fn add(kit: Kit<Klondike>) -> Kit<Klondike> {
    kit.solver(&NESTED, nested)
}

fn nested(
    _game: &Klondike,
    arguments: &Arguments<'_>,
) -> Result<Box<dyn Solver<Klondike>>, CallError> {
    let level = arguments.small("level")?.unwrap_or(1);
    let made = match arguments.small("opening")? {
        Some(opening) => NestedRollout::two_stages(opening, level),
        None => NestedRollout::new(level),
    };
    Ok(Box::new(made.map_err(|error| arguments.refuse(&error))?))
}

/// Whether the deal was won, and how many successors were valued.
impl Solver<Klondike> for NestedRollout {
    fn columns(&self) -> Vec<Column> {
        vec![Column::proportion("won"), Column::mean("nodes")]
    }

    fn solve(
        &self,
        game: &Klondike,
        state: &State,
        mut rng: Rng,
        cancel: &Cancel,
    ) -> Result<Vec<f64>, TaskError> {
        let played = self.play(game, state, &mut rng, cancel);
        if cancel.is_cancelled() {
            return Err(TaskError::Interrupted);
        }
        Ok(vec![f64::from(u8::from(played.won)), played.nodes as f64])
    }
}
