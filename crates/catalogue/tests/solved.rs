//! No solver is believed: what it says is replayed.

use patience_catalogue::{Deals, GameInfo, Invalid, SolveError, Solved};
use patience_plan::{Budget, Cancel, Verdict};

use crate::ladder;

/// What a solver says of the ladder from the ground.
fn solve(solver: &str) -> Result<Solved, SolveError> {
    let info = GameInfo { deals: Deals::Numbers(4), ..GameInfo::NEW };
    let ground = ladder::registry(info).game("ladder").unwrap().deal("0", 1).unwrap();
    ground.solve(Some(solver), &Budget::UNLIMITED, 1, &Cancel::new(), &mut |_| ())
}

#[test]
fn a_solution_that_stands_is_told_with_what_the_replay_says() {
    let solved = solve("claims").unwrap();
    assert_eq!(
        (solved.verdict, solved.value, solved.length),
        (Verdict::Solved, Some(3.0), Some(3))
    );
    assert_eq!((solved.reached, solved.goal), (true, "up"));
    assert_eq!(solved.solution.as_deref(), Some("up1 up2 up2"));
    assert_eq!(solve("claims(moves=2/2/1, value=3)").unwrap().moves, ["up2", "up2", "up1"]);
}

#[test]
fn a_solution_that_does_not_stand_is_a_fault() {
    for (solver, why) in [
        ("claims(moves=1/2/2/1)", "step 4, 1, is not legal"),
        ("claims(moves=3/2)", "step 1, 3, is not legal"),
        ("claims(value=2)", "it comes to 3 when it is replayed, not to 2"),
    ] {
        match solve(solver) {
            Err(SolveError::Fault(told)) => assert_eq!(told, why, "{solver}"),
            other => panic!("{solver}: {other:?}"),
        }
    }
}

#[test]
fn a_game_that_is_not_won_is_no_solution() {
    // Two ways not to get up: to stop half way, and to jump down.
    for solver in ["claims(moves=1/2)", "claims(moves=2/2/9)"] {
        let solved = solve(solver).unwrap();
        assert_eq!((solved.verdict, solved.value), (Verdict::Unknown, None), "{solver}");
        assert_eq!((solved.length, &solved.solution, &solved.moves[..]), (None, &None, &[][..]));
    }
}

#[test]
fn solutions_from_outside_are_replayed_by_the_rules() {
    let info = GameInfo { deals: Deals::Numbers(4), ..GameInfo::NEW };
    let game = ladder::registry(info).game("ladder").unwrap();
    let second = game.deal("2", 1).unwrap();
    let checked = second.verify("up1\nup2").unwrap();
    assert_eq!(
        (checked.value, checked.length, checked.reached, checked.over),
        (2.0, 2, true, true)
    );
    assert_eq!(checked.end, "rung 5");
    assert!(!second.verify("up1").unwrap().reached);
    for (wrong, step) in [("up1 up1 up2", "step 3"), ("down", "step 1"), ("up2 up9 up1", "step 3")]
    {
        match second.verify(wrong) {
            Err(Invalid::Step(why)) => assert!(why.contains(step), "{why}"),
            other => panic!("{wrong}: {other:?}"),
        }
    }
}
