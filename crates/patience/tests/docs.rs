//! The words are held to the code: links lead somewhere, specs resolve, the shown game is the real one,
//! and tables of games, planners, solvers and their parameters are those that are declared.
//!
//! The Rust in the pages is compiled by the doc tests of the crate (`mod guide`). Tables are written
//! anew, between their markers, by `PATIENCE_BLESS=1 cargo test -p patience --test all docs`.

use std::path::{Path, PathBuf};

use patience::lab::{self, Keys, Spec};
use patience::{Param, PlannerInfo};

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
    let registry = patience::registry();
    let mut specs: Vec<(String, String)> = Vec::new();
    for path in files("docs/examples", "toml") {
        specs.push((path.display().to_string(), read(&path)));
    }
    let files = specs.len();
    for page in pages() {
        let text = read(&page);
        specs.extend(blocks(&text, "toml").into_iter().map(|b| (page.display().to_string(), b)));
        for fragment in blocks(&text, "toml fragment") {
            let parsed = Keys::parse(&fragment);
            assert!(parsed.is_ok(), "{}: {parsed:?}\n{fragment}", page.display());
        }
    }
    assert!(files > 0 && specs.len() > files, "no spec was found");
    for (place, text) in specs {
        for quick in [false, true] {
            let spec = Spec::parse(&place, &text, quick).unwrap_or_else(|e| panic!("{e}\n{text}"));
            lab::check(&spec, &patience::resolve(registry))
                .unwrap_or_else(|e| panic!("{e}\n{text}"));
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

/// Words as they can stand in a table.
fn cell(words: &str) -> String {
    let mut cell = String::new();
    for c in words.chars() {
        if "|*_<".contains(c) {
            cell.push('\\');
        }
        cell.push(c);
    }
    if cell.is_empty() { "–".to_owned() } else { cell }
}

fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&word| word.to_owned()).collect();
    let mut text = line(&head) + &format!("|{}\n", "---|".repeat(head.len()));
    rows.into_iter().for_each(|row| text += &line(&row));
    text
}

/// Planners and solvers, each once.
fn searches() -> Vec<&'static PlannerInfo> {
    let registry = patience::registry();
    let mut all: Vec<&PlannerInfo> = registry.planners().collect();
    all.extend(registry.solvers().filter(|info| !info.advises));
    all
}

/// The parameters of a game, planner or solver, or of `GAME SOLVER` where games share a name.
fn declared(name: &str) -> &'static [Param] {
    if let Some((game, name)) = name.split_once(' ') {
        let own = |info: &&PlannerInfo| info.name == name && info.games.contains(&game);
        let found = searches().into_iter().find(own);
        return found.unwrap_or_else(|| panic!("{game} has no {name}")).parameters;
    }
    let game = patience::registry().games().find(|info| info.name == name);
    let search = searches().into_iter().find(|info| info.name == name);
    let found = game.map(|info| info.parameters).or(search.map(|info| info.parameters));
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

/// The table of parameters that all of these have.
fn parameters(names: &str) -> String {
    let row = |p: &Param| {
        let mut meaning = cell(p.meaning);
        if let [former, ..] = p.aliases {
            meaning += &format!("; formerly `{former}`");
        }
        vec![format!("`{}`", p.name), format!("`{}`", p.default), cell(&p.expected()), meaning]
    };
    let of = |name: &str| {
        table(&["parameter", "default", "takes", "meaning"], declared(name).iter().map(row))
    };
    let mut tables = names.split(", ").map(of);
    let first = tables.next().expect("split gives one part at least");
    assert!(tables.all(|other| other == first), "{names} do not have the same parameters");
    first
}

/// The capability or the games that a planner or solver needs.
fn needs(info: &PlannerInfo) -> String {
    match (info.games, info.needs) {
        ([], "") => cell(""),
        ([], needs) => format!("`{needs}`"),
        (games, _) => games.iter().map(|game| format!("`{game}`")).collect::<Vec<_>>().join(", "),
    }
}

