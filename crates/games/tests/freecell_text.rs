//! Deals, boards and solutions as text; the validator.

use patience_games::freecell::{
    Board, BoardFault, Card, Fault, Invalid, LAST_DEAL, Metric, NotationFault, Place, Rules, Step,
    notation, validator,
};
use patience_model::Rng;
use proptest::prelude::*;

const DEAL_1: &str = "\
Foundations: H-0 C-0 D-0 S-0
Freecells: - - - -
: JD KD 2S 4C 3S 6D 6S
: 2D KC KS 5C TD 8S 9C
: 9H 9S 9D TS 4S 8D 2H
: JC 5S QD QH TH QS 6H
: 5D AD JS 4H 8H 6C
: 7H QC AS AC 2C 3D
: 7C KH AH 4D JH 8C
: 5H 3H 3C 7S 7D TC
";

#[test]
fn numbered_deals() {
    assert_eq!(Board::deal(&Rules::FREECELL, 1).unwrap().to_string(), DEAL_1);
    // The deal that is printed most often beside it.
    let deal = Board::deal(&Rules::FREECELL, 617).unwrap();
    let rows: Vec<String> =
        (0..2).map(|r| deal.columns.iter().map(|c| format!("{} ", c[r])).collect()).collect();
    assert_eq!(rows, ["7D AD 5C 3S 5S 8C 2D AH ", "TD 7S QD AC 6D 8H AS KH "]);
    for number in [0, LAST_DEAL + 1, u64::MAX] {
        assert!(Board::deal(&Rules::FREECELL, number).is_err());
    }
    for number in [1 << 31, 1 << 32, LAST_DEAL] {
        assert_ne!(Board::deal(&Rules::FREECELL, number), Board::deal(&Rules::FREECELL, 1));
    }
}

#[test]
fn layouts() {
    let shape = |rules: &Rules| {
        let board = Board::deal(rules, 7).unwrap();
        let columns: Vec<usize> = board.columns.iter().map(Vec::len).collect();
        (columns, board.cells.iter().flatten().count(), board.home)
    };
    assert_eq!(shape(&Rules::EIGHT_OFF), (vec![6; 8], 4, [0; 4]));
    assert_eq!(shape(&Rules::SEAHAVEN_TOWERS), (vec![5; 10], 2, [0; 4]));
    assert_eq!(shape(&Rules::FORECELL), (vec![6; 8], 4, [0; 4]));
    assert_eq!(shape(&Rules::KING_ALBERT), ((1..=9).collect(), 7, [0; 4]));
    assert_eq!(shape(&Rules::BELEAGUERED_CASTLE), (vec![6; 8], 0, [1; 4]));
    assert_eq!(shape(&Rules::STREETS_AND_ALLEYS), (vec![7, 7, 7, 7, 6, 6, 6, 6], 0, [0; 4]));
    for (name, rules) in Rules::PRESETS {
        assert_eq!(Rules::named(name), Some(rules));
        let board = Board::deal(&rules, 3).unwrap();
        assert_eq!(Board::read(&rules, &board.to_string()), Ok(board), "{name}");
    }
}

#[track_caller]
fn board_error(text: &str) -> (usize, usize, BoardFault) {
    let error = Board::read(&Rules::FREECELL, text).unwrap_err();
    (error.line, error.column, error.fault)
}

#[test]
fn boards_are_read_in_several_ways() {
    let board = Board::deal(&Rules::FREECELL, 1).unwrap();
    let bare: String = DEAL_1.lines().skip(2).map(|l| format!("{}\n", &l[2..])).collect();
    assert_eq!(Board::read(&Rules::FREECELL, &bare).unwrap(), board);
    let tens = format!("# a remark\n\n{}", bare.replace('T', "10").to_lowercase());
    assert_eq!(Board::read(&Rules::FREECELL, &tens).unwrap(), board);
    let late = "Foundations: H-K C-K D-Q S-J\nFreecells: QS\n: KD\n: KS\n:\n:\n:\n:\n:\n:\n";
    let late = Board::read(&Rules::FREECELL, late).unwrap();
    assert_eq!(late.home, [13, 12, 13, 11]);
    assert_eq!(late.cells, [Some("QS".parse().unwrap()), None, None, None]);
}

