//! Planners may think about a more abstract game than lies on the table. What they say comes to moves
//! there, by typed translations: the table of this test cannot even be read from its text.

use std::sync::Arc;

use patience_catalogue::{AnyGame, Kit, Measure};
use patience_model::{Game, Rng, Shown, Step, Text};
use patience_plan::{Budget, Cancel};

use crate::ladder::{self, Ladder, TOP};

/// The ladder as a foot sees it: every step is a rung.
#[derive(Clone, Copy, Debug)]
struct Feet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Foot {
    Up,
    Down,
}

impl Game for Feet {
    type State = u8;
    type Action = Foot;
    type Obs = ();

    fn start(&self, rng: &mut Rng) -> u8 {
        Ladder.start(rng)
    }

    fn actions(&self, rung: &u8, out: &mut Vec<Foot>) {
        out.clear();
        if *rung < TOP {
            out.push(Foot::Up);
            out.extend((*rung > 0).then_some(Foot::Down));
        }
    }

    fn step(&self, rung: &mut u8, foot: Foot, _rng: &mut Rng) -> Step<()> {
        match foot {
            Foot::Up => *rung += 1,
            Foot::Down => *rung -= 1,
        }
        Step { reward: if *rung == TOP { 1.0 } else { 0.0 }, obs: () }
    }
}

impl Text for Feet {
    fn state_text(&self, _rung: &u8) -> String {
        "somewhere on a ladder".to_owned()
    }

    fn action_text(&self, _rung: &u8, foot: Foot) -> String {
        format!("{foot:?}").to_lowercase()
    }
}

impl Shown for Feet {
    fn title(&self) -> String {
        "Feet".to_owned()
    }

    fn place(&self, rung: &u8) -> Option<String> {
        Some(rung.to_string())
    }
}

fn game() -> AnyGame {
    let above = Arc::new(ladder::kit());
    let table = Kit::new(Feet).shown().thought_of_as(
        Arc::clone(&above),
        |_, _, rung| if *rung == 3 { Err("not from the third rung".to_owned()) } else { Ok(*rung) },
        |_, _, _, by| match by {
            // Whoever jumps down has no move for that on the table.
            9 => Vec::new(),
            by => vec![Foot::Up; usize::from(by)],
        },
    );
    AnyGame::from(above).on_table(table.into()).called("feet")
}

#[test]
fn what_planners_say_above_comes_to_moves_on_the_table() {
    let mut state = game().table().start(1);
    while state.text() == "somewhere on a ladder" && state.count() == 1 {
        state.play("up").unwrap();
    }
    // On the first rung: by one, and by two.
    let think = |state: &patience_catalogue::AnyState, planner: &str| {
        state.advise(planner, &Budget::iterations(50), 1, &Cancel::new(), &mut |_| ())
    };
    for planner in ["uct", "mc", "nmcs", "claims"] {
        let advice = think(&state, planner).unwrap();
        assert_eq!(advice.game, "feet");
        assert_eq!(advice.position, "somewhere on a ladder");
        assert_eq!(advice.measure, Measure::Value);
        let said: Vec<(&str, Vec<&str>, &str)> = advice
            .moves
            .iter()
            .map(|m| {
                let moves = m.moves.iter().map(String::as_str).collect();
                (m.action.as_str(), moves, m.label.as_str())
            })
            .collect();
        let expected = [("up1", vec!["up"], "up"), ("up2", vec!["up", "up"], "up twice")];
        assert_eq!(said, expected, "{planner}");
        for m in &advice.moves {
            let mut on = state.clone();
            m.moves.iter().for_each(|name| drop(on.play(name).unwrap()));
        }
    }
    // What leads back is marked, and what cannot be translated is an error with its reason.
    let mut there = state.clone();
    there.play("up").unwrap();
    there.play("down").unwrap();
    assert!(think(&there, "uct").unwrap().moves[0].again);
    there.play("up").unwrap();
    there.play("up").unwrap();
    let error = think(&there, "uct").unwrap_err().to_string();
    assert!(error.contains("not from the third rung"), "{error}");
    // An action that is nothing on the table has no moves, and is never the best there.
    there.play("up").unwrap();
    let advice = think(&there, "uct").unwrap();
    let jump = advice.moves.iter().find(|m| m.action == "up9").unwrap();
    assert!(jump.moves.is_empty());
    let hint = patience_catalogue::Hint::from(advice);
    assert_eq!(hint.moves[hint.best.unwrap()].action, "up1");
}

#[test]
fn what_is_listed_for_a_table_can_be_used_there() {
    let table = game().table();
    let names = |infos: Vec<&'static patience_catalogue::PlannerInfo>| {
        infos.into_iter().map(|info| info.name).collect::<Vec<_>>()
    };
    assert!(names(table.planners()).contains(&"nmcts"));
    for name in names(table.planners()) {
        assert!(table.check(name).is_ok(), "{name}");
    }
    // The table has no solver of its own: those of the game above do not know its moves.
    assert_eq!(names(table.solvers()), [""; 0]);
    assert!(names(game().solvers()).contains(&"claims"));
    for name in names(game().solvers()) {
        assert!(game().solving(name, &Budget::iterations(1)).is_ok(), "{name}");
        assert!(table.solving(name, &Budget::iterations(1)).is_err(), "{name}");
    }
}
