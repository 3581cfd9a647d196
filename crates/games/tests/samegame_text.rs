//! Boards and solutions as text: what is wrong is said with line and column.

use patience_games::SameGame;
use patience_games::samegame::{Cell, Grid, LargeSameGame, Penalty, Rewards, Scoring, verify};
use patience_model::{Game, Rng, Scene, Shown, Standing, Text};

#[track_caller]
fn wrong_board(text: &str, expected: &str) {
    assert_eq!(text.parse::<Grid>().unwrap_err().to_string(), expected);
}

#[test]
fn a_wrong_board_is_refused_with_its_place() {
    wrong_board("", "line 1, column 1: no board");
    wrong_board("# only a comment\n\n", "line 1, column 1: no board");
    wrong_board("012\n01", "line 2, column 3: this row has 2 cells, the first has 3");
    wrong_board("01\n012", "line 2, column 3: this row has 3 cells, the first has 2");
    wrong_board("# c\n01\n0x", "line 3, column 2: `x`, expected a digit or `.`");
    wrong_board("0é", "line 1, column 2: `é`, expected a digit or `.`");
}

#[test]
fn a_board_that_is_too_large_is_refused() {
    wrong_board(&"0".repeat(33), "line 1, column 33: more than 32 columns");
    wrong_board(&vec!["0"; 33].join("\n"), "line 33, column 1: more than 32 rows");
    let grid: Grid = vec!["0".repeat(17); 3].join("\n").parse().unwrap();
    let error = SameGame::<u64, 16>::on(&grid, Scoring::default()).unwrap_err();
    assert_eq!(error.to_string(), "17 columns, expected 1 to 16");
    assert!(LargeSameGame::on(&grid, Scoring::default()).is_ok());
    for (width, height, colours, message) in [
        (0, 3, 3, "0 columns, expected 1 to 32"),
        (3, 40, 3, "40 rows, expected 1 to 32"),
        (3, 3, 1, "1 colour, expected 2 to 10"),
        (3, 3, 11, "11 colours, expected 2 to 10"),
    ] {
        let error = Grid::seeded(width, height, colours, 1).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(LargeSameGame::new(width, height, colours, Scoring::default()).is_err());
    }
}

#[test]
fn tiles_must_stand_on_something() {
    wrong_board("0.\n.1", "line 1, column 1: nothing is below this tile");
    wrong_board("..\n.1", "line 2, column 2: an empty column is left of it");
    let grid: Grid = "..\r\n1.\r\n10\r\n".parse().unwrap();
    assert_eq!(grid.to_string(), "..\n1.\n10");
    assert_eq!(grid.columns(), [vec![1, 1], vec![0]]);
}

#[test]
fn a_solution_is_replayed_and_scored() {
    let grid: Grid = "0011\n2222".parse().unwrap();
    let seed = Scoring::default();
    let verified = verify(&grid, seed, "a1 a1\n b1").unwrap();
    // 4 tiles, then 0 and 0 (pairs), then 1000.
    assert_eq!((verified.score, verified.cleared, verified.over), (1004.0, true, true));
    // Another order: the row above falls and stays a pair each.
    let part = verify(&grid, seed, "b2").unwrap();
    assert_eq!((part.score, part.cleared, part.over), (0.0, false, false));
    let nothing = verify(&grid, seed, " \n").unwrap();
    assert_eq!((nothing.score, nothing.over), (0.0, false));
}

#[test]
fn what_is_left_is_charged_by_its_colour() {
    // Of colour 0 one tile is left, of colour 1 three that are not connected, of colour 2 two.
    let grid: Grid = "33.........\n01212121...".parse::<Grid>().unwrap();
    let score = |penalty| {
        let scoring = Scoring { rewards: Rewards::SameGame, penalty };
        verify(&grid, scoring, "a2").unwrap().score
    };
    assert_eq!(score(Penalty::None), 0.0);
    assert_eq!(score(Penalty::Seed), -(1.0 + 4.0 + 1.0));
    assert_eq!(score(Penalty::AboveTwo), -(4.0 + 1.0));
    for (rewards, expected) in [(Rewards::BubbleBreaker, 2.0), (Rewards::Clickomania, 2.0)] {
        let scoring = Scoring { rewards, penalty: Penalty::Seed };
        assert_eq!(verify(&grid, scoring, "b2").unwrap().score, expected);
    }
}

