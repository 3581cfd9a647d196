//! Golf: the suite, the twin, texts, what is hidden, and solutions.

use patience_games::cards::Card;
use patience_games::golf::{COLUMNS, Golf, Move, Replayed, State, replay};
use patience_model::{Game, Hidden, Rng, Shown, Standing, Text, conformance};
use patience_plan::{Budget, Cancel, DepthFirst, Planner, Root, Verdict};

const RULES: [Golf; 2] = [Golf { strict: false }, Golf { strict: true }];

#[test]
fn passes_the_suite() {
    for game in RULES {
        conformance::of(&game).keyed().hidden().games(60).samples(100).check();
    }
}

fn plain(state: &State) -> Replayed {
    let columns = (0..COLUMNS).map(|column| state.column(column).to_vec()).collect();
    Replayed { columns, waste: state.waste(), stock: state.stock().to_vec(), moves: 0 }
}

/// The engine offers exactly the moves that the plain rules allow, and plays them alike.
#[test]
fn the_engine_is_equal_to_the_plain_rules() {
    let names: Vec<String> =
        (1..=COLUMNS).map(|n| n.to_string()).chain(["turn".to_owned()]).collect();
    let mut legal = Vec::new();
    for (seed, game) in (0..100).flat_map(|seed| RULES.map(|game| (seed, game))) {
        let mut rng = Rng::named(seed, &["twin"]);
        let mut state = game.start(&mut rng);
        while !game.is_won(&state) {
            game.actions(&state, &mut legal);
            let offered: Vec<String> = legal.iter().map(|&m| game.action_text(&state, m)).collect();
            let allows = |name: &&String| replay(plain(&state), game.strict, name).is_ok();
            let allowed: Vec<&String> = names.iter().filter(allows).collect();
            assert_eq!(offered.iter().collect::<Vec<_>>(), allowed);
            let Some(&action) = legal.get(rng.index(legal.len().max(1))) else { break };
            let text = game.action_text(&state, action);
            let played = replay(plain(&state), game.strict, &text).unwrap();
            game.step(&mut state, action, &mut rng);
            assert_eq!(plain(&state), Replayed { moves: 0, ..played });
        }
    }
}

#[test]
fn text_is_read_back_and_hides_the_stock() {
    let game = Golf::default();
    let mut rng = Rng::new(3);
    let state = game.start(&mut rng);
    assert_eq!(game.read(&game.whole_text(&state)).map(|read| plain(&read)), Ok(plain(&state)));
    let shown = game.state_text(&state);
    assert!(shown.contains("stock: 16\n"), "{shown}");
    let read = game.read(&shown).unwrap();
    assert_eq!(game.state_text(&read), shown);
    // What nobody has seen is dealt, always alike.
    assert_eq!(plain(&read), plain(&game.read(&shown).unwrap()));
    // But nothing is claimed about it: not by solvers, and not in other formats.
    assert!(game.check_known(&state).is_ok() && game.check_known(&read).is_err());
    assert_eq!(game.whole_text(&read), shown);
    let mut played = read;
    game.step(&mut played, Move::Turn, &mut rng);
    assert!(game.check_known(&played).is_ok());
    for (wrong, expected) in [
        ("", "expected a line `waste:`"),
        ("waste: AS\n2C 3C", "expected a line `waste:`"),
        ("waste: AS\nstock: 3\n2C XX", "line 3: “XX” is not a card"),
        ("waste: AS\nstock: 17", "line 2: there are 7 columns"),
        ("waste: AS\nstock: 1\n2C AS", "line 3: AS is here for the second time"),
    ] {
        let error = game.read(wrong).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// The stock is swapped at every moment of a game: nothing that is shown or known changes.
#[test]
fn the_stock_never_shows() {
    let game = Golf::default();
    let mut legal = Vec::new();
    for seed in 0..20 {
        let mut rng = Rng::named(seed, &["hidden"]);
        let mut state = game.start(&mut rng);
        loop {
            let other = game.draw(&game.known(&state), &mut rng);
            assert_eq!(game.known(&state), game.known(&other));
            assert_eq!(game.scene(&state), game.scene(&other));
            assert_eq!(game.state_text(&state), game.state_text(&other));
            game.actions(&state, &mut legal);
            let Some(&action) = legal.get(rng.index(legal.len().max(1))) else { break };
            game.step(&mut state, action, &mut rng);
        }
    }
}

/// Late positions: depth-first search says the same as trying everything without a table.
#[test]
fn the_solver_agrees_with_trying_everything() {
    fn can_be_won(game: &Golf, state: &State) -> bool {
        let mut legal = Vec::new();
        game.actions(state, &mut legal);
        game.is_won(state)
            || legal.iter().any(|&action| {
                let mut next = *state;
                game.step(&mut next, action, &mut Rng::new(0));
                can_be_won(game, &next)
            })
    }
    let (mut won, mut lost) = (0, 0);
    for (seed, game) in (0..150).flat_map(|seed| RULES.map(|game| (seed, game))) {
        let mut deck: Vec<Card> = (0..52).map(Card::from_index).collect();
        Rng::named(seed, &["late"]).shuffle(&mut deck);
        let pile = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
        let text = format!(
            "waste: {}\nstock: {}\n{}\n{}\n{}",
            deck[0],
            pile(&deck[1..7]),
            pile(&deck[7..10]),
            pile(&deck[10..12]),
            pile(&deck[12..14])
        );
        let state = game.read(&text).unwrap();
        let solver = DepthFirst::new(Golf::is_won).with_dead_ends(Golf::is_dead_end);
        let mut search = solver.search(&game, Root::Certain(state), Rng::new(0));
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let found = search.finding();
        assert_eq!(found.verdict.is_solved(), can_be_won(&game, &state));
        if found.verdict == Verdict::Solved {
            let moves: Vec<String> =
                found.moves.iter().map(|&m| game.action_text(&state, m)).collect();
            let played = replay(plain(&state), game.strict, &moves.join(" ")).unwrap();
            assert!(played.columns.iter().all(Vec::is_empty));
            won += 1;
        } else {
            assert_eq!(found.verdict, Verdict::Unsolvable);
            lost += 1;
        }
    }
    assert!(won > 0 && lost > 0, "{won} {lost}");
}

#[test]
fn the_rules_of_kings_and_aces() {
    let text = "waste: KC\nstock: 0\nQD";
    let onto_king = |game: Golf| game.standing(&game.read(text).unwrap());
    assert_eq!(onto_king(Golf { strict: false }), Standing::Open);
    assert_eq!(onto_king(Golf { strict: true }), Standing::Over);
    let game = Golf::default();
    assert_eq!(game.standing(&game.read("waste: KC\nstock: 0\nAD").unwrap()), Standing::Over);
    let state = game.read(text).unwrap();
    assert_eq!(game.label(&state, Move::Column(0)).label, "queen of diamonds from column 1");
    let mut won = state;
    game.step(&mut won, Move::Column(0), &mut Rng::new(0));
    assert_eq!((game.standing(&won), game.score(&won, 0.0)), (Standing::Won, 35.0));
}
