//! The game of the model, the belief-state tree, and the two together.

use crate::common;

use std::collections::BTreeMap;
use std::sync::Arc;

use patience_gdl::belief::{BeliefError, BeliefTree, SharedBelief};
use patience_gdl::{
    Description, Exact, ExactError, GameError, GdlGame, GroundLimits, Move, Norns, Opponents,
    Percepts, RunError, Several, ground,
};
use patience_model::{Game, Rng, Text, conformance};
use patience_plan::uct::{Rollout, Settings, Uct};
use patience_plan::{Budget, Cancel, Halt, Planner, Root};

fn game(name: &str, role: &str) -> GdlGame {
    let network = ground(&common::game(name), &GroundLimits::default()).expect("it is grounded");
    GdlGame::new(Arc::new(network), role).expect("the role is there")
}

fn action(game: &GdlGame, text: &str) -> Move {
    let state = game.start(&mut Rng::new(1));
    let moves = 0..game.network().moves(game.role()).len() as u32;
    moves.map(Move).find(|&m| game.action_text(&state, m) == text).expect("the move is there")
}

#[test]
fn grounded_games_conform() {
    conformance::of(&game("tictactoe", "x")).check();
    conformance::of(&game("monty_hall", "candidate")).check();
    conformance::of(&game("tiger", "agent")).check();
    conformance::of(&game("numberguessing_small", "player")).check();
    conformance::of(&game("mastermind", "player")).games(5).check();
}

#[test]
fn roles_that_do_not_decide_are_refused() {
    let network = ground(&common::game("tiger"), &GroundLimits::default()).expect("it is grounded");
    let network = Arc::new(network);
    assert_eq!(GdlGame::new(Arc::clone(&network), "random").err(), Some(GameError::Random));
    assert!(matches!(GdlGame::new(network, "nobody"), Err(GameError::Role(..))));
}

/// Section 4: the tree draws states as often as the POMDP belief says, also when the evidence is
/// two growls on one side and one on the other.
#[test]
fn the_belief_of_the_tiger_is_that_of_bayes() {
    let game = game("tiger", "agent");
    let listen = action(&game, "listen");
    let noop = action(&game, "noop");
    let mut rng = Rng::new(11);
    // What each growl looks like is found by listening to a known tiger.
    let (mut left, mut right) = (None, None);
    for _ in 0..200 {
        let mut state = game.start(&mut rng);
        game.step(&mut state, noop, &mut rng);
        let seen = game.step(&mut state, listen, &mut rng).obs;
        let network = game.network();
        let percept =
            state.percepts(network, game.role()).map(|p| network.terms().show(p).to_string());
        match percept.collect::<Vec<_>>().as_slice() {
            [growl] if growl == "(growl left)" => left = Some(seen),
            _ => right = Some(seen),
        }
    }
    let (left, right) = (left.expect("heard left"), right.expect("heard right"));
    // By the tree, and by states where the tree is left at once.
    for tries in [u64::MAX, 1] {
        let mut tree = BeliefTree::new(game.clone()).with_tries(tries);
        let mut state = game.start(&mut rng);
        tree.observe(noop, game.step(&mut state, noop, &mut rng).obs);
        for (growl, expected) in [(left, 5.0 / 6.0), (right, 0.5), (left, 5.0 / 6.0)] {
            tree.observe(listen, growl);
            // Enough draws first to find all histories that are impossible.
            (0..3_000).for_each(|_| drop(tree.sample(&mut rng)));
            let n = 4_000;
            let mut count: BTreeMap<bool, u32> = BTreeMap::new();
            for _ in 0..n {
                let state = tree.sample(&mut rng).expect("a state agrees");
                *count.entry(game.state_text(&state).contains("(tiger left)")).or_default() += 1;
            }
            let found = f64::from(count.get(&true).copied().unwrap_or(0)) / f64::from(n);
            let error = (expected * (1.0 - expected) / f64::from(n)).sqrt();
            let wrong = (found - expected).abs();
            assert!(wrong < 4.0 * error, "{found} instead of {expected} ± {error}");
        }
        assert_eq!(tree.history().is_none(), tries == 1, "the tree was left where it had to be");
    }
}

