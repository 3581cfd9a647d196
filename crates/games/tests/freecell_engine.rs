//! The fast engine against its obvious twin, and through the suite that every game passes.

use std::collections::BTreeSet;

use patience_games::FreeCell;
use patience_games::freecell::{
    Board, Build, Fill, FreeCellTable, Metric, Rules, Sequence, State, validator,
};
use patience_model::{Game, Keyed, Rng, Text, conformance};
use proptest::prelude::*;

fn key(board: &Board) -> [u8; 52] {
    let any = FreeCell::new(Rules::FREECELL, Metric::Single).unwrap();
    any.key(&State::of(board))
}

/// Plays at random and compares, at every position, what can follow.
fn same_as_twin(rules: Rules, metric: Metric, seed: u64, moves: usize) -> usize {
    let game = FreeCell::new(rules, metric).unwrap();
    let mut rng = Rng::new(seed);
    let mut board = Board::shuffled(&rules, &mut rng);
    let mut actions = Vec::new();
    for number in 0..moves {
        let state = State::of(&board);
        assert_eq!(state.board(&rules).columns, board.columns);
        assert_eq!(state.is_solved(&rules), board.is_solved(&rules));
        game.actions(&state, &mut actions);
        let mut ours = BTreeSet::new();
        let mut chosen = None;
        for &action in &actions {
            let mut next = state;
            game.make(&mut next, action);
            assert!(ours.insert(next.below_codes()), "two moves lead to the same position");
            // The move means the same on the table, and the state is that of the table.
            let step = game.step_on(&board, &state, action);
            validator::check(&rules, metric, &board, &step).unwrap();
            let mut table = board.clone();
            validator::make(&mut table, &step);
            assert_eq!(key(&table), next.below_codes());
            assert_eq!(State::of(&table).board(&rules).home, next.board(&rules).home);
            game.take_back(&mut next, action);
            assert_eq!(next, state);
            // Home moves are held back a little, so that play reaches varied positions.
            if !action.is_home() || rng.chance(0.5) {
                chosen = match chosen {
                    Some(before) if rng.chance(0.7) => Some(before),
                    _ => Some(table),
                };
            }
        }
        let theirs: BTreeSet<_> = validator::steps(&rules, metric, &board)
            .iter()
            .map(|step| {
                let mut next = board.clone();
                validator::make(&mut next, step);
                key(&next)
            })
            // A column moved whole into an empty one, or a card from cell to cell.
            .filter(|k| *k != key(&board))
            .collect();
        assert_eq!(ours, theirs, "{rules:?} {metric:?} after {number} moves\n{board}");
        match chosen {
            Some(next) => board = next,
            None => return number,
        }
    }
    moves
}

#[test]
fn presets_play_like_their_twin() {
    for (name, rules) in Rules::PRESETS {
        let mut metrics = 0;
        for metric in Metric::ALL.into_iter().filter(|m| m.check(&rules).is_ok()) {
            metrics += 1;
            let played: usize = (0..4).map(|seed| same_as_twin(rules, metric, seed, 100)).sum();
            assert!(played > 8, "{name}: only {played} moves could be compared");
        }
        assert!(metrics > 0, "{name} has no metric");
    }
}

