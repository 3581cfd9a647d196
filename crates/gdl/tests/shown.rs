//! What people are shown of a described game, and what the exact planner finds out.

use crate::common;

use std::sync::Arc;

use patience_gdl::{ExactPlanner, GdlGame, GroundLimits, Percepts, ground};
use patience_model::{Game, Rng, Scene, Shown, Standing, Text};
use patience_plan::{Budget, Cancel, Planner, Root, Verdict};

fn game(name: &str, role: &str) -> GdlGame {
    let network = ground(&common::game(name), &GroundLimits::default()).expect("it is grounded");
    GdlGame::new(Arc::new(network), role).expect("the role is there")
}

#[test]
fn where_all_is_seen_the_facts_are_shown() {
    let game = game("tictactoe", "x");
    assert_eq!(game.title(), "Described game");
    let game = game.named("tictactoe");
    assert_eq!(game.clone().title(), "tictactoe");
    let mut rng = Rng::new(1);
    let mut state = game.start(&mut rng);
    let mut legal = Vec::new();
    game.actions(&state, &mut legal);
    while let Some(&first) = legal.first() {
        assert_eq!(game.label(&state, first).label, game.action_text(&state, first));
        assert_eq!(Shown::standing(&game, &state), Standing::Open);
        let text = game.state_text(&state);
        assert!(text.contains("(control "), "{text}");
        // The facts form a board, whose squares the moves name.
        let Scene::Grid { rows, text, seen } = game.scene(&state) else { panic!("no board") };
        assert_eq!((rows.len(), rows[0].len(), seen.as_str()), (3, 3, ""));
        assert!(text.starts_with("(control "), "{text}");
        let squares = game.label(&state, first).cells;
        assert!(squares.iter().all(|&(c, r)| rows[usize::from(r)][usize::from(c)].is_empty()));
        let obs = game.step(&mut state, first, &mut rng).obs;
        assert_eq!(game.obs_text(&state, obs), "", "nobody needs percepts here");
        game.actions(&state, &mut legal);
    }
    assert_eq!(Shown::standing(&game, &state), Standing::Over);
}

#[test]
fn of_what_is_hidden_only_the_percepts_are_shown() {
    let game = game("tiger", "agent");
    let mut heard = Vec::new();
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        for text in ["noop", "listen"] {
            let action = game.read_action(&state, text).expect("it is legal");
            let obs = game.step(&mut state, action, &mut rng).obs;
            let seen = game.obs_text(&state, obs);
            assert_eq!(game.scene(&state), Scene::Text { text: String::new(), seen: seen.clone() });
            assert_eq!(seen.is_empty(), text == "noop", "{text}: {seen}");
            assert_eq!(game.obs_text(&state, Percepts(obs.0 ^ 1)), "", "this was not seen here");
            heard.push(seen);
        }
    }
    heard.sort();
    heard.dedup();
    assert_eq!(heard.len(), 3, "nothing, or a growl on either side: {heard:?}");
}

#[test]
fn the_exact_planner_certifies_its_value() {
    let game = game("monty_hall", "candidate");
    let mut rng = Rng::new(1);
    let planner = ExactPlanner::new(1_000).expect("it is a number");
    let root = Root::Certain(game.start(&mut rng));
    let mut search = planner.search(&game, root, rng);
    assert_eq!(search.finding().verdict, Verdict::Unknown);
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let finding = search.finding();
    assert_eq!(finding.verdict, Verdict::Optimal);
    let value = finding.value.expect("it is known");
    assert!((value - 2.0 / 3.0).abs() < 1e-9, "{value}");
    assert_eq!((finding.bounds.lower, finding.bounds.upper), (Some(value), Some(value)));
    assert!(search.best().is_some());
}
