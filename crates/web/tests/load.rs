//! Twenty people at once: a bounded load test on loopback. It measures times, so it is for a machine
//! that is free:
//!
//! ```sh
//! cargo test --release -p patience-web --test all load -- --ignored --nocapture
//! ```

use crate::client;

use std::time::{Duration, Instant};

use client::Served;
use patience::model::Rng;
use serde_json::{Value, json};

const PEOPLE: u64 = 20;
const LENGTH: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Seen {
    /// Seconds of requests that are no searches.
    plain: Vec<f64>,
    /// Seconds to the first estimate of a hint.
    first: Vec<f64>,
    /// Updates per second of hints.
    rate: Vec<f64>,
    busy: u32,
}

fn setup(person: u64) -> Value {
    match person % 3 {
        0 => json!({ "game": "klondike", "deal": format!("seed:{person}") }),
        1 => json!({ "game": "freecell", "deal": (person + 1).to_string() }),
        _ => json!({ "game": "samegame", "deal": person.to_string() }),
    }
}

/// A person plays a few moves, thinks with a hint, and plays on.
fn person(server: &Served, number: u64) -> Seen {
    let mut seen = Seen::default();
    let mut rng = Rng::new(number);
    let begin = Instant::now();
    let mut moves: Vec<Value> = Vec::new();
    while begin.elapsed() < LENGTH {
        for _ in 0..6 {
            let sent = Instant::now();
            let answer =
                server.post("/api/table", &json!({ "setup": setup(number), "moves": moves }));
            seen.plain.push(sent.elapsed().as_secs_f64());
            assert_eq!(answer.status, 200, "{}", answer.body);
            let legal = answer.json()["legal"].as_array().unwrap().clone();
            if legal.is_empty() || moves.len() > 150 {
                moves.clear();
            } else {
                moves.push(legal[rng.index(legal.len())]["name"].clone());
            }
            let sent = Instant::now();
            assert_eq!(server.get("/cardtable.js").status, 200);
            seen.plain.push(sent.elapsed().as_secs_f64());
            std::thread::sleep(Duration::from_millis(100));
        }
        let question = json!({ "setup": setup(number), "moves": moves, "seconds": 2 });
        let events = server.timed_events("/api/hint", &question, Duration::from_secs(30));
        match (events.first(), events.last()) {
            (Some((first, ..)), Some((last, ..))) if events.len() > 2 => {
                seen.first.push(*first);
                seen.rate.push((events.len() - 1) as f64 / (last - first));
            }
            _ => seen.busy += 1,
        }
    }
    seen
}

fn quantile(list: &mut [f64], q: f64) -> f64 {
    list.sort_by(f64::total_cmp);
    list[((list.len() as f64 * q).ceil() as usize).clamp(1, list.len()) - 1]
}

fn memory(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.trim_start_matches(':').trim().split(' ').next()?.parse().ok())
        .unwrap_or(0)
        / 1024
}

#[test]
#[ignore = "measures times for half a minute; for a machine that is free"]
fn one_person_alone_and_twenty_at_once() {
    let server = Served::start();
    let alone = server.timed_events(
        "/api/hint",
        &json!({ "setup": setup(0), "seconds": 3 }),
        Duration::from_secs(20),
    );
    let (first, last) = (alone[0].0, alone[alone.len() - 1].0);
    let rate = (alone.len() - 1) as f64 / (last - first);
    println!("alone: first estimate after {:.0} ms, {rate:.1} updates/s", 1000.0 * first);
    let before = memory("VmRSS");
    let mut all = Seen::default();
    std::thread::scope(|scope| {
        let people: Vec<_> = (0..PEOPLE)
            .map(|number| {
                let server = &server;
                scope.spawn(move || person(server, number))
            })
            .collect();
        for one in people {
            let seen = one.join().unwrap();
            all.plain.extend(seen.plain);
            all.first.extend(seen.first);
            all.rate.extend(seen.rate);
            all.busy += seen.busy;
        }
    });
    let p99 = quantile(&mut all.plain, 0.99);
    println!(
        "{PEOPLE} people, {} requests: median {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        all.plain.len(),
        1000.0 * quantile(&mut all.plain, 0.5),
        1000.0 * p99,
        1000.0 * quantile(&mut all.plain, 1.0)
    );
    println!(
        "{} hints: first estimate median {:.0} ms, p99 {:.0} ms; updates median {:.1}/s, least {:.1}/s",
        all.first.len(),
        1000.0 * quantile(&mut all.first, 0.5),
        1000.0 * quantile(&mut all.first, 0.99),
        quantile(&mut all.rate, 0.5),
        quantile(&mut all.rate, 0.0)
    );
    println!("memory: {before} MB before, {} MB at the peak", memory("VmHWM"));
    assert!(first < 0.15 && rate >= 5.0, "a hint alone");
    assert!(p99 < 0.2, "99 of 100 requests within 200 ms");
    assert!(memory("VmHWM") < 3000, "memory is bounded");
}
