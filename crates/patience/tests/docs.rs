//! The words are held to the code: links lead somewhere, specs resolve, the shown game is the real one.
//!
//! The Rust in the pages is compiled by the doc tests of the crate (`mod guide`).

use std::path::{Path, PathBuf};

use patience::Registry;
use patience::lab::{self, Spec, Table};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    found.sort();
    found
}

fn pages() -> Vec<PathBuf> {
    let mut pages = files(".", "md");
    pages.extend(files("docs", "md"));
    assert!(pages.len() >= 10, "{pages:?}");
    pages
}

/// The lines of a page with whether they are inside a fenced block, and the fence's word.
fn lines(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut fence = None;
    text.lines().map(move |line| match line.strip_prefix("```") {
        Some(word) => {
            fence = if fence.is_some() { None } else { Some(word) };
            (None, "")
        }
        None => (fence, line),
    })
}

/// Fenced blocks with these words after the fence.
fn blocks(text: &str, wanted: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for (fence, line) in lines(text) {
        if fence != Some(wanted) {
            inside = false;
            continue;
        }
        if !inside {
            found.push(String::new());
            inside = true;
        }
        let block = found.last_mut().expect("pushed when the block began");
        block.push_str(line);
        block.push('\n');
    }
    found
}

/// Where the links of a line go.
fn links(line: &str) -> Vec<&str> {
    // What is between backticks is no link.
    let plain = line.split('`').step_by(2);
    plain
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .collect()
}

/// The anchors of a page's headings, as forges make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = lines(text).filter(|(fence, line)| fence.is_none() && line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(|(_, line)| anchor(line)).collect()
}

#[test]
fn the_page_shows_the_example_word_for_word() {
    let example = read(&root().join("examples/your_own_game.rs"));
    assert!(example.lines().count() < 80, "the example is a page");
    let page = read(&root().join("docs/adding-a-game.md"));
    assert_eq!(blocks(&page, "rust,no_run"), [example]);
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    for page in pages() {
        let text = read(&page);
        let folder = page.parent().expect("a page is in a folder");
        for link in lines(&text).filter(|(fence, _)| fence.is_none()).flat_map(|(_, l)| links(l)) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if !anchor.is_empty() {
                let known = anchors(&read(&target));
                let found = known.iter().any(|known| known == anchor);
                assert!(found, "{}: no heading for {link} among {known:?}", page.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} links were found");
}

#[test]
fn specs_in_the_guide_resolve() {
    let registry = Registry::standard();
    let mut specs: Vec<(String, String)> = Vec::new();
    for path in files("docs/examples", "toml") {
        specs.push((path.display().to_string(), read(&path)));
    }
    let files = specs.len();
    for page in pages() {
        let text = read(&page);
        specs.extend(blocks(&text, "toml").into_iter().map(|b| (page.display().to_string(), b)));
        for fragment in blocks(&text, "toml fragment") {
            let parsed = Table::parse(&fragment);
            assert!(parsed.is_ok(), "{}: {parsed:?}\n{fragment}", page.display());
        }
    }
    assert!(files > 0 && specs.len() > files, "no spec was found");
    for (place, text) in specs {
        for quick in [false, true] {
            let spec = Spec::parse(&place, &text, quick).unwrap_or_else(|e| panic!("{e}\n{text}"));
            lab::check(&spec, &registry.resolve()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
    }
}

#[test]
fn the_page_on_experiments_shows_the_example_specs() {
    let shown = blocks(&read(&root().join("docs/experiments.md")), "toml");
    for path in files("docs/examples", "toml") {
        assert!(shown.contains(&read(&path)), "{} is not shown as it is", path.display());
    }
}

/// A block without a word would be taken for Rust by the doc tests, and for nothing by readers.
#[test]
fn blocks_say_what_they_are() {
    for page in pages() {
        let mut open = false;
        for (number, line) in read(&page).lines().enumerate() {
            if let Some(word) = line.trim_start().strip_prefix("```") {
                let named = open || !word.trim().is_empty();
                assert!(named, "{}:{}: a block without a word", page.display(), number + 1);
                open = !open;
            }
        }
        assert!(!open, "{}: a block is not closed", page.display());
    }
}
