//! Games on the table: replay, undo, what may be seen, hints and proofs in the table's words.

use patience::model::{PileKind, Scene, Standing};
use patience::plan::{Budget, Cancel};
use patience::prelude::*;
use patience::{Measure, Setup, Table, TableError};

fn open(setup: &Setup) -> Table {
    Table::open(patience::registry(), setup, &[]).unwrap()
}

fn dealt(game: &str, deal: &str) -> Table {
    open(&Setup::deal(game, deal))
}

/// Plays moves chosen by a stream, and gives the table at every step.
fn play_on(table: &mut Table, steps: usize, rng: &mut Rng) {
    for _ in 0..steps {
        let legal = table.view().legal;
        if legal.is_empty() {
            return;
        }
        let name = legal[rng.index(legal.len())].name.clone();
        table.play(&name).unwrap();
    }
}

const GAMES: &[(&str, &str)] = &[
    ("klondike", "seed:7"),
    ("klondike(draw=1)", "12345678901234567890"),
    ("freecell", "1"),
    ("freecell(rules=bakers-game)", "2"),
    ("freecell(rules=king-albert)", "3"),
    ("freecell(rules=seahaven-towers)", "4"),
    ("samegame", "5"),
    ("connect-four", "1"),
    ("tiger", "9"),
    ("sailing(size=5)", "2"),
];

#[test]
fn a_game_is_its_setup_and_its_moves_and_undo_takes_one_back() {
    for (game, deal) in GAMES {
        let mut rng = Rng::new(3);
        let mut table = dealt(game, deal);
        play_on(&mut table, 40, &mut rng);
        let again = Table::open(patience::registry(), table.setup(), table.moves()).unwrap();
        assert_eq!(again.view(), table.view(), "{game}");
        let before = {
            let mut shorter = table.clone();
            let last = shorter.undo().unwrap();
            assert_eq!(Some(&last), table.moves().last());
            shorter
        };
        let name = table.moves().last().unwrap().clone();
        let mut forward = before.clone();
        forward.play(&name).unwrap();
        assert_eq!(forward.view(), table.view(), "{game}");
    }
}

#[test]
fn every_legal_move_can_be_played_and_cards_are_neither_lost_nor_doubled() {
    for (game, deal) in &GAMES[..6] {
        let mut rng = Rng::new(5);
        let mut table = dealt(game, deal);
        for _ in 0..30 {
            for m in table.view().legal {
                let mut next = table.clone();
                next.play(&m.name).unwrap_or_else(|error| panic!("{game}: {error}"));
                let Scene::Cards { piles } = next.view().scene else { panic!("{game}: no cards") };
                let mut cards: Vec<&String> = piles.iter().flat_map(|p| &p.cards).collect();
                assert_eq!(cards.len(), 52, "{game} after {}", m.name);
                cards.retain(|card| *card != "??");
                cards.sort();
                cards.dedup();
                let hidden = piles.iter().flat_map(|p| &p.cards).filter(|c| *c == "??").count();
                assert_eq!(cards.len() + hidden, 52, "{game} after {}", m.name);
            }
            play_on(&mut table, 1, &mut rng);
        }
    }
}

#[test]
fn what_lies_face_down_is_not_told() {
    let table = dealt("klondike", "seed:7");
    let view = table.view();
    let Scene::Cards { piles } = &view.scene else { panic!("no cards") };
    for pile in piles {
        let open = pile.cards.iter().filter(|card| *card != "??").count();
        let expected = usize::from(pile.kind == PileKind::Column);
        assert_eq!(open, expected, "{}", pile.name);
    }
    // The text names the stock, as this game's planners know it, and no face-down card.
    assert_eq!(view.text.matches("<??>").count(), 21, "{}", view.text);
    // Two deals that differ only in what lies face down look the same and are thought of alike.
    let other = open(&Setup::position("klondike", &view.text));
    assert_eq!(other.view().scene, view.scene);
    let think = |table: &Table| {
        let budget = Budget::iterations(300);
        table.hint(None, &budget, 1, &Cancel::new(), &mut |_| ()).unwrap().advice.moves
    };
    assert_eq!(think(&other), think(&table));
}

