//! A short run of the fuzz target: the stored corpus and the games, and what becomes of them when
//! they are damaged in a fixed, random way.

use crate::common;

#[path = "../../../fuzz/mutate.rs"]
mod mutate;
#[path = "../../../fuzz/rules.rs"]
mod rules;

use std::path::Path;
use std::time::{Duration, Instant};

use patience_gdl::{Description, Source};
use patience_model::Rng;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut paths = common::files(&folder);
    assert!(paths.len() > 10, "the corpus is there");
    paths.extend(common::games());
    paths.iter().map(|path| std::fs::read(path).expect("the file can be read")).collect()
}

#[test]
fn the_corpus_is_read_checked_and_run() {
    corpus().iter().for_each(|bytes| rules::one(bytes));
}

/// Pieces that matter to the language.
const PIECES: &[&[u8]] = &[
    b"(",
    b")",
    b"?x",
    b" ",
    b"(not ",
    b"(or ",
    b"(distinct ",
    b"(<= ",
    b"(true ",
    b"(does ",
    b";",
    b"\n",
    b"(next ",
    b"(legal ",
    b"random",
    b"terminal",
    b"(sees ",
    b"\xff",
    b"101",
    b"(init ",
];

/// Cuts, doubles, inserts and overwrites.
fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.index(4) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.index(bytes.len());
        let end = (at + 1 + rng.index(40)).min(bytes.len());
        match rng.index(4) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let place = rng.index(bytes.len());
                bytes.splice(place..place, piece);
            }
            2 => {
                let piece = rng.pick(PIECES);
                bytes.splice(at..at, piece.iter().copied());
            }
            _ => bytes[at] = rng.next_u64() as u8,
        }
    }
    bytes
}

#[test]
fn damaged_rules_do_no_harm() {
    let corpus = corpus();
    let mut rng = Rng::new(2014);
    for _ in 0..1_500 {
        let whole = &corpus[rng.index(corpus.len())];
        rules::one(&damaged(whole, &mut rng));
    }
}

/// What a long run does with an input.
type Target = fn(&[u8]);

/// Damages rules for as long as `PATIENCE_FUZZ_SECONDS` says, two files spliced now and then. An input
/// that does harm is written to a file, which belongs into the corpus.
fn damage_for_long(name: &str, target: Target) {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let span = Duration::from_secs(number("PATIENCE_FUZZ_SECONDS", 300));
    let mut rng = Rng::new(number("PATIENCE_FUZZ_SEED", 1));
    let corpus = corpus();
    let begin = Instant::now();
    let mut inputs = 0u64;
    let watch = mutate::Watch::new(name);
    while begin.elapsed() < span {
        let mut bytes = corpus[rng.index(corpus.len())].clone();
        if rng.index(4) == 0 {
            let other = &corpus[rng.index(corpus.len())];
            bytes.truncate(rng.index(bytes.len() + 1));
            bytes.extend_from_slice(&other[rng.index(other.len() + 1)..]);
        }
        for _ in 0..=rng.index(3) {
            bytes = damaged(&bytes, &mut rng);
        }
        inputs += 1;
        let (done, took) = watch.run(&bytes, target);
        if done.is_err() {
            watch.harm(&bytes, took);
        }
    }
    println!("{name}: {inputs} inputs in {} s without harm", begin.elapsed().as_secs());
}

#[test]
#[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
fn the_reader_bears_damage_for_long() {
    damage_for_long("reader", |bytes| {
        let source = Source::new("fuzz", String::from_utf8_lossy(bytes));
        if let Err(finding) = Description::read(source.text()) {
            assert!(finding.render(&source).contains("help: "), "it says what to write");
        }
    });
}

#[test]
#[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
fn the_checker_and_the_engines_bear_damage_for_long() {
    damage_for_long("checker", rules::one);
}

/// Rules, changed by words, lines and brackets rather than by bytes: many of them are still rules.
fn changed_rules(bytes: &[u8]) -> String {
    rules::one(bytes);
    match Description::read(&String::from_utf8_lossy(bytes)) {
        Err(finding) => format!("{:?}", finding.code),
        Ok(description) => {
            let codes: std::collections::BTreeSet<String> = patience_gdl::check(&description)
                .iter()
                .map(|finding| format!("{:?}", finding.code))
                .collect();
            format!("{codes:?}")
        }
    }
}

#[test]
fn changed_rules_do_no_harm() {
    mutate::shortly("rules", corpus(), 300, changed_rules);
}

#[test]
#[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
fn changed_rules_do_no_harm_for_long() {
    mutate::for_long("rules", corpus(), changed_rules);
}

/// Transcripts of matches, as `patience gdl trace` reads them.
fn changed_traces(bytes: &[u8]) -> String {
    let mut engine = patience_gdl::Lifted::new(&common::game("tictactoe")).expect("it is made");
    match patience_gdl::transcript::follow(&mut engine, &String::from_utf8_lossy(bytes)) {
        Ok(followed) => format!("followed {}", followed.states.min(2)),
        Err(difference) => difference.to_string(),
    }
}

fn traces() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let trace = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "trace");
    let paths = common::files(&folder).into_iter().filter(trace);
    paths.map(|path| std::fs::read(path).expect("the file can be read")).collect()
}

#[test]
fn changed_traces_do_no_harm() {
    mutate::shortly("traces", traces(), 200, changed_traces);
}

#[test]
#[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
fn changed_traces_do_no_harm_for_long() {
    mutate::for_long("traces", traces(), changed_traces);
}
