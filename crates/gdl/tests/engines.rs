//! The engines against each other and against transcripts.

use crate::common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use patience_gdl::transcript::{self, Difference, Length};
use patience_gdl::{
    Description, Engine, EngineError, GroundError, GroundLimits, Grounded, Lifted, LiftedWorld,
    Reasoner, RunError, Sliced, Strictness, World, check, ground,
};
use patience_model::Rng;
use patience_plan::{Cancel, Halt};

fn grounded(description: &Description) -> Grounded {
    let network = ground(description, &GroundLimits::default()).expect("the game is grounded");
    Grounded::new(Arc::new(network))
}

/// Both engines write the same transcript, word by word.
fn engines_agree(description: &Description, matches: usize, most_moves: usize) {
    let length = Length { matches, most_moves };
    let mut lifted = Lifted::new(description).expect("the lifted engine is made");
    let expected = transcript::write(&mut lifted, &mut Rng::new(7), length).expect("it plays");
    let mut grounded = grounded(description);
    let found = transcript::write(&mut grounded, &mut Rng::new(7), length).expect("it plays");
    for (i, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", i + 1);
    }
    assert_eq!(found.len(), expected.len());
    transcript::follow(&mut lifted, &found).expect("each follows the other");
    transcript::follow(&mut grounded, &expected).expect("each follows the other");
}

#[test]
fn grounded_and_lifted_play_the_same_matches() {
    for path in common::games() {
        println!("{}", path.display());
        engines_agree(&common::read(&path), 5, 40);
    }
}

/// Regenerate with `PATIENCE_BLESS=1 cargo test -p patience-gdl`.
#[test]
fn golden_transcripts_are_followed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for name in ["tictactoe", "monty_hall", "exploding_bomb", "tiger", "maze"] {
        let path = folder.join(format!("{name}.trace"));
        let description = common::game(name);
        let mut lifted = Lifted::new(&description).expect("the engine is made");
        if std::env::var_os("PATIENCE_BLESS").is_some() {
            let length = Length { matches: 2, most_moves: 30 };
            let text = transcript::write(&mut lifted, &mut Rng::new(1), length).expect("it plays");
            std::fs::write(&path, text).expect("the file is written");
        }
        let text = std::fs::read_to_string(&path).expect("the transcript is there");
        let followed = transcript::follow(&mut lifted, &text).expect("no difference");
        assert!(followed.states > 2 && followed.matches == 2);
        assert_eq!(transcript::follow(&mut grounded(&description), &text), Ok(followed));
    }
}

#[test]
fn a_wrong_transcript_is_told_apart() {
    let mut lifted = Lifted::new(&common::game("maze")).expect("the engine is made");
    let follow = |lifted: &mut Lifted, text: &str| transcript::follow(lifted, text);
    assert!(matches!(
        follow(&mut lifted, "STATE 0\t(stone 1)\t(stone 2)"),
        Err(Difference::Set { line: 1, missing, .. }) if missing == ["(stone 2)"]
    ));
    assert!(matches!(
        follow(&mut lifted, "STATE 0\t(STONE 1)\nTERMINAL"),
        Err(Difference::Terminal { line: 2, expected: true, found: false })
    ));
    assert!(matches!(
        follow(&mut lifted, "STATE 0\t(stone 1)\nMOVE\t(lift 1)"),
        Err(Difference::Failed { line: 2, error: RunError::Illegal { .. } })
    ));
    assert!(matches!(follow(&mut lifted, "HELLO"), Err(Difference::Unreadable { line: 1, .. })));
    for moves in ["MOVE", "MOVE\t(lay 2)\t(lay 2)"] {
        let mut grounded = grounded(&common::game("maze"));
        for difference in [follow(&mut lifted, moves), transcript::follow(&mut grounded, moves)] {
            let message = difference.expect_err("one role, one move").to_string();
            assert!(message.contains("expected one for each of 1 roles"), "{message}");
        }
    }
    // States may be left out: a match begins all the same.
    let twice = "MATCH 1\nMOVE\t(lay 2)\nENDMATCH\nMATCH 2\nMOVE\t(lay 2)";
    assert_eq!(follow(&mut lifted, twice).map(|f| (f.matches, f.moves)), Ok((2, 2)));
}

#[test]
fn cycles_of_rules_are_least_fixpoints() {
    let network = ground(&common::game("maze"), &GroundLimits::default()).expect("it is grounded");
    assert!(network.sizes().loops > 0, "the game was meant to have a cycle: {:?}", network.sizes());
    // Two places that only support each other are not linked: lifting a stone unlinks all beyond.
    let mut engine = Grounded::new(Arc::new(network));
    for (action, over) in [
        ("(lay 2)", false),
        ("(lay 4)", false),
        ("(lay 3)", false),
        ("(lift 2)", false),
        ("(lay 5)", false),
        ("(lay 2)", true),
    ] {
        let action = engine.terms_mut().read(action).expect("it reads");
        engine.play_legal(&[action]).expect("it is legal");
        assert_eq!(engine.terminal(), Ok(over));
    }
    assert_eq!(engine.goal(0), Ok(100));
}