#[test]
fn a_history_that_cannot_be_has_no_state() {
    let game = game("exploding_bomb", "agent");
    let mut rng = Rng::new(1);
    let mut tree = BeliefTree::new(game.clone());
    tree.observe(action(&game, "noop"), Percepts(3));
    let impossible = Some(BeliefError::Impossible { moves: 1 });
    assert_eq!(tree.sample(&mut rng).err(), impossible);
    // What follows does not make it possible.
    tree.observe(action(&game, "noop"), Percepts(0));
    assert_eq!(tree.sample(&mut rng).err(), impossible);
}

/// A coin is tossed forty times, and nothing is seen: a trillion histories, none of which agrees
/// with a percept that no move causes. They lead to two states, and that is seen soon.
#[test]
fn a_search_for_a_history_has_an_end() {
    let game = of_rules(
        "(role random) (role player) (side heads) (side tails) (init start)
        (<= (legal random (toss ?s)) (side ?s)) (legal player wait)
        (<= (next (last ?s)) (does random (toss ?s)))
        (<= (sees player both) (true (last heads)) (true (last tails)))
        (<= terminal (true never)) (goal player 0) (goal random 0)",
        "player",
    );
    let wait = action(&game, "wait");
    let told = |mut tree: BeliefTree| {
        (0..40).for_each(|_| tree.observe(wait, Percepts(0)));
        tree.observe(wait, Percepts(1));
        tree
    };
    let mut rng = Rng::new(1);
    let mut tree = told(BeliefTree::new(game.clone()).with_tries(1_000));
    let lost = Some(BeliefError::Impossible { moves: 41 });
    assert_eq!(tree.sample(&mut rng).err(), lost);
    assert_eq!((tree.sample(&mut rng).err(), tree.lost().cloned()), (lost.clone(), lost));
    // What did not happen is taken back.
    tree.take_back();
    assert!(tree.sample(&mut rng).is_ok() && !tree.is_astray());
    // Nobody waits longer than he wants to.
    let cancel = Cancel::new();
    cancel.cancel();
    let halt = Halt::new(&cancel, None);
    let stopped = Some(BeliefError::Run(RunError::Stopped { during: None }));
    assert_eq!(told(BeliefTree::new(game)).sample(&mut rng).err(), stopped);
    assert!(halt.struck());
}

/// A counter goes up or stays, unseen, and the game remembers each step: a million histories, no two
/// of which lead to the same state. Then the player is told a sum that few have. None of the states
/// that stand for all may have it; the past is changed until one has.
#[test]
fn a_past_that_was_not_kept_is_found_again() {
    const STEPS: usize = 30;
    let numbers = (0..STEPS).map(|n| format!("(follows {n} {})", n + 1)).collect::<String>();
    let game = of_rules(
        &format!(
            "(role random) (role player) (init (sum 0)) (init (step 0)) {numbers}
            (<= (legal random up) (not over)) (<= (legal random stay) (not over))
            (<= (legal player wait) (not over)) (<= (legal player ask) (not over))
            (<= (next (sum ?m)) (does random up) (true (sum ?n)) (follows ?n ?m))
            (<= (next (sum ?n)) (does random stay) (true (sum ?n)))
            (<= (next (step ?m)) (true (step ?n)) (follows ?n ?m))
            (<= (next (went ?n)) (does random up) (true (step ?n)))
            (<= (next (went ?n)) (true (went ?n)))
            (<= (sees player (sum ?n)) (does player ask) (true (sum ?n)))
            (<= over (true (step {STEPS}))) (<= terminal over) (goal player 0) (goal random 0)"
        ),
        "player",
    );
    let (wait, ask) = (action(&game, "wait"), action(&game, "ask"));
    let world = Arc::clone(game.network());
    let number = |text| patience_gdl::World::move_named(&*world, 0, text).expect("it is a move");
    let (up, stay) = (number("up"), number("stay"));
    let mut rng = Rng::new(7);
    let mut tree = BeliefTree::new(game.clone()).with_tries(100);
    let mut state = game.start(&mut rng);
    // Up 24 times in 28: one of 13,000 histories, and some 2,000 states are kept.
    for step in 0..STEPS - 1 {
        let own = if step == STEPS - 2 { ask } else { wait };
        let joint = [if [5, 9, 17, 21].contains(&step) { stay } else { up }, own.0];
        let seen = game.play(&mut state, &joint);
        tree.observe(own, seen);
        tree.sample(&mut rng).expect("something agrees");
    }
    assert!(tree.history().is_none(), "the tree was left");
    assert!(!tree.is_astray(), "a past was found");
    let mut pasts = Vec::new();
    for _ in 0..200 {
        let state = tree.sample(&mut rng).expect("a state agrees");
        let text = game.state_text(&state);
        // The sum was told before the last step.
        assert!(text.contains("(sum 24)") || text.contains("(sum 25)"), "{text}");
        pasts.push(text);
    }
    pasts.sort();
    pasts.dedup();
    assert!(pasts.len() > 20, "only {} pasts were found", pasts.len());
}

