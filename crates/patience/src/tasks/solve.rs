//! Positions solved, each as a whole: the columns say what is in a [`Solved`], the same for every
//! solver.

use patience_catalogue::run::Solves;
use patience_catalogue::{AnyGame, Objective, Solved};
use patience_lab::{Arm, Column, Reader, SpecFault, Streams, Task, TaskError};
use patience_plan::{Budget, Cancel};

use super::starts::Starts;
use super::{depends, failed, with_streams, wrong};

struct Solve {
    solves: Box<dyn Solves>,
    starts: Starts,
    length_at_most: Vec<f64>,
    nodes_at_most: Vec<f64>,
    depends: Vec<(String, u32)>,
}

/// Megabytes that a search may hold if nothing is said.
const MEMORY: i64 = 4000;

/// Makes the task. The arm's `planner` names a solver of the game. Keys: `memory` (megabytes that a
/// search may hold), `length_at_most` and `nodes_at_most` (where the distributions of these are looked
/// at), and where positions come from, see [`Starts`].
pub(super) fn solve(
    game: &AnyGame,
    arm: &Arm,
    reader: &mut Reader<'_>,
) -> Result<Box<dyn Task>, SpecFault> {
    let memory = reader.integer("memory", 1..=1_000_000_000)?.unwrap_or(MEMORY) as u64;
    // It is no limit by which a search that goes on for ever would end.
    let unlimited = game.solving(&arm.planner, &Budget::UNLIMITED);
    unlimited.map_err(wrong("planner"))?;
    let budget = Budget::UNLIMITED.with_memory(memory.saturating_mul(1_000_000));
    let solves = game.solving(&arm.planner, &budget).map_err(wrong("planner"))?;
    let length_at_most = reader.numbers("length_at_most")?.unwrap_or_default();
    let nodes_at_most = reader.numbers("nodes_at_most")?.unwrap_or_default();
    let starts = Starts::read(game, reader)?;
    let mut depends = depends(game, &arm.planner);
    depends.extend(starts.depends());
    Ok(Box::new(Solve { solves, starts, length_at_most, nodes_at_most, depends }))
}

impl Task for Solve {
    /// First what solutions are judged by. The goal, such as `cleared`: whether it is reached. `proven`:
    /// the verdict is certain. `length`: of the best solution, 0 without one. `ln_bytes`, by whose
    /// differences arms can be compared in proportion.
    fn columns(&self) -> Vec<Column> {
        let goal = || Column::proportion(self.solves.goal());
        let mut columns = match self.solves.objective() {
            Objective::Score => vec![Column::mean("score"), goal(), Column::mean("length")],
            Objective::Length => vec![Column::mean("length"), goal()],
            Objective::Win => vec![goal(), Column::mean("length")],
        };
        columns.push(Column::proportion("proven"));
        let counts = ["lower_bound", "iterations", "model_calls", "nodes", "bytes", "ln_bytes"];
        columns.extend(counts.map(Column::mean));
        columns.push(Column::mean("bytes_per_node"));
        columns.extend(self.solves.figures().iter().map(|name| Column::mean(*name)));
        let at_most = |name: &'static str| move |&x: &f64| Column::proportion(name).at(x);
        columns.extend(self.length_at_most.iter().map(at_most("length at most")));
        columns.extend(self.nodes_at_most.iter().map(at_most("nodes at most")));
        columns
    }

    fn depends(&self) -> Vec<(String, u32)> {
        self.depends.clone()
    }

    fn run(&self, unit: u64, streams: &Streams, cancel: &Cancel) -> Result<Vec<f64>, TaskError> {
        let solved = self.starts.at(unit, |start| {
            with_streams(streams, |streams| self.solves.solve(start, streams, cancel))
        })?;
        Ok(self.values(&solved.map_err(failed)?))
    }
}

impl Solve {
    fn values(&self, solved: &Solved) -> Vec<f64> {
        let yes = |truth: bool| f64::from(u8::from(truth));
        let (goal, length) = (yes(solved.reached), solved.length.unwrap_or(0) as f64);
        let mut values = match self.solves.objective() {
            Objective::Score => vec![solved.value.unwrap_or(0.0), goal, length],
            Objective::Length => vec![length, goal],
            Objective::Win => vec![goal, length],
        };
        let counts = solved.stats.counts;
        let (nodes, bytes) = (counts.nodes as f64, counts.bytes as f64);
        values.push(yes(solved.verdict.is_proven()));
        // Without a solution there is nothing to bound.
        values.push(solved.bounds.lower.unwrap_or(0.0));
        values.extend([counts.iterations as f64, counts.model_calls as f64, nodes, bytes]);
        values.extend([bytes.max(1.0).ln(), bytes / nodes.max(1.0)]);
        values.extend(solved.figures.iter().map(|(_, value)| value));
        values.extend(self.length_at_most.iter().map(|&x| yes(length <= x)));
        values.extend(self.nodes_at_most.iter().map(|&x| yes(nodes <= x)));
        values
    }
}