#[test]
fn faulty_boards_are_refused_with_their_place() {
    let card = |text: &str| text.parse::<Card>().unwrap();
    let text = DEAL_1.replace("9C", "9X");
    assert!(matches!(board_error(&text), (4, 21, BoardFault::Card(_))), "{:?}", board_error(&text));
    let text = DEAL_1.replace("9C", "9H");
    assert_eq!(board_error(&text), (5, 3, BoardFault::Twice(card("9H"))));
    let text = DEAL_1.replace(" 9C", "");
    assert_eq!(board_error(&text), (10, 1, BoardFault::Missing(vec![card("9C")])));
    let text = DEAL_1.replace("S-0", "S-Z");
    assert!(matches!(board_error(&text), (1, 26, BoardFault::Foundation(_))));
    let text = DEAL_1.replace("S-0", "S-A");
    assert_eq!(board_error(&text), (8, 9, BoardFault::Twice(card("AS"))));
    let text = format!("{DEAL_1}:\n");
    assert_eq!(board_error(&text), (11, 1, BoardFault::Columns { found: 9, expected: 8 }));
    let text = DEAL_1.replace("- - - -", "- - - - -");
    assert_eq!(board_error(&text), (2, 20, BoardFault::Cells { found: 5, expected: 4 }));
    assert_eq!(board_error(""), (1, 1, BoardFault::Empty { expected: 8 }));
    assert_eq!(board_error("# nothing\n\n"), (2, 1, BoardFault::Empty { expected: 8 }));
    assert_eq!(board_error(": 9C\n"), (1, 1, BoardFault::Columns { found: 1, expected: 8 }));
    let small = Rules { ranks: 3, ..Rules::FREECELL };
    let error = Board::read(&small, ": 4H").unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 3: 4H is not in the game: a suit has 3 ranks");
}

/// A walk of random steps: not a solution, but all that texts must carry.
fn walk(rules: &Rules, metric: Metric, seed: u64) -> (Board, Vec<Step>) {
    let mut rng = Rng::new(seed);
    let start = Board::shuffled(rules, &mut rng);
    let mut board = start.clone();
    let mut walk = Vec::new();
    for _ in 0..80 {
        let steps = validator::steps(rules, metric, &board);
        let Some(best) = steps.iter().map(|s| s.count).max() else { break };
        let longest: Vec<Step> = steps.iter().filter(|s| s.count == best).copied().collect();
        let any = rng.chance(0.5);
        let step = rng.pick(if any { &steps } else { &longest });
        validator::make(&mut board, &step);
        walk.push(step);
    }
    (start, walk)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn solutions_are_read_back(seed: u64) {
        for (_, rules) in Rules::PRESETS {
            for metric in Metric::ALL.into_iter().filter(|m| m.check(&rules).is_ok()) {
                let (board, steps) = walk(&rules, metric, seed);
                let text = notation::standard(&rules, metric, &board, &steps);
                prop_assert_eq!(notation::read_standard(&rules, metric, &board, &text), Ok(steps.clone()));
                let text = notation::numbered(&board, &steps);
                prop_assert_eq!(notation::read_numbered(&rules, metric, &board, &text), Ok(steps));
            }
        }
    }

    #[test]
    fn no_text_makes_it_fall_over(text in "[0-9a-mv: .>x-]{0,40}|\\PC{0,40}") {
        let board = Board::deal(&Rules::FREECELL, 1).unwrap();
        for metric in Metric::ALL {
            let _ = notation::read_standard(&Rules::FREECELL, metric, &board, &text);
            let _ = notation::read_numbered(&Rules::FREECELL, metric, &board, &text);
        }
        let _ = Board::read(&Rules::FREECELL, &text);
    }
}

#[test]
fn a_position_one_step_from_the_end() {
    let text = "Foundations: H-K C-K D-K S-J\nFreecells: KS\n: QS\n:\n:\n:\n:\n:\n:\n:\n";
    let rules = Rules::FREECELL;
    let board = Board::read(&rules, text).unwrap();
    let read = |text| notation::read_standard(&rules, Metric::Single, &board, text).unwrap();
    let verify = |steps: &[Step]| validator::verify(&rules, Metric::Single, &board, steps);
    assert_eq!(verify(&read("1h ah")), Ok(2));
    assert_eq!(verify(&read("1b bh ah")), Ok(3));
    assert_eq!(verify(&read("1h")), Err(Invalid::Unfinished { steps: 1, left: 1 }));
    let early = [Step { from: Place::Cell(0), to: Place::Home, count: 1 }];
    let error = verify(&early).unwrap_err();
    assert_eq!(error.to_string(), "step 1 (ah): KS is not the next of its suit to go home");
    let error = validator::verify(&Rules::KING_ALBERT, Metric::Supermove, &board, &[]);
    assert!(matches!(error, Err(Invalid::Metric(_))));
}

