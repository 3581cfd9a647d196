//! NRPA on SameGame: the list of moves that is kept from step to step is the one found anew.

use patience_games::SameGame;
use patience_games::samegame::{
    Cell, Grid, GroupCodes, LargeSameGame, Scoring, Word, solution_text, verify,
};
use patience_model::{Game, Rng};
use patience_plan::nrpa::{CodedMove, Coding, Nrpa, NrpaSettings};
use patience_plan::{Budget, Cancel, Root, Stepped};

/// Move and code of every entry, in order of the moves.
fn sorted(moves: &[CodedMove<Cell, ()>]) -> Vec<(Cell, u32)> {
    let mut all: Vec<_> = moves.iter().map(|m| (m.action, m.code())).collect();
    all.sort_by_key(|entry| entry.0);
    all
}

fn compare<W: Word, const N: usize>(game: &SameGame<W, N>, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut board = game.start(&mut rng);
    let mut codes = GroupCodes::PLAIN;
    codes.begin(game, &board, 0);
    let (mut kept, mut anew, mut legal) = (Vec::new(), Vec::new(), Vec::new());
    codes.list(game, &board, &mut kept);
    loop {
        codes.list(game, &board, &mut anew);
        assert_eq!(sorted(&kept), sorted(&anew), "{}", game.grid(&board));
        game.actions(&board, &mut legal);
        assert_eq!(anew.iter().map(|m| m.action).collect::<Vec<_>>(), legal);
        if kept.is_empty() {
            break;
        }
        let chosen = rng.index(kept.len());
        let mut twin = board;
        let expected = game.step(&mut twin, kept[chosen].action, &mut rng).reward;
        let reward = codes.play(game, &mut board, &mut kept, chosen, &mut rng);
        assert_eq!((reward, board), (expected, twin));
    }
}

#[test]
fn kept_lists_are_those_found_anew() {
    for seed in 0..60 {
        let size = |n: u64| 1 + (seed * n % 16) as usize;
        let colours = 2 + (seed % 9) as usize;
        let game: SameGame = SameGame::new(size(7), size(5), colours, Scoring::default()).unwrap();
        compare(&game, seed);
        let game: SameGame =
            SameGame::new(15, 15, 2 + seed as usize % 4, Scoring::default()).unwrap();
        compare(&game, seed);
    }
    compare(&LargeSameGame::new(32, 32, 4, Scoring::default()).unwrap(), 1);
    compare(&LargeSameGame::new(20, 20, 10, Scoring::default()).unwrap(), 1);
}

#[test]
fn codes_tell_groups_apart() {
    let mut codes = std::collections::HashMap::new();
    for seed in 0..200 {
        let game: SameGame = SameGame::new(15, 15, 5, Scoring::default()).unwrap();
        let board = game.start(&mut Rng::new(seed));
        let grid = game.grid(&board);
        let mut moves = Vec::new();
        GroupCodes::PLAIN.list(&game, &board, &mut moves);
        for coded in moves {
            let group = (grid.colour(coded.action), grid.group(coded.action));
            let known = codes.entry(coded.code()).or_insert_with(|| group.clone());
            assert_eq!(*known, group);
        }
    }
    assert!(codes.len() > 5000);
}

#[test]
fn nrpa_learns_and_its_solutions_are_valid() {
    let (mut random, mut learnt) = (0.0, 0.0);
    for seed in 0..4 {
        let grid = Grid::seeded(15, 15, 5, seed).unwrap();
        let game: SameGame = SameGame::on(&grid, Scoring::default()).unwrap();
        let board = game.start(&mut Rng::new(0));
        let run = |settings, coding| {
            let nrpa = Nrpa::new(settings, coding).unwrap();
            let mut search = nrpa.solver(&game, &Root::Certain(board), Rng::new(seed));
            let stats = search.run(&Budget::iterations(2000), &Cancel::new());
            assert_eq!(stats.counts.iterations, 2000);
            let solution = search.solution().unwrap().clone();
            let verified = verify(&grid, Scoring::default(), &solution_text(&solution.moves));
            let verified = verified.unwrap();
            assert_eq!((verified.score, verified.over), (solution.value, true));
            solution.value
        };
        let settings = NrpaSettings { level: 2, ..NrpaSettings::default() };
        // One iteration per call and a start after it: nothing is ever learnt.
        let nothing = NrpaSettings { level: 1, iterations: 1, ..settings };
        random += run(nothing, GroupCodes::PLAIN);
        learnt += run(settings, GroupCodes::PLAIN);
        run(settings, GroupCodes::tabu(-5.0));
        let limited = NrpaSettings { repetitions: Some(2), ..settings };
        run(limited, GroupCodes::PLAIN);
    }
    assert!(learnt > random + 4.0 * 300.0, "{learnt} {random}");
}
