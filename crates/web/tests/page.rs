//! What the page needs to know of games: the server tells it, and the page names none.

use crate::client;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use client::Served;
use serde_json::{Value, json};

fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    assert!(found.len() > 5);
    found
}

#[test]
fn the_page_names_no_game() {
    // `gdl` is a language before it is a game.
    let games = patience::registry().games().filter(|info| info.name != "gdl");
    let names: Vec<String> =
        games.flat_map(|info| [info.name, info.title]).map(str::to_lowercase).collect();
    assert!(names.len() > 10);
    for (file, text) in [files("page"), files("src")].concat() {
        let text = text.to_lowercase();
        for name in &names {
            // A short name is a word of its own in HTML or German: there only a string tells.
            let told = match name.len() {
                ..=3 => ['\'', '"', '`'].iter().any(|q| text.contains(&format!("{q}{name}{q}"))),
                _ => text.contains(name.as_str()),
            };
            assert!(!told, "{file} names {name}");
        }
    }
}

/// The page has the words of all games; each game has its own, in every language of the page.
#[test]
fn words_of_games_are_the_games_own() {
    let server = Served::start();
    let page = files("page");
    let languages: Vec<&str> = page
        .iter()
        .filter_map(|(file, _)| file.strip_prefix("words-")?.strip_suffix(".js"))
        .collect();
    assert!(!languages.is_empty());
    for language in languages {
        let told = server.get(&format!("/api/words?language={language}")).json();
        let told: Vec<(String, String)> = serde_json::from_value(told).unwrap();
        let mut phrases = 0;
        // What is described brings its words itself.
        for info in patience::registry().games().filter(|info| info.name != "gdl") {
            let own = info.words.iter().filter(|words| words.language == language);
            let forms: Vec<(&str, &str)> = own.flat_map(|words| words.forms.to_vec()).collect();
            assert!(!forms.is_empty(), "{} says nothing in {language}", info.name);
            for (english, other) in forms {
                let pair = (english.to_owned(), other.to_owned());
                assert!(told.contains(&pair), "{pair:?} of {}", info.name);
                for part in other.split('{').skip(1) {
                    let part = part.split('}').next().unwrap();
                    assert!(english.contains(&format!("{{{part}}}")), "{pair:?} of {}", info.name);
                }
                // A single word may be one of the page's own: a phrase is not.
                for text in [english, other].into_iter().filter(|text| text.contains(' ')) {
                    phrases += 1;
                    let quoted = ['\'', '"', '`'].map(|q| format!("{q}{text}{q}"));
                    for (file, code) in &page {
                        let has = quoted.iter().any(|text| code.contains(text.as_str()));
                        assert!(!has, "{file} has {text:?} of {}", info.name);
                    }
                }
            }
        }
        assert!(phrases > 100, "{phrases}");
        let english: BTreeSet<&String> = told.iter().map(|(english, _)| english).collect();
        assert_eq!(english.len(), told.len(), "a phrase is said in two ways: {told:?}");
    }
    // English is what the games speak anyway.
    assert_eq!(server.get("/api/words?language=en").json(), json!([]));
    assert_eq!(server.get("/api/words").status, 400);
}

