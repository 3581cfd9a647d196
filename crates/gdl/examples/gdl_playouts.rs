//! Random playouts per second of processor time and the size of the network: `gdl_playouts [--seconds S] FILE…`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use patience_gdl::{Description, GroundLimits, Lifted, Reasoner, Sliced, ground};
use patience_model::Rng;

fn main() {
    let mut seconds = 1.0;
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|a| a == "--seconds") {
        arguments.next();
        seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(1.0);
    }
    let span = Duration::from_secs_f64(seconds);
    for path in arguments {
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let text = std::fs::read(&path).expect("the file can be read");
        let description = match Description::read(&String::from_utf8_lossy(&text)) {
            Ok(description) => description,
            Err(finding) => {
                println!("{name:36} {}", finding.message);
                continue;
            }
        };
        let begin = Instant::now();
        let network = ground(&description, &GroundLimits::default());
        let grounding = begin.elapsed().as_secs_f64();
        match network {
            Ok(network) => {
                let network = Arc::new(network);
                println!("{name:36} grounded in {grounding:6.2} s {:?}", network.sizes());
                let mut rng = Rng::new(1);
                let mut position = network.position();
                let (mut playouts, mut moves) = (0u64, 0u64);
                let begin = Instant::now();
                let cpu = cpu_seconds(begin);
                while begin.elapsed() < span {
                    position.restart(&network);
                    if let Some(played) = position.playout(&network, &mut rng, 2_000) {
                        moves += u64::from(played);
                    }
                    playouts += 1;
                }
                report(&name, "grounded", playouts, moves, cpu_seconds(begin) - cpu);
                let mut sliced = Sliced::new(&network);
                let (mut playouts, mut moves) = (0, 0);
                let begin = Instant::now();
                let cpu = cpu_seconds(begin);
                while begin.elapsed() < span {
                    let tally = sliced.run(&mut rng, 64, 2_000);
                    playouts += tally.playouts;
                    moves += tally.moves;
                }
                report(&name, "sliced", playouts, moves, cpu_seconds(begin) - cpu);
            }
            Err(error) => println!("{name:36} not grounded after {grounding:.2} s: {error}"),
        }
        let Ok(mut lifted) = Lifted::new(&description) else { continue };
        let mut rng = Rng::new(1);
        let (mut playouts, mut moves) = (0, 0);
        let mut joint = Vec::new();
        let begin = Instant::now();
        let cpu = cpu_seconds(begin);
        while begin.elapsed() < span {
            if lifted.start().is_err() {
                break;
            }
            while begin.elapsed() < span && matches!(lifted.terminal(), Ok(false)) {
                if lifted.random_joint(&mut rng, &mut joint).is_err()
                    || lifted.play(&joint).is_err()
                {
                    break;
                }
                moves += 1;
            }
            playouts += 1;
        }
        report(&name, "lifted", playouts, moves, cpu_seconds(begin) - cpu);
    }
}

/// Seconds that this process has had a processor, where the system tells; else the wall clock.
/// On a loaded machine only the former says how fast the code is.
fn cpu_seconds(wall: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| wall.elapsed().as_secs_f64(), |n| n / 1e9)
}

fn report(name: &str, engine: &str, playouts: u64, moves: u64, seconds: f64) {
    println!(
        "{name:36} {engine:9} {:12.0} playouts/s {:12.0} states/s",
        playouts as f64 / seconds,
        moves as f64 / seconds
    );
}
