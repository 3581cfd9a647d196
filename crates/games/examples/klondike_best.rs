//! Games played by the player `best`: `klondike_best FIRST LAST [KEY=VALUE…]`.

use std::time::Instant;

use patience_games::klondike::best::{Best, BestSettings};
use patience_games::klondike::{Deal, Klondike, Rules, TakingBack};
use patience_model::{Game, Rng};
use patience_plan::{Budget, Cancel, Planner, Root, Search};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (first, last): (u64, u64) = (words[0].parse().unwrap(), words[1].parse().unwrap());
    let mut settings = BestSettings { samples: Some(100), ..BestSettings::default() };
    let (mut draw, mut reuse, mut each) = (3, true, false);
    for word in &words[2..] {
        let (key, value) = word.split_once('=').unwrap();
        let real: f64 = value.parse().unwrap();
        match key {
            "samples" => settings.samples = Some(real as u64),
            "nodes" => settings.nodes = real as u64,
            "unknown" => settings.unknown = real,
            "c" => settings.c = real,
            "draw" => draw = real as u32,
            "reuse" => reuse = real != 0.0,
            "each" => each = real != 0.0,
            _ => panic!("{key}"),
        }
    }
    let game = Klondike::new(Rules::draw(draw).unwrap()).unwrap().with_taking_back(TakingBack::Any);
    let planner = Best::new(settings).unwrap();
    let begin = Instant::now();
    let (mut won, mut decisions, mut moves, mut nodes, mut samples) =
        (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut actions = Vec::new();
    let mut wins = String::new();
    for seed in first..=last {
        let mut state = game.deal(&Deal::seeded(game.rules(), seed)).expect("a deal");
        let mut search: Option<Box<dyn Search<Klondike> + '_>> = None;
        for number in 0u64.. {
            game.actions(&state, &mut actions);
            let action = match actions[..] {
                [] => break,
                [only] => only,
                _ => {
                    let rng = Rng::named(seed, &["play", &number.to_string()]);
                    let this = match &mut search {
                        Some(search) => search,
                        none => none.insert(planner.search(
                            &game,
                            Root::Certain(game.open(&state)),
                            rng,
                        )),
                    };
                    this.run(&Budget::UNLIMITED, &Cancel::new(), &mut |_| ());
                    let counts = this.counts();
                    nodes += counts.model_calls;
                    samples += counts.iterations;
                    decisions += u64::from(counts.iterations > 0);
                    this.best().expect("there is an action")
                }
            };
            moves += 1;
            let step = game.step(&mut state, action, &mut Rng::new(0));
            if !reuse
                || search
                    .as_mut()
                    .is_some_and(|s| !s.advance(action, step.obs, Root::Certain(game.open(&state))))
            {
                search = None;
            }
        }
        won += u64::from(game.is_won(&state));
        wins.push(if game.is_won(&state) { '1' } else { '0' });
    }
    let games = (last + 1 - first) as f64;
    let share = won as f64 / games;
    let error = 1.96 * (share * (1.0 - share) / games).sqrt();
    let cpu = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|s| s.split(' ').next().map(|n| n.parse::<f64>().unwrap_or(0.0) / 1e9))
        .unwrap_or(0.0);
    println!(
        "{}: {won} of {games}: {:.2}% ± {:.2}, cpu {:.3} s/game (wall {:.3}), knodes/game {:.1}, samples/game {:.0}, decisions/game {:.1}, moves/game {:.1}",
        words.join(" "),
        100.0 * share,
        100.0 * error,
        cpu / games,
        begin.elapsed().as_secs_f64() / games,
        nodes as f64 / games / 1e3,
        samples as f64 / games,
        decisions as f64 / games,
        moves as f64 / games
    );
    if each {
        println!("{wins}");
    }
}
