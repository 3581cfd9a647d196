//! The server over real connections: what it answers, what it refuses, and what ends a search.

use crate::client;

use std::time::{Duration, Instant};

use client::{Served, body};
use patience::lab;
use patience::plan::Cancel;
use patience_web::Options;
use serde_json::{Value, json};

fn klondike() -> Value {
    json!({ "setup": { "game": "klondike", "deal": "seed:7" }, "moves": [] })
}

#[test]
fn the_page_is_served_with_its_policy_and_nothing_else_is() {
    let server = Served::start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    for file in ["/main.js", "/style.css", "/icon.svg", "/cardtable.js"] {
        assert_eq!(server.get(file).status, 200, "{file}");
    }
    // Nothing is loaded from elsewhere.
    for file in ["/", "/main.js", "/api.js", "/play.js", "/style.css"] {
        let text = server.get(file).body;
        assert!(!text.contains("https://") && !text.contains("url("), "{file}");
    }
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/src/lib.rs",
        "/api/nothing",
        "/api",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn requests_under_other_names_are_refused() {
    let server = Served::start();
    let refused = server.request("GET", "/", Some("evil.example"), "");
    assert_eq!(refused.status, 421);
    assert_eq!(server.request("GET", "/", None, "").status, 421);
    assert_eq!(server.request("GET", "/", Some("localhost:1234"), "").status, 200);
}

#[test]
fn a_game_is_played_by_its_moves_and_hidden_cards_stay_hidden() {
    let server = Served::start();
    let start = server.post("/api/table", &klondike());
    assert_eq!(start.status, 200, "{}", start.body);
    let view = start.json();
    assert_eq!(view["standing"], "open");
    let piles = view["scene"]["piles"].as_array().unwrap();
    assert_eq!(piles.len(), 13);
    let names: Vec<&str> =
        view["legal"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"turn"), "{names:?}");
    let next = server
        .post(
            "/api/table",
            &json!({ "setup": { "game": "klondike", "deal": "seed:7" }, "moves": ["turn"] }),
        )
        .json();
    let waste = &next["scene"]["piles"][1];
    assert_eq!(
        (waste["id"].as_str(), waste["cards"].as_array().unwrap().len()),
        (Some("waste"), 3)
    );
}

#[test]
fn a_deal_is_a_string_or_a_whole_number() {
    let server = Served::start();
    for game in ["freecell", "samegame", "klondike", "sailing"] {
        let table = |deal: Value| {
            server.post("/api/table", &json!({ "setup": { "game": game, "deal": deal } }))
        };
        let by_number = table(json!(7));
        assert_eq!(by_number.status, 200, "{game}: {}", by_number.body);
        assert_eq!(by_number.json(), table(json!("7")).json(), "{game}");
        assert_ne!(by_number.json()["deal"], table(json!(8)).json()["deal"], "{game}");
        assert_eq!(table(Value::Null).status, 200, "{game}");
        for wrong in [json!(-7), json!(7.5), json!(true), json!([7])] {
            let answer = table(wrong.clone());
            assert_eq!(answer.status, 422, "{game}: {wrong}");
            let text = answer.json()["error"].as_str().unwrap().to_owned();
            assert!(text.contains("setup.deal") && text.contains("a whole number"), "{text}");
        }
    }
}

#[test]
fn bad_requests_are_told_what_is_wrong() {
    let server = Served::start();
    let error = |path: &str, value: &Value| {
        let answer = server.post(path, value);
        (answer.status, answer.json()["error"].as_str().unwrap_or_default().to_owned())
    };
    let with = |game: &str, extra: Value| {
        let mut setup = json!({ "game": game });
        setup.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({ "setup": setup })
    };
    let (status, text) = error("/api/table", &with("klondyke", json!({})));
    assert_eq!(status, 422);
    assert!(text.contains("klondike"), "{text}");
    let (_, text) = error("/api/table", &with("samegame", json!({ "position": "01\n1" })));
    assert!(text.contains("line 2"), "{text}");
    let (_, text) = error(
        "/api/table",
        &json!({ "setup": { "game": "freecell", "deal": "1" }, "moves": ["11"] }),
    );
    assert!(text.starts_with("move 1"), "{text}");
    let (status, text) = error("/api/table", &with("gdl(file=Cargo.toml)", json!({})));
    assert_eq!(status, 422);
    assert!(text.contains("not opened here"), "{text}");
    let (status, _) = error("/api/table", &json!({ "setup": 3 }));
    assert_eq!(status, 422);
    assert_eq!(server.request("POST", "/api/table", Some("localhost"), "{").status, 400);
    assert_eq!(server.get("/api/table").status, 405);
    // A body that is too large is not read.
    let large = json!({ "setup": { "game": "klondike", "position": "x".repeat(1 << 19) } });
    assert_eq!(server.post("/api/table", &large).status, 413);
    let (status, text) = error(
        "/api/hint",
        &json!({ "setup": { "game": "klondike", "deal": "seed:7" }, "seconds": -1 }),
    );
    assert_eq!(status, 422);
    assert!(text.contains("seconds"), "{text}");
}

