//! Klondike as it lies on the table.

use patience_games::klondike::format::Format;
use patience_games::klondike::{Deal, KlondikeTable, Move, Position, Rules, Scoring, View};
use patience_model::{Game, Rng, Scene, Shown, Standing, Text, conformance};

fn table(draw: u32, redeals: Option<u32>, view: View, scoring: Scoring) -> KlondikeTable {
    let rules = Rules::draw(draw).unwrap().with_redeals(redeals).with_view(view);
    KlondikeTable::new(rules, scoring)
}

fn tables() -> [KlondikeTable; 4] {
    [
        table(3, None, View::Plus, Scoring::Win),
        table(1, None, View::Strict, Scoring::Win),
        table(3, Some(2), View::Strict, Scoring::Vegas),
        table(2, Some(0), View::Plus, Scoring::Vegas),
    ]
}

#[test]
fn passes_the_suite() {
    for table in tables() {
        conformance::of(&table).endless().games(5).limit(400).check();
    }
}

/// Everything that people are shown of a position.
fn shown(table: &KlondikeTable, position: &Position) -> String {
    let mut legal = Vec::new();
    table.actions(position, &mut legal);
    let moves: Vec<_> =
        legal.iter().map(|&m| (table.action_text(position, m), table.label(position, m))).collect();
    let refused: Vec<_> = ["turn", "redeal", "w-f", "1-f", "7-f", "7-1x1", "1-7x1", "H-1", "?"]
        .map(|text| table.read_action(position, text))
        .into();
    format!(
        "{} {:?} {:?} {moves:?} {refused:?} {:?} {:?} {}",
        table.title(),
        table.scene(position),
        table.standing(position),
        table.score(position, 0.0),
        table.place(position),
        table.state_text(position),
    )
}

/// The same position with what the player has not seen in another order.
fn swapped(table: &KlondikeTable, position: &Position, rng: &mut Rng) -> Position {
    position.seen(table.rules().view()).filled(table.rules(), rng)
}

/// The cards that the player has not seen are swapped at every moment of a game: nothing that is
/// shown changes.
#[test]
fn what_is_hidden_never_shows() {
    for table in tables() {
        let (mut swaps, mut legal) = (0, Vec::new());
        for seed in 0..6 {
            let mut rng = Rng::named(seed, &["hidden"]);
            let mut position = table.start(&mut rng);
            for _ in 0..120 {
                let other = swapped(&table, &position, &mut rng);
                assert_eq!(shown(&table, &position), shown(&table, &other));
                swaps += u32::from(other != position);
                table.actions(&position, &mut legal);
                if legal.is_empty() {
                    break;
                }
                table.step(&mut position, rng.pick(&legal), &mut rng);
            }
        }
        assert!(swaps > 100, "{swaps}");
    }
}

/// What is shown is pasted and read again. What nobody has seen stays unknown until a move is made.
#[test]
fn text_is_read_back() {
    for table in tables() {
        let mut legal = Vec::new();
        for seed in 0..6 {
            let mut rng = Rng::named(seed, &["text"]);
            let mut position = table.start(&mut rng);
            for _ in 0..60 {
                let text = table.state_text(&position);
                let read = table.read(&text).unwrap();
                assert_eq!(read, position.seen(table.rules().view()));
                assert_eq!(shown(&table, &read), shown(&table, &position));
                table.actions(&position, &mut legal);
                let mut moves = Vec::new();
                table.actions(&read, &mut moves);
                assert_eq!(moves, legal);
                if let Some(&first) = legal.first() {
                    let mut dealt = read.clone();
                    table.step(&mut dealt, first, &mut rng.clone());
                    assert_eq!(dealt.check_known(), Ok(()));
                }
                if legal.is_empty() {
                    break;
                }
                table.step(&mut position, rng.pick(&legal), &mut rng);
            }
        }
    }
    let table = table(3, None, View::Plus, Scoring::Win);
    // Cards that are named stay where they are.
    let start = table.deal("seed:3").unwrap();
    assert_eq!(start, Position::deal(table.rules(), &Deal::seeded(table.rules(), 3)));
    assert_eq!(table.read(&Format::Pysol.write(&start).unwrap()), Ok(start.clone()));
    // Pinned: the deal of what nobody has seen never changes.
    let mut dealt = table.read(&table.state_text(&start)).unwrap();
    table.step(&mut dealt, Move::Turn, &mut Rng::new(1));
    let down: Vec<String> =
        dealt.columns.iter().filter_map(|c| c.down.last()?.map(|c| c.to_string())).collect();
    assert_eq!(down.join(" "), "9H 8C 3S QH AD 8H");
    assert!(table.read("Talon: AC").is_err());
    assert!(table.deal("x").is_err());
}

