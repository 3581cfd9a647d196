//! Klondike through the registry: what no planner may know.

use patience::games::klondike::format::Format;
use patience::games::klondike::{Deal, Move, Position, Rules};
use patience::model::Rng;
use patience::plan::{Budget, Cancel};
use patience::{Setup, Table};

/// Texts of deals that differ only in what lies face down.
fn twins(seed: u64, strict: bool) -> [String; 2] {
    turned_twins(seed, strict, 0)
}

/// The same after some turns.
fn turned_twins(seed: u64, strict: bool, turns: u32) -> [String; 2] {
    let rules = Rules::default();
    let mut truth = Position::deal(&rules, &Deal::seeded(&rules, seed));
    for _ in 0..turns {
        rules.play(&mut truth, Move::Turn).unwrap();
    }
    let mut other = truth.clone();
    let down = other.columns.iter_mut().flat_map(|column| &mut column.down);
    let mut hidden: Vec<_> = down.chain(other.stock.iter_mut().filter(|_| strict)).collect();
    let mut cards: Vec<_> = hidden.iter().map(|card| **card).collect();
    Rng::new(seed).shuffle(&mut cards);
    for (place, card) in hidden.iter_mut().zip(cards) {
        **place = card;
    }
    [truth, other].map(|position| Format::Solvitaire.write(&position).unwrap())
}

/// The true face-down cards, in the strict view with those of the stock, are swapped behind the
/// planner's back, for every planner that there is and every way to play: it says the same of every move.
#[test]
fn no_planner_sees_what_is_hidden() {
    let registry = patience::registry();
    for name in [
        "klondike",
        "klondike(draw=1, back=any)",
        "klondike(view=strict)",
        "klondike(redeals=1, view=strict)",
    ] {
        let game = registry.game(name).unwrap();
        let names: Vec<&str> = registry.planners().map(|info| info.name).collect();
        let mut planners: Vec<String> = names.into_iter().map(str::to_owned).collect();
        planners.extend(["uniform", "greedy", "solver"].map(|leaf| format!("uct(eval={leaf})")));
        planners.push("uct(width=1, trees=3, iterations=20)".to_owned());
        let mut tried = 0;
        for planner in planners.iter().filter(|planner| game.check(planner).is_ok()) {
            tried += 1;
            for seed in 0..3 {
                let think = |text: &String| {
                    let state = game.read(text, seed).unwrap();
                    let budget = Budget::iterations(40);
                    state.advise(planner, &budget, seed, &Cancel::new(), &mut |_| ()).unwrap()
                };
                let [truth, other] = twins(seed, name.contains("strict")).each_ref().map(think);
                assert_eq!(truth.best, other.best, "{planner}");
                assert_eq!(truth.moves, other.moves, "{planner}");
                assert_eq!(truth.position, other.position, "{planner}");
            }
        }
        assert!(tried >= 4, "{tried} planners for {name}");
    }
}

/// What people are shown and told at the table does not change when all that they have not seen is
/// swapped: face-down cards, and those of the stock that were never turned.
#[test]
fn people_see_what_was_turned_and_nothing_else() {
    for name in ["klondike", "klondike(draw=1)", "klondike(redeals=2)", "klondike(scoring=vegas)"] {
        for (seed, turns) in [(1, 0), (2, 1), (3, 4)] {
            let [truth, other] = turned_twins(seed, true, turns).map(|text| {
                let setup = Setup::position(name, &text);
                let table = Table::open(patience::registry(), &setup, &[]).unwrap();
                let budget = Budget::iterations(60);
                let mut hint = table.hint(None, &budget, 1, &Cancel::new(), &mut |_| ()).unwrap();
                hint.advice.stats.seconds = 0.0;
                let tree = table.tree(Some("uct"), &budget, 1, &Cancel::new(), 3).unwrap();
                serde_json::to_string(&(table.view(), hint, tree)).unwrap()
            });
            assert_eq!(truth, other, "{name}");
            assert!(truth.contains("??"), "{truth}");
        }
    }
    // By the paper's view the stock is known, and whoever asks for it is told.
    let [truth, other] = turned_twins(1, true, 0).map(|text| {
        let setup = Setup::position("klondike(view=plus)", &text);
        Table::open(patience::registry(), &setup, &[]).unwrap().view().text
    });
    assert_ne!(truth, other);
}