fn planners() -> String {
    let rows = patience::registry().planners().map(|info| {
        let (name, iteration) = (format!("`{}`", info.name), cell(info.iteration));
        vec![name, cell(info.summary), needs(info), iteration, cell(info.guarantee)]
    });
    let head = ["planner", "what it does", "needs", "one iteration", "what can be relied on"];
    table(&head, rows)
}

fn solvers() -> String {
    let yes = |truth| cell(if truth { "yes" } else { "" });
    let rows = patience::registry().solvers().map(|info| {
        let name = format!("`{}`", info.name);
        vec![name, cell(info.summary), needs(info), yes(info.advises), yes(info.proves)]
    });
    let head = ["solver", "what it does", "needs", "is a planner too", "proves that there is none"];
    table(&head, rows)
}

fn games() -> String {
    let rows = patience::registry().games().map(|info| {
        vec![format!("`{}`", info.name), cell(info.summary), cell(info.rewards), cell(info.paper)]
    });
    table(&["game", "what it is", "rewards", "from"], rows)
}

/// What is in the arrays of every game that can be put into arrays.
fn arrays() -> String {
    let registry = patience::registry();
    let mut text = String::new();
    for info in registry.games() {
        let Some(layout) = registry.game(info.name).ok().and_then(|game| game.layout()) else {
            continue;
        };
        let mut first = 0;
        let rows = layout.observation.iter().map(|part| {
            let last = first + part.count - 1;
            let places =
                if part.count == 1 { first.to_string() } else { format!("{first} to {last}") };
            first += part.count;
            vec![places, part.highest.to_string(), cell(part.meaning)]
        });
        text += &format!("### {}\n\n", info.title);
        text += &table(&["numbers", "highest", "what they say"], rows);
        text += &format!("\n{} moves: {}.\n\n", layout.moves, cell(layout.numbering));
    }
    text
}

/// What the code says where a page has a marker; nothing if the line is no marker.
fn generated(line: &str) -> Option<String> {
    let marker = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    Some(match marker.split_once(": ") {
        Some(("parameters", names)) => parameters(names),
        None if marker == "arrays" => arrays(),
        None if marker == "games" => games(),
        None if marker == "planners" => planners(),
        None if marker == "solvers" => solvers(),
        _ => return None,
    })
}

const END: &str = "<!-- end -->\n";

/// The page as it would be if all its tables were written anew.
fn renewed(page: &str, place: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((line, after)) = rest.split_once('\n') {
        text += line;
        text.push('\n');
        rest = after;
        if let Some(table) = generated(line) {
            let (_, after) =
                rest.split_once(END).unwrap_or_else(|| panic!("{place}: {line}: no end"));
            text += &table;
            text += END;
            rest = after;
        }
    }
    text + rest
}

#[test]
fn tables_of_what_is_declared_are_as_the_code_has_it() {
    for page in pages() {
        let (text, place) = (read(&page), page.display().to_string());
        let renewed = renewed(&text, &place);
        if std::env::var_os("PATIENCE_BLESS").is_some() && renewed != text {
            std::fs::write(&page, &renewed).unwrap();
        }
        for (ours, theirs) in renewed.lines().zip(read(&page).lines()) {
            assert_eq!(ours, theirs, "{place}; PATIENCE_BLESS=1 writes it anew");
        }
        assert_eq!(renewed.lines().count(), read(&page).lines().count(), "{place}");
    }
}

#[test]
fn every_declared_parameter_stands_in_the_guide() {
    let marked = |page: &str| -> Vec<String> {
        let text = read(&root().join(page));
        let names = text.lines().filter_map(|line| line.strip_prefix("<!-- parameters: "));
        let names = names.map(|line| line.trim_end_matches(" -->").to_owned());
        names.flat_map(|names| names.split(", ").map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let (on_planners, on_games) = (marked("docs/planners.md"), marked("docs/games.md"));
    for info in searches().iter().filter(|info| !info.parameters.is_empty()) {
        assert!(on_planners.iter().any(|name| name == info.name), "{}", info.name);
    }
    for info in patience::registry().games().filter(|info| !info.parameters.is_empty()) {
        assert!(on_games.iter().any(|name| name == info.name), "{}", info.name);
    }
}
