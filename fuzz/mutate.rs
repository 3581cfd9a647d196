//! A fuzzer for the stable toolchain that knows of words, numbers, brackets and lines.
//!
//! Inputs are made from a stored corpus by a few changes each. What a target says of an input, its
//! *kind*, steers the search: an input of a kind not seen before joins the corpus in memory. An input
//! that makes the target panic is made as small as it stays harmful, written to a file and named; that file
//! belongs into the stored corpus. The file holds each input before it is tried, so that one that ends the
//! process (a stack that overflows, a limit of memory) is found there, and so is one that takes longer than a
//! minute: a watchdog then names the file and ends the process.
//!
//! It is included by the tests of the crates whose readers it tries, which bring `Rng` along.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::Rng;

/// Far above what any limit allows, on a busy machine too.
const SLOWEST: Duration = Duration::from_secs(60);
/// Inputs do not grow beyond this.
const LONGEST: usize = 60_000;

/// The stored inputs of a target, all files of `fuzz/inputs/NAME` in order of their names, and more
/// that the program itself writes.
fn corpus(name: &str, more: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/inputs").join(name);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut all: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert!(!all.is_empty(), "{}: no input", folder.display());
    all.extend(more);
    all
}

/// Replays the corpus and tries so many changed inputs, always the same.
pub(crate) fn shortly(
    name: &str,
    more: Vec<Vec<u8>>,
    inputs: u64,
    target: impl Fn(&[u8]) -> String,
) {
    let corpus = corpus(name, more);
    let mut kinds = HashSet::new();
    let watch = Watch::new(name);
    for input in &corpus {
        kinds.insert(check(&watch, input, &target));
    }
    let mut fuzzer = Fuzzer::new(corpus, kinds, 1);
    for _ in 0..inputs {
        fuzzer.next(&watch, &target);
    }
    // A target that says the same of everything was not reached.
    assert!(fuzzer.kinds.len() > 1, "{name}: {:?}", fuzzer.kinds);
}

/// The same for as long as `PATIENCE_FUZZ_SECONDS` says, from `PATIENCE_FUZZ_SEED`.
pub(crate) fn for_long(name: &str, more: Vec<Vec<u8>>, target: impl Fn(&[u8]) -> String) {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let span = Duration::from_secs(number("PATIENCE_FUZZ_SECONDS", 300));
    let seed = number("PATIENCE_FUZZ_SEED", 1);
    let mut fuzzer = Fuzzer::new(corpus(name, more), HashSet::new(), seed);
    let watch = Watch::new(name);
    let begin = Instant::now();
    let mut inputs = 0u64;
    while begin.elapsed() < span {
        fuzzer.next(&watch, &target);
        inputs += 1;
    }
    let (kinds, seconds) = (fuzzer.kinds.len(), begin.elapsed().as_secs());
    println!("{name}: {inputs} inputs in {seconds} s, {kinds} kinds of answers, no harm");
}

/// What an error says, without what differs from input to input: its kind.
pub(crate) fn kind(said: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in said.chars() {
        match c {
            '`' | '"' => {
                quoted = !quoted;
                kind.push(c);
            }
            _ if quoted => {}
            '0'..='9' => {
                if !kind.ends_with('#') {
                    kind.push('#');
                }
            }
            _ => kind.push(c),
        }
        if kind.len() > 100 {
            break;
        }
    }
    kind
}

struct Fuzzer {
    corpus: Vec<Vec<u8>>,
    kinds: HashSet<String>,
    rng: Rng,
}

impl Fuzzer {
    fn new(corpus: Vec<Vec<u8>>, kinds: HashSet<String>, seed: u64) -> Fuzzer {
        Fuzzer { corpus, kinds, rng: Rng::named(seed, &["fuzz"]) }
    }

    fn next(&mut self, watch: &Watch, target: &impl Fn(&[u8]) -> String) {
        let input = self.change();
        let kind = check(watch, &input, target);
        // What is kept is bounded: a kind is a short text, and there are few.
        if self.kinds.len() < 5000 && self.kinds.insert(kind) {
            self.corpus.push(input);
        }
    }

    fn any(&mut self) -> &[u8] {
        let at = self.rng.index(self.corpus.len());
        &self.corpus[at]
    }

    /// One of the inputs after a few changes.
    fn change(&mut self) -> Vec<u8> {
        let mut bytes = self.any().to_vec();
        for _ in 0..1 + self.rng.index(4) {
            let other = self.any().to_vec();
            bytes = change(&bytes, &other, &mut self.rng);
            bytes.truncate(LONGEST);
        }
        bytes
    }
}

/// A word, a number, a run of spaces or a single sign.
fn tokens(bytes: &[u8]) -> Vec<Vec<u8>> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 128.. => 2,
        b' ' | b'\t' => 3,
        _ => 0,
    };
    let mut all: Vec<Vec<u8>> = Vec::new();
    for &byte in bytes {
        match all.last_mut() {
            Some(last) if class(byte) != 0 && class(last[0]) == class(byte) => last.push(byte),
            _ => all.push(vec![byte]),
        }
    }
    all
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "13",
    "52",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e9",
    "1e308",
    "1e309",
    "-0",
    "0.5",
    "nan",
    "inf",
    "-inf",
    "1e-400",
    "99999999999999999999999999999999999999",
];
const SIGNS: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", "=", ":", "\"", "'", "\\", "\n", "\r\n", "\0", "\u{feff}",
    "💥", "\u{202e}", "ß", "?", "*", "..", "/", "-", "<", ">", "\t", ";", "#",
];