#[test]
fn a_hint_comes_in_events_and_ends_with_all_that_is_known() {
    let server = Served::start();
    let mut question = klondike();
    question["seconds"] = json!(1.0);
    let events = server.events("/api/hint", &question, Duration::from_secs(20));
    let (last, before) = events.split_last().unwrap();
    assert_eq!(last.0, "done", "{events:?}");
    assert!(before.len() >= 4 && before.iter().all(|(kind, _)| kind == "now"), "{}", before.len());
    let hint = &last.1;
    assert_eq!(hint["measure"], "win_probability");
    assert!(hint["moves"].as_array().unwrap().iter().all(|m| m["moves"].as_array().is_some()));
    assert_eq!(hint["advice"]["game"], "klondike");
    assert_eq!(hint["advice"]["stats"]["stop"], "time");
    question["planner"] = json!("nonsense");
    let events = server.events("/api/hint", &question, Duration::from_secs(20));
    assert_eq!(events[0].0, "failed");
    assert!(events[0].1["error"].as_str().unwrap().contains("nonsense"), "{events:?}");
}

/// All that the page is sent is the same if all that was never seen lies otherwise.
#[test]
fn nothing_is_sent_that_was_never_seen() {
    let server = Served::start();
    let cards = |offset: usize| -> Vec<String> {
        let pack: Vec<String> = ["S", "H", "D", "C"]
            .iter()
            .flat_map(|s| (1..=13).map(move |r| format!("{r}{s}")))
            .collect();
        // The first seven lie open.
        let mut hidden = pack[7..].to_vec();
        hidden.rotate_left(offset);
        [&pack[..7], &hidden].concat()
    };
    let name = |card: &String| {
        let (rank, suit) = card.split_at(card.len() - 1);
        let rank = match rank {
            "1" => "A",
            "11" => "J",
            "12" => "Q",
            "13" => "K",
            other => other,
        };
        format!("{rank}{suit}")
    };
    let position = |offset: usize| {
        let cards: Vec<String> = cards(offset).iter().map(name).collect();
        let mut hidden = cards[7..].iter();
        let columns = (0..7).map(|column| {
            let down: Vec<String> =
                hidden.by_ref().take(column).map(|card| format!("<{card}>")).collect();
            format!("{} {}\n", down.join(" "), cards[column])
        });
        let columns: String = columns.collect();
        let talon: Vec<String> = hidden.cloned().collect();
        format!("Talon: {}\n{columns}", talon.join(" "))
    };
    let sent = |offset: usize| -> Vec<String> {
        let setup = json!({ "game": "klondike", "position": position(offset) });
        let table = server.post("/api/table", &json!({ "setup": setup, "moves": [] }));
        assert_eq!(table.status, 200, "{}", table.body);
        let ask = json!({ "setup": setup, "moves": [], "iterations": 300, "seconds": 60.0 });
        let events = server.events("/api/hint", &ask, Duration::from_secs(60));
        let mut last = events.last().unwrap().1.clone();
        last["advice"]["stats"]["seconds"] = json!(0);
        let tree = server.post(
            "/api/tree",
            &json!({ "setup": setup, "moves": [], "planner": "uct",
            "iterations": 300, "seconds": 60.0 }),
        );
        let trace = server.post("/api/trace", &ask).body;
        // What the review says of moves; whether the deal can be won is asked for and told.
        let events = server.events("/api/review", &ask, Duration::from_secs(120));
        let mut review = events.last().unwrap().1.clone();
        assert_eq!(review["fate"]["line"], json!([]), "{review}");
        review["fate"] = json!(null);
        // A proof tells no move.
        let events = server.events("/api/prove", &ask, Duration::from_secs(120));
        let proof = &events.last().unwrap().1;
        assert_eq!((&proof["moves"], &proof["numbered"]), (&json!([]), &json!([])), "{proof}");
        let events = server.events("/api/solve", &ask, Duration::from_secs(120));
        assert_eq!(events[0].0, "failed", "{events:?}");
        let solution = format!("{events:?}");
        let mut all =
            vec![table.body, last.to_string(), tree.body, trace, review.to_string(), solution];
        // What is wrong with a move is said without a look below it.
        for text in ["5-f", "7-1", "1-7", "w-f", "3-2x2", "H-3", "redeal", "7-6x3", "9-f", "AS", ""]
        {
            let wrong = json!({ "setup": setup, "moves": [text] });
            let answer = server.post("/api/table", &wrong);
            all.push(format!("{text}: {} {}", answer.status, answer.body));
        }
        all
    };
    let (one, other) = (sent(0), sent(11));
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
    assert!(one[0].contains("??") && one[1].contains("turn the stock"), "{one:?}");
}

