//! A short run of the fuzz target: the stored corpus and the games, and what becomes of them when
//! they are damaged in a fixed, random way.

mod common;

#[path = "../../../fuzz/rules.rs"]
mod rules;

use std::path::Path;

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