fn change(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (mut all, others) = (tokens(bytes), tokens(other));
    if all.is_empty() {
        return other.to_vec();
    }
    let at = rng.index(all.len());
    let most = 1 + rng.index(12);
    let end = (at + 1 + rng.index(most)).min(all.len());
    match rng.index(14) {
        0 => drop(all.drain(at..end)),
        1 => {
            let piece = all[at..end].to_vec();
            let place = rng.index(all.len());
            all.splice(place..place, piece);
        }
        2 => {
            let place = rng.index(all.len());
            all.swap(at, place);
        }
        // A piece of the same class from elsewhere: a number for a number, a word for a word.
        3 | 4 => {
            let digit = all[at][0].is_ascii_digit();
            let alike: Vec<&Vec<u8>> =
                others.iter().filter(|piece| piece[0].is_ascii_digit() == digit).collect();
            if !alike.is_empty() {
                all[at] = alike[rng.index(alike.len())].clone();
            }
        }
        5 => {
            let numbers: Vec<usize> =
                (0..all.len()).filter(|&n| all[n][0].is_ascii_digit()).collect();
            let place = if numbers.is_empty() { at } else { rng.pick(&numbers) };
            all[place] = rng.pick(NUMBERS).as_bytes().to_vec();
        }
        6 => all.insert(at, rng.pick(SIGNS).as_bytes().to_vec()),
        // The beginning of one and the end of another.
        7 => {
            all.truncate(at);
            all.extend_from_slice(&others[rng.index(others.len() + 1)..]);
        }
        // A piece in brackets within brackets, or without their ends.
        8 => {
            let (open, close) = rng.pick(&[("(", ")"), ("[", "]"), ("{", "}")]);
            let depth = 1 << rng.index(12);
            let ends = if rng.chance(0.7) { depth } else { rng.index(depth + 1) };
            all.insert(end, close.repeat(ends).into_bytes());
            all.insert(at, open.repeat(depth).into_bytes());
        }
        9 => {
            let piece = all[at..end].concat();
            let times = 1 << rng.index(11);
            all.insert(at, piece.repeat(times.min(1 + LONGEST / piece.len().max(1))));
        }
        // Lines: one is gone, comes twice, or changes places.
        10 => {
            let text = all.concat();
            let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
            let (one, two) = (rng.index(lines.len()), rng.index(lines.len()));
            match rng.index(3) {
                0 => drop(lines.remove(one)),
                1 => lines.insert(two, lines[one]),
                _ => lines.swap(one, two),
            }
            return lines.join(&b'\n');
        }
        11 => all.truncate(at),
        12 => {
            let piece = others.get(rng.index(others.len() + 1)).cloned().unwrap_or_default();
            all.insert(at, piece);
        }
        _ => {
            let byte = rng.index(all[at].len());
            all[at][byte] ^= 1 << rng.index(8);
        }
    }
    all.concat()
}

/// Keeps the input that is tried in a file, and an eye on how long it takes.
pub(crate) struct Watch {
    path: PathBuf,
    began: Arc<Mutex<Option<Instant>>>,
}

impl Watch {
    pub(crate) fn new(name: &str) -> Watch {
        let path = std::env::temp_dir().join(format!("harmful-{name}-{}", std::process::id()));
        let began = Arc::new(Mutex::new(None));
        let (file, seen) = (path.clone(), Arc::downgrade(&began));
        std::thread::spawn(move || guard(&file, &seen));
        Watch { path, began }
    }

    /// Tries an input; gives what becomes of it and how long it took.
    pub(crate) fn run<R>(
        &self,
        input: &[u8],
        target: impl FnOnce(&[u8]) -> R,
    ) -> (std::thread::Result<R>, Duration) {
        std::fs::write(&self.path, input).unwrap();
        let begin = Instant::now();
        self.set(Some(begin));
        let done = catch_unwind(AssertUnwindSafe(|| target(input)));
        self.set(None);
        (done, begin.elapsed())
    }

    fn set(&self, began: Option<Instant>) {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = began;
    }

    /// Says that an input does harm: it is in the file.
    pub(crate) fn harm(&self, input: &[u8], took: Duration) -> ! {
        std::fs::write(&self.path, input).unwrap();
        panic!("{} does harm ({:.1} s)", self.path.display(), took.as_secs_f64());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Ends the process when an input takes too long: there is no other way to end what does not return.
fn guard(file: &Path, seen: &Weak<Mutex<Option<Instant>>>) {
    while let Some(began) = seen.upgrade() {
        let began = *began.lock().unwrap_or_else(PoisonError::into_inner);
        if began.is_some_and(|began| began.elapsed() > SLOWEST) {
            eprintln!("{} takes longer than {SLOWEST:?}", file.display());
            std::process::abort();
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Runs the target on an input; gives the kind of its answer.
fn check(watch: &Watch, input: &[u8], target: &impl Fn(&[u8]) -> String) -> String {
    match watch.run(input, target) {
        (Ok(said), _) => kind(&said),
        (Err(_), took) => watch.harm(&smaller(watch, input, target), took),
    }
}

/// Leaves out what can be left out while the target still panics.
fn smaller(watch: &Watch, input: &[u8], target: &impl Fn(&[u8]) -> String) -> Vec<u8> {
    let mut all = tokens(input);
    let mut size = all.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < all.len() {
            let mut fewer = all.clone();
            fewer.drain(at..(at + size).min(fewer.len()));
            if watch.run(&fewer.concat(), target).0.is_err() {
                all = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    all.concat()
}
