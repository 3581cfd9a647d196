//! Results as a folder that repositories of data take: an RO-Crate (researchobject.org/ro-crate).

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use patience::data::sha256;
use patience::lab::{self, ExperimentReport, ExportFormat, Reading};
use serde_json::{Value, json};

use super::tar;
use crate::console::json_text;
use crate::exit::{Code, Failure};
use crate::files::{write, write_by};

/// Cargo's lock file: with it and the version the program can be built again as it was.
const LOCK: &str = include_str!(env!("PATIENCE_LOCK"));

/// The description that makes a folder an RO-Crate.
const METADATA: &str = "ro-crate-metadata.json";

/// How the name of an archive ends; another one is that of a folder.
const PACKED: &str = ".tar.zst";

/// Writes rows, specs, report and lock file into a new or empty folder, or into one archive, and what
/// describes them. The same rows make the same folder, to the byte.
pub(super) fn archive(
    reading: &Reading,
    names: &[String],
    to: &Path,
    license: &str,
) -> Result<usize, Failure> {
    let name = to.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let packed = name.strip_suffix(PACKED);
    match packed {
        None => make(to)?,
        Some(_) if to.exists() => {
            let message = format!("{}: expected a new file", to.display());
            return Err(Failure::new(Code::BadInput, message));
        }
        Some(_) => {}
    }
    let report = lab::report(reading, names)?;
    let mut rows = Vec::new();
    lab::export(reading, names, ExportFormat::Csv, &mut rows)?;
    let mut files = vec![
        File {
            name: "rows.csv".to_owned(),
            format: "text/csv",
            about:
                "All rows, a number in each line: experiment, arm, unit, column, checkpoint, value"
                    .to_owned(),
            text: String::from_utf8_lossy(&rows).into_owned(),
        },
        File {
            name: "report.html".to_owned(),
            format: "text/html",
            about: "Tables, intervals, verdicts and plots".to_owned(),
            text: lab::html(&report),
        },
        File {
            name: "report.json".to_owned(),
            format: "application/json",
            about: "The same for programs; of each arm the hash and versions it depends on"
                .to_owned(),
            text: json_text(&report)? + "\n",
        },
        File {
            name: "Cargo.lock".to_owned(),
            format: "application/toml",
            about: "The libraries that the program was built with".to_owned(),
            text: LOCK.to_owned(),
        },
    ];
    files.extend(report.experiments.iter().map(|experiment| File {
        name: spec(experiment),
        format: "application/toml",
        about: format!("The spec of {}", experiment.name),
        text: experiment.spec.clone(),
    }));
    let described = describe(&report.experiments, &files, license);
    let described = json_text(&described)? + "\n";
    let all = files.iter().map(|file| (file.name.as_str(), file.text.as_str()));
    let all = all.chain([(METADATA, described.as_str())]);
    if let Some(folder) = packed {
        let bytes = tar::pack(folder, all).ok_or_else(|| {
            let message = "a name or a file is too long for an archive; name a folder instead";
            Failure::new(Code::BadInput, format!("{}: {message}", to.display()))
        })?;
        write_by(to, |out| Ok(out.write_all(&bytes)?))?;
    } else {
        for (name, text) in all {
            write(&to.join(name), text)?;
        }
    }
    Ok(files.len() + 1)
}

/// Makes the folder. One that has something in it is left alone.
fn make(folder: &Path) -> Result<(), Failure> {
    let cannot = |what: &str, error: std::io::Error| {
        Failure::new(Code::Fault, format!("{}: cannot {what}: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| cannot("make", error))?;
    let mut inside = std::fs::read_dir(folder).map_err(|error| cannot("read", error))?;
    if inside.next().is_some() {
        let message = format!("{}: expected a new or an empty folder", folder.display());
        return Err(Failure::new(Code::BadInput, message));
    }
    Ok(())
}

struct File {
    name: String,
    format: &'static str,
    about: String,
    text: String,
}

/// The file of a spec.
fn spec(experiment: &ExperimentReport) -> String {
    format!("{}.toml", experiment.name)
}

fn describe(experiments: &[ExperimentReport], files: &[File], license: &str) -> Value {
    let refer = |id: &str| json!({ "@id": id });
    let titles: Vec<&str> = experiments.iter().map(|e| e.title.as_str()).collect();
    let names: Vec<&str> = experiments.iter().map(|e| e.name.as_str()).collect();
    let last = experiments.iter().map(|experiment| experiment.updated).max().unwrap_or(0);
    let parts: Vec<Value> = files.iter().map(|file| refer(&file.name)).collect();
    let runs: Vec<Value> = names.iter().map(|name| refer(&format!("#run-{name}"))).collect();
    let mut graph = vec![
        json!({
            "@id": METADATA, "@type": "CreativeWork", "about": refer("./"),
            "conformsTo": refer("https://w3id.org/ro/crate/1.1"),
        }),
        json!({
            "@id": "./", "@type": "Dataset",
            "name": format!("Results of {}", names.join(", ")),
            "description": titles.join("; "),
            "datePublished": date(last),
            "license": refer(license),
            "hasPart": parts,
            "mentions": runs,
        }),
    ];
    graph.extend(files.iter().map(|file| {
        json!({
            "@id": file.name, "@type": "File", "description": file.about,
            "encodingFormat": file.format, "contentSize": file.text.len().to_string(),
            "sha256": sha256(file.text.as_bytes()),
        })
    }));
    for experiment in experiments {
        let ExperimentReport { name, quick, seed, done, total, seconds, .. } = experiment;
        let version = if *quick { "quick" } else { "full" };
        let program = format!("#{}", experiment.program.replace(' ', "-"));
        graph.push(json!({
            "@id": format!("#run-{name}"), "@type": "CreateAction",
            "name": format!("patience experiment run {}{}", spec(experiment), if *quick { " --quick" } else { "" }),
            "description": format!(
                "{version} version, seed {seed}: {done} of {total} units, {:.1} hours on one thread",
                seconds / 3600.0
            ),
            "endTime": date(experiment.updated),
            "instrument": refer(&program),
            "object": [refer(&spec(experiment)), refer("Cargo.lock")],
            "result": [refer("rows.csv"), refer("report.html"), refer("report.json")],
        }));
        if graph.iter().all(|known| known["@id"] != program) {
            graph.push(json!({
                "@id": program, "@type": "SoftwareApplication", "name": "Patience",
                "softwareVersion": experiment.program,
            }));
        }
    }
    json!({ "@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph })
}

/// A moment in seconds since 1970, as in RFC 3339.
fn date(seconds: i64) -> String {
    let since = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}
