//! Bounded attacks on loopback: clients that are slow, say nothing, come in numbers or send too much.
//! Whoever behaves is served meanwhile or soon after, and memory stays bounded.

use crate::client;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use client::Served;
use serde_json::json;

/// A connection that waits for nothing for long.
fn connect(server: &Served) -> TcpStream {
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    stream
}

/// Whether the other end has closed.
fn is_closed(stream: &mut TcpStream) -> bool {
    match stream.read(&mut [0; 64]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => !matches!(
            error.kind(),
            std::io::ErrorKind::WouldBlock
                | std::io::ErrorKind::TimedOut
                | std::io::ErrorKind::Interrupted
        ),
    }
}

/// A server for eight, where nothing may take long.
fn small() -> Served {
    Served::start_with(|limits| {
        limits.connections = 8;
        limits.idle = Duration::from_millis(300);
        limits.request = Duration::from_millis(500);
    })
}

/// Each holds a connection by a byte now and then, and none of them for ever: with eight of them at any
/// time somebody else gets in.
#[test]
fn slow_clients_do_not_keep_others_out() {
    let server = small();
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (server, end) = (&server, &end);
            scope.spawn(move || {
                while !end.load(Ordering::Relaxed) {
                    let mut stream = connect(server);
                    let request = match n % 2 {
                        0 => "GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ".to_owned(),
                        _ => "POST /api/table HTTP/1.1\r\nhost: localhost\r\ncontent-length: \
                              100000\r\ncontent-type: application/json\r\n\r\n{"
                            .to_owned(),
                    };
                    let _ = stream.write_all(request.as_bytes());
                    while !end.load(Ordering::Relaxed)
                        && stream.write_all(b"x").is_ok()
                        && !is_closed(&mut stream)
                    {
                        std::thread::sleep(Duration::from_millis(30));
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_millis(300));
        for _ in 0..5 {
            // A read waits for a minute: who is never served fails here.
            assert_eq!(server.get("/icon.svg").status, 200);
        }
        end.store(true, Ordering::Relaxed);
    });
}

/// Connections on which nothing comes, or half of something and then nothing.
#[test]
fn half_open_connections_end() {
    let server = small();
    let mut all: Vec<TcpStream> = Vec::new();
    for n in 0..24 {
        let mut stream = connect(&server);
        let part: &[u8] = match n % 3 {
            0 => b"",
            1 => b"GET / HT",
            _ => b"POST /api/hint HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{",
        };
        let _ = stream.write_all(part);
        all.push(stream);
    }
    assert_eq!(server.get("/icon.svg").status, 200);
    let begin = Instant::now();
    while !all.iter_mut().all(is_closed) {
        assert!(begin.elapsed() < Duration::from_secs(120), "they stay open");
    }
}

/// Rules of one long line with a fault in every word: as many as anybody reads are told, without the line.
#[test]
fn an_answer_is_not_longer_than_anybody_reads() {
    let server = Served::start();
    let answer = server.post("/api/rules", &json!({ "text": "(role x) ".repeat(20_000) }));
    assert_eq!(answer.status, 200);
    assert!(answer.body.len() < 200_000, "{} bytes", answer.body.len());
    assert_eq!(answer.json()["findings"].as_array().unwrap().len(), 100);
}

/// Many people ask for all that there is, at once and for long games: each is answered, by what was asked
/// for, by what is wrong, or by the word that it is too much now.
#[test]
fn a_flood_is_answered() {
    let server = Served::start_with(|limits| {
        limits.connections = 8;
        limits.searches = 2;
        limits.hint_seconds = 0.1;
        limits.solve_seconds = 0.1;
    });
    let long = json!({
        "setup": { "game": "klondike", "deal": "seed:7" },
        "moves": vec!["turn"; 30_000],
    });
    let open = json!({ "setup": { "game": "klondike", "deal": "seed:7" } });
    let rules = json!({ "text": "(role x) ".repeat(1_000) });
    let names = std::sync::Mutex::new(std::collections::BTreeMap::new());
    std::thread::scope(|scope| {
        for person in 0..16 {
            let (server, names, long, open, rules) = (&server, &names, &long, &open, &rules);
            scope.spawn(move || {
                for turn in 0..6 {
                    let answer = match (person + turn) % 6 {
                        0 => server.post("/api/table", long),
                        1 => server.post("/api/hint", open),
                        2 => server.post("/api/rules", rules),
                        3 => server.post("/api/tree", long),
                        4 => server.post("/api/review", open),
                        _ => server.get("/api/lab"),
                    };
                    *names.lock().unwrap().entry(answer.status).or_insert(0) += 1;
                }
            });
        }
    });
    let seen = names.into_inner().unwrap();
    assert_eq!(seen.values().sum::<u32>(), 96);
    assert!(seen.keys().all(|status| [200, 422, 503].contains(status)), "{seen:?}");
    assert!(seen[&200] > 16, "{seen:?}");
    assert_eq!(server.get("/icon.svg").status, 200);
}
