//! Between the table and the games that planners think about.

use patience_games::klondike::{
    Ending, Klondike, KlondikeError, KlondikeTable, Move, Position, Rules, Scoring, TakingBack,
    View, replay,
};
use patience_model::{Game, Rng, Text};

/// The positions of games on the table, played at random but for turns, which are rarer.
fn positions(table: &KlondikeTable, games: u64, moves: usize) -> Vec<Position> {
    let mut all = Vec::new();
    let mut legal = Vec::new();
    for game in 0..games {
        let mut rng = Rng::named(game, &["lift"]);
        let mut position = table.start(&mut rng);
        for _ in 0..moves {
            all.push(position.clone());
            table.actions(&position, &mut legal);
            let Some(&any) = legal.first() else { break };
            let useful = |m: &Move| !matches!(m, Move::Turn | Move::Redeal);
            if rng.below(3) > 0 && legal.iter().any(useful) {
                legal.retain(useful);
            }
            let m = if legal.len() == 1 { any } else { rng.pick(&legal) };
            table.step(&mut position, m, &mut rng);
        }
    }
    all
}

/// Every action is some moves on the table, legal one after the other, that lead to where the action
/// leads.
#[test]
fn actions_of_the_papers_game_are_moves_on_the_table() {
    let (mut actions, mut compared, mut longest) = (Vec::new(), 0, 0);
    for (draw, back) in [(1, TakingBack::Any), (2, TakingBack::Any), (3, TakingBack::Useful)] {
        let table = KlondikeTable::new(Rules::draw(draw).unwrap(), Scoring::Win);
        let game = Klondike::new(*table.rules()).unwrap();
        let game = game.with_taking_back(back).with_ending(Ending::Home);
        for position in positions(&table, 12, 150) {
            let lifted = table.lift(&game, &position).unwrap();
            // The same with the true cards, so that the card that turns up is the same.
            let state = game.state(&position).unwrap();
            assert_eq!(lifted, game.open(&state));
            game.actions(&lifted, &mut actions);
            for &action in &actions {
                let moves = table.lower(&position, action).unwrap();
                let after = replay(table.rules(), &position, &moves);
                let after = after.unwrap_or_else(|e| panic!("{action:?} in {position:?}: {e}"));
                let mut next = state;
                game.step(&mut next, action, &mut Rng::new(0));
                let there = table.lift(&game, &after).unwrap();
                let text = |state| game.state_text(state);
                assert_eq!(text(&there), text(&next), "{action:?} in {position:?}");
                (compared, longest) = (compared + 1, longest.max(moves.len()));
            }
        }
    }
    assert!(compared > 5_000 && longest > 10, "{compared} actions, {longest} moves at most");
}

/// What cannot be played is not lowered to anything.
#[test]
fn what_cannot_be_played_is_refused() {
    let table = KlondikeTable::new(Rules::default(), Scoring::Win);
    let game = Klondike::new(*table.rules()).unwrap().with_taking_back(TakingBack::Any);
    let (mut actions, mut refused) = (Vec::new(), 0);
    let all = positions(&table, 6, 40);
    for pair in all.windows(2) {
        game.actions(&table.lift(&game, &pair[0]).unwrap(), &mut actions);
        for &action in &actions {
            match table.lower(&pair[1], action) {
                Ok(moves) => assert!(replay(table.rules(), &pair[1], &moves).is_ok()),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

/// A stock that the player has not seen is not told to a game that takes it for known.
#[test]
fn an_unknown_stock_is_not_lifted() {
    let strict = KlondikeTable::new(Rules::default().with_view(View::Strict), Scoring::Win);
    let game = Klondike::new(Rules::default()).unwrap();
    let start = strict.deal("seed:1").unwrap();
    let lifted = strict.lift(&game, &start);
    assert!(matches!(lifted, Err(KlondikeError::UnknownStock(_))), "{lifted:?}");
}
