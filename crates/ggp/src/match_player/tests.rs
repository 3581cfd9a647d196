//! Matches whose rules take too long.

use std::sync::mpsc;

use super::*;

/// Rules of which one takes 50⁸ steps once this holds.
fn wide(once: &str) -> String {
    let numbers: String = (0..50).map(|n| format!("(d {n})")).collect();
    let all: String = "abcefghi".chars().map(|x| format!("(d ?{x}) ")).collect();
    format!(
        "((role x) (init (step 0)) (legal x go) (legal x wait) {numbers}
          (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))
          (<= bad {once} {all} (not (never ?a ?b ?c ?e ?f ?g ?h ?i)))
          (<= terminal bad) (<= terminal (true (step 2))) (goal x 50))"
    )
}

struct Started {
    cancel: Cancel,
    ready: Receiver<Result<(), String>>,
    commands: Option<Sender<Command>>,
    ended: Receiver<()>,
}

/// Longer than any of this takes on a busy machine, and shorter than 50⁸ steps.
const LONG: Duration = Duration::from_secs(120);

fn start(rules: String) -> Started {
    let cancel = Cancel::new();
    let setup = Setup {
        role: "x".to_owned(),
        rules,
        planner: "norns".to_owned(),
        memory: 1 << 20,
        seed: 0,
        ground: Duration::from_millis(50),
        cancel: cancel.clone(),
        why: Arc::default(),
        log: Arc::new(Log::new(Some(&std::env::temp_dir()), "wide")),
        answered: Arc::default(),
        preparing: Arc::default(),
    };
    let ((commands, orders), (says, ready), (ends, ended)) =
        (mpsc::channel(), mpsc::channel(), mpsc::channel());
    std::thread::spawn(move || {
        play_match(&setup, &says, &orders);
        let _ = ends.send(());
    });
    Started { cancel, ready, commands: Some(commands), ended }
}

/// The thread of a match does not outlive it, whatever it was doing.
#[test]
fn a_match_ends_in_the_middle_of_a_derivation() {
    let started = start(wide(""));
    std::thread::sleep(Duration::from_millis(200));
    started.cancel.cancel();
    assert_eq!(started.ended.recv_timeout(LONG), Ok(()));
}

/// A legal move is known, and is sent; what follows is not, and that is said within the clock.
#[test]
fn the_clock_ends_a_derivation() {
    let mut started = start(wide("(true (step 1))"));
    assert_eq!(started.ready.recv_timeout(LONG), Ok(Ok(())));
    let commands = started.commands.take().unwrap();
    let (answers, answer) = mpsc::channel();
    for (news, turn) in [(News::Nothing, 0), (News::Terms(vec!["go".to_owned()]), 1)] {
        let until = Instant::now() + Duration::from_millis(300);
        let answers = answers.clone();
        commands.send(Command::Play { news, until, answers }).unwrap();
        match (turn, answer.recv_timeout(LONG).expect("there is an answer")) {
            (0, Answer::Legal(_)) => {
                let best = answer.recv_timeout(LONG).expect("there is a move");
                assert!(matches!(best, Answer::Best(_)));
            }
            (1, Answer::Wrong(message)) => {
                let expected = "no legal move is known yet: stopped (at the rules of `bad`)";
                assert_eq!(message, expected);
            }
            _ => panic!("another answer in turn {turn}"),
        }
    }
    drop(commands);
    assert_eq!(started.ended.recv_timeout(LONG), Ok(()));
}
