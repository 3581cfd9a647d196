//! What rules mean, where an engine could get it wrong and still agree with others on most games.

use std::sync::Arc;

use patience_gdl::belief::BeliefTree;
use patience_gdl::{
    Description, GdlGame, GroundLimits, Grounded, Lifted, Move, Percepts, Reasoner, ground,
};
use patience_model::{Game, Rng, Text};

/// A game of one role that only waits; `facts` and `rules` say which of its moves are legal.
fn legal(rules: &str) -> Vec<Vec<String>> {
    let text = format!(
        "(role player) (init (at 1)) (legal player wait) (<= (next (at ?x)) (true (at ?x)))
         (<= terminal (true (at 9))) (goal player 0) {rules}"
    );
    let description = Description::read(&text).expect("it is read");
    let mut lifted = Lifted::new(&description).expect("the lifted engine is made");
    let mut all = vec![moves(&mut lifted)];
    // Where something is not bound the grounder gives up, and the lifted engine plays.
    if let Ok(network) = ground(&description, &GroundLimits::default()) {
        all.push(moves(&mut Grounded::new(Arc::new(network))));
    }
    all
}

fn moves(engine: &mut impl Reasoner) -> Vec<String> {
    let mut legal = Vec::new();
    engine.start().expect("it starts");
    engine.legal(0, &mut legal).expect("it is evaluated");
    let mut names: Vec<String> =
        legal.into_iter().map(|term| engine.terms().show(term).to_string()).collect();
    names.sort();
    names.retain(|name| name != "wait");
    names
}

/// A negation with a variable that nothing binds asks all rows: one that fits is enough to make it
/// fail, wherever it stands among those that do not fit.
#[test]
fn a_negation_with_a_free_variable_asks_every_row() {
    let rows = ["(link 1 1)", "(link 1 2)", "(link 2 3)"];
    for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0]] {
        let facts: String = order.map(|row| rows[row]).concat();
        // Something is linked to itself, so this move is not legal.
        for found in legal(&format!("{facts} (<= (legal player go) (not (link ?x ?x)))")) {
            assert_eq!(found, Vec::<String>::new(), "{order:?}");
        }
        // With a key: of 1 there is one, of 2 there is none.
        let by_key = "(place 1) (place 2) (<= (legal player (go ?p)) (place ?p)
            (not (from ?p ?x ?x))) (from 1 5 5) (from 1 5 6) (from 2 5 6) (from 1 7 6)";
        for found in legal(by_key) {
            assert_eq!(found, ["(go 2)"]);
        }
    }
    for found in legal("(link 1 2) (link 2 1) (<= (legal player go) (not (link ?x ?x)))") {
        assert_eq!(found, ["go"]);
    }
}

/// Two terms that are functions differ if their names, or any of their arguments, do.
#[test]
fn distinct_compares_whole_terms() {
    let rules = "(d 1) (d 2)
        (<= (legal player (f ?x ?y)) (d ?x) (d ?y) (distinct (pair ?x 1) (pair ?y 1)))
        (<= (legal player (g ?x ?y)) (d ?x) (d ?y) (distinct (pair 1 ?x) (pair ?y 2)))
        (<= (legal player (h ?x)) (d ?x) (distinct (left ?x) (right ?x)))
        (<= (legal player (i ?x)) (d ?x) (distinct (left ?x) (left ?x)))
        (<= (legal player (j ?x)) (d ?x) (distinct (left (left ?x)) (left (left 1))))";
    for found in legal(rules) {
        let expected = [
            "(f 1 2)", "(f 2 1)", // (pair x 1) = (pair y 1) only for x = y
            "(g 1 1)", "(g 1 2)", "(g 2 2)", // (pair 1 x) = (pair y 2) for y = 1, x = 2 only
            "(h 1)", "(h 2)", "(j 2)",
        ];
        assert_eq!(found, expected);
    }
}

/// Behind a curtain the match may have ended. While it goes on, it has not: histories that ended
/// leave the belief, whether they were looked at before or not.
///
/// Both places that see to it are needed: a state that ends the match with the last move is drawn,
/// and must not be played on later (`expand`). What ended before the last move is dropped where it is
/// met (`visit`); without that it would be entered once and found to have no way on, which gives the
/// same draws after more tries.
#[test]
fn a_match_that_goes_on_has_not_ended() {
    let rules = "(role random) (role player) (side end) (side on) (init start)
        (<= (legal random (turn ?s)) (side ?s)) (legal player wait)
        (<= (next (was ?s)) (does random (turn ?s)))
        (<= (next stale) (true (was end))) (<= (next stale) (true stale))
        (<= terminal (true (was end))) (goal player 50) (goal random 0)";
    let description = Description::read(rules).expect("it is read");
    let network = ground(&description, &GroundLimits::default()).expect("it is grounded");
    let game = GdlGame::new(Arc::new(network), "player").expect("there is a player");
    let mut legal = Vec::new();
    let start = game.start(&mut Rng::new(1));
    game.actions(&start, &mut legal);
    let wait: Move = legal[0];
    for looked_at in [false, true] {
        let mut rng = Rng::new(4);
        let mut tree = BeliefTree::new(game.clone());
        for moves in 1..=4 {
            tree.observe(wait, Percepts(0));
            if looked_at || moves == 4 {
                let ended = (0..400).filter(|_| {
                    let state = tree.sample(&mut rng).expect("a state agrees");
                    let text = game.state_text(&state);
                    assert!(!text.contains("stale"), "played on after its end: {text}");
                    text.contains("(was end)")
                });
                // A fair coin: within four standard errors (40) of one half.
                let ended = ended.count();
                assert!((160..=240).contains(&ended), "{ended} of 400 after {moves} moves");
            }
        }
    }
}
