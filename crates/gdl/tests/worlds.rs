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
