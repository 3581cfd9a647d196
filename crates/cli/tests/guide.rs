//! The console blocks of the guide are run, and print what the guide says.
//!
//! In a block `…` stands for anything: alone in a line for any lines, within a line for any text. Times
//! are not compared. Before a block, `<!-- not run -->` leaves it out (it takes long, or needs what a
//! test does not have), and `<!-- file: NAME -->` makes a file of it for the commands after it.
//! `PATIENCE_BLESS=1 cargo test -p patience-cli guide` writes what is printed where it differs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of a page: the lines between its fences.
struct Block {
    first: usize,
    lines: Vec<String>,
    /// What stands in the comment before it.
    comment: Option<String>,
    console: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, mut open, mut comment) = (Vec::new(), None::<Block>, None);
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_owned()),
            (None, Some(kind)) => {
                let (comment, console) = (comment.take(), kind == "console");
                open = Some(Block { first: number + 1, lines: Vec::new(), comment, console });
            }
            (None, None) => {
                let said = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
                comment = said.map(str::to_owned);
            }
        }
    }
    blocks
}

/// A line without its times: `0.53 s`, `12.1 ms` and what is called seconds are the clock's.
fn timeless(line: &str) -> String {
    if line.trim_start().trim_start_matches('"').starts_with("seconds") {
        return "TIME".to_owned();
    }
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let unit = |word: &&str| matches!(word.trim_end_matches([',', ';', ')', '.']), "s" | "ms");
    let timed = |n: usize| number(words[n]) && words.get(n + 1).is_some_and(unit);
    let shown = |n: usize| if timed(n) { "TIME" } else { words[n] };
    (0..words.len()).map(shown).collect::<Vec<_>>().join(" ")
}

/// Whether a line is what a pattern says.
fn matches(pattern: &str, line: &str) -> bool {
    let (pattern, line) = (timeless(pattern), timeless(line));
    let Some((first, others)) = pattern.split_once('…') else { return pattern == line };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts = others.split('…').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// Whether lines are what patterns say, `…` alone standing for any number of them.
fn all_match(patterns: &[String], lines: &[String]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, first) => first.is_none(),
        (Some((any, rest)), _) if any.trim() == "…" => {
            (0..=lines.len()).any(|skipped| all_match(rest, &lines[skipped..]))
        }
        (Some((pattern, rest)), Some((line, others))) => {
            matches(pattern, line) && all_match(rest, others)
        }
        (Some(_), None) => false,
    }
}

/// What a command of the guide prints.
fn printed(folder: &Path, command: &str) -> Vec<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_patience")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    // In braces, so that what a pipe or a list of commands says comes in its order.
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).env("PATH", &path);
    let output = shell.current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // What takes longer than a second on a slow machine tells how far it is.
    let counts = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
    let progress = |line: &str| {
        let ends = [" s: ", ", "].map(|end| line.split_once(end).is_some_and(|(n, _)| counts(n)));
        ends[0] || ends[1] && line.contains(" to go; ")
    };
    let lines = text.trim_end().lines().filter(|line| !progress(line));
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// The lines of a block as they should be, with what differs.
fn run(folder: &Path, block: &Block, count: &mut usize) -> (Vec<String>, Vec<String>) {
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    let mut lines = block.lines.iter().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ ") else { continue };
        *count += 1;
        right.push(line.clone());
        let mut expected = Vec::new();
        while let Some(next) = lines.next_if(|next| !next.starts_with("$ ")) {
            expected.push(next.clone());
        }
        let mut gap = Vec::new();
        while expected.last().is_some_and(|line| line.is_empty()) {
            gap.extend(expected.pop());
        }
        let told = printed(folder, command);
        if all_match(&expected, &told) {
            right.extend(expected);
        } else {
            wrong.push(format!("$ {command}\n{}", told.join("\n")));
            right.extend(told);
        }
        right.extend(gap);
    }
    (right, wrong)
}

#[test]
fn the_guide_shows_what_is_printed() {
    let mut pages = vec![root().join("README.md")];
    let docs = fs::read_dir(root().join("docs")).unwrap();
    pages.extend(docs.map(|entry| entry.unwrap().path()));
    pages.retain(|page| page.extension().is_some_and(|kind| kind == "md"));
    pages.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    let bless = std::env::var_os("PATIENCE_BLESS").is_some();
    for page in &pages {
        let folder = tempfile::tempdir().unwrap();
        // What the guide names by a path of the repository is there.
        std::os::unix::fs::symlink(root().join("docs"), folder.path().join("docs")).unwrap();
        let text = fs::read_to_string(page).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut longer = 0;
        for block in blocks(&text) {
            match block.comment.as_deref() {
                Some("not run") => continue,
                Some(comment) if comment.starts_with("file: ") => {
                    let file = folder.path().join(&comment["file: ".len()..]);
                    fs::write(file, block.lines.join("\n") + "\n").unwrap();
                }
                _ => {}
            }
            if !block.console {
                continue;
            }
            let (right, differ) = run(folder.path(), &block, &mut count);
            let place = format!("{}:{}", page.display(), block.first);
            if !bless {
                wrong.extend(differ.into_iter().map(|differs| format!("{place}: {differs}\n")));
            }
            let start = (block.first as isize + longer) as usize;
            longer += right.len() as isize - block.lines.len() as isize;
            lines.splice(start..start + block.lines.len(), right);
        }
        if bless {
            fs::write(page, lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(count > 50, "{count} commands");
    assert!(wrong.is_empty(), "{} of {count} differ:\n\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn patterns_stand_for_what_they_should() {
    assert!(matches("a … c", "a b c") && !matches("a … c", "a b d") && matches("x", "x"));
    assert!(matches("a…b…", "a1b2") && !matches("a…b…", "a1c2") && !matches("x", "xy"));
    assert!(matches("done in 0.01 s; stopped", "done in 12.3 s; stopped"));
    assert!(!matches("5 moves", "6 moves"));
    let [patterns, all, some] = [&["a", "…", "z"][..], &["a", "b", "c", "z"], &["a", "b"]]
        .map(|lines| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>());
    assert!(all_match(&patterns, &all) && !all_match(&patterns, &some));
}
