//! What the units of experiments do: convergence and play.

mod convergence;
mod fork;
mod keys;
mod play;
mod reuse;
mod starts;

use std::time::{Duration, Instant};

use patience::lab::{Spec, SpecFault, Streams, Task, TaskError};
use patience::prelude::*;

/// A task of the standard games.
pub(crate) fn task(game: &str, planner: &str, keys: &str) -> Result<Box<dyn Task>, SpecFault> {
    task_of(patience::registry(), game, planner, keys)
}

pub(crate) fn task_of(
    registry: &Registry,
    game: &str,
    planner: &str,
    keys: &str,
) -> Result<Box<dyn Task>, SpecFault> {
    let text = format!(
        "name = \"t\"\nseed = 1\nunits = 1\n[[arm]]\nname = \"a\"\ngame = \"{game}\"\n\
         planner = \"{planner}\"\n[task]\n{keys}\n"
    );
    let spec = Spec::parse("t.toml", &text, false).unwrap();
    patience::task(registry, &spec, &spec.arms[0])
}

pub(crate) fn run(task: &dyn Task, arm: &str, unit: u64) -> Vec<f64> {
    task.run(unit, &Streams::new(1, "t", arm, unit), &Cancel::new()).unwrap()
}

#[test]
fn a_raised_flag_interrupts() {
    let cancel = Cancel::new();
    cancel.cancel();
    let streams = Streams::new(1, "t", "a", 0);
    let long = "kind = \"convergence\"\nat = [100000000]";
    for task in [
        task("sailing(size=10, start=random)", "uct(scale=10)", long),
        task("connect-four", "uct", "kind = \"play\"\niterations = 100000000"),
        task("tic-tac-toe", "mc", "kind = \"play\"\niterations = 100000000\nreuse = true"),
    ] {
        let begin = Instant::now();
        let ended = task.unwrap().run(0, &streams, &cancel);
        assert_eq!(ended, Err(TaskError::Interrupted));
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
    // And while it runs.
    let cancel = Cancel::new();
    let task = task("connect-four", "uct", "kind = \"play\"\niterations = 100000000").unwrap();
    std::thread::scope(|scope| {
        let unit = scope.spawn(|| task.run(0, &streams, &cancel));
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        assert_eq!(unit.join().unwrap(), Err(TaskError::Interrupted));
    });
}