#[test]
fn an_illegal_step_is_refused_with_its_place() {
    let grid: Grid = "0011\n2221".parse().unwrap();
    let message = |text| verify(&grid, Scoring::default(), text).unwrap_err().to_string();
    assert_eq!(message("a1 zz"), "line 1, column 4: step 2: `zz`, expected a cell such as c4");
    assert_eq!(message("a1\n\n  e1"), "line 3, column 3: step 2: there is no tile at e1");
    let single: Grid = "01\n00".parse().unwrap();
    let error = verify(&single, Scoring::default(), "b2").unwrap_err().to_string();
    assert_eq!(error, "line 1, column 1: step 1: the tile at b2 has no neighbour of its colour");
    for word in ["a0", "a33", "a", "1a", "a+1", "é1", "a99999999999999999999"] {
        assert!(message(word).contains("expected a cell"), "{word}");
    }
}

#[test]
fn cells_are_letters_and_numbers() {
    for (column, row, text) in [(0, 0, "a1"), (25, 9, "z10"), (26, 31, "A32"), (31, 0, "F1")] {
        assert_eq!(Cell { column, row }.to_string(), text);
    }
}

#[test]
fn names_of_rewards_and_penalties() {
    for word in ["samegame", "bubblebreaker", "clickomania"] {
        assert_eq!(word.parse::<Rewards>().unwrap().to_string(), word);
    }
    for word in ["none", "seed", "above-two"] {
        assert_eq!(word.parse::<Penalty>().unwrap().to_string(), word);
    }
    let error = "same".parse::<Rewards>().unwrap_err().to_string();
    assert_eq!(error, "`same` is none of samegame, bubblebreaker, clickomania");
}

#[test]
fn marks_and_comments_are_passed_over() {
    let grid: Grid = "\u{feff}# a board\n  # of two rows\n01\n11\n".parse().unwrap();
    assert_eq!(grid.to_string(), "01\n11");
    let error = "0\u{feff}1".parse::<Grid>().unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 2: "), "{error}");
    let error = Grid::seeded(9, 9, 1, 1).unwrap_err().to_string();
    assert_eq!(error, "1 colour, expected 2 to 10");
}

#[test]
fn every_position_reads_as_itself_and_so_do_its_moves() {
    let mut cleared = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let game: SameGame = SameGame::new(4, 3, 2, Scoring::default()).unwrap();
        let mut board = game.start(&mut rng);
        loop {
            assert_eq!(game.read(&game.state_text(&board)).unwrap(), board);
            let mut legal = Vec::new();
            game.actions(&board, &mut legal);
            let grid = game.grid(&board);
            for &cell in &legal {
                for tile in grid.group(cell) {
                    assert_eq!(game.read_action(&board, &tile.to_string()), Ok(cell));
                }
            }
            if legal.is_empty() {
                break;
            }
            assert_eq!(game.standing(&board), Standing::Open);
            let cell = rng.pick(&legal);
            game.step(&mut board, cell, &mut rng);
        }
        let won = board.width() == 0;
        cleared += u32::from(won);
        assert_eq!(game.standing(&board), if won { Standing::Won } else { Standing::Over });
    }
    assert!((1..40).contains(&cleared), "{cleared}");
}

#[test]
fn a_board_and_its_moves_are_shown() {
    let scoring = Scoring { rewards: Rewards::BubbleBreaker, penalty: Penalty::None };
    let game: SameGame = SameGame::new(4, 3, 3, scoring).unwrap();
    let board = game.read("01.\n021").unwrap();
    assert_eq!(game.title(), "Bubble Breaker");
    let columns = vec![vec![0, 0], vec![2, 1], vec![1]];
    assert_eq!(game.scene(&board), Scene::Tiles { width: 4, height: 3, columns });
    let label = game.label(&board, game.read_action(&board, "a2").unwrap());
    assert_eq!(label.label, "2 tiles of colour 0 at a1 for 2");
    assert_eq!((label.count, label.points), (2, Some(2.0)));
    assert_eq!(label.cells, [(0, 0), (0, 1)]);
    for (text, reason) in [
        ("b2", "the tile at b2 has no neighbour of its colour"),
        ("d1", "there is no tile at d1"),
        ("zz", "`zz`, expected a cell such as c4"),
        ("a1 a1", "`a1 a1`, expected a cell such as c4"),
    ] {
        assert_eq!(game.read_action(&board, text), Err(reason.to_owned()));
    }
}
