//! Both engines as worlds of values, and search where several roles decide.

use crate::common;

use std::sync::Arc;

use patience_gdl::belief::{BeliefTree, SharedBelief};
use patience_gdl::{
    Exact, GdlGame, GroundLimits, Lifted, LiftedWorld, Move, Network, Several, World, ground,
};
use patience_model::{Game, Rng, Text, conformance};
use patience_plan::{Budget, Cancel, Planner, Root};

fn network(name: &str) -> Arc<Network> {
    let network = ground(&common::game(name), &GroundLimits::default()).expect("it is grounded");
    Arc::new(network)
}

fn lifted(name: &str) -> Arc<LiftedWorld> {
    let description = common::game(name);
    let engine = Lifted::new(&description).expect("the engine is made");
    Arc::new(LiftedWorld::new(engine, description.defines_percepts()))
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

/// The legal moves of a role as terms.
fn legal<W: World>(world: &W, position: &W::Position, role: usize) -> Vec<String> {
    let mut numbers = Vec::new();
    world.legal(position, role, &mut numbers);
    sorted(numbers.into_iter().map(|number| world.move_text(role, number)).collect())
}

#[test]
fn both_worlds_are_the_same_game() {
    for path in common::games() {
        let name = common::name(&path);
        let (a, b) = (network(&name), lifted(&name));
        assert_eq!(a.role_names(), b.role_names());
        let mut rng = Rng::new(5);
        for _ in 0..3 {
            let (mut p, mut q) = (World::position(&*a), b.position());
            for _ in 0..25 {
                assert_eq!(sorted(a.facts(&p)), sorted(b.facts(&q)), "{name}");
                assert_eq!(World::terminal(&*a, &p), b.terminal(&q), "{name}");
                if b.terminal(&q) {
                    break;
                }
                let mut joints = (Vec::new(), Vec::new());
                for role in 0..a.role_names().len() {
                    let moves = legal(&*a, &p, role);
                    assert_eq!(moves, legal(&*b, &q, role), "{name}");
                    let chosen = moves[rng.index(moves.len())].to_uppercase();
                    joints.0.push(a.move_named(role, &chosen).expect("it is a move"));
                    joints.1.push(b.move_named(role, &chosen).expect("it is a move"));
                }
                World::play(&*a, &mut p, &joints.0);
                b.play(&mut q, &joints.1);
                for role in 0..a.role_names().len() {
                    let seen = sorted(a.percept_texts(&p, role));
                    assert_eq!(seen, sorted(b.percept_texts(&q, role)), "{name}");
                    // What is seen can be told from outside too.
                    let terms: Vec<&str> = seen.iter().map(String::as_str).collect();
                    assert_eq!(a.seen_terms(role, &terms), Some(a.seen(&p, role)), "{name}");
                    assert_eq!(b.seen_terms(role, &terms), Some(b.seen(&q, role)), "{name}");
                    if b.terminal(&q) {
                        assert_eq!(a.goal(&p, role), b.goal(&q, role), "{name}");
                        assert_eq!(a.goal_texts(&p, role), b.goal_texts(&q, role), "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_lifted_world_conforms_and_is_solved() {
    let game = GdlGame::new(lifted("monty_hall"), "candidate").expect("the role is there");
    conformance::of(&game).check();
    let value = Exact::new(game, 10_000).value().expect("the game is small");
    assert!((value - 2.0 / 3.0).abs() < 1e-9);
}

/// Plays these moves of both, and searches for the one to move.
fn advice(moves: &[(&str, &str)], role: &str) -> String {
    let game = GdlGame::new(network("tictactoe"), role).expect("the role is there");
    let world = game.network();
    let mut state = game.start(&mut Rng::new(0));
    for (x, o) in moves {
        let number = |role, text| world.move_named(role, text).expect("it is a move");
        let joint = [number(0, x), number(1, o)];
        game.play(&mut state, &joint);
    }
    let planner = Several::new(0.7, Some(2_000), 100).expect("sound parameters");
    let mut search = planner.search(&game, Root::Certain(state.clone()), Rng::new(3));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    game.action_text(&state, search.best().expect("there are moves"))
}

#[test]
fn decoupled_search_wins_and_parries() {
    // Two in a row, and a free third.
    let open = [("(place 1 1)", "noop"), ("noop", "(place 2 1)"), ("(place 1 2)", "noop")];
    assert_eq!(advice(&open, "o"), "(place 1 3)");
    let open = [&open[..], &[("noop", "(place 3 1)")]].concat();
    assert_eq!(advice(&open, "x"), "(place 1 3)");
}

/// What a player draws of the present agrees with all that it has done and seen; what the others did
/// in secret differs from draw to draw.
#[test]
fn the_belief_of_one_of_several_players_is_its_own() {
    let game = GdlGame::new(network("blind_tictactoe"), "o").expect("the role is there");
    let world = Arc::clone(game.network());
    let mut rng = Rng::new(1);
    let belief = SharedBelief::new(BeliefTree::new(game.clone()));
    let mut position = World::position(&*world);
    let number = |role, text| world.move_named(role, text).expect("it is a move");
    for (x, o) in [("(try 2 2)", "noop"), ("noop", "(try 1 1)"), ("(try 3 3)", "noop")] {
        let joint = [number(0, x), number(1, o)];
        World::play(&*world, &mut position, &joint);
        belief.observe(Move(joint[1]), game.seen(&position, &joint, 1));
    }
    let mut pictures = Vec::new();
    for _ in 0..200 {
        let state = belief.sample(&mut rng).expect("a state agrees");
        let facts = world.facts(&state);
        for known in ["(cell 1 1 o)", "(tried o 1 1)", "(control o)"] {
            assert!(facts.iter().any(|fact| fact == known), "{facts:?}");
        }
        assert_eq!(
            facts.iter().filter(|fact| fact.starts_with("(cell") && fact.ends_with("x)")).count(),
            2
        );
        pictures.push(facts);
    }
    pictures.sort();
    pictures.dedup();
    assert!(pictures.len() > 10, "the marks of the other are not known");
}

/// A match of two planners, each with its own search; gives the reward of the first.
fn duel(world: &Arc<Network>, planners: [Several; 2], first: usize, seed: u64) -> f64 {
    let games = [0, 1].map(|role| GdlGame::of_role(Arc::clone(world), role).expect("a role"));
    let mut state = games[0].start(&mut Rng::new(0));
    let mut turn = 0;
    while games[0].goes_on(&state.position) {
        let joint = [0, 1].map(|role| {
            let planner = planners[usize::from(role != first)];
            let stream = Rng::numbered(seed, turn * 2 + role as u64);
            let mut search = planner.search(&games[role], Root::Certain(state.clone()), stream);
            search.run(&Budget::UNLIMITED, &Cancel::new());
            search.best().expect("there are moves").0
        });
        games[0].play(&mut state, &joint);
        turn += 1;
    }
    games[0].reward_of(&state.position, first)
}

/// Nodes that are states learn from all ways that lead there. The bound is that they do not lose; the
/// score is printed.
#[test]
#[ignore = "a measurement: 200 matches, minutes"]
fn transpositions_are_no_loss() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/gpu/connect_four.gdl");
    let rules = std::fs::read_to_string(path).expect("the rules are there");
    let rules = patience_gdl::Description::read(&rules).expect("they are read");
    let world = Arc::new(ground(&rules, &GroundLimits::default()).expect("it is grounded"));
    let with = Several::new(0.7, Some(300), 100).expect("sound parameters");
    let planners = [with, with.without_transpositions()];
    let score = |number: u64| duel(&world, planners, number as usize % 2, number);
    let mean = (0..200).map(score).sum::<f64>() / 200.0;
    println!("with transpositions {mean:.3} of 200 matches");
    // Four standard errors below one half.
    assert!(mean > 0.5 - 4.0 * 0.5 / 200f64.sqrt());
}

/// Breakthrough on four columns and five rows: short, decisive, and large enough not to be solved at once.
fn small_breakthrough() -> Arc<Network> {
    let follows = |name: &str, last: u32| -> String {
        (1..last).map(|n| format!("({name} {n} {}) ", n + 1)).collect()
    };
    let cells: String = (1..=4)
        .flat_map(|x| [1, 2, 4, 5].map(|y| (x, y, if y < 3 { "white" } else { "black" })))
        .map(|(x, y, who)| format!("(init (at {x} {y} {who})) "))
        .collect();
    let rules = format!(
        "(role white) (role black) (init (control white)) {cells}
        (column 1) (column 2) (column 3) (column 4) {right} {up}
        (<= (beside ?x ?u) (right ?x ?u)) (<= (beside ?x ?u) (right ?u ?x))
        (<= (ahead white ?y ?v) (up ?y ?v)) (<= (ahead black ?y ?v) (up ?v ?y))
        (<= (taken ?x ?y) (true (at ?x ?y ?who)))
        (<= (legal ?r (move ?x ?y ?x ?v)) (true (control ?r)) (true (at ?x ?y ?r)) (ahead ?r ?y ?v)
            (column ?x) (not (taken ?x ?v)))
        (<= (legal ?r (move ?x ?y ?u ?v)) (true (control ?r)) (true (at ?x ?y ?r)) (ahead ?r ?y ?v)
            (beside ?x ?u) (not (true (at ?u ?v ?r))))
        (<= (legal white noop) (true (control black))) (<= (legal black noop) (true (control white)))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))
        (<= (next (at ?u ?v ?r)) (does ?r (move ?x ?y ?u ?v)))
        (<= (next (at ?x ?y ?who)) (true (at ?x ?y ?who)) (does ?r (move ?a ?b ?u ?v))
            (distinct (cell ?x ?y) (cell ?a ?b)) (distinct (cell ?x ?y) (cell ?u ?v)))
        (<= (has ?r) (true (at ?x ?y ?r)))
        (<= (won white) (true (at ?x 5 white))) (<= (won black) (true (at ?x 1 black)))
        (<= (won white) (not (has black))) (<= (won black) (not (has white)))
        (<= terminal (won ?r)) (<= (goal ?r 100) (won ?r))
        (<= (goal ?r 0) (role ?r) (not (won ?r)))",
        right = follows("right", 4),
        up = follows("up", 5),
    );
    let rules = patience_gdl::Description::read(&rules).expect("they are read");
    Arc::new(ground(&rules, &GroundLimits::default()).expect("it is grounded"))
}

/// The value of a state by trying everything: goals of the one who moves first in the list of roles.
fn by_hand(
    game: &GdlGame<Network>,
    state: &patience_gdl::GdlState<patience_gdl::Position>,
    known: &mut std::collections::HashMap<Vec<u64>, f64>,
) -> f64 {
    let world = game.network();
    if !game.goes_on(&state.position) {
        return game.reward_of(&state.position, 0);
    }
    let key = World::words(&**world, &state.position).to_vec();
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let legal = [0, 1].map(|role| {
        let mut moves = Vec::new();
        World::legal(&**world, &state.position, role, &mut moves);
        moves
    });
    let mut values = Vec::new();
    for &first in &legal[0] {
        for &second in &legal[1] {
            let mut after = state.clone();
            game.play(&mut after, &[first, second]);
            values.push(by_hand(game, &after, known));
        }
    }
    let value = match legal[0].len() > 1 {
        true => values.into_iter().fold(0.0, f64::max),
        false => values.into_iter().fold(1.0, f64::min),
    };
    known.insert(key, value);
    value
}

/// Searches that may go on as long as they like prove the values that trying everything gives, in
/// positions at random, and recommend a move that keeps them.
#[test]
fn proven_values_are_those_of_trying_everything() {
    let mut proven = 0;
    for (world, plies) in [(network("tictactoe"), 2..4), (small_breakthrough(), 15..18)] {
        let game = GdlGame::of_role(Arc::clone(&world), 0).expect("a role");
        let mut known = std::collections::HashMap::new();
        for (number, plies) in plies.flat_map(|n| [n; 3]).enumerate() {
            let mut rng = Rng::numbered(5, number as u64);
            let mut state = game.start(&mut rng);
            for _ in 0..plies {
                if game.goes_on(&state.position) {
                    let joint = [0, 1].map(|role| {
                        World::random_move(&*world, &state.position, role, &mut rng)
                            .expect("a move")
                    });
                    game.play(&mut state, &joint);
                }
            }
            if !game.goes_on(&state.position) {
                continue;
            }
            let value = by_hand(&game, &state, &mut known);
            for role in 0..2 {
                let game = GdlGame::of_role(Arc::clone(&world), role).expect("a role");
                let planner = Several::new(0.7, Some(200_000), 100).expect("sound parameters");
                let root = Root::Certain(state.clone());
                let mut search = planner.search(&game, root, Rng::numbered(9, number as u64));
                search.run(&Budget::UNLIMITED, &Cancel::new());
                assert!(search.counts().iterations < 200_000, "it is proven before");
                let best = search.best().expect("there are moves");
                let own = if role == 0 { value } else { 1.0 - value };
                let mut moves = Vec::new();
                game.actions(&state, &mut moves);
                if moves.len() > 1 {
                    let of_best = search.estimates().into_iter().find(|e| e.action == best);
                    assert_eq!(
                        of_best.and_then(|e| e.value),
                        Some(own),
                        "{}",
                        game.state_text(&state)
                    );
                    // Whatever the other one answers, the value is kept by the move.
                    let mut joint = [0, 0];
                    let mut other = Vec::new();
                    World::legal(&*world, &state.position, 1 - role, &mut other);
                    (joint[role], joint[1 - role]) = (best.0, other[0]);
                    let mut after = state.clone();
                    game.play(&mut after, &joint);
                    assert_eq!(by_hand(&game, &after, &mut known), value);
                    proven += 1;
                }
            }
        }
    }
    assert!(proven > 5, "{proven}");
}

/// Where both may win together nothing is proven by what one of them likes best.
#[test]
fn goals_that_do_not_add_up_are_not_proven() {
    let rules =
        "(role a) (role b) (init (turn a)) (init (at 0)) (after 0 1) (after 1 2) (after 2 3)
        (<= (legal ?r (say ?w)) (true (turn ?r)) (word ?w)) (word left) (word right)
        (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
        (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
        (<= (next (at ?m)) (true (at ?n)) (after ?n ?m)) (<= (next (said ?r ?w)) (does ?r (say ?w)))
        (<= (next (said ?r ?w)) (true (said ?r ?w)) (true (turn ?q)) (distinct ?r ?q))
        (<= terminal (true (at 3))) (<= same (true (said a ?w)) (true (said b ?w)))
        (<= (goal ?r 100) (role ?r) same) (<= (goal ?r 0) (role ?r) (not same))";
    let rules = patience_gdl::Description::read(rules).expect("they are read");
    let world = Arc::new(ground(&rules, &GroundLimits::default()).expect("it is grounded"));
    let game = GdlGame::of_role(Arc::clone(&world), 0).expect("a role");
    let planner = Several::new(0.7, Some(2_000), 100).expect("sound parameters");
    let root = Root::Certain(game.start(&mut Rng::new(0)));
    let mut search = planner.search(&game, root, Rng::new(1));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(search.counts().iterations, 2_000);
}

/// Proven values at equal iterations. The bound is that they do not lose; the scores are printed.
#[test]
#[ignore = "a measurement: 600 matches, minutes"]
fn proofs_are_no_loss() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/gpu/connect_four.gdl");
    let rules = std::fs::read_to_string(path).expect("the rules are there");
    let rules = patience_gdl::Description::read(&rules).expect("they are read");
    let connect_four = Arc::new(ground(&rules, &GroundLimits::default()).expect("it is grounded"));
    for (name, world, iterations) in [
        ("tic-tac-toe", network("tictactoe"), 60),
        ("Connect Four", connect_four, 300),
        ("breakthrough, 4 by 5", small_breakthrough(), 150),
    ] {
        let with = Several::new(0.7, Some(iterations), 100).expect("sound parameters");
        let planners = [with, with.without_proofs()];
        let score = |number: u64| duel(&world, planners, number as usize % 2, number);
        let mean = (0..200).map(score).sum::<f64>() / 200.0;
        println!("{name}: with proofs {mean:.3} of 200 matches at {iterations} iterations");
        // Four standard errors below one half.
        assert!(mean > 0.5 - 4.0 * 0.5 / 200f64.sqrt(), "{name}: {mean}");
    }
}