#[test]
fn sliced_playouts_are_playouts() {
    for name in ["tictactoe", "monty_hall", "maze", "tiger"] {
        let network =
            ground(&common::game(name), &GroundLimits::default()).expect("it is grounded");
        let role = network.role_count() - 1;
        let mut rng = Rng::new(3);
        let mut position = network.position();
        let n = 20_000;
        let (mut sum, mut squares, mut moves) = (0.0, 0.0, 0u64);
        for _ in 0..n {
            position.restart(&network);
            moves += u64::from(position.playout(&network, &mut rng, 10_000).expect("it ends"));
            let goal: Vec<f64> = position
                .goals(&network, role)
                .map(|g| network.terms().show(g).to_string().parse().expect("a number"))
                .collect();
            assert_eq!(goal.len(), 1);
            sum += goal[0];
            squares += goal[0] * goal[0];
        }
        let tally = Sliced::new(&network).run(&mut Rng::new(4), n, 10_000);
        assert_eq!(tally.given_up, 0);
        let (mean, sliced) = (sum / n as f64, tally.goals[role] as f64 / tally.playouts as f64);
        let error = ((squares / n as f64 - mean * mean) * 2.0 / n as f64).sqrt();
        // Four standard errors of the difference, on fixed streams.
        assert!(
            (mean - sliced).abs() <= 4.0 * error + 1e-9,
            "{name}: {mean} and {sliced} ± {error}"
        );
        let length = moves as f64 / n as f64;
        let sliced = tally.moves as f64 / tally.playouts as f64;
        assert!(
            (length - sliced).abs() < 0.05 * length + 0.02,
            "{name}: {length} and {sliced} moves"
        );
    }
}

#[test]
fn a_position_can_be_loaded_and_copied() {
    let network = ground(&common::game("tictactoe"), &GroundLimits::default()).expect("grounded");
    let mut rng = Rng::new(5);
    let mut position = network.position();
    let mut other = network.position();
    for _ in 0..5 {
        let joint = [0, 1].map(|r| position.random_move(&network, r, &mut rng).expect("a move"));
        position.play(&network, &joint);
        other.load(&network, position.state(&network));
        assert_eq!(other, position);
        assert_eq!(other.legal(&network, 0), position.legal(&network, 0));
        other.clone_from(&position);
        assert_eq!(other.clone(), position);
    }
}