#[test]
fn a_search_ends_when_nobody_listens_and_there_are_only_so_many() {
    let server = Served::start_with(|limits| limits.searches = 2);
    let mut question = klondike();
    question["seconds"] = json!(30.0);
    let first = server.open("/api/hint", &question);
    let second = server.open("/api/hint", &question);
    let third = server.post("/api/hint", &question);
    assert_eq!(third.status, 503, "{}", third.body);
    assert_eq!(third.header("retry-after"), "1");
    // Other requests are answered meanwhile.
    assert_eq!(server.post("/api/table", &klondike()).status, 200);
    drop((first, second));
    let begin = Instant::now();
    question["seconds"] = json!(0.2);
    loop {
        let answer = server.post("/api/hint", &question);
        if answer.status == 200 {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(15), "the searches go on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn freecell_is_solved_with_a_closing_gap() {
    let server = Served::start();
    let question = json!({ "setup": { "game": "freecell", "deal": "1" }, "seconds": 5 });
    let events = server.events("/api/solve", &question, Duration::from_secs(30));
    let (last, before) = events.split_last().unwrap();
    assert_eq!(last.0, "done", "{events:?}");
    assert!(before.iter().any(|(_, p)| p["lower"].as_f64().is_some()));
    let steps = last.1["moves"].as_array().unwrap();
    assert!(!steps.is_empty() && last.1["numbered"].as_array().unwrap().len() == steps.len());
    let played = json!({ "setup": { "game": "freecell", "deal": "1" }, "moves": steps });
    assert_eq!(server.post("/api/table", &played).json()["standing"], "won");
}

#[test]
fn winnable_deals_are_shown_to_be_winnable() {
    let server = Served::start();
    let wanted = json!({ "game": "klondike(draw=1)", "seed": 5, "winnable": true });
    let found = server.post("/api/deal", &wanted).json();
    let proof =
        server.events("/api/prove", &json!({ "setup": found["setup"] }), Duration::from_secs(60));
    assert_eq!(proof.last().unwrap().1["verdict"], "solved", "{found}");
    assert_eq!(proof.last().unwrap().1["moves"], json!([]), "they would tell what lies face down");
}

#[test]
fn a_position_that_is_lost_is_proven_to_be() {
    let server = Served::start();
    // The one of the first 32000 deals that nobody solves.
    let question = json!({ "setup": { "game": "freecell", "deal": "11982" } });
    let proof = server.events("/api/prove", &question, Duration::from_secs(60));
    assert_eq!(proof.last().unwrap().1["verdict"], "unsolvable", "{proof:?}");
    // Nothing is decided in a millisecond, and nothing takes longer than it may.
    let question = json!({ "setup": { "game": "freecell", "deal": "11982" }, "seconds": 0.001 });
    let begin = Instant::now();
    let proof = server.events("/api/prove", &question, Duration::from_secs(20));
    assert_eq!(proof.last().unwrap().1["verdict"], "unknown", "{proof:?}");
    assert!(begin.elapsed() < Duration::from_secs(5));
    // Where no solver proves, that is told.
    let question = json!({ "setup": { "game": "tic-tac-toe" } });
    let events = server.events("/api/prove", &question, Duration::from_secs(20));
    assert_eq!(events[0].0, "failed", "{events:?}");
}

#[test]
fn a_number_means_the_same_however_it_is_written() {
    let server = Served::start();
    let setup = json!({ "game": "klondike(draw=1e0)", "deal": "seed:7" });
    let table = |moves: &[Value]| {
        let answer = server.post("/api/table", &json!({ "setup": setup, "moves": moves }));
        (answer.status, answer.body)
    };
    let (status, turned) = table(&[json!("turn")]);
    assert_eq!(status, 200, "{turned}");
    let turned = body(&turned);
    let waste = turned["scene"]["piles"].as_array().unwrap().iter().find(|p| p["kind"] == "waste");
    assert_eq!(waste.unwrap()["cards"].as_array().unwrap().len(), 1, "one card at a time");
    let plain = json!({ "game": "klondike(draw=1)", "deal": "seed:7" });
    let plain = server.post("/api/table", &json!({ "setup": plain, "moves": ["turn"] })).json();
    for key in ["title", "scene", "legal", "text"] {
        assert_eq!(turned[key], plain[key], "{key}");
    }
    // Whatever a hint says can be played, here and later in the game.
    let mut moves: Vec<Value> = Vec::new();
    for _ in 0..8 {
        let question = json!({ "setup": setup, "moves": moves, "iterations": 300, "seconds": 20 });
        let events = server.events("/api/hint", &question, Duration::from_secs(60));
        let hint = &events.last().unwrap().1;
        let hinted = hint["moves"].as_array().unwrap();
        assert!(!hinted.is_empty(), "{hint}");
        for advice in hinted {
            let on = advice["moves"].as_array().unwrap();
            assert!(!on.is_empty(), "{advice}");
            let (status, answer) = table(&[moves.as_slice(), on.as_slice()].concat());
            assert_eq!(status, 200, "{advice}: {answer}");
        }
        let Some(best) = hint["best"].as_u64() else { break };
        moves.extend(hinted[best as usize]["moves"].as_array().unwrap().clone());
    }
    assert!(moves.len() >= 4, "{moves:?}");
}

#[test]
fn a_tree_is_that_of_the_planner_that_is_asked() {
    let server = Served::start();
    let ask = |game: &str, planner: Option<&str>| {
        let setup = json!({ "game": game, "deal": "seed:7" });
        json!({ "setup": setup, "planner": planner, "iterations": 400, "seconds": 20, "seed": 3 })
    };
    // As many iterations from the same seed are the same search: the tree is that of the hint.
    let question = ask("klondike(draw=1)", Some("uct(c=0.5, eval=solver)"));
    let hint = server.events("/api/hint", &question, Duration::from_secs(60));
    let hint = &hint.last().unwrap().1;
    assert_eq!(hint["advice"]["stats"]["stop"], "iterations", "{hint}");
    let tree = server.post("/api/tree", &question).json();
    let by_action = |list: &Value| {
        let mut all: Vec<(String, Option<u64>, Option<f64>)> = Vec::new();
        for twig in list.as_array().unwrap() {
            let action = twig["action"].as_str().unwrap().to_owned();
            all.push((action, twig["visits"].as_u64(), twig["value"].as_f64()));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    assert_eq!(by_action(&tree), by_action(&hint["moves"]));
    // A planner without a tree has nothing to show, and no other takes its place.
    for (game, planner) in [("klondike", Some("greedy")), ("freecell", None)] {
        let answer = server.post("/api/tree", &ask(game, planner));
        assert_eq!((answer.status, answer.json()), (200, json!([])), "{game} {planner:?}");
    }
    let wrong = server.post("/api/tree", &ask("klondike", Some("nonsense")));
    assert_eq!(wrong.status, 422, "{}", wrong.body);
}

#[test]
fn broken_rules_are_shown_with_their_place() {
    let server = Served::start();
    let answer = server.post(
        "/api/rules",
        &json!({ "text": "(role robot)\n(<= (legal robot ?m) (not (bad ?m)))\n(" }),
    );
    let found = answer.json();
    assert_eq!(found["playable"], false);
    assert_eq!(found["findings"][0]["line"], 3, "{found}");
}

#[test]
fn the_laboratory_shows_every_store_and_opens_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let [one, two, other] = ["one.db", "two.db", "other.db"].map(|name| dir.path().join(name));
    let spec = r#"
        name = "coin"
        seed = 1
        units = 3
        task = { kind = "play", opponent = "random" }
        [[arm]]
        name = "random"
        game = "tic-tac-toe"
        planner = "random"
    "#;
    let spec = lab::Spec::parse("coin.toml", spec, false).unwrap();
    for path in [&one, &other] {
        let mut store = lab::Store::open(path).unwrap();
        let options = lab::RunOptions { threads: 1, ..lab::RunOptions::default() };
        let resolve = patience::resolve(patience::registry());
        lab::run(&spec, &resolve, &mut store, &options, &Cancel::new(), &mut |_| ()).unwrap();
    }
    std::fs::write(&two, "this is no store").unwrap();
    let stores = vec![one.clone(), two.clone()];
    let server = Served::bound(Options { stores, ..Options::default() });
    let listed = server.get("/api/lab").json();
    let of = |place: usize, key: &str| listed["stores"][place][key].clone();
    assert_eq!(of(0, "store"), one.display().to_string());
    assert_eq!((of(0, "experiments")[0]["done"].clone(), of(0, "error")), (json!(3), json!(null)));
    assert_eq!(of(1, "experiments"), json!([]));
    assert!(of(1, "error").as_str().unwrap().contains("two.db"), "{listed}");
    let report = |store: &std::path::Path, name: &str| {
        let store = store.display().to_string().replace('/', "%2F");
        server.get(&format!("/api/lab/report?store={store}&name={name}"))
    };
    let html = report(&one, "coin");
    assert!(html.status == 200 && html.body.contains("tic-tac-toe"), "{}", html.body);
    assert_eq!(server.get("/api/lab/report?name=coin").body, html.body);
    assert_eq!(report(&one, "unknown").status, 422);
    assert_eq!(report(&two, "coin").status, 422);
    assert_eq!(report(&other, "coin").status, 404, "it was not given");
}

#[test]
fn the_laboratory_tells_that_there_is_no_store() {
    let server = Served::start();
    let lab = server.get("/api/lab").json();
    assert!(lab["stores"].as_array().unwrap().is_empty());
    assert_eq!(server.get("/api/lab/report?name=x").status, 404);
    assert!(body(&server.get("/api/games").body)["games"].as_array().unwrap().len() > 5);
}

#[test]
fn a_deal_of_the_wanted_difficulty_is_one_by_the_yardstick() {
    let server = Served::start();
    let game = "klondike(draw=1)";
    for (grade, most, least) in [("easy", 8, 6), ("medium", 5, 3), ("hard", 2, 0)] {
        let wanted = json!({ "game": game, "seed": 3, "difficulty": grade });
        let found = server.post("/api/deal", &wanted);
        assert_eq!(found.status, 200, "{grade}: {}", found.body);
        let found = found.json();
        assert_eq!(server.post("/api/deal", &wanted).json(), found, "the same seed, the same deal");
        let setup: patience::Setup = serde_json::from_value(found["setup"].clone()).unwrap();
        let table = patience::Table::open(patience::registry(), &setup, &[]).unwrap();
        let difficulty = table.state().difficulty(8, &Cancel::new(), &mut |_| ()).unwrap();
        assert!((least..=most).contains(&difficulty.won), "{grade}: {difficulty:?}");
    }
    let refused = json!({ "game": "samegame", "seed": 3, "difficulty": "easy" });
    let refused = server.post("/api/deal", &refused);
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body.contains("no player by whom difficulty is measured"), "{}", refused.body);
    let unknown = json!({ "game": game, "seed": 3, "difficulty": "silly" });
    assert_eq!(server.post("/api/deal", &unknown).status, 422);
}