#[test]
fn wrong_setups_and_moves_are_told_with_their_place() {
    let registry = patience::registry();
    let wrong = |setup: &Setup, moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(|m| (*m).to_owned()).collect();
        Table::open(registry, setup, &moves).unwrap_err().to_string()
    };
    let cases = [
        (Setup::deal("klondyke", "1"), "klondike"),
        (Setup::deal("klondike(draw=4)", "seed:1"), "draw"),
        (Setup::deal("klondike", "seven"), "seven"),
        (Setup::deal("freecell", "0"), "deals are numbered 1"),
        (Setup::deal("freecell(rules=nonsense)", "1"), "nonsense"),
        (Setup::position("klondike", "{"), "line"),
        (Setup::position("freecell", "AS AS"), "line 1, column 4"),
        (Setup::position("samegame", "01\n1"), "line 2"),
        (Setup::deal("connect-four", "x"), "`x` is no deal"),
    ];
    for (setup, part) in cases {
        let error = wrong(&setup, &[]);
        assert!(error.contains(part), "{setup:?}: {error}");
    }
    let error = wrong(&Setup::deal("klondike", "seed:7"), &["turn", "w-9"]);
    assert!(error.starts_with("move 2 (`w-9`): "), "{error}");
    let error = wrong(&Setup::deal("freecell", "1"), &["1h"]);
    assert!(error.starts_with("move 1 (`1h`): "), "{error}");
    let long = vec!["turn".to_owned(); 6000];
    let setup = Setup::deal("klondike", "seed:7");
    let mut moves = Vec::new();
    let mut table = open(&setup);
    for _ in 0..long.len() {
        let legal = table.view().legal;
        let stock = Some("stock".to_owned());
        let next = legal.iter().find(|m| m.label.from == stock || m.label.to == stock);
        moves.push(next.unwrap().name.clone());
        if moves.len() > 5000 {
            break;
        }
        table.play(moves.last().unwrap()).unwrap();
    }
    let error = Table::open(registry, &setup, &moves).unwrap_err();
    assert_eq!(error, TableError::TooManyMoves(5000));
}

#[test]
fn klondike_is_played_to_its_end_by_its_hints() {
    // The planner's actions come to moves on the table: stock turned, cards uncovered.
    let mut ends = [0, 0];
    for deal in 1..=3 {
        let mut table = dealt("klondike(draw=1)", &format!("seed:{deal}"));
        for _ in 0..400 {
            if table.view().standing != Standing::Open {
                break;
            }
            let budget = Budget::iterations(60);
            let seed = table.moves().len() as u64;
            let hint = table.hint(None, &budget, seed, &Cancel::new(), &mut |_| ()).unwrap();
            assert_eq!(hint.measure, Measure::WinProbability);
            let Some(best) = hint.best.map(|best| hint.moves[best].clone()) else {
                assert!(hint.lost.is_some());
                break;
            };
            assert!(!best.moves.is_empty(), "{} has no way", best.action);
            for m in &hint.moves {
                assert!(!m.moves.is_empty(), "{} has no way in\n{}", m.action, table.view().text);
            }
            if best.again {
                break;
            }
            for name in &best.moves {
                table.play(name).unwrap();
            }
        }
        ends[usize::from(table.view().standing == Standing::Won)] += 1;
    }
    assert_eq!(ends.iter().sum::<i32>(), 3);
}

#[test]
fn freecell_hints_are_distances_and_their_best_moves_lead_home() {
    // Deal 3 is done before anybody could be told; deal 1 takes minutes.
    let mut table = dealt("freecell", "1");
    let time = std::time::Duration::from_secs(2);
    let mut told = 0;
    let hint =
        table.hint(None, &Budget::time(time), 0, &Cancel::new(), &mut |_| told += 1).unwrap();
    assert_eq!(hint.measure, Measure::StepsToGo);
    assert!(told >= 3, "{told}");
    let best = hint.moves[hint.best.unwrap()].clone();
    let length = best.value.unwrap();
    assert!(best.low.unwrap() <= length && length == best.high.unwrap(), "{best:?}");
    // Table 1 has 82 for this deal in its own metric.
    assert!((60.0..120.0).contains(&length), "{length}");
    table.play(&best.moves[0]).unwrap();
    // A planner of the registry speaks of the same board, whatever its cells are called.
    let budget = Budget::iterations(50);
    for _ in 0..10 {
        let hint = table
            .hint(Some("uct(scale=52, limit=100)"), &budget, 1, &Cancel::new(), &mut |_| ())
            .unwrap();
        for m in &hint.moves {
            assert_eq!(m.moves.len(), 1, "{} in\n{}", m.action, table.view().text);
            table.clone().play(&m.moves[0]).unwrap();
        }
        let best = hint.moves[hint.best.unwrap()].clone();
        table.play(&best.moves[0]).unwrap();
    }
}

