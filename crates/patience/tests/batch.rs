//! Many games side by side are the games that are played one by one.

use patience::model::Rng;
use patience::{Arrays, Origin, Path};

#[test]
fn a_batch_plays_the_games_of_its_seeds() {
    let registry = patience::registry();
    let names = ["klondike", "freecell", "samegame", "sailing(size=6)", "tiger", "golf", "tag"];
    for (name, threads) in names.into_iter().zip([1, 2, 3, 4, 5, 1, 2]) {
        let game = registry.game(name).unwrap();
        let mut batch = game.batch_on(4, threads).unwrap();
        let (seen, moves) = (batch.highest().len(), batch.moves());
        let (mut observations, mut legal) = (vec![0; 4 * seen], vec![0; 4 * moves]);
        let seeds = [5, 6, 7, 8];
        batch.reset(&seeds, &mut observations, &mut legal);
        let mut states: Vec<_> = seeds.map(|seed| Some(game.start(seed))).into();
        let mut rng = Rng::new(1);
        let (mut rewards, mut over, mut illegal) = ([0.0; 4], [false; 4], [false; 4]);
        let mut chosen = [0; 4];
        for _ in 0..200 {
            batch.sample(&mut rng, &mut chosen);
            let mut expected = Vec::new();
            for (i, state) in states.iter_mut().enumerate() {
                let listed = batch.legal(i);
                let row = &legal[i * moves..][..moves];
                assert_eq!(row.iter().map(|&one| one as usize).sum::<usize>(), listed.len());
                assert!(listed.iter().all(|(number, _)| row[*number] == 1));
                let Some(own) = state else { continue };
                let texts: Vec<_> = listed.iter().map(|(_, text)| text.clone()).collect();
                assert_eq!(texts, own.actions(), "{name}");
                assert_eq!(batch.text(i), own.text(), "{name}");
                let place = listed.iter().position(|(number, _)| *number as i64 == chosen[i]);
                match place.and_then(|place| own.step(place)) {
                    Some(turn) => expected.push((i, turn.reward, own.is_over())),
                    // It was over, and begins anew.
                    None => *state = None,
                }
            }
            let arrays = Arrays {
                observations: &mut observations,
                legal: &mut legal,
                rewards: &mut rewards,
                over: &mut over,
                illegal: &mut illegal,
            };
            batch.step(&chosen, arrays);
            assert_eq!(illegal, [false; 4]);
            for (i, reward, ended) in expected {
                assert_eq!((rewards[i], over[i]), (reward, ended), "{name}");
            }
        }
        // Where they are now, after others begun since, they can be taken up elsewhere.
        let mut other = game.batch(1).unwrap();
        for i in 0..4 {
            let path = batch.path(i);
            let state = game.follow(&path).unwrap();
            other.follow(0, &path).unwrap();
            assert_eq!((state.text(), other.text(0)), (batch.text(i), batch.text(i)), "{name}");
            let (mut row, mut moves_row) = (vec![0; seen], vec![0; moves]);
            other.show(&mut row, &mut moves_row);
            assert_eq!(row, observations[i * seen..][..seen], "{name}");
            assert_eq!(Some(row), state.observed(), "{name}");
            assert_eq!(moves_row, legal[i * moves..][..moves], "{name}");
        }
    }
}

#[test]
fn a_move_that_is_not_legal_changes_nothing() {
    let game = patience::registry().game("klondike").unwrap();
    let mut batch = game.batch(1).unwrap();
    let (seen, moves) = (batch.highest().len(), batch.moves());
    let (mut observations, mut legal) = (vec![0; seen], vec![0; moves]);
    batch.reset(&[1], &mut observations, &mut legal);
    let (before, text) = (observations.clone(), batch.text(0));
    let wrong = legal.iter().position(|one| *one == 0).unwrap() as i64;
    let (mut rewards, mut over, mut illegal) = ([1.0], [true], [false]);
    for number in [wrong, -1, i64::MAX] {
        let arrays = Arrays {
            observations: &mut observations,
            legal: &mut legal,
            rewards: &mut rewards,
            over: &mut over,
            illegal: &mut illegal,
        };
        batch.step(&[number], arrays);
        assert_eq!((illegal[0], rewards[0], over[0]), (true, 0.0, false));
        assert_eq!((&observations, &batch.text(0)), (&before, &text));
        illegal[0] = false;
    }
}

#[test]
fn a_path_that_leads_nowhere_is_refused_and_changes_nothing() {
    let game = patience::registry().game("freecell").unwrap();
    let mut batch = game.batch(1).unwrap();
    let before = batch.text(0);
    let wrong_deal = Path { origin: Origin::Deal("0".to_owned()), ..Path::of(1) };
    let wrong_move = Path { moves: vec![0, 1000], ..Path::of(1) };
    for (path, why) in [(wrong_deal, "is no deal"), (wrong_move, "move 2 is at place 1000 of")] {
        let error = batch.follow(0, &path).unwrap_err();
        assert!(error.contains(why), "{error}");
        assert_eq!(game.follow(&path).unwrap_err(), error);
        assert_eq!(batch.text(0), before);
    }
    let path = game.path_from("7", 0).unwrap();
    batch.follow(0, &path).unwrap();
    assert_eq!(batch.text(0), game.deal("7", 0).unwrap().text());
    assert_eq!(game.path_from("seed:7", 7), Ok(Path::of(7)));
}

#[test]
fn what_cannot_be_put_into_arrays_is_no_batch() {
    assert!(patience::registry().game("pgame").unwrap().batch(1).is_none());
}
