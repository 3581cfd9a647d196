//! The network as a program: compiled, run and followed move for move.

use crate::common;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use patience_gdl::export::{to_c, to_cuda, to_json};
use patience_gdl::{Description, GroundLimits, Network, World, ground};

/// Stones that are connected over others: rules that a network keeps as a cycle.
const CHAIN: &str = "(role x) (role random) (cell 1) (cell 2) (cell 3) (cell 4) (cell 5)
    (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 5)
    (<= (beside ?a ?b) (next_to ?a ?b)) (<= (beside ?a ?b) (next_to ?b ?a))
    (init (turn 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
    (<= (legal x (put ?c)) (cell ?c) (not (true (stone ?c))))
    (<= (legal random (take ?c)) (cell ?c) (true (stone ?c))) (legal random noop)
    (<= (next (stone ?c)) (does x (put ?c)))
    (<= (next (stone ?c)) (true (stone ?c)) (not (does random (take ?c))))
    (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
    (<= (linked 1) (true (stone 1)))
    (<= (linked ?b) (linked ?a) (beside ?a ?b) (true (stone ?b)))
    (<= terminal (linked 5)) (<= terminal (true (turn 5)))
    (<= (goal x 100) (linked 5)) (<= (goal x 20) (not (linked 5)) (linked 3))
    (<= (goal x 0) (not (linked 3))) (goal random 7)";

fn network(rules: &Description) -> Network {
    ground(rules, &GroundLimits::default()).expect("it is grounded")
}

/// Compiles a program with gcc; `None` where there is none.
fn compiled(name: &str, source: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&file, source).expect("it is written");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-O1", "-DPATIENCE_MAIN", "-o"]).arg(&program).arg(&file);
    match gcc.output() {
        Err(error) => {
            eprintln!("skipped: gcc cannot be run: {error}");
            None
        }
        Ok(done) => {
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            Some(program)
        }
    }
}

/// Follows 32 lanes of a program through the network.
fn follow(name: &str, network: Network) {
    let Some(program) = compiled(name, &to_c(&network)) else { return };
    let run = Command::new(program).args(["5", "40", "trace"]).output().expect("it runs");
    let text = String::from_utf8(run.stdout).expect("it prints text");
    let network = Arc::new(network);
    let roles = network.role_count();
    let mut lines = text.lines();
    let mut words = |expected: &str| -> Vec<u32> {
        let mut words = lines.next().expect("there is a line").split(' ');
        assert_eq!(words.next(), Some(expected), "{name}");
        words.map(|word| u32::from_str_radix(word, 16).expect("a word")).collect()
    };
    let bit = |word: u32, lane: usize| word >> lane & 1 == 1;
    let initial = network.words(&World::position(&*network)).to_vec();
    let mut expected: Vec<Vec<u64>> = vec![initial.clone(); 32];
    let (mut playouts, mut moves, mut goals) = (0, 0, vec![0u64; roles]);
    for turn in 0..40 {
        let state = words("S");
        let lists: Vec<(Vec<u32>, Vec<u32>)> =
            (0..roles).map(|_| (words("L"), words("M"))).collect();
        let (ended, fresh) = (words("E")[0], words("F")[0]);
        for (lane, expected) in expected.iter_mut().enumerate() {
            let mut found = vec![0u64; expected.len()];
            for (base, &word) in state.iter().enumerate() {
                found[base / 64] |= u64::from(bit(word, lane)) << (base % 64);
            }
            assert_eq!(&found, expected, "{name}: the state of lane {lane} in turn {turn}");
            let mut position = World::position(&*network);
            World::load(&*network, &mut position, &found);
            assert_eq!(bit(ended, lane), World::terminal(&*network, &position), "{name}");
            let (mut joint, mut stuck) = (Vec::new(), false);
            for (role, (legal, chosen)) in lists.iter().enumerate() {
                let of_lane = |words: &[u32]| -> Vec<u32> {
                    (0..words.len() as u32).filter(|&n| bit(words[n as usize], lane)).collect()
                };
                let mut known = Vec::new();
                World::legal(&*network, &position, role, &mut known);
                assert_eq!(of_lane(legal), known, "{name}: legal moves");
                let chosen = of_lane(chosen);
                assert_eq!(chosen.len(), usize::from(!known.is_empty()), "{name}: one move");
                assert!(chosen.iter().all(|number| known.contains(number)), "{name}: it is legal");
                stuck |= chosen.is_empty();
                joint.extend(chosen);
            }
            let done = bit(ended, lane) || stuck;
            // Playouts that are over are counted every eighth turn, and wait until then.
            assert_eq!(bit(fresh, lane), done && turn % 8 == 7, "{name}");
            if bit(ended, lane) && bit(fresh, lane) {
                playouts += 1;
                for (role, sum) in goals.iter_mut().enumerate() {
                    *sum += World::goal(&*network, &position, role).map_or(0, u64::from);
                }
            }
            if bit(fresh, lane) {
                expected.clone_from(&initial);
            } else if !done {
                moves += 1;
                World::play(&*network, &mut position, &joint);
                *expected = network.words(&position).to_vec();
            }
        }
    }
    assert!(playouts > 0, "{name}: some playouts end");
    let sums: String = goals.iter().map(|sum| format!(" {sum}")).collect();
    let last = lines.next().expect("there is a summary");
    assert!(
        last.starts_with(&format!("playouts {playouts} moves {moves} stuck ")),
        "{name}: {last}"
    );
    assert!(last.ends_with(&format!(" goals{sums}")), "{name}: {last}");
}

#[test]
fn the_program_in_c_is_the_network() {
    for name in ["tictactoe", "monty_hall", "tiger", "maze", "small_klondike"] {
        follow(name, network(&common::game(name)));
    }
    let chain = network(&Description::read(CHAIN).expect("it is read"));
    assert!(chain.sizes().loops > 0, "there is a cycle");
    follow("chain", chain);
}

/// A number that is drawn evenly: 32 lanes, 3 moves, a bound of four standard errors.
#[test]
fn the_program_in_c_draws_moves_evenly() {
    let rules = "(role x) (init a) (legal x 1) (legal x 2) (legal x 3)
        (<= (next (done ?m)) (does x ?m)) (<= terminal (true (done ?m)))
        (<= (goal x 0) (true (done 1))) (<= (goal x 1) (true (done 2)))
        (<= (goal x 100) (true (done 3)))";
    let network = network(&Description::read(rules).expect("it is read"));
    let Some(program) = compiled("even", &to_c(&network)) else { return };
    let run = Command::new(program).args(["3", "4000"]).output().expect("it runs");
    let text = String::from_utf8(run.stdout).expect("it prints text");
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let (playouts, sum) = (numbers.next().expect("playouts"), numbers.next_back().expect("goals"));
    // Every third playout scores 100, every third 1.
    let (third, second) = ((sum / 100.0).floor(), sum % 100.0);
    let error = (playouts * 2.0 / 9.0).sqrt();
    assert!(playouts > 10_000.0 && second >= 0.0);
    // The hundreds hold the ones that are 1 as well: at most a hundredth of a third too many.
    assert!((third - playouts / 3.0 * 1.01).abs() < 4.0 * error, "{third} of {playouts}");
}

#[test]
fn cuda_has_the_same_turn_and_json_has_all_nodes() {
    let network = network(&common::game("tictactoe"));
    let (c, cuda) = (to_c(&network), to_cuda(&network));
    let turn = |source: &str| {
        let start = source.find("FN void begin").expect("there is a beginning");
        let end = source.find("    lanes->ended = ended;").expect("there is an end");
        source[start..end].to_owned()
    };
    assert_eq!(turn(&c), turn(&cuda));
    assert!(cuda.contains("__global__") && !c.contains("__global__"));
    let json = to_json(&network);
    let count = |key: &str| json[key].as_array().map_or(0, Vec::len);
    assert_eq!((count("facts"), count("next")), (20, 20));
    assert_eq!(json["roles"][0]["moves"].as_array().map_or(0, Vec::len), 10);
    // Every node comes after its inputs.
    let mut known: Vec<bool> = json["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| node["kind"] == "given")
        .collect();
    for node in json["order"].as_array().expect("an order") {
        let node = node.as_u64().expect("no cycles here") as usize;
        for input in json["nodes"][node]["inputs"].as_array().expect("inputs") {
            let input = input.as_i64().expect("a number").unsigned_abs() as usize - 1;
            assert!(known[input], "node {node} needs {input}");
        }
        known[node] = true;
    }
}