fn of_rules(rules: &str, role: &str) -> GdlGame {
    let description = Description::read(rules).expect("it is read");
    let network = ground(&description, &GroundLimits::default()).expect("it is grounded");
    GdlGame::new(Arc::new(network), role).expect("there is such a role")
}

/// Plays a match with NORNS: belief tree for the past, UCT on actions and percepts for the future.
fn match_score(game: &GdlGame, simulations: u64, seed: u64, played: &mut Vec<String>) -> f64 {
    let mut rng = Rng::named(seed, &["environment"]);
    let belief = SharedBelief::new(BeliefTree::new(game.clone()));
    let uct: Uct<Rollout<_>> = Uct::new(Settings::default(), Rollout::default()).expect("sound");
    let mut state = game.start(&mut rng);
    let mut actions = Vec::new();
    let mut score = 0.0;
    for turn in 0.. {
        game.actions(&state, &mut actions);
        if actions.is_empty() {
            break;
        }
        let root = Root::Belief(Box::new(belief.clone()));
        let mut search = uct.search(game, root, Rng::numbered(seed, turn));
        search.run(&Budget::iterations(simulations), &Cancel::new());
        let best = search.best().expect("there are actions");
        played.push(game.action_text(&state, best));
        let step = game.step(&mut state, best, &mut rng);
        belief.observe(best, step.obs);
        score += step.reward;
    }
    score
}

#[test]
fn norns_asks_about_the_bomb_and_switches_doors() {
    let bomb = game("exploding_bomb", "agent");
    let monty = game("monty_hall", "candidate");
    for seed in 0..5 {
        let mut played = Vec::new();
        let score = match_score(&bomb, 1_000, seed, &mut played);
        assert_eq!(played[1], "ask");
        assert!((score - 0.9).abs() < 1e-9);
        let mut played = Vec::new();
        match_score(&monty, 3_000, seed, &mut played);
        assert_eq!(played[2], "switch");
    }
}

/// The tiger by hand: states are how often was listened and how many more growls came from one
/// side than from the other.
fn tiger_by_hand(heard: i32, surplus: i32) -> f64 {
    let odds = 5f64.powi(surplus);
    let left = odds / (1.0 + odds);
    let open = f64::from(100 - 5 * heard) / 100.0 * left.max(1.0 - left);
    if heard == 4 {
        return open;
    }
    let growl = left * 5.0 / 6.0 + (1.0 - left) / 6.0;
    let listen = growl * tiger_by_hand(heard + 1, surplus + 1)
        + (1.0 - growl) * tiger_by_hand(heard + 1, surplus - 1);
    open.max(listen)
}

