//! The record book: runs go on where they ended, and what was changed is noticed.

use std::fs;
use std::io::Read;
use std::path::Path;

use patience::data::{Asked, Checking, Dataset, Found, Row, Running, datasets, report, sha256};
use patience::plan::Cancel;

const CARD: &str = r#"
title = "Small golf"
game = "golf"
solver = "depth-first(nodes=20000)"
deals = "seed:1..7"
batch = 3
"#;

fn card(folder: &Path, text: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("card.toml"), text).unwrap();
}

fn go_on(folder: &Path, threads: usize) -> Dataset {
    let mut data = Dataset::open(folder).unwrap();
    let running =
        Running { threads, cancel: &Cancel::new(), date: "2026-01-01".to_owned(), store: None };
    data.run(&running, &|_| ()).unwrap();
    data
}

fn check(data: &Dataset) -> Result<(u64, u64), String> {
    let checking = Checking { sample: 0.5, seed: 1, cancel: &Cancel::new() };
    let verified = data.verify(&checking, &mut |_| ()).map_err(|error| error.to_string())?;
    Ok((verified.replayed, verified.run_again))
}

#[test]
fn a_run_goes_on_and_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    card(&whole, CARD);
    card(&parts, CARD);
    let whole = go_on(&whole, 2);
    assert_eq!((whole.done(), whole.asked(), whole.batches.len()), (7, 7, 3));
    // The first deals only, then all of them: the same rows as at once.
    card(&parts, &CARD.replace("1..7", "1..4"));
    assert_eq!(go_on(&parts, 1).done(), 4);
    card(&parts, CARD);
    let parts = go_on(&parts, 1);
    let plain = |data: &Dataset| {
        let rows = data.all_rows().unwrap().into_iter();
        rows.map(|row| (row.deal, row.verdict, row.solution, row.nodes)).collect::<Vec<_>>()
    };
    assert_eq!(plain(&whole), plain(&parts));
    let (replayed, again) = check(&whole).unwrap();
    let solved = plain(&whole).iter().filter(|row| row.2.is_some()).count();
    assert_eq!(replayed, solved as u64);
    assert!(solved > 0 && again > 0, "{solved} {again}");
    let page = report(folder.path()).unwrap();
    assert!(page.contains("7 of 7 deals") && page.contains("### Small golf"), "{page}");
}

#[test]
fn what_was_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golf");
    card(&path, CARD);
    let data = go_on(&path, 1);
    let file = path.join(&data.batches[0].file);
    let bytes = fs::read(&file).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    fs::write(&file, changed).unwrap();
    let said = check(&data).unwrap_err();
    assert!(said.contains("its SHA-256 is"), "{said}");
    fs::write(&file, bytes).unwrap();
    let list = path.join("batches.toml");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replacen("first = 4", "first = 5", 1)).unwrap();
    let said = Dataset::open(&path).unwrap_err().to_string();
    assert!(said.contains("batch 5..6 where one from deal 4 on was expected"), "{said}");
    card(&path, &CARD.replace("golf\"", "gulf\""));
    fs::write(&list, text).unwrap();
    let said = check(&Dataset::open(&path).unwrap()).unwrap_err();
    assert!(said.contains("gulf"), "{said}");
}

