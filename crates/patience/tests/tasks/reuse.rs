//! Trees that are kept from move to move.

use patience::games::{TicTacToe, tictactoe};
use patience::prelude::*;

use super::fork::{self, Fork};
use super::{run, task, task_of};

#[test]
fn a_kept_tree_knows_more() {
    // With 40 episodes per move UCT is weak; those of earlier moves help it.
    let play = |reuse: bool| {
        let keys = format!("kind = \"play\"\niterations = 40\nreuse = {reuse}");
        let task = task("sailing(size=5)", "uct(scale=10, eval=perturbed)", &keys).unwrap();
        (0..40).map(|unit| run(&*task, "a", unit)).collect::<Vec<_>>()
    };
    let (kept, fresh) = (play(true), play(false));
    assert_eq!(kept, play(true));
    assert_ne!(kept, fresh);
    // The first move is decided before there is anything to keep.
    let first = |reuse: bool| {
        let keys = format!("kind = \"play\"\niterations = 40\nmax_moves = 1\nreuse = {reuse}");
        let task = task("sailing(size=5)", "uct(scale=10, eval=perturbed)", &keys).unwrap();
        (0..10).map(|unit| run(&*task, "a", unit)).collect::<Vec<_>>()
    };
    assert_eq!(first(true), first(false));
    // Planners that keep nothing are not asked to.
    for planner in ["uct(width=2)", "uct(selection=depth)", "sparse-sampling(depth=1)"] {
        let task = task("tic-tac-toe", planner, "kind = \"play\"\niterations = 9\nreuse = true");
        assert!(task.is_err_and(|fault| fault.to_string().contains("cannot keep")), "{planner}");
    }
    let keys = "kind = \"play\"\niterations = 9\nreuse = true\nopponent = \"random\"";
    assert!(task("tic-tac-toe", "uct", keys).is_err());
}

/// A move without a choice is played without a search, so a tree that was left behind by the move
/// before must not follow it.
#[test]
fn a_kept_tree_stands_where_the_game_does() {
    let info = GameInfo { name: "fork", ..GameInfo::NEW };
    let mut registry = patience::list();
    registry.add(GameEntry::new(info, |_| Ok(Kit::new(Fork).keyed().into())));
    for planner in ["uct", "uct(merge=true)", "mmmc", "uct(backup=max)"] {
        for iterations in [1, 3, 30] {
            let keys = format!("kind = \"play\"\niterations = {iterations}\nreuse = true");
            let task = task_of(&registry, "fork", planner, &keys).unwrap();
            for unit in 0..20 {
                assert_eq!(run(&*task, "a", unit)[1], f64::from(fork::LENGTH), "{planner}");
            }
        }
    }
}

/// Legal moves only, checked by a game that counts those that are not.
#[test]
fn planners_play_legal_moves_only() {
    let mut registry = patience::list();
    let info = GameInfo { name: "strict", ..GameInfo::NEW };
    registry.add(GameEntry::new(info, |_| Ok(Kit::new(Strict).into())));
    for planner in ["uct", "mc", "mmmc", "sparse-sampling(depth=2)", "random"] {
        for reuse in [true, false] {
            let keys = format!("kind = \"play\"\niterations = 20\nreuse = {reuse}");
            // Those that cannot keep a tree say so.
            let Ok(task) = task_of(&registry, "strict", planner, &keys) else { continue };
            for unit in 0..10 {
                run(&*task, "a", unit);
            }
        }
    }
}

/// Tic-tac-toe that panics at an illegal move.
struct Strict;

impl Game for Strict {
    type State = tictactoe::State;
    type Action = tictactoe::Cell;
    type Obs = ();

    fn start(&self, rng: &mut Rng) -> tictactoe::State {
        TicTacToe.start(rng)
    }

    fn actions(&self, state: &tictactoe::State, out: &mut Vec<tictactoe::Cell>) {
        TicTacToe.actions(state, out);
    }

    fn step(&self, state: &mut tictactoe::State, cell: tictactoe::Cell, rng: &mut Rng) -> Step<()> {
        let mut legal = Vec::new();
        self.actions(state, &mut legal);
        assert!(legal.contains(&cell), "{cell:?} is not legal");
        TicTacToe.step(state, cell, rng)
    }

    fn minimising(&self, state: &tictactoe::State) -> bool {
        TicTacToe.minimising(state)
    }
}
