//! What a planner says at the table can be done there: no position takes the way through text, on
//! which cells would change their places and unknown cards would be lost.

use patience::prelude::*;
use patience::{Hint, Setup, Table};

/// Games with planners that think about them, or about something more abstract.
const GAMES: &[(&str, &str, &[&str])] = &[
    ("klondike", "seed:7", &["best", "uct(eval=greedy)", "hop(samples=1)", "random"]),
    ("klondike(draw=1)", "12345678901234567890", &["best", "uct(eval=uniform)"]),
    ("klondike(draw=2, back=useful, end=greedy)", "seed:3", &["best", "greedy"]),
    ("klondike(view=strict, redeals=2)", "seed:5", &["uct(eval=greedy)", "mc"]),
    ("klondike(scoring=vegas)", "seed:5", &["uct(eval=greedy)"]),
    ("freecell", "7", &["distance", "satisficing", "uct(limit=20)", "random"]),
    ("freecell(metric=single)", "8", &["distance", "mc(limit=20)"]),
    ("freecell(rules=eight-off)", "9", &["distance", "uct(limit=20)"]),
    ("freecell(rules=seahaven-towers)", "seed:4", &["uct(limit=20)"]),
    ("freecell(rules=king-albert)", "3", &["uct(limit=20)"]),
    ("samegame", "5", &["nmcts", "portfolio", "beam(width=5)"]),
    ("samegame(width=20, height=18)", "6", &["nrpa", "uct(scale=1000)"]),
];

#[test]
fn every_hinted_action_is_legal_move_by_move_wherever_random_play_leads() {
    for (game, deal, planners) in GAMES {
        let mut rng = Rng::new(11);
        let mut table = Table::open(patience::registry(), &Setup::deal(game, deal), &[]).unwrap();
        let mut tried = 0;
        for step in 0..48 {
            let legal = table.view().legal;
            if legal.is_empty() {
                break;
            }
            let planner = planners[step % planners.len()];
            let budget = Budget::iterations(4);
            let hint = table.hint(Some(planner), &budget, 1, &Cancel::new(), &mut |_| ()).unwrap();
            tried += all_can_be_played(&table, &hint, planner);
            table.play(&legal[rng.index(legal.len())].name).unwrap();
        }
        assert!(tried > 20, "{game}: {tried} actions were tried");
    }
}

/// Plays what every hinted action comes to, and gives how many there were.
fn all_can_be_played(table: &Table, hint: &Hint, planner: &str) -> usize {
    let game = &table.setup().game;
    for m in &hint.moves {
        let mut on = table.clone();
        assert!(!m.moves.is_empty(), "{game}, {planner}: {} is no move here", m.action);
        for name in &m.moves {
            let legal = on.view().legal;
            assert!(
                legal.iter().any(|legal| legal.name == *name),
                "{game}, {planner}: {name} of {} is not legal in\n{}",
                m.action,
                on.view().text
            );
            on.play(name).unwrap();
        }
    }
    hint.moves.len()
}