/// The text of a batch's rows.
fn text_of(path: &Path) -> String {
    let mut text = String::new();
    let bytes = fs::read(path).unwrap();
    ruzstd::decoding::StreamingDecoder::new(&bytes[..]).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Changes the rows of the first batch as somebody would who knows the format: the file has the hash
/// that the list says.
fn forge(path: &Path, change: impl Fn(&str) -> String) {
    let data = Dataset::open(path).unwrap();
    let batch = &data.batches[0];
    let (file, list) = (path.join(&batch.file), path.join("batches.toml"));
    let text = text_of(&file);
    let changed = change(&text);
    assert_ne!(text, changed, "nothing was changed");
    let bytes = ruzstd::encoding::compress_to_vec(
        changed.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    fs::write(&file, &bytes).unwrap();
    let said = fs::read_to_string(&list).unwrap();
    fs::write(&list, said.replace(&batch.sha256, &sha256(&bytes))).unwrap();
}

/// Runs a card, then forges its rows in one way after the other; none passes.
fn nothing_forged_passes(card_text: &str, forgeries: &[(&str, Forgery)]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small");
    for (expected, change) in forgeries {
        let _ = fs::remove_dir_all(&path);
        card(&path, card_text);
        let data = go_on(&path, 1);
        whole(&data).unwrap();
        forge(&path, |text| {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let mut rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
            change(&mut rows);
            let mut writer = csv::Writer::from_writer(Vec::new());
            rows.iter().for_each(|row| writer.serialize(row).unwrap());
            String::from_utf8(writer.into_inner().unwrap()).unwrap()
        });
        let said = whole(&Dataset::open(&path).unwrap()).unwrap_err();
        assert!(said.contains(expected), "{said} instead of {expected}");
    }
}

/// A change of rows.
type Forgery = fn(&mut Vec<Row>);

/// A check of everything: every row is run again.
fn whole(data: &Dataset) -> Result<Found, String> {
    let checking = Checking { sample: 1.0, seed: 1, cancel: &Cancel::new() };
    let verified = data.verify(&checking, &mut |_| ()).map_err(|error| error.to_string())?;
    Ok(verified.found)
}

/// Shortest solutions of a small FreeCell, with certificates.
const PROVEN: &str = r#"
title = "Small FreeCell"
game = "freecell(ranks=4, metric=single)"
solver = "optimal"
deals = "1..4"
batch = 4
"#;

fn solved(rows: &mut [Row]) -> &mut Row {
    rows.iter_mut().find(|row| row.solution.is_some()).expect("a solved deal")
}

#[test]
fn a_forged_row_does_not_pass() {
    nothing_forged_passes(
        PROVEN,
        &[
            // Solutions: another move, cut short with its counts right, gone, and one of another deal.
            ("deal ", |rows| {
                let row = solved(rows);
                let text = row.solution.take().unwrap();
                let mut words: Vec<&str> = text.split_whitespace().collect();
                words.swap(0, 1);
                words.push("1h");
                row.solution = Some(words.join(" "));
            }),
            ("does not reach the goal", |rows| cut_short(solved(rows), "optimal")),
            ("does not reach the goal", |rows| cut_short(solved(rows), "solved")),
            ("it is optimal, and has no solution", |rows| solved(rows).solution = None),
            ("it is solved, and has no solution", |rows| {
                let row = solved(rows);
                (row.verdict, row.solution) = ("solved".to_owned(), None);
            }),
            ("deal 2", |rows| rows[1].solution = rows[0].solution.clone()),
            // Values and counts.
            ("is replayed", |rows| {
                let row = solved(rows);
                row.value = row.value.map(|value| value - 1.0);
                row.certificate = None;
            }),
            ("is replayed", |rows| {
                solved(rows).length = solved(rows).length.map(|length| length + 1);
            }),
            ("solved again", |rows| rows[0].iterations += 1),
            ("is none of this search", |rows| rows[0].nodes += 1),
            // Verdicts.
            ("it is unsolvable, and has a value", |rows| {
                rows[0].verdict = "unsolvable".to_owned();
            }),
            ("solved again", |rows| {
                let row = &mut rows[0];
                row.verdict = "unsolvable".to_owned();
                (row.value, row.length, row.solution, row.certificate) = (None, None, None, None);
            }),
            ("there is no verdict", |rows| rows[0].verdict = "certain".to_owned()),
            // Certificates: another sum, another count, none.
            ("solved again", |rows| {
                let text = rows[0].certificate.take().unwrap();
                let (head, digit) = text.split_at(text.len() - 1);
                let digit = if digit == "0" { "1" } else { "0" };
                rows[0].certificate = Some(format!("{head}{digit}"));
            }),
            ("is none of this search", |rows| {
                let text = rows[0].certificate.take().unwrap();
                rows[0].certificate = Some(text.split_once(' ').unwrap().1.replace("sum:", ""));
            }),
            ("some have none", |rows| rows[1].certificate = None),
            // Rows: gone, twice, of another deal.
            ("its deals are not 1 to 4", |rows| drop(rows.pop())),
            ("its deals are not 1 to 4", |rows| rows[1] = rows[0].clone()),
            ("its deals are not 1 to 4", |rows| rows[2].deal = "7".to_owned()),
        ],
    );
}

/// The same row with the last move of its solution left out, and with counts that fit.
fn cut_short(row: &mut Row, verdict: &str) {
    let text = row.solution.take().unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let shorter = words.len() - 1;
    row.solution = Some(words[..shorter].join(" "));
    row.verdict = verdict.to_owned();
    row.length = Some(shorter);
    row.value = Some(shorter as f64);
    row.certificate = None;
}

const SPEC: &str = r#"
name = "small"
title = "Failure in small trees"
paper = "Nobody 2026, Figure 1"
notes = "Trees of depth 4."
seed = 5
units = 6
task = { kind = "convergence", measure = "failure", by = "iterations", runs = 2, at = [1, 10, 100] }

[[arm]]
name = "UCT"
game = "pgame(branching=2, depth=4)"
planner = "uct(selection=depth, horizon=4)"
published = [{ at = 100, value = 0.1, low = 0, high = 0.2 }]

[[arm]]
name = "MC"
game = "pgame(branching=2, depth=4)"
planner = "mc"

[[chart]]
kind = "curve"
title = "Failure"
x = { label = "iterations", log = true }
y = { label = "failure rate" }

[[claim]]
text = "UCT fails less than always"
check = "value"
arm = "UCT"
below = 0.99
"#;

const EXPERIMENT: &str = r#"
title = "Small trees"
spec = "small.toml"
seed = 5
batch = 4
"#;

fn experiment(path: &Path) {
    card(path, EXPERIMENT);
    fs::write(path.join("small.toml"), SPEC).unwrap();
}

#[test]
fn an_experiment_is_kept_as_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    experiment(&a);
    experiment(&b);
    let whole_run = go_on(&a, 2);
    assert_eq!((whole_run.done(), whole_run.asked(), whole_run.batches.len()), (6, 6, 2));
    // The first four units, then the others, on one thread: the same files to the byte.
    card(&b, &EXPERIMENT.replace("seed = 5", "seed = 5\nunits = 4"));
    assert_eq!(go_on(&b, 1).done(), 4);
    card(&b, EXPERIMENT);
    let parts = go_on(&b, 1);
    let sums = |data: &Dataset| data.batches.iter().map(|b| b.sha256.clone()).collect::<Vec<_>>();
    assert_eq!(sums(&whole_run), sums(&parts));
    // All is recomputed from the rows, and every unit gives the same again.
    let Found::Experiment(found) = whole(&whole_run).unwrap() else { panic!("an experiment") };
    assert_eq!((found.done, found.total), (12, 12));
    assert_eq!(found.claims[0].verdict, patience::lab::Ruling::Holds);
    let page = report(folder.path()).unwrap();
    for part in [
        "## The papers",
        "### Small trees",
        "6 of 6 units",
        "| UCT fails less than",
        "Trees of depth",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // The rows are those that the experiment itself stores, whatever made them.
    let store = folder.path().join("store.db");
    let spec = patience::lab::Spec::parse("small", SPEC, false).unwrap();
    let resolve = patience::resolve(patience::registry());
    let mut open = patience::lab::Store::open(&store).unwrap();
    let options = patience::lab::RunOptions::default();
    patience::lab::run(&spec, &resolve, &mut open, &options, &Cancel::new(), &mut |_| ()).unwrap();
    drop(open);
    let reading = patience::lab::Reading::open(&store).unwrap();
    let direct = patience::lab::report(&reading, &[]).unwrap();
    let markdown = patience::lab::markdown;
    assert_eq!(markdown(&direct.experiments[0]), markdown(&found));
    // And a run takes them from there.
    let c = folder.path().join("c");
    experiment(&c);
    let mut data = Dataset::open(&c).unwrap();
    let (date, store) = ("2026-01-01".to_owned(), Some(store));
    data.run(&Running { threads: 1, cancel: &Cancel::new(), date, store }, &|_| ()).unwrap();
    assert_eq!(sums(&data), sums(&parts));
}

/// What is said of a text that was changed so.
type ForgedText = (&'static str, fn(&str) -> String);

#[test]
fn a_forged_experiment_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small");
    let forgeries: [ForgedText; 6] = [
        ("run again it gives", str::to_owned),
        ("not a possible result", |text| {
            let line = text.lines().find(|line| line.contains("UCT,0,failure,1.0,")).unwrap();
            text.replacen(line, "small,UCT,0,failure,1.0,7.5", 1)
        }),
        ("of unit 2 of arm `UCT` next", |text| without(text, "UCT,2,")),
        ("of unit 3 of arm `MC` next", |text| without(text, "MC,3,")),
        ("is one too many", |text| format!("{text}small,MC,4,failure,1.0,0.5\n")),
        ("of unit 0 of arm `UCT` next", |text| text.replace("small,UCT", "large,UCT")),
    ];
    for (n, (expected, change)) in forgeries.into_iter().enumerate() {
        let _ = fs::remove_dir_all(&path);
        experiment(&path);
        go_on(&path, 1);
        let change = |text: &str| match n {
            // A possible value, but not the one that was found.
            0 => {
                let line = text.lines().find(|line| line.contains("UCT,1,failure,1.0,")).unwrap();
                let other = if line.ends_with(",0.5") { "1.0" } else { "0.5" };
                text.replacen(line, &format!("small,UCT,1,failure,1.0,{other}"), 1)
            }
            _ => change(text),
        };
        forge(&path, change);
        let said = whole(&Dataset::open(&path).unwrap()).unwrap_err();
        assert!(said.contains(expected), "{said} instead of {expected}");
    }
    // A spec that asks for something else is not what the rows answer.
    let _ = fs::remove_dir_all(&path);
    experiment(&path);
    go_on(&path, 1);
    for (change, expected) in [
        (("runs = 2", "runs = 3"), "of another spec than small"),
        (("planner = \"mc\"", "planner = \"mmmc\""), "of another spec than small"),
        (("seed = 5", "seed = 6"), "the seed is 5 here and 6 in the spec"),
    ] {
        fs::write(path.join("small.toml"), SPEC.replace(change.0, change.1)).unwrap();
        let said = Dataset::open(&path).map_err(|e| e.to_string()).and_then(|data| whole(&data));
        let said = said.map(|_| ()).unwrap_err();
        assert!(said.contains(expected), "{said}");
    }
}

/// Rows that other versions made stay by themselves: a run adds nothing to them.
#[test]
fn nothing_is_added_to_rows_of_other_versions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small");
    card(&path, &EXPERIMENT.replace("seed = 5", "seed = 5\nunits = 4"));
    fs::write(path.join("small.toml"), SPEC).unwrap();
    go_on(&path, 1);
    let list = path.join("batches.toml");
    let text = fs::read_to_string(&list).unwrap();
    let older = text.replace("uct ", "uct 1");
    assert_ne!(text, older);
    fs::write(&list, older).unwrap();
    card(&path, EXPERIMENT);
    let store = folder.path().join("rows.db");
    let running = Running {
        threads: 1,
        cancel: &Cancel::new(),
        date: "2026-01-01".to_owned(),
        store: Some(store.clone()),
    };
    let said = Dataset::open(&path).unwrap().run(&running, &|_| ()).unwrap_err().to_string();
    assert!(said.contains("nothing can be added"), "{said}");
    assert!(!store.exists());
}

/// A text without its lines that have this in them.
fn without(text: &str, part: &str) -> String {
    text.lines().filter(|line| !line.contains(part)).map(|line| format!("{line}\n")).collect()
}

/// Rows of another version: what was proven must stand, counts need not be the same.
#[test]
fn other_versions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small");
    card(&path, PROVEN);
    go_on(&path, 1);
    let list = path.join("batches.toml");
    let text = fs::read_to_string(&list).unwrap();
    let older = text.replace("freecell 1, optimal ", "freecell 1, optimal 1");
    assert_ne!(text, older);
    fs::write(&list, older).unwrap();
    forge(&path, |text| text.replacen(",optimal,", ",solved,", 1));
    let data = Dataset::open(&path).unwrap();
    let checking = Checking { sample: 1.0, seed: 1, cancel: &Cancel::new() };
    let verified = data.verify(&checking, &mut |_| ()).unwrap();
    assert_eq!((verified.run_again, verified.other_versions), (0, 4));
    forge(&path, |text| {
        let mut lines: Vec<String> = Vec::new();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for row in reader.deserialize::<Row>().map(Result::unwrap) {
            lines.push(row.deal);
        }
        format!(
            "deal,verdict,value,length,iterations,nodes,bytes,seconds,certificate,solution\n{}",
            lines.iter().map(|deal| format!("{deal},unsolvable,,,1,1,1,0,,\n")).collect::<String>()
        )
    });
    let said = whole(&Dataset::open(&path).unwrap()).unwrap_err();
    assert!(said.contains("solved again by another version"), "{said}");
}

