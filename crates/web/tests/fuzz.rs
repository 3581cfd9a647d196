//! Bad input for the page's API: whatever is sent, an answer comes, and it is never that we failed.

use crate::client;

#[path = "../../../fuzz/mutate.rs"]
mod mutate;

use client::Served;
use patience::model::Rng;
use serde_json::{Value, json};

/// A server whose searches are short.
fn served() -> Served {
    Served::start_with(|limits| {
        limits.hint_seconds = 0.02;
        limits.solve_seconds = 0.02;
        limits.trace_iterations = 5;
        limits.hint_memory = 8 << 20;
        limits.solve_memory = 8 << 20;
    })
}

/// The first line is what is asked for, the rest what is sent.
fn ask(server: &Served, input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let (path, body) = text.split_once('\n').unwrap_or((&text, ""));
    // What cannot stand in a request's line is not for the API to judge.
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        byte if b"-._~/?&=%+:,;@!$'()*".contains(&byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    let path: String = path.bytes().take(2000).map(escaped).collect();
    let method = if body.is_empty() { "GET" } else { "POST" };
    let answer = server.request(method, &format!("/{path}"), Some("localhost"), body);
    let status = answer.status;
    assert!(status != 0, "/{path}: the connection was dropped");
    assert!(status < 500 || status == 503, "/{path}: {status} {}", answer.body);
    let failed = answer.body.find("event: failed").map_or("", |at| &answer.body[at..]);
    let error = serde_json::from_str::<Value>(&answer.body)
        .ok()
        .and_then(|said| Some(said.get("error")?.as_str()?.to_owned()))
        .unwrap_or_else(|| failed.to_owned());
    assert!(status < 400 || !error.is_empty(), "/{path}: {status} without a reason");
    format!("{status} {error}")
}

fn seeds() -> Vec<Vec<u8>> {
    let mut all: Vec<String> =
        ["games?brief=true", "planners", "rules", "lab", "lab/report?name=x"]
            .map(|path| format!("api/{path}"))
            .to_vec();
    let games = ["klondike", "freecell", "samegame", "golf", "black-hole", "2048", "tic-tac-toe"];
    for game in games {
        let setup = json!({ "game": game, "deal": "seed:2" });
        for path in ["table", "hint", "tree", "trace", "prove", "solve", "review"] {
            let question = json!({ "setup": setup, "moves": [], "iterations": 3, "seconds": 0.02 });
            all.push(format!("api/{path}\n{question}"));
        }
        all.push(format!("api/deal\n{}", json!({ "game": game, "seed": 1 })));
    }
    let rules =
        "(role x) (init a) (<= (legal x go) (true a)) (<= terminal (not (true a))) (goal x 1)";
    all.push(format!("api/rules\n{}", json!({ "text": rules })));
    let setup = json!({ "game": "gdl", "rules": rules });
    all.push(format!("api/hint\n{}", json!({ "setup": setup, "iterations": 3 })));
    all.into_iter().map(String::into_bytes).collect()
}

#[test]
fn the_api_bears_changed_requests() {
    let server = served();
    mutate::shortly("api", seeds(), 300, |input| ask(&server, input));
}

#[test]
#[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
fn the_api_bears_changed_requests_for_long() {
    let server = served();
    mutate::for_long("api", seeds(), |input| ask(&server, input));
}
