//! Games in progress without their types: what front ends play with.

use patience::plan::{Cancel, StopReason};
use patience::prelude::*;

fn game(text: &str) -> AnyGame {
    patience::registry().game(text).unwrap()
}

/// Plays a whole game, always the move `choose` says, and tells all that could be seen.
fn told(mut state: AnyState, choose: impl Fn(u64, usize) -> usize) -> Vec<String> {
    let mut told = Vec::new();
    while !state.is_over() {
        let count = state.count();
        assert_eq!(state.actions().len(), count);
        let turn = state.step(choose(state.moves(), count)).unwrap();
        told.push(format!(
            "{} {} {} {:?}",
            state.text(),
            turn.reward,
            turn.observation,
            state.key()
        ));
    }
    told.push(format!("{} {}", state.moves(), state.result()));
    told
}

#[test]
fn the_same_seed_and_moves_are_the_same_game_and_a_copy_goes_on_like_the_original() {
    for text in ["sailing(size=5)", "klondike", "samegame", "tiger", "connect-four", "freecell"] {
        let choose = |moves: u64, count: usize| moves as usize * 7 % count;
        let mut state = game(text).start(3);
        let cut = |told: Vec<String>| told.into_iter().take(300).collect::<Vec<_>>();
        if text != "freecell" && text != "sailing(size=5)" {
            assert_eq!(told(state.clone(), choose), told(game(text).start(3), choose), "{text}");
        }
        for _ in 0..3 {
            state.step(0);
        }
        let copy = state.clone();
        let on = |mut state: AnyState| {
            let mut told = Vec::new();
            for _ in 0..30 {
                let Some(turn) = state.step(0) else { break };
                told.push(format!("{} {turn:?} {}", state.text(), state.result()));
            }
            cut(told)
        };
        assert_eq!(on(copy), on(state), "{text}");
    }
}

#[test]
fn an_action_that_is_not_there_changes_nothing() {
    let mut state = game("tic-tac-toe").start(1);
    let before = state.text();
    assert_eq!(state.step(9), None);
    assert_eq!((state.text(), state.moves()), (before, 0));
}

#[test]
fn positions_come_by_number_and_from_text() {
    let one = game("freecell").deal("1", 0).unwrap();
    assert!(one.text().contains("JD"), "{}", one.text());
    assert_ne!(one.key(), game("freecell").deal("2", 0).unwrap().key());
    let error = game("tiger").read("x", 0).unwrap_err();
    assert_eq!(error, "tiger is not read from text");
}

#[test]
fn a_position_is_thought_about_and_watched_live() {
    let mut state = game("connect-four").start(0);
    state.step(3);
    let time = Budget::time(std::time::Duration::from_millis(450));
    let mut seen = Vec::new();
    let advice = state
        .advise("uct", &time, 1, &Cancel::new(), &mut |advice| {
            assert_eq!((advice.game.as_str(), advice.stats.stop), ("connect-four", None));
            seen.push(advice.stats.counts.iterations);
        })
        .unwrap();
    assert_eq!(advice.stats.stop, Some(StopReason::Time));
    assert!(seen.len() >= 2 && seen.is_sorted(), "{seen:?}");
    assert!(advice.stats.counts.iterations >= *seen.last().unwrap());
    // Watching changes nothing: as many iterations give the same advice.
    let budget = Budget::iterations(20_000);
    let advise = |state: &AnyState| {
        let advice = state.advise("uct", &budget, 1, &Cancel::new(), &mut |_| ()).unwrap();
        (advice.best, advice.moves)
    };
    assert_eq!(advise(&state), advise(&state.clone()));
}