/// A deal that was solved behind one that was not is put by, and not solved twice.
#[test]
fn a_run_comes_back_to_a_hard_deal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golf");
    card(&path, &CARD.replace("batch = 3", "batch = 7"));
    let cancel = Cancel::new();
    let running = Running { threads: 2, cancel: &cancel, date: "2026-01-01".into(), store: None };
    let mut data = Dataset::open(&path).unwrap();
    data.run(&running, &|progress| {
        if progress.in_hand >= 3 {
            cancel.cancel();
        }
    })
    .unwrap();
    let done = data.done();
    assert!(done < 7, "{done}");
    let whole_folder = folder.path().join("whole");
    card(&whole_folder, CARD);
    let expected = go_on(&whole_folder, 1);
    let data = go_on(&path, 2);
    assert_eq!(data.done(), 7);
    let plain = |data: &Dataset| {
        data.all_rows().unwrap().into_iter().map(|row| (row.deal, row.nodes)).collect::<Vec<_>>()
    };
    assert_eq!(plain(&data), plain(&expected));
    let left = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("pending")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// What each deal needs follows from what is solved with more and unsolvable with less.
#[test]
fn needs_are_where_bounds_meet() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let base = "title = \"x\"\ndeals = \"1..3\"\nbatch = 3\n";
    for cells in 0..3 {
        let text = format!(
            "{base}game = \"freecell(cells={cells}, ranks=5, columns=4)\"\nsolver = \"satisficing\"\n"
        );
        card(&at(&format!("cells-{cells}")), &text);
        go_on(&at(&format!("cells-{cells}")), 1);
    }
    let steps: String = (0..3)
        .map(|n| format!("[[step]]\nneed = \"{n}\"\ndata = \"cells-{n}\"\npublished = 1\n"))
        .collect();
    card(&at("fewest"), &format!("title = \"Needs\"\nfewest = \"free cells\"\n{steps}"));
    let data = Dataset::open(&at("fewest")).unwrap();
    let Found::Needs(needs) = whole(&data).unwrap() else { panic!("needs") };
    // By hand: the least number of cells with which a deal is solved, all else being proven.
    let verdicts: Vec<Vec<String>> = (0..3)
        .map(|n| Dataset::open(&at(&format!("cells-{n}"))).unwrap().all_rows().unwrap())
        .map(|rows| rows.into_iter().map(|row| row.verdict).collect())
        .collect();
    let mut known = vec![0; 3];
    for deal in 0..3 {
        if let Some(n) = verdicts.iter().position(|of_step| of_step[deal] == "solved") {
            known[n] += 1;
        }
    }
    assert_eq!(needs.known, known);
    assert_eq!(needs.deals, 3);
    assert_eq!(
        known.iter().sum::<u64>()
            + needs.open.iter().map(|open| open.deals.len() as u64).sum::<u64>(),
        3
    );
    // What is not known is open; what contradicts is refused.
    forge(&at("cells-1"), |text| {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
        let line = |row: &Row| format!("{},unknown,,,1,1,1,0,,\n", row.deal);
        let head =
            "deal,verdict,value,length,iterations,nodes,bytes,seconds,certificate,solution\n";
        head.to_owned() + &rows.iter().map(line).collect::<String>()
    });
    let Found::Needs(needs) = whole(&data).unwrap() else { panic!("needs") };
    assert_eq!(needs.known[1], 0);
    forge(&at("cells-0"), |text| {
        let head = text.lines().next().unwrap();
        format!("{head}\n1,solved,1,1,1,1,1,0,,1h\n2,unknown,,,1,1,1,0,,\n3,unknown,,,1,1,1,0,,\n")
    });
    forge(&at("cells-2"), |text| {
        let head = text.lines().next().unwrap();
        format!("{head}\n1,unsolvable,,,1,1,1,0,,\n2,unknown,,,1,1,1,0,,\n3,unknown,,,1,1,1,0,,\n")
    });
    let said = whole(&data).unwrap_err();
    assert!(said.contains("deal 1 is solved in cells-0 and unsolvable in cells-2"), "{said}");
}

