//! Black Hole: the suite, the twin, texts, and solutions.

use patience_games::black_hole::{BlackHole, FANS, State, replay};
use patience_games::cards::Card;
use patience_model::{Game, Rng, Shown, Standing, Text, conformance};
use patience_plan::{Budget, Cancel, DepthFirst, Planner, Root, Verdict};

#[test]
fn passes_the_suite() {
    conformance::of(&BlackHole).keyed().games(100).samples(200).check();
}

fn fans(state: &State) -> Vec<Vec<Card>> {
    (0..FANS).map(|fan| state.fan(fan).to_vec()).collect()
}

/// The engine offers exactly the moves that the plain rules allow, and plays them alike.
#[test]
fn the_engine_is_equal_to_the_plain_rules() {
    let mut legal = Vec::new();
    let mut moves = 0;
    for seed in 0..200 {
        let mut rng = Rng::named(seed, &["twin"]);
        let mut state = BlackHole.start(&mut rng);
        loop {
            BlackHole.actions(&state, &mut legal);
            let mut offered: Vec<String> =
                legal.iter().map(|&fan| BlackHole.action_text(&state, fan)).collect();
            offered.sort();
            let mut allowed: Vec<String> = (1..=FANS)
                .map(|fan| fan.to_string())
                .filter(|fan| replay(&fans(&state), state.hole(), fan).is_ok())
                .collect();
            allowed.sort();
            assert_eq!(offered, allowed);
            let Some(&action) = legal.get(rng.index(legal.len().max(1))) else { break };
            let played =
                replay(&fans(&state), state.hole(), &BlackHole.action_text(&state, action));
            BlackHole.step(&mut state, action, &mut rng);
            let played = played.unwrap();
            assert_eq!((fans(&state), state.hole()), (played.fans, played.hole));
            moves += 1;
        }
    }
    assert!(moves > 1000, "{moves}");
}

#[test]
fn text_is_read_back() {
    let mut rng = Rng::new(1);
    let mut state = BlackHole.start(&mut rng);
    let mut legal = Vec::new();
    loop {
        let text = BlackHole.state_text(&state);
        assert_eq!(BlackHole.state_text(&BlackHole.read(&text).unwrap()), text);
        BlackHole.actions(&state, &mut legal);
        let Some(&action) = legal.first() else { break };
        BlackHole.step(&mut state, action, &mut rng);
    }
    for (wrong, expected) in [
        ("", "line 1: expected `hole:`"),
        ("2C 3C", "line 1: expected `hole:`"),
        ("hole: AS\n2C XX", "line 2: “XX” is not a card"),
        ("hole: AS\n2C AS", "line 2: AS is here for the second time"),
        ("hole: AS\n2C 3C 4C 5C", "line 2: there are 17 fans"),
    ] {
        let error = BlackHole.read(wrong).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// A few cards are left: depth-first search says the same as trying everything without a table.
#[test]
fn the_solver_agrees_with_trying_everything() {
    fn can_be_won(state: &State) -> bool {
        let mut legal = Vec::new();
        BlackHole.actions(state, &mut legal);
        BlackHole.is_won(state)
            || legal.iter().any(|&action| {
                let mut next = *state;
                BlackHole.step(&mut next, action, &mut Rng::new(0));
                can_be_won(&next)
            })
    }
    let (mut won, mut lost) = (0, 0);
    for seed in 0..400 {
        // Few ranks, so that some of them can be won.
        let mut deck: Vec<Card> = (0..16).map(Card::from_index).collect();
        Rng::named(seed, &["late"]).shuffle(&mut deck);
        let lines = deck[1..].chunks(3).map(|fan| format!("{} {} {}", fan[0], fan[1], fan[2]));
        let text = format!("hole: {}\n{}", deck[0], lines.collect::<Vec<_>>().join("\n"));
        let state = BlackHole.read(&text).unwrap();
        let solver = DepthFirst::new(BlackHole::is_won).with_dead_ends(BlackHole::is_dead_end);
        let mut search = solver.search(&BlackHole, Root::Certain(state), Rng::new(0));
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let found = search.finding();
        assert_eq!(found.verdict.is_solved(), can_be_won(&state));
        match found.verdict {
            Verdict::Solved => {
                let moves: Vec<String> =
                    found.moves.iter().map(|&m| BlackHole.action_text(&state, m)).collect();
                let played = replay(&fans(&state), state.hole(), &moves.join(" ")).unwrap();
                assert!(played.fans.iter().all(Vec::is_empty));
                won += 1;
            }
            verdict => {
                assert_eq!(verdict, Verdict::Unsolvable);
                lost += 1;
            }
        }
    }
    assert!(won > 0 && lost > 0, "{won} {lost}");
}

#[test]
fn the_end_of_a_game_is_told() {
    let won = BlackHole.read("hole: 2C\n3D").unwrap();
    assert_eq!(BlackHole.standing(&won), Standing::Open);
    assert_eq!(
        BlackHole.label(&won, patience_games::black_hole::Fan(0)).label,
        "three of diamonds from fan 1"
    );
    let mut state = won;
    BlackHole.step(&mut state, patience_games::black_hole::Fan(0), &mut Rng::new(0));
    assert_eq!((BlackHole.standing(&state), BlackHole.score(&state, 0.0)), (Standing::Won, 52.0));
    let stuck = BlackHole.read("hole: 2C\n5D").unwrap();
    assert_eq!(BlackHole.standing(&stuck), Standing::Over);
    // Ace and king are neighbours.
    let ring = BlackHole.read("hole: KC\nAD").unwrap();
    assert_eq!(BlackHole.standing(&ring), Standing::Open);
}
