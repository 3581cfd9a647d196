//! A small controller against the player, over real connections.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use patience::gdl::{Description, GroundLimits, Network, World, built_in, ground};
use patience::model::Rng;
use patience::plan::Cancel;
use patience_ggp::{Limits, Options, Server};

/// A player on a port of its own, which ends with the test.
struct Running {
    address: SocketAddr,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn new(options: Options) -> Running {
        let server = Server::bind("127.0.0.1:0", options).unwrap();
        let address = server.address().unwrap();
        let cancel = Cancel::new();
        let flag = cancel.clone();
        let thread = std::thread::spawn(move || server.run(&flag).unwrap());
        Running { address, cancel, thread: Some(thread) }
    }

    /// Sends bytes and reads the answer to the end of the stream.
    fn raw(&self, bytes: &[u8]) -> String {
        self.send(bytes, false)
    }

    /// The same, perhaps with an end of what is sent.
    fn send(&self, bytes: &[u8], end: bool) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        // The player may refuse before it has read all.
        let _ = stream.write_all(bytes);
        if end {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    /// Sends a message; gives the status and the answer.
    fn say(&self, message: &str) -> (u16, String) {
        let answer = self.raw(&request(message));
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
        (status(head), body.to_owned())
    }

    fn ok(&self, message: &str) -> String {
        let (status, body) = self.say(message);
        assert_eq!(status, 200, "{message}: {body}");
        body
    }

    fn wrong(&self, message: &str, expected: &str) {
        let (status, body) = self.say(message);
        assert!(status >= 400 && body.starts_with("(error \""), "{message}: {status} {body}");
        assert!(body.contains(expected), "{body}\nshould contain\n{expected}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Quick moves: a margin of more than half the clock leaves half of it.
fn quick() -> Options {
    Options {
        margin: Duration::from_secs(100),
        log: Some(std::env::temp_dir()),
        ..Options::default()
    }
}

/// Moves that depend on no clock: the search ends by itself.
fn counted() -> Options {
    Options {
        planner: "norns(simulations=1000)".to_owned(),
        log: Some(std::env::temp_dir()),
        ..Options::default()
    }
}

/// A folder for the logs of one test.
struct Logs(PathBuf);

impl Logs {
    fn new(name: &str) -> Logs {
        let folder =
            std::env::temp_dir().join(format!("patience-ggp-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Logs(folder)
    }

    /// Waits until the log of a match holds this, however long it takes.
    fn wait(&self, id: &str, expected: &str) {
        let path = self.0.join(format!("match-{id}.log"));
        let begin = Instant::now();
        loop {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if text.contains(expected) {
                return;
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "{text}\nlacks {expected}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn network(name: &str) -> (String, Arc<Network>) {
    let source = built_in(name).unwrap();
    let description = Description::read(source.text()).unwrap();
    let network = ground(&description, &GroundLimits::default()).unwrap();
    (format!("({})", source.text()), Arc::new(network))
}

/// What the controller tells the player of the last joint move.
type Tell = fn(&Network, &<Network as World>::Position, &[u32], usize, u64) -> String;

fn joint_moves(
    world: &Network,
    _: &<Network as World>::Position,
    joint: &[u32],
    _: usize,
    _: u64,
) -> String {
    let moves: Vec<String> =
        joint.iter().enumerate().map(|(r, &m)| world.move_text(r, m)).collect();
    format!("({})", moves.join(" "))
}

fn newer(
    world: &Network,
    position: &<Network as World>::Position,
    joint: &[u32],
    role: usize,
    turn: u64,
) -> String {
    let percepts = world.percept_texts(position, role).join(" ");
    format!("{turn} {} ({percepts} )", world.move_text(role, joint[role])).to_uppercase()
}

fn older(
    world: &Network,
    position: &<Network as World>::Position,
    _: &[u32],
    role: usize,
    _: u64,
) -> String {
    format!("({})", world.percept_texts(position, role).join(" "))
}

/// Plays a match with the player in one role and chance in all others; gives the player's goal.
fn play(player: &Running, game: &str, role: usize, tell: Tell, first: &str, seed: u64) -> u8 {
    play_timed(player, game, role, tell, first, seed).0
}

/// The same, with how many moves were asked for and how long the longest took.
fn play_timed(
    player: &Running,
    game: &str,
    role: usize,
    tell: Tell,
    first: &str,
    seed: u64,
) -> (u8, u32, Duration) {
    let (rules, world) = network(game);
    let names = world.role_names();
    let id = format!("{game}.{seed}");
    assert_eq!(player.ok(&format!("( START {id} {} {rules} 10 1 )", names[role])), "ready");
    let mut rng = Rng::new(seed);
    let mut position = world.position();
    let mut news = first.to_owned();
    let mut turn = 0;
    let (mut moves, mut longest) = (0, Duration::ZERO);
    while !world.terminal(&position) {
        let sent = Instant::now();
        let answer = player.ok(&format!("(PLAY {id} {news})"));
        (moves, longest) = (moves + 1, longest.max(sent.elapsed()));
        let mut legal = Vec::new();
        world.legal(&position, role, &mut legal);
        let own = world.move_named(role, &answer).filter(|number| legal.contains(number));
        let own = own.unwrap_or_else(|| panic!("{answer} is not legal"));
        let joint: Vec<u32> =
            (0..names.len())
                .map(|r| {
                    if r == role { own } else { world.random_move(&position, r, &mut rng).unwrap() }
                })
                .collect();
        world.play(&mut position, &joint);
        turn += 1;
        news = tell(&world, &position, &joint, role, turn);
    }
    assert_eq!(player.ok(&format!("(STOP {id} {news})")), "done");
    (world.goal(&position, role).unwrap(), moves, longest)
}

/// Matches with the shortest clock there is: no move is illegal (`play_timed` looks at that), and none
/// comes after its clock.
#[test]
#[ignore = "minutes: 100 matches against the clock, for a machine that is free"]
fn a_hundred_matches_with_short_clocks() {
    let options = Options {
        margin: Duration::from_millis(400),
        log: Some(std::env::temp_dir()),
        ..Options::default()
    };
    let games: [(&str, Tell, &str); 5] = [
        ("tictactoe", joint_moves, "NIL"),
        ("exploding_bomb", newer, "0 NIL NIL"),
        ("blind_tictactoe", newer, "0 NIL NIL"),
        ("monty_hall", newer, "0 NIL NIL"),
        ("exploding_bomb", older, "NIL"),
    ];
    let player = Running::new(options);
    let (mut moves, mut longest, mut goals) = (0, Duration::ZERO, 0);
    for seed in 0..100 {
        let (game, tell, first) = games[seed as usize % games.len()];
        let names = network(game).1.role_names();
        let roles: Vec<usize> = (0..names.len()).filter(|&r| names[r] != "random").collect();
        let role = roles[seed as usize / games.len() % roles.len()];
        let (goal, asked, took) = play_timed(&player, game, role, tell, first, seed);
        (moves, longest, goals) = (moves + asked, longest.max(took), goals + u32::from(goal));
    }
    println!("100 matches, {moves} moves, the longest took {longest:?}; goals {goals} in all");
    assert!(longest < Duration::from_secs(1), "a move came after its clock: {longest:?}");
}

/// Rules that would be grounded for longer than any test.
fn endless() -> String {
    let numbers: String = (0..50).map(|n| format!("(d {n})")).collect();
    let all: String = "abcefghi".chars().map(|x| format!("(d ?{x}) ")).collect();
    format!(
        "((role x) (init (step 0)) (legal x go) {numbers}
          (<= bad {all} (not (never ?a ?b ?c ?e ?f ?g ?h ?i))) (<= terminal bad) (goal x 50))"
    )
}

/// Matches are started faster than any can be prepared: the player answers questions, all but the last
/// are told that they were given up, and who comes then is served.
#[test]
fn a_flood_of_starts_is_survived() {
    const STARTS: usize = 20;
    let player = Running::new(quick());
    let (sender, answers) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for n in 0..STARTS {
            let (player, sender) = (&player, sender.clone());
            scope.spawn(move || {
                let start = format!("(START flood{n} x {} 6000 6000)", endless());
                sender.send(player.say(&start)).unwrap();
            });
        }
        let given_up = |(status, body): (u16, String)| {
            assert!(status == 400 && body.contains("given up for a new one"), "{status} {body}");
        };
        for _ in 1..STARTS {
            assert_eq!(player.say("(INFO)").0, 200);
            given_up(answers.recv_timeout(Duration::from_secs(120)).expect("it was given up"));
        }
        let (rules, _) = network("tictactoe");
        assert_eq!(player.ok(&format!("(START m x {rules} 600 1)")), "ready");
        given_up(answers.recv_timeout(Duration::from_secs(120)).expect("it was given up"));
        assert!(player.ok("(PLAY m NIL)").starts_with("(place"));
    });
}

/// For all that is seen the game may be over after every turn. Who is asked for a move knows that it is not.
#[test]
fn a_game_that_may_be_over_goes_on_when_a_move_is_asked_for() {
    let player = Running::new(counted());
    let after: String = (0..9).map(|n| format!("(after {} {n})", n + 1)).collect();
    let rules = format!(
        "((role x) (role random) (init (at 0)) {after}
          (<= (legal x (press ?n)) (true (at ?n))) (legal random go) (legal random stop)
          (<= (next (at ?m)) (true (at ?n)) (after ?m ?n)) (<= (next over) (does random stop))
          (<= (sees x (pressed ?n)) (does x (press ?n)))
          (<= terminal (true over)) (<= terminal (true (at 9))) (goal x 50) (goal random 50))"
    );
    assert_eq!(player.ok(&format!("(START m x {rules} 600 600)")), "ready");
    assert_eq!(player.ok("(PLAY m 0 NIL NIL)"), "(press 0)");
    for turn in 1..9 {
        let last = turn - 1;
        let play = format!("(PLAY m {turn} (press {last}) ((pressed {last})))");
        assert_eq!(player.ok(&play), format!("(press {turn})"));
    }
}

/// An error does not repeat all that was sent, nor does the log.
#[test]
fn what_is_long_is_not_sent_back() {
    let player = Running::new(quick());
    let (status, body) = player.say(&format!("(PLAY {} NIL)", "m".repeat(1 << 20)));
    assert_eq!(status, 400);
    assert!(body.len() < 3000 && body.ends_with("…\")"), "{} bytes", body.len());
}

#[test]
fn matches_are_played_in_every_dialect() {
    let player = Running::new(quick());
    assert_eq!(player.ok("( INFO )"), "( ( name patience ) ( status available ) )");
    assert_eq!(play(&player, "tictactoe", 0, joint_moves, "NIL", 1), 100);
    assert_eq!(play(&player, "exploding_bomb", 1, newer, "0 NIL NIL", 2), 90);
    assert_eq!(play(&player, "exploding_bomb", 1, older, "NIL", 3), 90);
    // A controller of GDL-I tells all moves, also of a game with percepts.
    assert_eq!(play(&player, "exploding_bomb", 1, joint_moves, "NIL", 4), 100);
    assert_eq!(player.ok("(INFO)"), "( ( name patience ) ( status available ) )");
    assert_eq!(player.ok("(PREVIEW ((role x)) 10)"), "ready");
}

#[test]
fn nonsense_is_answered_and_the_match_goes_on() {
    let limits = Limits { body: 100_000, ..Limits::default() };
    let player = Running::new(Options { limits, ..quick() });
    player.wrong("(HELLO)", "expected (INFO)");
    player.wrong("((((", "this list is not closed");
    player.wrong(&"(".repeat(50_000), "nested more than");
    player.wrong("(PLAY m NIL)", "no match m has been started");
    player.wrong("(START m x ((role x) 10 10)", "not closed");
    player.wrong("(START m x ((role x) (legal x ?m)) 10 10)", "rules:1:");
    let (rules, _) = network("tictactoe");
    player.wrong(&format!("(START m z {rules} 10 1)"), "there is no role z");
    player.wrong(&format!("(START m x {rules} soon 1)"), "clocks in whole seconds");
    assert_eq!(player.ok(&format!("(START m x {rules} 10 1)")), "ready");
    assert!(player.ok("(INFO)").contains("busy"));
    player.wrong("(PLAY other NIL)", "no match other: playing m");
    let first = player.ok("(PLAY m NIL)");
    assert!(first.starts_with("(place"), "{first}");
    // Before the first move there is nothing to tell, however often it is told.
    assert!(player.ok("(PLAY m NIL)").starts_with("(place"));
    player.wrong("(PLAY m (noop))", "1 moves were told, but there are 2 roles");
    player.wrong("(PLAY m (noop noop))", "noop is not legal for x");
    player.wrong("(PLAY m 7 noop (x))", "turn 7 does not follow");
    // Not even HTTP.
    assert!(player.raw(b"\x00\xff\x00\r\n\r\n").contains("400"));
    assert!(player.raw(b"POST / HTTP/1.0\r\nContent-Length: 9999999999\r\n\r\n").contains("413"));
    assert!(player.raw(b"POST / HTTP/1.0\r\n\r\n").contains("411"));
    assert!(player.raw(b"OPTIONS / HTTP/1.0\r\n\r\n").contains("Access-Control-Allow-Origin"));
    assert!(player.raw(b"GET /%28INFO%29 HTTP/1.0\r\n\r\n").contains("busy"));
    // After all that the match goes on.
    let next = player.ok(&format!("(PLAY m ({first} noop))"));
    assert_eq!(next, "noop");
    assert_eq!(player.ok("(ABORT m)"), "aborted");
    player.wrong("(ABORT m)", "no match m");
    assert!(player.ok("(INFO)").contains("available"));
}

/// A message as most controllers send it.
fn request(message: &str) -> Vec<u8> {
    let head = "POST / HTTP/1.0\r\nContent-Type: text/acl";
    format!("{head}\r\nContent-Length: {}\r\n\r\n{message}", message.len()).into_bytes()
}

/// The status of an answer.
fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("{answer:?} is no answer"))
}

#[test]
fn messages_come_in_many_forms() {
    let player = Running::new(quick());
    let chunked = "Transfer-Encoding: chunked\r\n\r\n4\r\n(INF\r\n2\r\nO)\r\n0\r\n\r\n";
    for request in [
        "POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 6\r\n\r\n(INFO)more",
        "POST / HTTP/1.0\nContent-type: text/acl\nContent-length: 6\n\n(INFO)",
        "POST /  HTTP/1.0\r\nSender the controller\r\nContent-length: 6\r\n\r\n(INFO)",
        &format!("POST / HTTP/1.1\r\n{chunked}"),
        "GET /%28%20INFO+%29 HTTP/1.0\n\n",
    ] {
        for end in [false, true] {
            let answer = player.send(request.as_bytes(), end);
            assert_eq!(status(&answer), 200, "{request:?}, {end}: {answer}");
            assert!(answer.ends_with("( ( name patience ) ( status available ) )"), "{answer}");
            assert!(answer.contains("Content-Type: text/acl"), "{answer}");
        }
    }
}

#[test]
fn requests_without_a_message_are_refused() {
    let limits = Limits { head: 9_000, body: 20, time: Duration::from_secs(600) };
    let player = Running::new(Options { limits, ..quick() });
    let chunk = "3c\r\n".to_owned() + &"(".repeat(60) + "\r\n0\r\n\r\n";
    for (expected, request) in [
        (400, "POST / HTTP/1.1\r\nContent-Length: six\r\n\r\n(INFO)"),
        (405, "DELETE / HTTP/1.1\r\n\r\n"),
        (411, "POST / HTTP/1.1\r\n\r\n(INFO)"),
        (413, "POST / HTTP/1.1\r\nContent-Length: 60\r\n\r\n(INFO)"),
        (413, &format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}")),
        (431, &format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(10_000))),
    ] {
        assert_eq!(status(&player.raw(request.as_bytes())), expected, "{request}");
    }
    // The rest never comes.
    let broken = b"POST / HTTP/1.1\r\nContent-Length: 16\r\n\r\n(INFO)";
    assert_eq!(status(&player.send(broken, true)), 400);
    assert_eq!(player.send(b"", true), "");
    let limits = Limits { time: Duration::from_millis(200), ..limits };
    let player = Running::new(Options { limits, ..quick() });
    assert_eq!(status(&player.raw(broken)), 408);
    assert_eq!(player.raw(b"POST / HTTP/1.1\r\n"), "");
}

#[test]
fn too_many_connections_are_turned_away() {
    let player = Running::new(quick());
    let idle: Vec<TcpStream> =
        (0..32).map(|_| TcpStream::connect(player.address).unwrap()).collect();
    player.wrong("(INFO)", "too many connections");
    drop(idle);
    // They end one by one.
    let begin = Instant::now();
    while player.say("(INFO)").0 != 200 {
        assert!(begin.elapsed() < Duration::from_secs(120), "nobody gets in any more");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_end_of_the_player_ends_a_search() {
    let logs = Logs::new("end");
    let player = Running::new(Options { log: Some(logs.0.clone()), ..Options::default() });
    let (rules, _) = network("blind_tictactoe");
    assert_eq!(player.ok(&format!("(START m x {rules} 600 600)")), "ready");
    std::thread::scope(|scope| {
        let thinking = scope.spawn(|| player.raw(&request("(PLAY m NIL)")));
        logs.wait("m", "turn 0: 9 moves are legal");
        player.cancel.cancel();
        logs.wait("m", "the player ends");
        logs.wait("m", "simulations in");
        // Who waits gets an answer or the end of the connection, and waits no longer.
        let answer = thinking.join().unwrap();
        assert!(answer.is_empty() || answer.contains("the player ends"), "{answer}");
    });
}

#[test]
fn questions_and_aborts_are_answered_while_it_thinks() {
    let player =
        Arc::new(Running::new(Options { log: Some(std::env::temp_dir()), ..Options::default() }));
    // Here a search never comes to its end by itself.
    let (hidden, _) = network("blind_tictactoe");
    let (rules, _) = network("tictactoe");
    assert_eq!(player.ok(&format!("(START m x {hidden} 10 20)")), "ready");
    let begin = Instant::now();
    let thinking = Arc::clone(&player);
    let thread = std::thread::spawn(move || thinking.say("(PLAY m NIL)"));
    std::thread::sleep(Duration::from_millis(300));
    assert!(player.ok("(INFO)").contains("busy"));
    assert_eq!(player.ok("(ABORT m)"), "aborted");
    let (status, body) = thread.join().unwrap();
    assert!(status == 400 && body.contains("aborted"), "{status} {body}");
    assert!(begin.elapsed() < Duration::from_secs(15), "it did not think to the end of its clock");
    // Another match can begin at once.
    assert_eq!(player.ok(&format!("(START n x {rules} 10 1)")), "ready");
    assert!(player.ok("(PLAY n NIL)").starts_with("(place"));
    // A new match takes the place of one that was never stopped.
    assert_eq!(player.ok(&format!("(START o x {rules} 10 1)")), "ready");
    player.wrong("(PLAY n NIL)", "playing o");
}

#[test]
fn stop_ends_a_search() {
    let logs = Logs::new("stop");
    let player = Running::new(Options { log: Some(logs.0.clone()), ..Options::default() });
    // Here a search never comes to its end by itself.
    let (rules, _) = network("blind_tictactoe");
    assert_eq!(player.ok(&format!("(START m x {rules} 600 600)")), "ready");
    std::thread::scope(|scope| {
        let thinking = scope.spawn(|| player.say("(PLAY m NIL)"));
        logs.wait("m", "turn 0: 9 moves are legal");
        assert_eq!(player.ok("(STOP m 1 (try 2 2) (placed))"), "done");
        let (status, body) = thinking.join().unwrap();
        assert!(status == 400 && body.contains("the match was stopped"), "{status} {body}");
    });
    // The search has ended, and the last news came after it.
    logs.wait("m", "stopped after 1 moves");
    assert!(player.ok("(INFO)").contains("available"));
}

#[test]
fn a_match_that_is_refused_costs_nothing() {
    let logs = Logs::new("refused");
    let player = Running::new(Options { log: Some(logs.0.clone()), ..counted() });
    let (rules, _) = network("tictactoe");
    assert_eq!(player.ok(&format!("(START m1 x {rules} 600 600)")), "ready");
    player.wrong(&format!("(START m1b zz {rules} 600 600)"), "there is no role zz");
    logs.wait("m1b", "refused: there is no role zz");
    player.wrong("(START m1c x ((role x) (legal x ?m)) 600 600)", "rules:1:");
    logs.wait("m1c", "refused: rules:1:");
    player.wrong("(PLAY m1b NIL)", "no match m1b: playing m1");
    assert!(player.ok("(INFO)").contains("busy"));
    assert!(player.ok("(PLAY m1 NIL)").starts_with("(place"));
    // A planner that does not exist is refused too, and logged.
    let planner = "nothing".to_owned();
    let player = Running::new(Options { log: Some(logs.0.clone()), planner, ..counted() });
    player.wrong(&format!("(START m2 x {rules} 600 600)"), "nothing");
    logs.wait("m2", "refused: ");
    assert!(player.ok("(INFO)").contains("available"));
}

#[test]
fn what_cannot_have_happened_is_refused_and_the_match_goes_on() {
    let logs = Logs::new("impossible");
    let player = Running::new(Options { log: Some(logs.0.clone()), ..counted() });
    let (rules, _) = network("monty_hall");
    assert_eq!(player.ok(&format!("(START mh candidate {rules} 600 600)")), "ready");
    let choice = player.ok("(PLAY mh 0 NIL NIL)");
    let door = choice.strip_prefix("(choose ").and_then(|rest| rest.strip_suffix(')')).unwrap();
    let other = if door == "1" { "2" } else { "1" };
    // A move that was not legal.
    player.wrong("(PLAY mh 1 switch ())", "switch was not legal in turn 0");
    logs.wait("mh", "wrong: switch was not legal in turn 0");
    // What is seen only later.
    player.wrong(
        &format!("(PLAY mh 1 {choice} ((opened {other})))"),
        &format!("((opened {other})) cannot be seen after {choice} in turn 0"),
    );
    logs.wait("mh", &format!("wrong: ((opened {other})) cannot be seen"));
    assert_eq!(player.ok(&format!("(PLAY mh 1 {choice} ())")), "noop");
    // The host never opens the chosen door, nor none.
    player.wrong(&format!("(PLAY mh 2 noop ((opened {door})))"), "cannot be seen after noop");
    player.wrong("(PLAY mh 2 noop ())", "() cannot be seen after noop in turn 1");
    assert_eq!(player.ok(&format!("(PLAY mh 2 noop ((opened {other})))")), "switch");
    assert_eq!(player.ok("(STOP mh 3 switch ((opened 1)))"), "done");
    logs.wait("mh", "stopped; wrong: ((opened 1)) cannot be seen after switch in turn 2");
    // So it is where the last move is not told.
    assert_eq!(player.ok(&format!("(START old candidate {rules} 600 600)")), "ready");
    let choice = player.ok("(PLAY old NIL)");
    player.wrong("(PLAY old ((opened 3)))", "((opened 3)) cannot be seen after");
    assert_eq!(player.ok("(PLAY old ())"), "noop");
    let closed = if choice == "(choose 1)" { "2" } else { "1" };
    assert_eq!(player.ok(&format!("(PLAY old ((opened {closed})))")), "switch");
    assert_eq!(player.ok("(STOP old ())"), "done");
    logs.wait("old", "stopped after 3 moves");
}

#[test]
fn a_game_in_which_all_is_seen_follows_the_newer_form() {
    let player = Running::new(counted());
    let (rules, _) = network("tictactoe");
    assert_eq!(player.ok(&format!("(START ttt x {rules} 600 600)")), "ready");
    let first = player.ok("(PLAY ttt 0 NIL NIL)");
    player.wrong(&format!("(PLAY ttt 1 {first} ())"), "expected the moves of all roles");
    assert_eq!(player.ok(&format!("(PLAY ttt 1 {first} ({first} noop))")), "noop");
    // A single role has made all moves itself.
    let rules = "((role r) (init (at 0)) (<= (legal r go) (true (at 0))) \
                 (<= (legal r jump) (true (at 1))) (<= (next (at 1)) (does r go)) \
                 (<= (next (at 2)) (does r jump)) (<= terminal (true (at 2))) (goal r 100))";
    assert_eq!(player.ok(&format!("(START one r {rules} 600 600)")), "ready");
    assert_eq!(player.ok("(PLAY one 0 NIL NIL)"), "go");
    player.wrong("(PLAY one 1 jump ())", "jump is not legal for r");
    assert_eq!(player.ok("(PLAY one 1 go ())"), "jump");
}
