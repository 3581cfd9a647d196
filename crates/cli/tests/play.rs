//! `patience play` and `patience serve` as processes.

use crate::support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::Value;
use support::Bench;

#[test]
fn without_a_terminal_play_says_what_to_do_instead() {
    let bench = Bench::new();
    bench.fails(&["play", "klondike"], 2, &["needs a terminal", "--watch"]);
}

#[test]
fn a_planners_game_is_printed_as_text_or_json() {
    let bench = Bench::new();
    let text = bench.ok(&["play", "tic-tac-toe", "--watch", "--time", "0.02"]);
    assert!(text.contains("\n1. ") && text.contains("over after 9 moves"), "{text}");
    let lines = bench.ok(&[
        "play",
        "samegame(width=4, height=4, colours=2)",
        "--watch",
        "--time",
        "0.05",
        "--json",
    ]);
    let last: Vec<&str> = lines.lines().filter(|line| line.contains("\"standing\"")).collect();
    assert!(last.len() > 1 && !last[last.len() - 1].contains("open"), "{lines}");
    // A game described in GDL is a game like any other.
    let text = bench.ok(&["play", "gdl(file=monty_hall)", "--watch", "--time", "0.05"]);
    assert!(text.contains("over after"), "{text}");
}

#[test]
fn a_game_with_parameters_is_watched_like_any_other() {
    let bench = Bench::new();
    let game = "samegame(width=1e1, height=1e1)";
    let watch = ["play", game, "--deal", "1", "--watch", "--time", "0.05"];
    let text = bench.ok(&watch);
    let position = bench.json(&["hint", game, "--deal", "1", "--iterations", "50", "--json"]);
    let position = position["position"].as_str().unwrap();
    assert!(text.starts_with(position.trim_end()), "{text}\nshould begin with\n{position}");
    assert!(text.contains("over after ") || text.contains("won after "), "{text}");
    // What was played is legal by the plain rules, and comes to the score that was told.
    let lines = bench.ok(&[&watch[..], &["--json"]].concat());
    let played: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moves: Vec<&str> = played
        .iter()
        .flat_map(|turn| turn["moves"].as_array().unwrap())
        .map(|name| name.as_str().unwrap())
        .collect();
    let said = bench.json(&["verify", game, "1", &moves.join(" "), "--json"]);
    assert_eq!((&said["over"], &said["value"]), (&true.into(), &played[played.len() - 1]["score"]));
}

/// No card can be moved.
const STUCK: &str = "Foundations: C-5 D-5 H-5 S-5\nTalon:\nKS QH JS TD 9C\n<6C> KD\n<6D> <6H> KH\n<6S> <7D> <7H> 8S\n\
    <8D> <8H> <9D> <9H> 8C\n<9S> <TC> <TH> <TS> <JC> 7S\n\
    <JD> <JH> <QC> <QD> <QS> <KC> 7C\n";

#[test]
fn a_game_that_is_watched_says_that_it_is_lost() {
    let bench = Bench::new();
    bench.write("stuck.txt", STUCK);
    let text = bench.ok(&["play", "klondike", "--position", "stuck.txt", "--watch"]);
    assert!(text.ends_with("\nlost after 0 moves, score 20. No move is left.\n"), "{text}");
    // Nobody can win this deal, but while the stock can be turned there are moves.
    let watch = ["play", "klondike", "--deal", "seed:6", "--watch", "--time", "0.02"];
    let text = bench.ok(&watch);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("lost after ") || last.starts_with("not won after "), "{last}");
}

#[test]
fn wrong_input_is_told_with_its_place() {
    let bench = Bench::new();
    let watch = |args: &[&'static str]| [&["play"], args, &["--watch"]].concat();
    bench.fails(&watch(&["klondyke"]), 2, &["klondike"]);
    bench.fails(
        &watch(&["freecell", "--deal", "zero"]),
        3,
        &["zero: no such file", "not a deal such as 7"],
    );
    bench.fails(&watch(&["klondike", "--planner", "nonsense"]), 2, &["nonsense"]);
    bench.fails(&watch(&["klondike", "--planner", "distance"]), 2, &["no planner distance"]);
    bench.fails(&watch(&["klondike", "--time", "0"]), 2, &["--time"]);
    bench.fails(&["play", "--load", "missing.json", "--watch"], 3, &["missing.json: cannot read"]);
    bench.write("bad.txt", "01\n1");
    bench.fails(&watch(&["samegame", "--position", "bad.txt"]), 3, &["bad.txt: line 2, column 2"]);
    bench.write("bad.json", "{\"setup\": {\"game\": \"freecell\"}, \"moves\": [7]}");
    bench.fails(
        &["play", "--load", "bad.json", "--watch"],
        3,
        &["bad.json: not a saved game", "line 1"],
    );
    bench.write(
        "wrong.json",
        "{\"setup\": {\"game\": \"freecell\", \"deal\": \"1\"}, \"moves\": [\"11\"]}",
    );
    bench.fails(&["play", "--load", "wrong.json", "--watch"], 3, &["wrong.json: move 1 (`11`)"]);
}

#[test]
fn the_server_says_where_it_is_answers_and_ends_at_an_interrupt() {
    let bench = Bench::new();
    let mut command = bench.command(&["serve", "--port", "0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("<title>Patience</title>"),
        "{answer}"
    );
    // Somebody else's port is told.
    let port = address.rsplit(':').next().unwrap().to_owned();
    bench.fails(&["serve", "--port", &port], 2, &["cannot listen on 127.0.0.1", &port]);
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut notes = String::new();
    child.stderr.take().unwrap().read_to_string(&mut notes).unwrap();
    assert!(notes.contains("only this machine can open it"), "{notes}");
    // A store that is none is told before anybody visits.
    bench.fails(&["serve", "--port", "0", "--store", "missing.db"], 3, &["missing.db"]);
}

#[test]
fn a_saved_game_or_a_link_is_reviewed() {
    let bench = Bench::new();
    bench.write("game.json", r#"{"setup":{"game":"tic-tac-toe"},"moves":["a1","b2","a3"]}"#);
    let review = bench.json(&["review", "game.json", "--iterations", "300", "--json"]);
    assert_eq!(review["points"].as_array().unwrap().len(), 4);
    assert_eq!((&review["measure"], &review["done"]), (&"value".into(), &true.into()));
    assert_eq!(review["points"][0]["played"], "x at a1");
    let link = "http://127.0.0.1:8080/#/other?game=tic-tac-toe&moves=a1+b2+a3";
    let same = bench.json(&["review", link, "--iterations", "300", "--json"]);
    assert_eq!(same, review);
    let text = bench.ok(&["review", link, "--iterations", "300"]);
    assert!(text.contains("x at a1") && text.contains("judged by uct"), "{text}");
    bench.fails(&["review", "#/other?deal=7"], 3, &["names no game"]);
    bench.fails(&["review", "#/other?game=tic-tac-toe&moves=zz"], 3, &["move 1 (`zz`)"]);
    bench.write("bad.json", "{}");
    bench.fails(&["review", "bad.json"], 3, &["bad.json", "not a saved game"]);
}