#[test]
fn faulty_solutions_are_refused_with_their_step() {
    let rules = Rules::FREECELL;
    let board = Board::deal(&rules, 1).unwrap();
    let read = |metric, text| {
        let error = notation::read_standard(&rules, metric, &board, text).unwrap_err();
        (error.line, error.step, error.fault)
    };
    let single = |text| read(Metric::Single, text);
    assert_eq!(single("3a\n3b x"), (2, 3, NotationFault::NotAStep));
    assert_eq!(single("3a 3a"), (1, 2, Fault::CellTaken(Place::Cell(0)).into()));
    assert_eq!(single("h1"), (1, 1, Fault::FromHome.into()));
    assert_eq!(single("b1"), (1, 1, Fault::TooFew(Place::Cell(1), 1).into()));
    assert_eq!(single("0a"), (1, 1, Fault::NoPlace(Place::Column(9)).into()));
    assert_eq!(single("11"), (1, 1, Fault::Nowhere.into()));
    assert_eq!(single("12v0"), (1, 1, Fault::TooFew(Place::Column(0), 1).into()));
    assert_eq!(single("1av2"), (1, 1, Fault::OneAtATime.into()));
    assert!(matches!(single("12"), (1, 1, NotationFault::Rule(Fault::DoesNotBuild { .. }))));
    assert!(matches!(single("12v2"), (1, 1, NotationFault::Rule(Fault::NotARun { .. }))));
    assert!(matches!(single("12v99"), (1, 1, NotationFault::Rule(Fault::TooFew(..)))));
    let numbered = |text| {
        let metric = Metric::Single;
        notation::read_numbered(&rules, metric, &board, text).unwrap_err().to_string()
    };
    assert_eq!(
        numbered("2. 6S: column 1 -> cell a"),
        "line 1, step 1 (“2. 6S: column 1 -> cell a”): this should be step 1"
    );
    assert_eq!(
        numbered("1. 7S: column 1 -> cell a"),
        "line 1, step 1 (“1. 7S: column 1 -> cell a”): the step moves 6S"
    );
    assert!(numbered("1. 6S: shelf 1 -> cell a").contains("numbered steps are written"));
}

/// Ten cards of a run and what they may do, counted by hand.
#[test]
fn limits_of_runs() {
    let rules = Rules { ranks: 6, ..Rules::FREECELL };
    // 6S 5H 4S 3H 2S in column 1; a red six takes none, a black six the rest.
    let text = "Foundations: H-A C-0 D-6 S-A\nFreecells: 6H\n: 6S 5H 4S 3H 2S\n: AC 2C 3C 4C 5C 6C\n\
                : 5S 4H 3S 2H\n:\n:\n:\n:\n:\n";
    let board = Board::read(&rules, text).unwrap();
    let limit = |metric, to_empty| validator::limit(&rules, metric, &board, to_empty);
    assert_eq!(limit(Metric::Single, false), 1);
    assert_eq!(limit(Metric::Table1, false), 4 << 5);
    assert_eq!(limit(Metric::Supermove, false), 4 << 5);
    assert_eq!(limit(Metric::Table1, true), 4);
    assert_eq!(limit(Metric::Supermove, true), 4 << 4);
    let step = Step { from: Place::Column(0), to: Place::Column(3), count: 5 };
    let fault = Fault::TooLong { asked: 5, limit: 4 };
    assert_eq!(validator::check(&rules, Metric::Table1, &board, &step), Err(fault));
    assert_eq!(validator::check(&rules, Metric::Supermove, &board, &step), Ok(()));
    let kings = Rules { fill: patience_games::freecell::Fill::Kings, ..rules };
    assert_eq!(validator::limit(&kings, Metric::Supermove, &board, false), 4);
}
