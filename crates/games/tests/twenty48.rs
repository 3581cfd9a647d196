//! 2048: slides by hand and against a slow twin, and the values of the smallest board.

use std::collections::HashMap;

use patience_games::Twenty48;
use patience_games::twenty48::{Board, Slide};
use patience_model::{Game, Rng, Text};
use patience_plan::{Budget, Cancel, Root, Search, Stepped, ValueIteration};

const SLIDES: [Slide; 4] = [Slide::Left, Slide::Right, Slide::Up, Slide::Down];

fn row(tiles: [u8; 4]) -> Board {
    let mut board = Board([0; 16]);
    board.0[..4].copy_from_slice(&tiles);
    board
}

#[test]
fn tiles_merge_once_and_those_ahead_first() {
    let game = Twenty48::new(4).unwrap();
    for (before, left, points) in [
        ([1, 1, 1, 0], Some([2, 1, 0, 0]), 4.0),
        ([1, 1, 1, 1], Some([2, 2, 0, 0]), 8.0),
        ([2, 1, 1, 0], Some([2, 2, 0, 0]), 4.0),
        ([1, 0, 0, 1], Some([2, 0, 0, 0]), 4.0),
        ([0, 3, 0, 2], Some([3, 2, 0, 0]), 0.0),
        ([10, 10, 0, 0], Some([11, 0, 0, 0]), 2048.0),
        ([1, 2, 1, 2], None, 0.0),
    ] {
        let after = left.map(|tiles| (row(tiles), points));
        assert_eq!(game.slide(&row(before), Slide::Left), after, "{before:?}");
    }
    let right = game.slide(&row([1, 1, 1, 0]), Slide::Right);
    assert_eq!(right, Some((row([0, 0, 1, 2]), 4.0)));
}

/// The twin: numbers in rows; another way than left is left on a board that was turned.
fn slid(board: &[Vec<u32>], turns: usize) -> (Vec<Vec<u32>>, f64) {
    let size = board.len();
    let turned = |board: &[Vec<u32>]| -> Vec<Vec<u32>> {
        (0..size).map(|y| (0..size).map(|x| board[x][size - 1 - y]).collect()).collect()
    };
    let mut board = board.to_vec();
    for _ in 0..turns {
        board = turned(&board);
    }
    let mut points = 0.0;
    for row in &mut board {
        let tiles: Vec<u32> = row.iter().copied().filter(|&tile| tile > 0).collect();
        let mut rest = tiles.as_slice();
        row.clear();
        while let Some((&tile, after)) = rest.split_first() {
            if after.first() == Some(&tile) {
                row.push(2 * tile);
                points += f64::from(2 * tile);
                rest = &after[1..];
            } else {
                row.push(tile);
                rest = after;
            }
        }
        row.resize(size, 0);
    }
    for _ in turns..4 {
        board = turned(&board);
    }
    (board, points)
}

fn numbers(size: usize, board: &Board) -> Vec<Vec<u32>> {
    let number = |&tile: &u8| if tile == 0 { 0 } else { 1 << tile };
    board.0[..size * size].chunks(size).map(|row| row.iter().map(number).collect()).collect()
}

/// How often the board is turned by a quarter, so that the slide is one to the left.
fn turns(slide: Slide) -> usize {
    match slide {
        Slide::Left => 0,
        Slide::Up => 1,
        Slide::Right => 2,
        Slide::Down => 3,
    }
}

#[test]
fn slides_are_those_of_the_twin() {
    for size in [2, 3, 4] {
        let game = Twenty48::new(size).unwrap();
        let (mut legal, mut seen) = (Vec::new(), 0);
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut board = game.start(&mut rng);
            loop {
                let twin = numbers(size, &board);
                for slide in SLIDES {
                    let ours = game.slide(&board, slide);
                    let (after, points) = slid(&twin, turns(slide));
                    let changes = (after != twin).then_some((after, points));
                    assert_eq!(ours.map(|(b, p)| (numbers(size, &b), p)), changes, "{slide:?}");
                }
                game.actions(&board, &mut legal);
                if legal.is_empty() {
                    break;
                }
                game.step(&mut board, rng.pick(&legal), &mut rng);
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen}");
    }
}

/// What the best play still scores on the smallest board, by the rules.
fn best(board: &[Vec<u32>], known: &mut HashMap<Vec<Vec<u32>>, f64>) -> f64 {
    if let Some(&value) = known.get(board) {
        return value;
    }
    let mut most: Option<f64> = None;
    for turns in 0..4 {
        let (after, points) = slid(board, turns);
        if after == board {
            continue;
        }
        let empty: Vec<(usize, usize)> =
            (0..4).map(|n| (n / 2, n % 2)).filter(|&(y, x)| after[y][x] == 0).collect();
        let mut value = points;
        for &(y, x) in &empty {
            for (tile, chance) in [(2, 0.9), (4, 0.1)] {
                let mut next = after.clone();
                next[y][x] = tile;
                value += chance / empty.len() as f64 * best(&next, known);
            }
        }
        most = Some(most.map_or(value, |most| most.max(value)));
    }
    let value = most.unwrap_or(0.0);
    known.insert(board.to_vec(), value);
    value
}

/// Four squares hold 4, 8 and 16 and another 16 at most, so nobody makes more than a 32.
#[test]
fn the_smallest_board_is_solved() {
    let game = Twenty48::new(2).unwrap();
    let mut known = HashMap::new();
    for seed in 0..20 {
        let board = game.start(&mut Rng::new(seed));
        let planner = ValueIteration::new(1e-12).unwrap();
        let mut search = planner.start(&game, Root::Certain(board), Rng::new(0));
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let found = search.estimates().iter().filter_map(|e| e.value).fold(0.0, f64::max);
        let exact = best(&numbers(2, &board), &mut known);
        assert!((found - exact).abs() < 1e-9, "{found} {exact}");
    }
    let largest = known.keys().flatten().flatten().copied().max();
    assert_eq!(largest, Some(32));
}

/// What is shown is read back, and what no board looks like is refused with its line.
#[test]
fn boards_are_read_from_text() {
    for size in [2, 3, 4] {
        let game = Twenty48::new(size).unwrap();
        let mut legal = Vec::new();
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut board = game.start(&mut rng);
            loop {
                assert_eq!(game.read(&game.state_text(&board)).as_ref(), Ok(&board));
                game.actions(&board, &mut legal);
                if legal.is_empty() {
                    break;
                }
                game.step(&mut board, rng.pick(&legal), &mut rng);
            }
        }
    }
    let game = Twenty48::new(2).unwrap();
    for (text, said) in [
        ("2 4", "expected 2 rows, got 1"),
        ("2 4\n. . .", "line 2: 3 squares, expected 2"),
        ("2 4\n. 3", "line 2: \"3\", expected a dot, or a power of 2 from 2 to 32"),
        ("2 64\n. 4", "line 1: \"64\", expected a dot"),
        ("2 +4\n. 4", "line 1: \"+4\", expected a dot"),
        (". 2\n. .", "two tiles"),
        ("32 32\n. .", "the tiles come to 64, and never to more than 60"),
    ] {
        let error = game.read(text).unwrap_err();
        assert!(error.contains(said), "{text:?}: {error}");
    }
    let same = game.read("\n   .  2 \n16 32\n").unwrap();
    assert_eq!(game.state_text(&same), " .  2\n16 32");
}
