//! Benchmarks that games and planners bring: what is measured, and a signature of the fixed search.

use patience_plan::Cancel;

/// What a benchmark of a game's own gives: its value and its signature.
pub type Measured = Result<(f64, String), String>;

/// A benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    /// Its name.
    pub name: &'static str,
    /// What is measured.
    pub what: &'static str,
    /// The unit of the value.
    pub unit: &'static str,
    /// How.
    pub work: Work,
}

/// How something is measured.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Work {
    /// Iterations per second of a search from the start position.
    Speed { game: &'static str, planner: &'static str, iterations: u64 },
    /// How many times as fast one search is as another that finds the same, both from the start position and
    /// in turns.
    Ratio { game: &'static str, planner: &'static str, beside: &'static str, iterations: u64 },
    /// Bytes held when the tree has this many nodes.
    Memory { game: &'static str, planner: &'static str, nodes: u64 },
    /// Units per second of an arm of one of the papers' specs.
    Arm { spec: &'static str, arm: usize, units: u64 },
    /// Seconds for units that do next to nothing, store included.
    Runner { units: u64 },
    /// A game's own.
    Own(fn(&Cancel) -> Measured),
}

impl Benchmark {
    /// Iterations per second of a search from the start position.
    pub const fn speed(
        name: &'static str,
        game: &'static str,
        planner: &'static str,
        iterations: u64,
    ) -> Self {
        let what = "iterations of a search from the start position, one thread";
        Benchmark { name, what, unit: "1/s", work: Work::Speed { game, planner, iterations } }
    }

    /// Games per second of an arm of one of the papers' specs.
    pub const fn arm(name: &'static str, spec: &'static str, arm: usize, units: u64) -> Self {
        let what = "games of a row of the paper's table, one thread";
        Benchmark { name, what, unit: "games/s", work: Work::Arm { spec, arm, units } }
    }

    /// Something of a game's own.
    pub const fn own(
        name: &'static str,
        what: &'static str,
        unit: &'static str,
        measure: fn(&Cancel) -> Measured,
    ) -> Self {
        Benchmark { name, what, unit, work: Work::Own(measure) }
    }

    /// The game and the planner that are measured, if it is a search.
    pub fn search(&self) -> Option<(&'static str, &'static str)> {
        match self.work {
            Work::Speed { game, planner, .. }
            | Work::Ratio { game, planner, .. }
            | Work::Memory { game, planner, .. } => Some((game, planner)),
            Work::Arm { .. } | Work::Runner { .. } | Work::Own(_) => None,
        }
    }
}
