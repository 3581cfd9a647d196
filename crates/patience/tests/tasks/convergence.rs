//! How fast decisions become right.

use std::time::{Duration, Instant};

use patience::lab::{Streams, Task};
use patience::prelude::*;

use super::{run, task, task_of};

const CONVERGENCE: &str =
    "kind = \"convergence\"\nmeasure = \"failure\"\nat = [1, 10, 100, 1000]\n";

#[test]
fn convergence_is_the_same_again_and_depends_on_unit_and_arm() {
    let task = task("pgame(branching=3, depth=6)", "uct", &format!("{CONVERGENCE}runs = 4"));
    let task = task.unwrap();
    let table = |arm: &str| (0..40).map(|unit| run(&*task, arm, unit)).collect::<Vec<_>>();
    let (a, b) = (table("a"), table("b"));
    assert_eq!(a, table("a"));
    assert_ne!(a, b);
    for value in a.iter().flatten() {
        assert!([0.0, 0.25, 0.5, 0.75, 1.0].contains(value));
    }
    // The runs of a unit are different searches.
    assert!(a.iter().flatten().any(|value| *value == 0.25));
    // The tree is the unit's, the same for all arms: trees without a wrong move are so for both.
    let zero = |row: &Vec<f64>| row.iter().all(|x| *x == 0.0);
    let early = |row: &Vec<f64>| row[0] > 0.0;
    assert!(a.iter().any(early) && a.iter().any(zero));
    assert!(a.iter().zip(&b).filter(|(x, y)| early(x) == early(y)).count() > 25);
    // It converges: the last checkpoint is better than the first.
    let sum = |i: usize| a.iter().map(|row| row[i]).sum::<f64>();
    assert!(sum(3) < 0.2 * sum(0), "{} after {}", sum(3), sum(0));
}

#[test]
fn checkpoints_count_iterations_or_model_calls() {
    // An episode of flat Monte-Carlo on a tree of depth 6 is 6 model calls.
    let row = |by: &str, at: &str, unit| {
        let keys = format!("kind = \"convergence\"\nruns = 8\nby = \"{by}\"\nat = {at}");
        run(&*task("pgame(branching=3, depth=6)", "mc", &keys).unwrap(), "a", unit)
    };
    let table = |by: &str, at: &str| (0..20).map(|unit| row(by, at, unit)).collect::<Vec<_>>();
    assert_eq!(table("iterations", "[10, 100]"), table("model_calls", "[60, 600]"));
    assert_ne!(table("iterations", "[10, 100]"), table("model_calls", "[10, 100]"));
}

/// The opponent decides: 0 is right for him and 1 is not.
struct Down;

impl Game for Down {
    type State = bool;
    type Action = u8;
    type Obs = ();

    fn start(&self, _rng: &mut Rng) -> bool {
        false
    }

    fn actions(&self, over: &bool, out: &mut Vec<u8>) {
        out.clear();
        out.extend((0..2).filter(|_| !over));
    }

    fn step(&self, over: &mut bool, action: u8, _rng: &mut Rng) -> Step<()> {
        *over = true;
        Step { reward: f64::from(action), obs: () }
    }

    fn minimising(&self, _over: &bool) -> bool {
        true
    }
}

#[test]
fn the_opponents_decisions_are_judged_from_his_side() {
    let info = GameInfo { name: "down", ..GameInfo::NEW };
    let mut registry = patience::list();
    registry.add(GameEntry::new(info, |_| {
        Ok(Kit::new(Down).oracle(|_, _| vec![(0, 0.0), (1, 1.0)]).into())
    }));
    let keys = "kind = \"convergence\"\nmeasure = \"error\"\nat = [50]\nruns = 20";
    let error = |planner| run(&*task_of(&registry, "down", planner, keys).unwrap(), "a", 0)[0];
    assert_eq!(error("uct"), 0.0);
    assert!((0.1..0.9).contains(&error("random")), "{}", error("random"));
}

#[test]
fn where_every_move_is_right_nothing_is_searched() {
    // One move in every position: no planner can fail, and 20 million iterations take no time.
    let keys = "kind = \"convergence\"\nat = [1, 1000000]\nruns = 20";
    let begin = Instant::now();
    let values = run(&*task("pgame(branching=1, depth=5)", "uct", keys).unwrap(), "a", 0);
    assert_eq!(values, [0.0, 0.0]);
    assert!(begin.elapsed() < Duration::from_secs(1));
}

#[test]
fn an_exact_planner_makes_no_error() {
    for (game, planner, measure) in [
        ("pgame(branching=3, depth=5)", "alpha-beta", "failure"),
        ("pgame(branching=2, depth=6, values=plus-minus-one)", "alpha-beta", "error"),
        ("sailing(size=4, start=random)", "value-iteration", "error"),
    ] {
        let keys = format!("kind = \"convergence\"\nmeasure = \"{measure}\"\nat = [1000000]\n");
        let exact = task(game, planner, &keys).unwrap();
        let random = task(game, "random", &keys).unwrap();
        let sum = |task: &dyn Task| (0..30).map(|unit| run(task, "a", unit)[0]).sum::<f64>();
        assert!(sum(&*exact) < 1e-5, "{planner} on {game}: {}", sum(&*exact));
        assert!(sum(&*random) > 1.0, "random on {game}: {}", sum(&*random));
    }
}

/// Moves at random lead to the same position for all arms, and exact values are those of that position.
#[test]
fn positions_can_be_some_moves_after_the_start() {
    for (game, after, planner) in [
        ("tic-tac-toe", 3, "alpha-beta"),
        ("connect-four", 28, "alpha-beta"),
        ("frozen-lake", 4, "value-iteration"),
        ("sailing(size=3)", 2, "value-iteration"),
    ] {
        let keys = format!("{CONVERGENCE}measure = \"error\"\nafter = {after}");
        let keys = keys.replace("measure = \"failure\"\n", "").replace("1000]", "10000000]");
        let table = |planner, arm: &str| {
            let task = task(game, planner, &keys).unwrap();
            (0..25).map(|unit| run(&*task, arm, unit)[3]).collect::<Vec<_>>()
        };
        let exact = table(planner, "a");
        assert!(exact.iter().all(|&error| error < 1e-6), "{game}: {exact:?}");
        let (one, other) = (table("random", "a"), table("random", "b"));
        assert!(one.iter().sum::<f64>() > 0.0, "{game}");
        assert_ne!(one, other, "{game}");
        assert_eq!(one, table("random", "a"), "{game}");
    }
}

/// Heard twice: of the positions in the belief game of the tiger some want a door opened, some another look.
#[test]
fn a_hidden_part_is_judged_by_what_the_player_knows() {
    let sum = |planner, at| {
        let keys = format!("kind = \"convergence\"\nmeasure = \"error\"\nat = [{at}]\nafter = 2");
        let task = task("tiger(horizon=4)", planner, &keys).unwrap();
        (0..20).map(|unit| run(&*task, "a", unit)[0]).sum::<f64>()
    };
    let (uct, random) = (sum("uct(scale=110)", 20_000), sum("random", 1));
    assert!(uct < 0.5 && random > 200.0, "{uct} {random}");
}

#[test]
fn a_position_that_no_game_comes_to_is_an_error() {
    for (game, after, why) in [
        ("tic-tac-toe", 9, "none goes on after 9 moves"),
        ("connect-four", 3, "after 3 moves exact values take too long"),
    ] {
        let keys = format!("kind = \"convergence\"\nat = [10]\nafter = {after}");
        let task = task(game, "uct", &keys).unwrap();
        let error = task.run(0, &Streams::new(1, "e", "a", 0), &Cancel::new()).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}