/// Every move of the engine is a step of the table: legal there, read back from its text, and the
/// board after it lies like the state after the move.
#[test]
fn moves_of_the_engine_are_steps_of_the_table() {
    for (name, rules) in Rules::PRESETS {
        for metric in Metric::ALL.into_iter().filter(|m| m.check(&rules).is_ok()) {
            let table = FreeCellTable::new(FreeCell::new(rules, metric).unwrap());
            let mut rng = Rng::named(3, &["lower", name, metric.name()]);
            let mut board = table.start(&mut rng);
            let (mut moves, mut steps) = (Vec::new(), Vec::new());
            for _ in 0..60 {
                table.engine().actions(&table.lift(&board), &mut moves);
                table.actions(&board, &mut steps);
                for &m in &moves {
                    let step = table.lower(&board, m);
                    assert!(steps.contains(&step), "{step} is not a step\n{board}");
                    let text = table.action_text(&board, step);
                    assert_eq!(table.read_action(&board, &text), Ok(step));
                    let (mut after, mut state) = (board.clone(), table.lift(&board));
                    table.step(&mut after, step, &mut rng);
                    table.engine().make(&mut state, m);
                    // The same state; only which of several empty columns is filled may differ.
                    assert_eq!(table.lift(&after).below_codes(), state.below_codes());
                    assert_eq!(after.home, state.board(&rules).home);
                    assert_eq!(after.is_solved(&rules), state.is_solved(&rules));
                }
                let Some(m) = (!moves.is_empty()).then(|| rng.pick(&moves)) else { break };
                let step = table.lower(&board, m);
                table.step(&mut board, step, &mut rng);
            }
        }
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let build = prop_oneof![Just(Build::AlternatingColour), Just(Build::Suit), Just(Build::Rank)];
    let fill = prop_oneof![Just(Fill::Any), Just(Fill::Kings), Just(Fill::Nothing)];
    let sequence =
        prop_oneof![Just(Sequence::Single), Just(Sequence::Room), Just(Sequence::Unlimited)];
    let numbers = (1..=10u8, 0..=6u8, 1..=13u8, 0..=6u8);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (build, fill, sequence, numbers, flags).prop_map(
        |(build, fill, sequence, (columns, cells, ranks, filled), (refill, aces, stairs))| Rules {
            columns,
            cells,
            refill,
            build,
            fill,
            sequence,
            ranks,
            filled: filled.min(cells).min(4 * (ranks - u8::from(aces))),
            aces_home: aces,
            staircase: stairs,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_rules_play_like_their_twin(rules in any_rules(), seed: u64) {
        for metric in Metric::ALL.into_iter().filter(|m| m.check(&rules).is_ok()) {
            same_as_twin(rules, metric, seed, 30);
        }
    }
}

#[test]
fn conforms() {
    for (_, rules) in Rules::PRESETS {
        for metric in Metric::ALL {
            let Ok(game) = FreeCell::new(rules, metric) else { continue };
            let same = |a: &State, b: &State| {
                let sorted = |s: &State| {
                    let mut board = s.board(&Rules::SEAHAVEN_TOWERS);
                    board.columns.sort();
                    board
                };
                sorted(a) == sorted(b)
            };
            conformance::of(&game)
                .keyed_up_to(same)
                .undoes()
                .outcomes()
                .games(4)
                .samples(4)
                .limit(150)
                .endless()
                .check();
        }
    }
}

#[test]
fn impossible_games_are_refused() {
    for rules in [
        Rules { columns: 0, ..Rules::FREECELL },
        Rules { columns: 11, ..Rules::FREECELL },
        Rules { cells: 13, ..Rules::FREECELL },
        Rules { ranks: 0, ..Rules::FREECELL },
        Rules { ranks: 14, ..Rules::FREECELL },
        Rules { filled: 5, ..Rules::FREECELL },
    ] {
        assert!(FreeCell::new(rules, Metric::Single).is_err(), "{rules:?}");
    }
    let error = FreeCell::new(Rules::KING_ALBERT, Metric::Table1).unwrap_err();
    assert_eq!(error.to_string(), "these rules have no metric “table1”: cards move one at a time");
}

/// The first moves of a game at random, with all that a player sees.
fn beginning(name: &str, rules: Rules, metric: Metric) -> String {
    let game = FreeCell::new(rules, metric).unwrap();
    let mut rng = Rng::named(1, &["golden", name]);
    let mut state = game.start(&mut rng);
    let mut text = format!("# {name}, {}, seed 1\n{}\n", metric.name(), game.state_text(&state));
    let mut actions = Vec::new();
    for number in 1..=25 {
        game.actions(&state, &mut actions);
        if actions.is_empty() {
            text += "\nover\n";
            break;
        }
        let notation: Vec<_> = actions.iter().map(|&a| game.action_text(&state, a)).collect();
        let chosen = rng.index(actions.len());
        let reward = game.step(&mut state, actions[chosen], &mut rng).reward;
        text += &format!("\n{number}. {} of: {}\n", notation[chosen], notation.join(" "));
        text += &format!("   reward {reward}\n{}\n", game.state_text(&state));
    }
    text
}

/// `PATIENCE_BLESS=1` writes the file anew.
#[test]
fn golden() {
    let text: Vec<String> = [
        ("freecell", Metric::Supermove),
        ("seahaven-towers", Metric::Single),
        ("relaxed-freecell", Metric::Supermove),
        ("king-albert", Metric::Single),
    ]
    .map(|(name, metric)| beginning(name, Rules::named(name).unwrap(), metric))
    .into();
    let text = text.join("\n");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/freecell.txt");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(text == kept, "the playthrough has changed; PATIENCE_BLESS=1 writes it anew");
}
