//! Follows the transcripts of a folder: `follow_all GAMES TRACES [lifted|grounded]`.
//!
//! Transcripts are named like their rule files, with `.trace` added.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use patience_gdl::{
    Description, GroundLimits, Grounded, Lifted, Source, Strictness, check, ground, transcript,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, traces, rest @ ..] = &arguments[..] else {
        eprintln!("usage: follow_all GAMES TRACES [lifted|grounded]");
        std::process::exit(2);
    };
    let grounded = rest.iter().any(|word| word == "grounded");
    let mut files: Vec<_> = std::fs::read_dir(games)
        .expect("the folder of games can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let (mut followed, mut differing) = (0, 0);
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let begin = Instant::now();
        let verdict = one(&path, &Path::new(traces).join(format!("{name}.trace")), grounded);
        let seconds = begin.elapsed().as_secs_f64();
        match verdict {
            Ok(text) => {
                followed += 1;
                println!("{name:40} {seconds:8.2} s  {text}");
            }
            Err(text) => {
                differing += 1;
                let text: String = text.chars().take(600).collect();
                println!("{name:40} {seconds:8.2} s  DIFFERS {text}");
            }
        }
    }
    println!("{followed} followed, {differing} not");
}

fn one(path: &Path, trace: &Path, grounded: bool) -> Result<String, String> {
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let source = Source::new(path.display().to_string(), String::from_utf8_lossy(&text));
    let description = Description::read(source.text()).map_err(|f| f.render(&source))?;
    let findings = check(&description);
    if let Some(finding) = findings.iter().find(|f| Strictness::Lenient.refuses(f)) {
        return Err(finding.render(&source));
    }
    let faults = findings.iter().filter(|f| Strictness::Strict.refuses(f)).count();
    let Ok(text) = std::fs::read_to_string(trace) else {
        return Ok(format!("no transcript ({faults} faults)"));
    };
    if grounded {
        let limits = GroundLimits::default();
        let network = ground(&description, &limits).map_err(|e| e.to_string())?;
        let sizes = network.sizes();
        let mut engine = Grounded::new(Arc::new(network));
        let followed = transcript::follow(&mut engine, &text).map_err(|d| d.to_string())?;
        return Ok(format!(
            "{} moves, {} gates, {} loops",
            followed.moves, sizes.gates, sizes.loops
        ));
    }
    let mut engine = Lifted::new(&description).map_err(|f| f.render(&source))?;
    let followed = transcript::follow(&mut engine, &text).map_err(|d| d.to_string())?;
    Ok(format!("{} moves, {faults} faults", followed.moves))
}
