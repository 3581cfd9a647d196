//! A game brings its own face: the rest of the house knows no game by name.

use std::fs;
use std::path::{Path, PathBuf};

/// What knows no game: below the games, beside them, and the front ends.
const ROOMS: [&str; 9] = [
    "crates/model/src",
    "crates/plan/src",
    "crates/catalogue/src",
    "crates/lab/src",
    "crates/cli/src",
    "crates/web/src",
    "crates/ggp/src",
    "crates/py/src",
    "python/patience",
];

fn sources(folder: PathBuf) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(|end| end.to_str()) {
                None if path.is_dir() => folders.push(path),
                Some("rs" | "py") if !path.ends_with("tests.rs") => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// The code of a file: no comments, no documentation, no tests.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    let mut documented = false;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let begin = line.trim_start();
        if begin == "#[cfg(test)]" {
            break;
        }
        let quotes = begin.matches("\"\"\"").count();
        if !documented && quotes == 0 && !begin.starts_with("//") && !begin.starts_with('#') {
            lines.push((number + 1, line.to_owned()));
        }
        documented ^= quotes % 2 == 1;
    }
    lines
}

#[test]
fn no_room_but_the_games_own_names_a_game() {
    // `gdl` is a language before it is a game.
    let games = patience::registry().games().map(|info| info.name).filter(|name| *name != "gdl");
    let starts: Vec<String> =
        games.flat_map(|name| [format!("\"{name}\""), format!("\"{name}(")]).collect();
    let house = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut files, mut named) = (0, Vec::new());
    for room in ROOMS {
        for path in sources(house.join(room)) {
            files += 1;
            for (number, line) in code(&path) {
                if starts.iter().any(|start| line.contains(start.as_str())) {
                    named.push(format!("{}:{number}: {}", path.display(), line.trim()));
                }
            }
        }
    }
    assert!(files > 200, "{files}");
    assert!(named.is_empty(), "{}", named.join("\n"));
}