#[test]
fn a_card_says_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong");
    for (text, expected) in [
        ("title = \"x\"", "one of the keys game, spec and fewest"),
        (
            "title = \"x\"\ngame = \"golf\"\nsolver = \"a\"\ndeals = \"1..2\"",
            "the key batch is missing",
        ),
        (
            "title = \"x\"\ngame = \"golf\"\nbatch = 1\ndeals = \"1..2\"",
            "the key solver is missing",
        ),
        (
            "title = \"x\"\ngame = \"golf\"\nsolver = \"a\"\ndeals = \"2..1\"\nbatch = 1",
            "must not be empty",
        ),
        ("title = \"x\"\nspec = \"uct-figure-2\"\nbatch = 1", "the key seed is missing"),
        (
            "title = \"x\"\nspec = \"uct-figure-2\"\nbatch = 1\nseed = 1",
            "the seed is 1 here and 2026 in the spec",
        ),
        (
            "title = \"x\"\nspec = \"uct-figure-22\"\nbatch = 1\nseed = 1",
            "did you mean `uct-figure-2`?",
        ),
        (
            "title = \"x\"\nspec = \"uct-figure-2\"\nbatch = 1\nseed = 1\nsolver = \"a\"",
            "the key solver does not belong here",
        ),
        ("title = \"x\"\nfewest = \"cells\"", "the key step is missing"),
        ("title = \"x\"\nfewest = \"cells\"\nunits = 3", "the key units does not belong here"),
    ] {
        card(&path, text);
        let said = Dataset::open(&path).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains(expected), "{said} instead of {expected}");
    }
}

/// Every row that is committed passes, solutions replayed.
#[test]
fn committed_results_stand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let all = datasets(&root).unwrap();
    assert!(all.len() >= 4);
    for data in all {
        let checking = Checking { sample: 0.0, seed: 1, cancel: &Cancel::new() };
        let verified = data.verify(&checking, &mut |_| ());
        let verified = verified.unwrap_or_else(|error| panic!("{error}"));
        if let (Asked::Deals(deals), Found::Deals(summary)) = (&data.card.asked, &verified.found) {
            let solved = |word: &str| summary.verdicts.get(word).copied().unwrap_or(0);
            let expected = if deals.solutions { solved("optimal") + solved("solved") } else { 0 };
            assert_eq!(verified.replayed, expected, "{}", data.name());
        }
    }
}

/// The results that are kept are those that were written, and the page is made from them.
#[test]
fn the_page_of_results_is_made_from_the_rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let made = report(&root.join("data")).unwrap();
    let path = root.join("docs/results.md");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    assert_eq!(made, fs::read_to_string(path).unwrap());
}
