//! A player through a match.

use std::sync::Arc;

use patience::Player;
use patience::gdl::{Description, GdlGame, GroundLimits, Move, ground};
use patience::model::{Game, Rng};
use patience::plan::{Budget, Cancel};

/// Two roles pick numbers at a time, twelve times over.
fn long() -> GdlGame {
    let steps: String = (0..12).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let numbers: String = (0..9).map(|n| format!("(number {n})")).collect();
    let rules = format!(
        "(role x) (role o) (init (step 0)) {steps} {numbers}
         (<= (legal ?r (pick ?n)) (role ?r) (number ?n))
         (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
         (<= (next even) (does x (pick ?n)) (does o (pick ?n)))
         (<= terminal (true (step 12)))
         (<= (goal x 100) (true even)) (<= (goal x 0) (not (true even))) (goal o 50)"
    );
    let description = Description::read(&rules).unwrap();
    let network = ground(&description, &GroundLimits::default()).unwrap();
    GdlGame::new(Arc::new(network), "x").unwrap()
}

/// What was learnt for earlier moves may fill the memory, here after two moves: a later move is thought
/// about all the same.
#[test]
fn every_move_is_thought_about_whatever_fills_the_memory() {
    let game = long();
    let kit = Player::kit(game.clone());
    let mut player = Player::new(&kit, "norns", 1).unwrap();
    let budget = Budget { memory: Some(300_000), ..Budget::iterations(400) };
    let mut state = game.start(&mut Rng::new(1));
    for turn in 0..12 {
        let (stats, best) = player.think(&budget, &Cancel::new());
        assert!(stats.counts.iterations > 20, "turn {turn}: {stats:?}");
        let own: Move = best.expect("the match goes on");
        let step = game.step(&mut state, own, &mut Rng::new(turn));
        player.observe(own, step.obs, Some(&state));
    }
}