#[test]
fn a_file_that_the_browser_has_is_not_sent_again() {
    let server = Served::start();
    let ask = |headers: &str| {
        let request = format!("GET /dom.js HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        server.raw(&request)
    };
    let first = ask("Connection: close\r\n");
    let tag = first.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").to_owned();
    let again = ask(&format!("Connection: close\r\nIf-None-Match: \"x\", {tag}\r\n"));
    assert!(again.starts_with("HTTP/1.1 304"), "{again}");
    let other = ask("Connection: close\r\nIf-None-Match: \"x\"\r\n");
    assert!(other.starts_with("HTTP/1.1 200"), "{}", &other[..60]);
}

#[test]
fn every_file_of_the_page_is_served_as_it_is() {
    let server = Served::start();
    for (file, text) in files("page") {
        let answer = server.get(&format!("/{file}"));
        // The page itself has the style of its frame in it.
        let as_it_is = answer.body == text || file == "index.html";
        assert_eq!((answer.status, as_it_is), (200, true), "{file}");
    }
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// The name in a string such as `uct(c=1)`.
fn name(call: &str) -> &str {
    call.split('(').next().unwrap()
}

#[test]
fn the_page_is_told_all_that_it_needs_of_every_game() {
    let server = Served::start();
    let answer = server.get("/api/games").json();
    let games = answer["games"].as_array().unwrap();
    assert!(games.len() > 5);
    let mut pages: Vec<u64> = games.iter().filter_map(|game| game["page"].as_u64()).collect();
    pages.sort_unstable();
    let places: Vec<u64> = (1..=pages.len() as u64).collect();
    assert!(!pages.is_empty() && pages == places, "every page has a place of its own: {pages:?}");
    for game in games {
        let text = |key: &str| game[key].as_str().unwrap_or_else(|| panic!("{key} of {game}"));
        for key in ["name", "title", "summary", "planner", "positions", "score"] {
            assert!(!text(key).is_empty(), "{key} of {game}");
        }
        assert!(strings(&game["planners"]).contains(&name(text("planner"))), "{game}");
        let deals = &game["deals"];
        let numbers = deals["numbers"].as_u64().is_some_and(|last| last > 0);
        assert!(numbers || ["seeds", "ranks"].contains(&deals.as_str().unwrap_or("")), "{deals}");
        let mut kinds = strings_of_variants(game);
        if kinds.is_empty() {
            kinds.push(text("name").to_owned());
        }
        for kind in kinds {
            assert_eq!(name(&kind), text("name"));
            playable(&server, &kind);
        }
    }
}

fn strings_of_variants(game: &Value) -> Vec<String> {
    let pairs = game["variants"].as_array().unwrap().iter().map(strings);
    let named = |pair: Vec<&str>| {
        assert!(pair.len() == 2 && !pair[1].is_empty(), "{pair:?}");
        pair[0].to_owned()
    };
    pairs.map(named).collect()
}

/// A deal is drawn, shown and thought about, and what is said of it is what the page reads.
fn playable(server: &Served, game: &str) {
    let drawn = server.post("/api/deal", &json!({ "game": game, "seed": 3 }));
    assert_eq!(drawn.status, 200, "{game}: {}", drawn.body);
    let setup = drawn.json()["setup"].clone();
    let view = server.post("/api/table", &json!({ "setup": setup })).json();
    let text = |key: &str| view[key].as_str().unwrap_or_else(|| panic!("{key} of {view}"));
    assert_eq!((text("game"), text("standing")), (game, "open"));
    assert!(!text("title").is_empty() && !text("scored").is_empty(), "{view}");
    assert!(strings(&view["planners"]).contains(&name(text("planner"))), "{view}");
    assert!(["win_probability", "steps_to_go", "score", "value"].contains(&text("measure")));
    assert!(["win", "length", "score"].contains(&text("objective")));
    assert!(view["solvers"]["prove"].is_boolean() && view["solvers"]["solve"].is_boolean());
    let legal = view["legal"].as_array().unwrap();
    assert!(!legal.is_empty() && legal.iter().all(|m| m["label"].is_string()), "{view}");
    match text_of(&view["scene"]["kind"]) {
        "cards" => {
            let piles = view["scene"]["piles"].as_array().unwrap();
            let kinds = ["stock", "waste", "foundation", "cell", "column"];
            assert!(piles.iter().all(|pile| kinds.contains(&text_of(&pile["kind"]))), "{view}");
            let ids: Vec<&str> = piles.iter().map(|pile| text_of(&pile["id"])).collect();
            for m in legal {
                let ends = [&m["from"], &m["to"]].map(text_of);
                assert!(ends.iter().all(|end| ids.contains(end)) && ends[0] != ends[1], "{m}");
                assert!(m["count"].as_u64().is_some_and(|count| count > 0), "{m}");
            }
        }
        "tiles" => {
            for m in legal {
                let cells = m["cells"].as_array().unwrap();
                assert_eq!(m["count"].as_u64(), Some(cells.len() as u64), "{m}");
            }
        }
        "grid" => {
            let rows = view["scene"]["rows"].as_array().unwrap();
            let wide = rows[0].as_array().unwrap().len() as u64;
            assert!(rows.iter().all(|row| row.as_array().unwrap().len() as u64 == wide), "{view}");
            for m in legal {
                for cell in m["cells"].as_array().into_iter().flatten() {
                    let [column, row] = [0, 1].map(|place| cell[place].as_u64().unwrap());
                    assert!(column < wide && row < rows.len() as u64, "{m}");
                }
            }
        }
        kind => assert_eq!(kind, "text"),
    }
    let question = json!({ "setup": setup, "iterations": 30, "seconds": 10 });
    let events = server.events("/api/hint", &question, Duration::from_secs(60));
    let (kind, hint) = events.last().unwrap();
    assert_eq!(kind, "done", "{game}: {hint}");
    assert_eq!(hint["measure"], view["measure"], "{game}");
    let Some(best) = hint["best"].as_u64() else {
        assert!(hint["lost"].is_string(), "{game}: {hint}");
        return;
    };
    let best = &hint["moves"][best as usize];
    let played = server.post("/api/table", &json!({ "setup": setup, "moves": best["moves"] }));
    assert_eq!(played.status, 200, "{game}: {}", played.body);
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

#[test]
fn every_planner_that_is_offered_gives_a_hint() {
    let server = Served::start();
    // Variants may have planners of their own.
    for game in [
        "klondike",
        "klondike(draw=3, view=strict, redeals=2, scoring=vegas)",
        "samegame(width=5, height=5, colours=3)",
        "tiger",
    ] {
        let setup = json!({ "game": game, "deal": "seed:7" });
        let view = server.post("/api/table", &json!({ "setup": setup })).json();
        for planner in strings(&view["planners"]) {
            let question = json!({
                "setup": setup, "planner": planner, "iterations": 20, "seconds": 0.5
            });
            let events = server.events("/api/hint", &question, Duration::from_secs(60));
            let (kind, hint) = events.last().unwrap();
            assert_eq!(kind, "done", "{planner} on {game}: {hint}");
            assert_eq!(hint["advice"]["planner"], planner);
        }
    }
}

/// The JSON blocks of `docs/page.md` under a heading.
fn documented(heading: &str) -> Vec<Value> {
    let page = include_str!("../../../docs/page.md");
    let text = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{heading}")).1;
    let text = text.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
    let blocks = text.split("```json\n").skip(1);
    blocks.map(|block| client::body(block.split("```").next().unwrap())).collect()
}

/// Every key of `said` with its place, arrays by their first element.
fn keys(said: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    match said {
        Value::Object(object) => {
            for (key, value) in object {
                all.insert(key.clone());
                all.extend(keys(value).iter().map(|below| format!("{key}.{below}")));
            }
        }
        Value::Array(list) => all.extend(list.first().map(keys).unwrap_or_default()),
        _ => {}
    }
    all
}

/// What is documented is what is served, key by key and in its simple values.
fn same(documented: &Value, served: &Value, varying: &[&str]) {
    assert_eq!(keys(documented), keys(served), "{documented}\nis served as\n{served}");
    for (key, value) in documented.as_object().unwrap() {
        if !varying.contains(&key.as_str()) && !value.is_array() && !value.is_object() {
            assert_eq!(value, &served[key], "{key}");
        }
    }
}

#[test]
fn the_documented_requests_and_answers_are_those_of_the_server() {
    let server = Served::start();
    let games = server.get("/api/games").json();
    let [game] = &documented("### Games")[..] else { panic!("one game is shown") };
    let all = games["games"].as_array().unwrap();
    let served = all.iter().find(|other| other["name"] == game["name"]).unwrap();
    same(game, served, &["version", "yardstick"]);
    let [shown, planners] = [game, served].map(|game| strings(&game["planners"]));
    assert!(shown.iter().all(|planner| planners.contains(planner)), "{planners:?}");

    let [played, view] = &documented("### A table")[..] else { panic!("a game and its table") };
    let answer = server.post("/api/table", played);
    assert_eq!(answer.status, 200, "{}", answer.body);
    same(view, &answer.json(), &["text"]);
    assert_eq!(answer.json()["moves"], played["moves"]);

    let [wanted, found] = &documented("### A deal")[..] else { panic!("a wish and a deal") };
    assert_eq!(&server.post("/api/deal", wanted).json(), found);

    let long = Duration::from_secs(60);
    let [question, hint] = &documented("### A hint")[..] else { panic!("a question and a hint") };
    let events = server.events("/api/hint", question, long);
    same(hint, &events.last().unwrap().1, &["value"]);

    let [twigs] = &documented("### A tree")[..] else { panic!("a tree") };
    let tree = server.post("/api/tree", question).json();
    assert!(keys(twigs).is_subset(&keys(&tree)), "{tree}");

    let [question, proof] = &documented("### A solution")[..] else { panic!("and a solution") };
    let events = server.events("/api/solve", question, long);
    same(proof, &events.last().unwrap().1, &["because", "nodes", "seconds"]);
}
