//! `patience ggp`: the player as a process.

use crate::support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use support::Bench;

#[test]
fn wrong_usage_is_said_before_the_first_match() {
    let bench = Bench::new();
    bench.fails(&["ggp", "--planner", "nornz"], 2, &["did you mean `norns`?"]);
    bench.fails(&["ggp", "--name", "two words"], 2, &["--name takes letters"]);
    bench.fails(&["ggp", "--host", "nowhere.invalid", "--port", "0"], 2, &["nowhere.invalid:0: "]);
    assert_eq!(bench.run(&["ggp", "--margin", "-1"]).code, 2);
}

#[cfg(unix)]
#[test]
fn it_listens_answers_and_ends() {
    let bench = Bench::new();
    let mut child = bench.command(&["ggp", "--port", "0"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("patience listens at ").expect(&line).to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("( ( name patience ) ( status available ) )"), "{answer}");
    let port = address.rsplit(':').next().unwrap();
    bench.fails(&["ggp", "--port", port], 2, &["in use"]);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
}