/// Moves are read by name; those that are not legal are refused with the engine's reason.
#[test]
fn moves_are_read_by_name() {
    let table = table(3, None, View::Plus, Scoring::Win);
    let start = table.deal("seed:1").unwrap();
    let mut legal = Vec::new();
    table.actions(&start, &mut legal);
    assert_eq!(legal, table.rules().moves(&start));
    for &m in &legal {
        assert_eq!(table.read_action(&start, &table.action_text(&start, m)), Ok(m));
    }
    let refused = |text| table.read_action(&start, text).unwrap_err();
    assert_eq!(refused("w-f"), "the waste is empty");
    assert_eq!(refused("1-7x2"), "column 1 has not so many face-up cards");
    assert!(refused("left").starts_with("`left` is not a move"), "{}", refused("left"));
    let won = table.read("Foundations: C-K D-K H-K S-K\nTalon:\n:\n:\n:\n:\n:\n:\n:").unwrap();
    assert_eq!(table.standing(&won), Standing::Won);
    assert_eq!(table.read_action(&won, "H-1").unwrap_err(), "the game is over");
}

#[test]
fn the_scene_and_the_words_of_a_game() {
    let table = table(3, None, View::Plus, Scoring::Win);
    assert_eq!(table.title(), "Klondike, three cards at a time");
    let text = "Foundations: C-Q D-K H-J S-J\nTalon: KC\nWaste: QH\nKS\nKH QS\n:\n:\n:\n:\n:";
    let position = table.read(text).unwrap();
    let Scene::Cards { piles } = table.scene(&position) else { panic!("cards are expected") };
    let pile = |id: &str| piles.iter().find(|pile| pile.id == id).unwrap();
    assert_eq!(pile("stock").cards, ["??"]);
    assert_eq!(pile("waste").cards, ["QH"]);
    assert_eq!(pile("c2").cards, ["KH", "QS"]);
    assert_eq!(pile("fH").cards.len(), 11);
    assert_eq!((&*pile("fS").name, &*pile("c2").name), ("foundation of spades", "column 2"));
    let label = |m: &str| {
        let m = table.read_action(&position, m).unwrap();
        let label = table.label(&position, m);
        (label.label, label.from.unwrap(), label.to.unwrap(), label.count)
    };
    let expect = |m, text: &str, from: &str, to: &str, count| {
        assert_eq!(label(m), (text.to_owned(), from.to_owned(), to.to_owned(), count));
    };
    expect("turn", "turn the stock", "stock", "waste", 1);
    expect("w-f", "queen of hearts home from the waste", "waste", "fH", 1);
    expect("w-1", "queen of hearts from the waste to column 1", "waste", "c1", 1);
    expect("2-f", "queen of spades home from column 2", "c2", "fS", 1);
    expect("2-3x2", "king of hearts and 1 more from column 2 to column 3", "c2", "c3", 2);
    expect("D-3", "king of diamonds back to column 3", "fD", "c3", 1);
    assert_eq!(table.score(&position, 0.0), 47.0);
    // Turning the stock is no progress, but where it is a move of its own.
    let (mut turned, strict) = (position.clone(), tables()[1]);
    table.rules().play(&mut turned, Move::Turn).unwrap();
    assert_eq!(table.place(&position), table.place(&turned));
    assert_ne!(strict.place(&position), strict.place(&turned));
}

/// The rewards of a game come to its result: 1 for a win, or the Las Vegas score.
#[test]
fn rewards_come_to_the_score() {
    let vegas = table(1, Some(0), View::Plus, Scoring::Vegas);
    let mut legal = Vec::new();
    for seed in 0..20 {
        let mut rng = Rng::named(seed, &["vegas"]);
        let mut position = vegas.start(&mut rng);
        let mut sum = 0.0;
        loop {
            vegas.actions(&position, &mut legal);
            let home =
                |m: &&Move| matches!(m, Move::ColumnToFoundation(_) | Move::WasteToFoundation);
            let turn = legal.iter().find(|m| **m == Move::Turn);
            let Some(&m) = legal.iter().find(home).or(turn) else { break };
            sum += vegas.step(&mut position, m, &mut rng).reward;
        }
        assert_eq!(sum, vegas.score(&position, 0.0), "seed {seed}");
    }
    let win = table(3, None, View::Plus, Scoring::Win);
    let text = "Foundations: C-K D-K H-Q S-Q\nTalon:\nKH\nKS\n:\n:\n:\n:\n:";
    let mut position = win.read(text).unwrap();
    let rewards: Vec<f64> = [Move::ColumnToFoundation(0), Move::ColumnToFoundation(1)]
        .map(|m| win.step(&mut position, m, &mut Rng::new(0)).reward)
        .into();
    assert_eq!(rewards, [0.0, 1.0]);
    win.actions(&position, &mut legal);
    assert_eq!((win.standing(&position), legal.len()), (Standing::Won, 0));
}