#[test]
fn what_is_lost_is_proven_lost() {
    let long = Budget::time(std::time::Duration::from_secs(60)).with_memory(1 << 28);
    // An ace below its own king and nothing to move: two ranks, no cells.
    let lost = "Foundations: H-0 C-0 D-0 S-0\n: AC AD AH AS\n: 2C 2D 2H 2S\n";
    let setup = Setup::position("freecell(rules=freecell-0, ranks=2, columns=2)", lost);
    let mut table = open(&setup);
    assert_eq!(table.prove(&long, &Cancel::new()).unwrap().verdict, Verdict::Solved);
    let lost = "Foundations: H-0 C-0 D-0 S-0\n: AC 2C AS 2S\n: AD 2D AH 2H\n";
    table = open(&Setup { position: Some(lost.to_owned()), ..setup });
    let proof = table.prove(&long, &Cancel::new()).unwrap();
    assert_eq!(proof.verdict, Verdict::Unsolvable, "{proof:?}");
    assert!(proof.because.contains("positions"), "{}", proof.because);
    let hint = table
        .hint(
            None,
            &Budget::time(std::time::Duration::from_secs(2)),
            0,
            &Cancel::new(),
            &mut |_| (),
        )
        .unwrap();
    assert!(hint.best.is_none() && (hint.lost.is_some() || hint.moves.is_empty()), "{hint:?}");
    // Klondike tells the verdict, and no move that would tell what lies face down.
    let proof = dealt("klondike", "seed:1").prove(&long, &Cancel::new()).unwrap();
    assert_eq!((proof.verdict, proof.moves.len()), (Verdict::Solved, 0), "{proof:?}");
}

#[test]
fn solutions_are_replayed_on_the_table() {
    let budget = Budget::time(std::time::Duration::from_secs(2)).with_memory(1 << 28);
    for (game, deal) in [("freecell", "1"), ("samegame(width=6, height=6, colours=3)", "1")] {
        let mut table = dealt(game, deal);
        let mut told = 0;
        let proof = table.solve(&budget, &Cancel::new(), &mut |_| told += 1).unwrap();
        assert!(told > 0 && !proof.moves.is_empty(), "{game}: {proof:?}");
        assert_eq!(proof.numbered.len(), proof.moves.len());
        for name in &proof.moves {
            table.play(name).unwrap();
        }
        if game == "freecell" {
            assert_eq!(table.view().standing, Standing::Won);
            assert_eq!(proof.value, Some(proof.moves.len() as f64));
        } else {
            assert_eq!(Some(table.view().score), proof.value);
        }
    }
    let error = dealt("klondike", "seed:1").solve(&budget, &Cancel::new(), &mut |_| ());
    assert!(error.unwrap_err().to_string().contains("no solver"));
}

const HIDDEN: &str = "
(role random) (role player)
(side heads) (side tails)
(init start)
(<= (legal random (toss ?s)) (true start) (side ?s))
(<= (legal random noop) (true (coin ?s)))
(<= (legal player noop) (true start))
(<= (legal player (call ?s)) (true (coin ?t)) (side ?s))
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (next over) (does player (call ?s)))
(<= (next right) (does player (call ?s)) (true (coin ?s)))
(<= (sees player ready) (does random (toss ?s)))
(<= terminal (true over))
(<= (goal player 100) (true right))
(<= (goal player 0) (not (true right)))
(goal random 0)";

#[test]
fn described_games_are_played_and_what_a_role_does_not_see_is_not_told() {
    let setup = Setup {
        game: "rules".to_owned(),
        rules: Some(HIDDEN.to_owned()),
        role: Some("player".to_owned()),
        deal: Some("4".to_owned()),
        ..Setup::default()
    };
    let mut table = open(&setup);
    table.play("noop").unwrap();
    let view = table.view();
    assert_eq!(view.text, "1. noop: saw ready");
    assert_eq!(view.legal.len(), 2);
    let told = serde_json::to_string(&view).unwrap();
    assert!(!told.contains("coin"), "{told}");
    let budget = Budget::iterations(50);
    let hint = table.hint(None, &budget, 1, &Cancel::new(), &mut |_| ()).unwrap();
    let said = serde_json::to_string(&hint).unwrap();
    assert!(!said.contains("coin"), "{said}");
    table.play("(call heads)").unwrap();
    assert_eq!(table.view().standing, Standing::Over);
    assert!([0.0, 1.0].contains(&table.view().score));
    // All coins are the same to those who replay.
    let again = Table::open(patience::registry(), &setup, table.moves()).unwrap();
    assert_eq!(again.view(), table.view());
    // A game in which all is seen shows its facts.
    let open_rules = HIDDEN
        .replace("(<= (sees player ready) (does random (toss ?s)))", "")
        .replace("random", "other");
    let table = open(&Setup { rules: Some(open_rules), ..setup.clone() });
    assert_eq!(table.view().text, "start");
    let broken = Setup { rules: Some("(role".to_owned()), ..setup };
    let error = Table::open(patience::registry(), &broken, &[]).unwrap_err().to_string();
    assert!(error.contains("rules:1:"), "{error}");
}