#[test]
fn the_exact_solver_finds_the_known_optima() {
    let value = |name: &str, role: &str| {
        let mut exact = Exact::new(game(name, role), 100_000);
        (exact.value().expect("the game is small"), exact.beliefs())
    };
    let optima = [
        (value("monty_hall", "candidate").0, 2.0 / 3.0),
        (value("exploding_bomb", "agent").0, 0.9),
        (value("tiger", "agent").0, tiger_by_hand(0, 0)),
        (value("numberguessing_small", "player").0, 1.0),
        (value("maze", "builder").0, 1.0),
    ];
    for (found, expected) in optima {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
    let mut exact = Exact::new(game("numberguessing_small", "player"), 3);
    assert_eq!(exact.value(), Err(ExactError::Beliefs(3)));
}

/// What is stopped goes on later and comes to the same.
#[test]
fn the_exact_solver_can_be_stopped() {
    let mut exact = Exact::new(game("tiger", "agent"), 100_000);
    let cancel = Cancel::new();
    cancel.cancel();
    {
        let halt = Halt::new(&cancel, None);
        assert_eq!(exact.value(), Err(ExactError::Stopped));
        assert_eq!(exact.work(u64::MAX), Ok(None));
        assert!(exact.plays() < 1_000, "{} moves were played", exact.plays());
        assert!(!halt.struck(), "nothing was given up");
    }
    let value = exact.value().expect("the game is small");
    assert!((value - tiger_by_hand(0, 0)).abs() < 1e-9, "{value}");
}

#[test]
fn legal_moves_that_depend_on_what_is_hidden_are_named() {
    let rules = "(role random) (role p) (init (step 1))
        (<= (legal random (put 1)) (true (step 1))) (<= (legal random (put 2)) (true (step 1)))
        (<= (legal random noop) (not (true (step 1))))
        (<= (legal p quit) (true (step 1))) (<= (legal p go) (true (step 1)))
        (<= (legal p (take ?n)) (true (card ?n)))
        (<= (next (card ?n)) (does random (put ?n)) (does p go))
        (<= (next won) (does p (take ?n))) (<= (next lost) (does p quit))
        (<= terminal (true lost)) (<= terminal (true won))
        (<= (goal p 10) (true lost)) (<= (goal p 100) (true won)) (goal random 0)";
    let description = Description::read(rules).expect("it is a list of rules");
    let network = ground(&description, &GroundLimits::default()).expect("it is grounded");
    let game = GdlGame::new(Arc::new(network), "p").expect("there is such a role");
    assert_eq!(Exact::new(game, 1_000).value(), Err(ExactError::Legal));
}

/// With a clock there is a simulation behind every move, however short it is.
#[test]
fn with_a_clock_simulations_do_not_wait_for_the_proof() {
    let game = game("mastermind", "player");
    for (iterations, waits) in [(None, false), (Some(50), true)] {
        let settings = Settings { iterations, ..Settings::default() };
        let several = Several::new(1.0, iterations, 100).expect("they are in range");
        let rollout = Rollout::default();
        let norns = Norns::new(settings, rollout, several, Opponents::Search, 1_000_000);
        let start = Root::Certain(game.start(&mut Rng::new(1)));
        let mut search = norns.expect("they are in range").search(&game, start, Rng::new(1));
        search.step();
        assert_eq!(search.counts().iterations == 0, waits);
    }
}

/// Binary search is found by itself, move by move.
#[test]
fn the_exact_solver_plays_a_match() {
    let game = game("numberguessing_small", "player");
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let mut exact = Exact::new(game.clone(), 100_000);
        let mut state = game.start(&mut rng);
        let mut score = 0.0;
        while let Some(best) = exact.best().expect("the game is small") {
            let step = game.step(&mut state, best, &mut rng);
            score += step.reward;
            if state.terminal(game.network()) {
                break;
            }
            exact.observe(best, step.obs).expect("it was seen");
        }
        assert_eq!(score, 1.0);
    }
}