/// Goals that say what a legal move's condition says, or ask for legal moves: they share gates with
/// legal moves, which are not told of their turn.
#[test]
fn goals_that_share_conditions_with_legal_moves() {
    let moves = "(role x) (role o) (cell a) (cell b) (cell c) (cell d) (cell e) (init (control x)) (init (at 1))
        (step 1 2) (step 2 3) (<= (base (free ?c)) (cell ?c)) (<= (init (free ?c)) (cell ?c))
        (<= (legal ?r (mark ?c)) (true (control ?r)) (true (free ?c)))
        (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
        (<= (next (free ?c)) (true (free ?c)) (not (taken ?c))) (<= (taken ?c) (does ?r (mark ?c)))
        (<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
        (<= (next (at ?m)) (true (at ?n)) (step ?n ?m)) (<= terminal (true (at 3)))";
    for goals in [
        "(<= (won ?r) (legal ?r (mark ?c)))",
        "(<= (won ?r) (role ?r) (true (control ?r)) (true (free a)))",
        "(<= (won ?r) (role ?r) (not (legal ?r (mark b))))",
    ] {
        let text = format!(
            "{moves} {goals} (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))"
        );
        engines_agree(&Description::read(&text).expect("it reads"), 20, 10);
    }
}

/// What never changes is still told: a goal that is a fact, a game that is over at once, something
/// that is always seen.
#[test]
fn what_is_asked_may_be_static() {
    let read = |text: &str| Description::read(text).expect("it reads");
    let rules = "(role x) (role random) (init a) (legal x noop) (legal random noop) (goal random 0)
        (<= (next b) (true a)) (goal x 70) (sees x hello)";
    let running = read(&format!("{rules} (<= terminal (true b))"));
    let over = read(&format!("{rules} terminal"));
    for description in [&running, &over] {
        engines_agree(description, 2, 5);
        assert_eq!(grounded(description).goal(0), Ok(70));
    }
    assert_eq!(grounded(&running).terminal(), Ok(false));
    assert_eq!(grounded(&over).terminal(), Ok(true));
    let mut engine = grounded(&running);
    let noop = engine.terms_mut().read("noop").expect("it reads");
    engine.play_legal(&[noop, noop]).expect("it is legal");
    let mut seen = Vec::new();
    engine.percepts(0, &mut seen);
    assert_eq!(engine.terms().show(seen[0]).to_string(), "hello");
}

/// Games of random rules, in which everything may depend on everything that the language allows.
#[test]
fn random_games_agree() {
    let mut rng = Rng::new(2014);
    for _ in 0..300 {
        let text = random_game(&mut rng);
        let description = Description::read(&text).expect("it reads");
        if check(&description).iter().any(|f| Strictness::Lenient.refuses(f)) {
            continue;
        }
        println!("{text}");
        engines_agree(&description, 3, 6);
    }
}

fn random_game(rng: &mut Rng) -> String {
    let mut text = "(role x) (role o) (init (at 0)) (<= terminal (true (at 4)))".to_owned();
    for i in 0..4 {
        text += &format!("(<= (next (at {})) (true (at {i})))", i + 1);
    }
    let condition = |rng: &mut Rng, moves: bool, views: usize| {
        let mut kinds = vec![0, 0, 0];
        kinds.extend(moves.then_some(1));
        kinds.extend((views > 0).then_some(2));
        let fact = match kinds[rng.below(kinds.len() as u64) as usize] {
            0 => format!("(true (f {}))", rng.below(5)),
            1 => format!("(does {} (m {}))", ["x", "o"][rng.below(2) as usize], rng.below(5)),
            _ => format!("(v {})", rng.below(views as u64)),
        };
        if rng.below(3) == 0 { format!("(not {fact})") } else { fact }
    };
    let body = |rng: &mut Rng, moves: bool, views: usize| {
        let most = 1 + rng.below(3);
        (0..most).map(|_| condition(rng, moves, views)).collect::<Vec<_>>().join(" ")
    };
    (0..5).filter(|i| i % 2 == 0).for_each(|i| text += &format!("(init (f {i}))"));
    for view in 0..3 {
        for _ in 0..1 + rng.below(2) {
            text += &format!("(<= (v {view}) {})", body(rng, false, view));
        }
    }
    for role in ["x", "o"] {
        // A condition that most moves share, as a turn is.
        let turn = condition(rng, false, 0);
        text += &format!("(legal {role} (m 0))");
        for m in 1..5 {
            text += &format!("(<= (legal {role} (m {m})) {turn} {})", body(rng, false, 3));
        }
        let won = match rng.below(3) {
            0 => format!("(legal {role} (m {}))", rng.below(5)),
            1 => format!("{turn} {}", body(rng, false, 3)),
            _ => body(rng, false, 3),
        };
        text += &format!("(<= (won {role}) {won}) (<= (goal {role} 100) (won {role}))");
        text += &format!("(<= (goal {role} 0) (not (won {role})))");
        text += &format!("(<= (sees {role} s) {})", body(rng, true, 3));
    }
    for f in 0..5 {
        for _ in 0..1 + rng.below(3) {
            text += &format!("(<= (next (f {f})) {})", body(rng, true, 3));
        }
    }
    text
}

/// Turns and moves at the same time by turns, walls that moves build and chains through them, and
/// goals that count: whatever is looked up, gated or late must be as the lifted engine has it, at
/// every state, whether it was played to or loaded.
#[test]
fn what_is_spared_is_right_when_asked() {
    let text = "(role a) (role b) (cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6)
        (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 0 1)
        (init (turn a)) (init (time 0))
        (<= (legal ?r (mark ?c)) (role ?r) (cell ?c) (true (turn ?r)) (not (true (mine a ?c))) (not (true (mine b ?c))))
        (<= (legal ?r (mark ?c)) (role ?r) (cell ?c) (true (turn both)) (not (true (mine ?r ?c))))
        (<= (legal ?r noop) (role ?r))
        (<= (next (turn b)) (true (turn a))) (<= (next (turn both)) (true (turn b)))
        (<= (next (turn a)) (true (turn both)))
        (<= (next (time ?t)) (true (time ?s)) (after ?s ?t))
        (<= (touched ?c) (does ?r (mark ?c)))
        (<= (stays ?c) (cell ?c) (does a ?m) (does b ?n) (not (touched ?c)))
        (<= (next (mine ?r ?c)) (does ?r (mark ?c)))
        (<= (next (mine ?r ?c)) (true (mine ?r ?c)) (stays ?c))
        (<= (next (linked ?c)) (reached ?c))
        (<= (reached 1) (touched 1)) (<= (reached ?d) (reached ?c) (near ?c ?d) (touched ?d))
        (<= (reached ?d) (reached ?c) (near ?c ?d) (true (mine a ?d)))
        (<= (near ?c ?d) (after ?c ?d)) (<= (near ?c ?d) (after ?d ?c))
        (<= (sees ?r (touched ?c)) (role ?r) (touched ?c))
        (<= terminal (true (time 7)))
        (<= (count ?r 1 1) (true (mine ?r 1))) (<= (count ?r 1 0) (role ?r) (not (true (mine ?r 1))))
        (<= (count ?r ?c ?n) (count ?r ?b ?m) (after ?b ?c) (true (mine ?r ?c)) (after ?m ?n))
        (<= (count ?r ?c ?n) (count ?r ?b ?n) (after ?b ?c) (cell ?c) (not (true (mine ?r ?c))))
        (<= (less ?m ?n) (after ?m ?n)) (<= (less ?k ?n) (less ?k ?m) (after ?m ?n))
        (<= (ahead a) (count a 6 ?m) (count b 6 ?n) (less ?n ?m))
        (<= (ahead b) (count b 6 ?m) (count a 6 ?n) (less ?n ?m))
        (<= (goal ?r 100) (ahead ?r)) (<= (goal ?r 0) (role ?r) (not (ahead ?r)))";
    let description = Description::read(text).expect("it reads");
    assert!(!check(&description).iter().any(|f| Strictness::Lenient.refuses(f)));
    engines_agree(&description, 30, 10);
    let (mut lifted, mut grounded) =
        (Lifted::new(&description).expect("the engine is made"), grounded(&description));
    let mut loaded = grounded.clone();
    let mut rng = Rng::new(1);
    let (mut joint, mut state, mut terms) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for _ in 0..50 {
        lifted.start().expect("it starts");
        grounded.start().expect("it starts");
        while !lifted.terminal().expect("it runs") {
            for role in 0..2 {
                assert_eq!(grounded.goal(role), lifted.goal(role));
            }
            grounded.random_joint(&mut rng, &mut joint).expect("there is a move");
            let texts: Vec<String> =
                joint.iter().map(|&m| grounded.terms().show(m).to_string()).collect();
            let read = |text: &String| lifted.terms_mut().read(text).expect("it reads");
            let same: Vec<_> = texts.iter().map(read).collect();
            lifted.play_legal(&same).expect("it is legal");
            grounded.play_legal(&joint).expect("it is legal");
            grounded.state(&mut state);
            loaded.go_to(&state).expect("it is a state");
            for role in 0..2 {
                grounded.legal(role, &mut terms[0]).expect("it runs");
                loaded.legal(role, &mut terms[1]).expect("it runs");
                assert_eq!(terms[0], terms[1]);
                assert_eq!(loaded.goal(role), grounded.goal(role));
            }
        }
        assert_eq!(grounded.terminal(), Ok(true));
    }
}

#[test]
fn what_is_too_large_falls_back() {
    let limits = GroundLimits { instances: 50, ..GroundLimits::default() };
    let game = common::game("tictactoe");
    assert_eq!(ground(&game, &limits).err(), Some(GroundError::Instances(50)));
    let engine = Engine::new(&game, &limits).expect("there is an engine");
    assert!(matches!(engine, Engine::Lifted(_, Some(GroundError::Instances(50)))));
    let limits = GroundLimits { time: Duration::ZERO, ..GroundLimits::default() };
    assert_eq!(
        ground(&game, &limits).err(),
        Some(GroundError::Time { limit: Duration::ZERO, during: None })
    );
}

/// Stones are counted at the end only: by sums of which few can hold, by what does not hold, and by
/// ways that lead in a circle, which are derived together.
#[test]
fn what_is_derived_late_is_what_the_rules_say() {
    let cells: Vec<String> = (1..=6).map(|i| format!("(cell {i})")).collect();
    let follow: String = (0..=6).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let sums: String = (1..=6)
        .map(|i| {
            let before = i - 1;
            format!(
                "(<= (sum {i} ?m) (sum {before} ?n) (true (on {i})) (succ ?n ?m))
                 (<= (sum {i} ?n) (sum {before} ?n) (not (true (on {i}))))"
            )
        })
        .collect();
    let game = |more: &str| {
        let text = format!(
            "(role a) (role b) (init (step 0)) {} {follow} (sum 0 0) {sums}
             (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
             (<= (legal ?r (put ?i)) (role ?r) (cell ?i)) (<= (legal ?r wait) (role ?r))
             (<= (next (on ?i)) (does ?r (put ?i)) (not (true (on ?i))))
             (<= (next (on ?i)) (true (on ?i)) (not (touched ?i)))
             (<= (touched ?i) (does ?r (put ?i)))
             (<= even (sum 6 0)) (<= even (sum 6 2)) (<= even (sum 6 4)) (<= even (sum 6 6))
             (<= terminal (true (step 5))) {more}
             (<= (goal a 100) even lone) (<= (goal a 50) (not even)) (<= (goal a 0) even (not lone))
             (<= (goal b 100) (not even) (not lone)) (<= (goal b 0) (or even lone))",
            cells.concat()
        );
        Description::read(&text).expect("it reads")
    };
    engines_agree(&game("(<= lone (sum 6 1)) (<= lone (sum 6 2) (not (sum 2 1)))"), 60, 10);
    // The same with a circle.
    let circle = "(<= (way 1) (true (on 1))) (<= (way ?j) (way ?i) (near ?i ?j) (true (on ?j)))
                  (near 1 2) (near 2 3) (near 3 1) (near 2 1) (<= lone (way 3))";
    engines_agree(&game(circle), 60, 10);
}

/// A game in which something takes 50⁸ steps to derive once this holds.
fn wide(once: &str) -> Description {
    let numbers: String = (0..50).map(|n| format!("(d {n})")).collect();
    let letters = ["a", "b", "c", "e", "f", "g", "h", "i"];
    let all: String = letters.iter().map(|x| format!("(d ?{x}) ")).collect();
    let text = format!(
        "(role x) (init (step 0)) (<= (next (step 1)) (does x go)) (legal x go) {numbers}
         (<= bad {once} {all} (not (never ?a ?b ?c ?e ?f ?g ?h ?i)))
         (<= terminal (true (step 1))) (<= (goal x 0) bad) (<= (goal x 100) (not bad))"
    );
    Description::read(&text).expect("it reads")
}

const SHORT: Duration = Duration::from_millis(50);

/// One derivation that takes too long is no hang: it is told by name when its time is over, and
/// when nobody waits for it any more.
#[test]
fn one_derivation_can_be_stopped() {
    let wide = wide("");
    let during = || Some("bad".to_owned());
    let limits = GroundLimits { time: SHORT, lifted: SHORT, ..GroundLimits::default() };
    let slow = GroundError::Time { limit: SHORT, during: during() };
    assert_eq!(ground(&wide, &limits).err(), Some(slow));
    let slow = RunError::Slow { relation: "bad".to_owned(), limit: SHORT };
    assert_eq!(Engine::new(&wide, &limits).err(), Some(EngineError::Run(slow.clone())));
    assert_eq!(slow.to_string(), "the rules of `bad` take longer than 50ms in one state");

    let cancel = Cancel::new();
    let flag = cancel.clone();
    let halt = Halt::new(&cancel, None);
    let other = std::thread::spawn(move || {
        std::thread::sleep(SHORT);
        flag.cancel();
    });
    let stopped = RunError::Stopped { during: during() };
    assert_eq!(Lifted::new(&wide).err(), Some(EngineError::Run(stopped.clone())));
    let unlimited = GroundLimits::default();
    assert_eq!(ground(&wide, &unlimited).err(), Some(GroundError::Stopped { during: during() }));
    assert_eq!(Engine::new(&wide, &unlimited).err(), Some(EngineError::Run(stopped)));
    assert!(halt.struck());
    assert!(other.join().is_ok());
}

/// The same in the middle of a match: the engine stands where it stood, and can be asked again.
#[test]
fn a_state_that_takes_too_long_is_told() {
    let wide = wide("(true (step 1))");
    let mut lifted = Lifted::within(&wide, SHORT).expect("it starts");
    let go = lifted.terms_mut().read("go").expect("it reads");
    assert_eq!((lifted.terminal(), lifted.goal(0)), (Ok(false), Ok(100)));
    lifted.play_legal(&[go]).expect("it is played");
    let slow = RunError::Slow { relation: "bad".to_owned(), limit: SHORT };
    for _ in 0..2 {
        assert_eq!((lifted.terminal(), lifted.goal(0)), (Ok(true), Err(slow.clone())));
    }
    lifted.start().expect("it starts again");
    assert_eq!((lifted.terminal(), lifted.goal(0)), (Ok(false), Ok(100)));

    let world = LiftedWorld::new(lifted, false);
    let mut position = world.position();
    assert_eq!(world.fault(&position), None);
    let mut legal = Vec::new();
    world.legal(&position, 0, &mut legal);
    world.play(&mut position, &legal);
    assert_eq!(world.fault(&position), Some(&slow));
    assert!(world.terminal(&position) && world.goal(&position, 0).is_none());
}

/// Terms that rules have piled up are compared and shown without the stack.
#[test]
fn deep_terms_are_no_danger() {
    let mut terms = patience_gdl::Terms::new(patience_gdl::Symbols::default());
    let [mut one, mut two] = ["1", "2"].map(|t| terms.read(t).expect("it reads"));
    let name = terms.read("(s 0)").map(|t| terms.name(t)).expect("it reads");
    for _ in 0..1_000_000 {
        one = terms.intern(name, &[one]);
        two = terms.intern(name, &[two]);
    }
    assert_eq!(terms.compare(one, two), std::cmp::Ordering::Less);
    assert_eq!(terms.compare(two, two), std::cmp::Ordering::Equal);
    let shown = terms.show(one).to_string();
    assert!(shown.starts_with("(s (s (s ") && shown.ends_with("))))"));
    assert_eq!(shown.len(), 1_000_000 * 4 + 1);
    let pair = terms.read("(f (g 1 2) 3)").expect("it reads");
    assert_eq!(terms.show(pair).to_string(), "(f (g 1 2) 3)");
}

#[test]
fn what_cannot_be_played_is_said_by_name() {
    let read = |text: &str| Description::read(text).expect("it reads");
    let endless = read("(role a) (n 0) (<= (n (s ?x)) (n ?x)) (<= (legal a ?x) (n ?x))");
    let error = Lifted::with_limit(&endless, 1_000).expect_err("it does not end");
    assert!(matches!(error, EngineError::Diagnostic(_)));
    assert!(error.to_string().contains("`n` has more than 1000 facts"), "{error}");

    let stuck = read("(role a) (role b) (init x) (legal a noop) (<= terminal (true y))");
    let mut lifted = Lifted::new(&stuck).expect("the engine is made");
    let mut joint = Vec::new();
    let error = lifted.random_joint(&mut Rng::new(1), &mut joint).expect_err("b cannot move");
    assert_eq!(error.to_string(), "the role b has no legal move in a state that is not terminal");

    let two =
        read("(role a) (init x) (legal a noop) (<= terminal (true x)) (goal a 0) (goal a 100)");
    for goal in [Lifted::new(&two).expect("the engine is made").goal(0), grounded(&two).goal(0)] {
        let error = goal.expect_err("two goals").to_string();
        assert!(error.contains("the role a has the goals 0, 100 instead"), "{error}");
    }
}

/// Eight lights are added up through eight sums: 2⁸ ways through, but few sums.
#[test]
fn long_rules_do_not_explode() {
    let mut text = String::from(
        "(role a) (<= (light ?x) (after ?x ?y)) (<= (legal a (on ?x)) (light ?x) (not (true (lit ?x))))
         (<= (next (lit ?x)) (does a (on ?x))) (<= (next (lit ?x)) (true (lit ?x)))
         (<= (plus ?x ?m ?n) (true (lit ?x)) (after ?m ?n))
         (<= (plus ?x ?n ?n) (light ?x) (number ?n) (not (true (lit ?x))))
         (<= terminal (sum 8)) (<= (goal a 100) (sum 8)) (<= (goal a 0) (not (sum 8))) (init start)",
    );
    for i in 0..8 {
        text.push_str(&format!("(after {i} {}) (number {i})", i + 1));
    }
    text.push_str("(number 8) (<= (sum ?n7)");
    for i in 0..8 {
        let before = if i == 0 { "0".to_owned() } else { format!("?n{}", i - 1) };
        text.push_str(&format!("(plus {i} {before} ?n{i})"));
    }
    text.push(')');
    let description = Description::read(&text).expect("it reads");
    let network = ground(&description, &GroundLimits::default()).expect("it is grounded");
    assert!(network.sizes().instances < 400, "{:?}", network.sizes());
    engines_agree(&description, 3, 10);
}

/// Forms that few games use, each with its meaning.
#[test]
fn odd_forms_have_their_meaning() {
    let text = "(role a) (role b)
        (<= (init (f (g 1) ?x)) (n ?x)) (n 1) (n 2)
        (legal a noop)
        (<= (legal b (take ?x)) (true (f ?y ?x)) (not (distinct ?x 2)))
        (<= (next (seen ?m)) (does b ?m))
        (<= (next ?fact) (true ?fact) (not (true (seen (take 2)))))
        (<= (sees a (does b ?m)) (does b ?m))
        (<= terminal (true (seen (take ?x))) (or (n ?x) (and (n ?x) undefined)))
        (<= (goal ?r 100) (legal ?r noop))
        (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";
    let description = Description::read(text).expect("it reads");
    assert!(!check(&description).iter().any(|f| Strictness::Lenient.refuses(f)));
    engines_agree(&description, 2, 10);
    let mut engine = grounded(&description);
    let show = |engine: &Grounded, terms: &[patience_gdl::TermId]| -> Vec<String> {
        terms.iter().map(|&t| engine.terms().show(t).to_string()).collect()
    };
    let mut terms = Vec::new();
    engine.legal(1, &mut terms).expect("it runs");
    assert_eq!(show(&engine, &terms), ["(take 2)"]);
    let noop = engine.terms_mut().read("(NOOP)").expect("it reads");
    let take = terms[0];
    engine.play_legal(&[noop, take]).expect("it is legal");
    engine.state(&mut terms);
    assert_eq!(show(&engine, &terms), ["(f (g 1) 1)", "(f (g 1) 2)", "(seen (take 2))"]);
    engine.percepts(0, &mut terms);
    assert_eq!(show(&engine, &terms), ["(does b (take 2))"]);
    assert_eq!((engine.terminal(), engine.goal(0), engine.goal(1)), (Ok(true), Ok(100), Ok(0)));
}

/// Plays 20 random matches of every game of a folder with both engines:
/// `PATIENCE_GDL_GAMES=folder cargo test -p patience-gdl -- --ignored --nocapture`.
#[test]
#[ignore = "needs a folder of rule files, and minutes"]
fn games_of_a_folder_agree() {
    let folder = std::env::var("PATIENCE_GDL_GAMES").expect("PATIENCE_GDL_GAMES names a folder");
    for path in common::files(Path::new(&folder)) {
        let description = common::read(&path);
        if check(&description).iter().any(|f| Strictness::Lenient.refuses(f)) {
            println!("{}: refused", common::name(&path));
            continue;
        }
        let length = Length { matches: 20, most_moves: 300 };
        let limits = GroundLimits { instances: 5_000_000, ..GroundLimits::default() };
        let begin = std::time::Instant::now();
        let Ok(network) = ground(&description, &limits) else {
            println!("{}: not grounded", common::name(&path));
            continue;
        };
        let (sizes, seconds) = (network.sizes(), begin.elapsed().as_secs_f64());
        let mut grounded = Grounded::new(Arc::new(network));
        match transcript::write(&mut grounded, &mut Rng::new(1), length) {
            Ok(text) => {
                let mut lifted = Lifted::new(&description).expect("the engine is made");
                let followed = transcript::follow(&mut lifted, &text).expect("no difference");
                let (name, states) = (common::name(&path), followed.states);
                let (instances, gates) = (sizes.instances, sizes.gates);
                println!(
                    "{name}: {states} states agree, {instances} instances, {gates} gates, {seconds:.3} s"
                );
            }
            Err(error) => println!("{}: {error}", common::name(&path)),
        }
    }
}

/// Transcripts that are known not to be followed, and the line where they part; `docs/gdl.md` argues
/// why the fault is not ours.
const NOT_FOLLOWED: &[(&str, &str)] = &[("ConnectThreeDecompositionII.gdl", "line 127: ")];

/// Follows all transcripts of a folder, `traces/SET/FILE.trace` for the rules `games/SET/FILE`, with both
/// engines: `PATIENCE_GDL_TRANSCRIPTS=folder cargo test -p patience-gdl -- --ignored --nocapture transcripts`.
#[test]
#[ignore = "needs a folder of rule files and transcripts, and minutes"]
fn transcripts_of_a_folder_are_followed() {
    let folder = std::env::var("PATIENCE_GDL_TRANSCRIPTS");
    let folder = folder.expect("PATIENCE_GDL_TRANSCRIPTS names a folder");
    let limits = GroundLimits { time: Duration::from_secs(300), ..GroundLimits::default() };
    let (mut followed, mut refused, mut differ) = (0, Vec::new(), Vec::new());
    for set in ["gdl1", "gdl2"] {
        for trace in common::files(&Path::new(&folder).join("traces").join(set)) {
            let name = common::name(&trace);
            let description = common::read(&Path::new(&folder).join("games").join(set).join(&name));
            let faults = check(&description);
            if let Some(fault) = faults.iter().find(|f| Strictness::Lenient.refuses(f)) {
                refused.push(format!("{name}: {}", fault.message));
                continue;
            }
            let text = std::fs::read_to_string(&trace).expect("the transcript can be read");
            let mut lifted = Lifted::new(&description).expect("the engine is made");
            let mut all = vec![("lifted", transcript::follow(&mut lifted, &text))];
            match ground(&description, &limits) {
                Ok(network) => {
                    let mut grounded = Grounded::new(Arc::new(network));
                    all.push(("grounded", transcript::follow(&mut grounded, &text)));
                }
                Err(reason) => println!("{name}: not grounded: {reason}"),
            }
            followed += usize::from(all.iter().all(|(_, result)| result.is_ok()));
            for (engine, result) in all {
                match result {
                    Ok(done) => println!("{name}: {} states, {engine}", done.states),
                    Err(difference) => differ.push((name.clone(), engine, difference.to_string())),
                }
            }
        }
    }
    println!("{followed} followed, {} refused: {refused:#?}", refused.len());
    println!("{} not followed: {differ:#?}", differ.len());
    let known = |(name, _, why): &(String, &str, String)| {
        NOT_FOLLOWED.iter().any(|(known, line)| name == known && why.starts_with(line))
    };
    assert!(differ.iter().all(known) && followed > 0);
}

/// What stands on a cell stays there unless the move touches it, which is a rule for each cell and move
/// and not for each kind of piece as well; and what is counted is what is asked for.
#[test]
fn frame_rules_and_questions_with_constants_have_few_instances() {
    let (cells, kinds, triples) = (6, 5, 2);
    let list =
        |name: &str, n: usize| -> String { (1..=n).map(|i| format!("({name} {i}) ")).collect() };
    let text = format!(
        "(role a) (role b) {} {} (init (control a)) (init (step 0)) (init (lies 1 1)) (init (lies 2 2))
        (init (lies 3 3)) (init (lies 4 4)) (init (lies 5 5)) (after 0 1) (after 1 2) (after 2 3)
        (after 3 4) (after 4 5) (after 5 6)
        (<= (full ?c) (true (lies ?c ?k)))
        (<= (legal ?r (move ?c ?d)) (true (control ?r)) (full ?c) (cell ?d) (not (full ?d)))
        (<= (legal ?r (swap ?c ?d)) (true (control ?r)) (full ?c) (full ?d) (distinct ?c ?d))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (next (step ?t)) (true (step ?s)) (after ?s ?t)) (<= terminal (true (step 6)))
        (<= (next (lies ?d ?k)) (does ?r (move ?c ?d)) (true (lies ?c ?k)))
        (<= (next (lies ?d ?k)) (does ?r (swap ?c ?d)) (true (lies ?c ?k)))
        (<= (next (lies ?c ?k)) (does ?r (swap ?c ?d)) (true (lies ?d ?k)))
        (<= (next (lies ?x ?k)) (true (lies ?x ?k)) (does ?r (move ?c ?d)) (distinct ?x ?c)
            (distinct ?x ?d))
        (<= (next (lies ?x ?k)) (true (lies ?x ?k)) (does ?r (swap ?c ?d)) (not (touched ?x)))
        (<= (touched ?c) (does ?r (swap ?c ?d))) (<= (touched ?d) (does ?r (swap ?c ?d)))
        (<= (row ?x ?y ?z all) (full ?x) (full ?y) (full ?z))
        (<= (row ?x ?y ?z some) (full ?x) (not (full ?y)) (cell ?y) (cell ?z))
        (<= (row ?x ?y ?z some) (not (full ?x)) (full ?z) (cell ?y) (cell ?x))
        (<= (row ?x ?y ?z none) (not (full ?x)) (not (full ?z)) (cell ?x) (cell ?y) (cell ?z))
        (<= (won a) (row 1 2 3 all)) (<= (won b) (not (row 4 (back 5) 6 all)) (row 4 5 6 some))
        (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))",
        list("cell", cells),
        list("kind", kinds),
    );
    let description = Description::read(&text).expect("it reads");
    engines_agree(&description, 20, 10);
    let sizes = ground(&description, &GroundLimits::default()).expect("it is grounded").sizes();
    // Each of the two roles moves from each cell to each other one, and so it swaps. A move leaves cells
    // alone, a swap touches two, and that somebody swaps is one fact.
    let moves = 2 * cells * (cells - 1);
    let frames = moves * cells + 2 * moves + moves + 2 * cells * kinds;
    let changes = 3 * moves * kinds;
    let asked = (triples + 1) * 4 + 4;
    let legal = 2 * moves + cells * kinds + 40;
    let most = frames + changes + asked + legal;
    assert!(sizes.instances <= most, "{} instances instead of {most}", sizes.instances);
}

/// Measures every game of a folder: how it is grounded, and playouts on each engine, a line of JSON each:
/// `PATIENCE_GDL_GAMES=folder cargo test -p patience-gdl -- --ignored --nocapture measured`.
#[test]
#[ignore = "a measurement: needs a folder of rule files, and minutes"]
fn games_of_a_folder_are_measured() {
    let folder = std::env::var("PATIENCE_GDL_GAMES").expect("PATIENCE_GDL_GAMES names a folder");
    let mut measured = 0;
    for path in common::files(Path::new(&folder)) {
        let span = Duration::from_millis(300);
        match patience_gdl::speed(&path.display().to_string(), span, false, &Cancel::new()) {
            Ok(speed) => {
                measured += 1;
                println!("{}", serde_json::to_string(&speed).expect("it is JSON"));
            }
            Err(error) => println!("{}: {error}", common::name(&path)),
        }
    }
    assert!(measured > 0);
}
