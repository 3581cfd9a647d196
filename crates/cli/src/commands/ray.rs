//! `patience experiment run --ray`: Ray is driven from Python, so the Python package is started.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::console::cancel_on_interrupt;
use crate::exit::{Code, Failure};

/// What is run, and where.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) spec: &'a str,
    pub(super) quick: bool,
    pub(super) units: Option<u64>,
    pub(super) store: &'a Path,
    pub(super) address: &'a str,
    pub(super) json: bool,
}

/// Names the Python that has the package; otherwise those on the path are tried.
const PYTHON: &str = "PATIENCE_PYTHON";

/// How long Python may take to end cleanly after it was asked to.
const GRACE: Duration = Duration::from_secs(20);

/// Runs a job on a Ray cluster, by `python -m patience.cluster`, whose exit codes are ours.
pub(super) fn run(job: &Job<'_>) -> Result<Code, Failure> {
    let mut command = Command::new(python()?);
    command.args(["-m", "patience.cluster", "run", "--address", job.address, "--store"]);
    command.arg(job.store);
    if job.quick {
        command.arg("--quick");
    }
    if let Some(units) = job.units {
        command.args(["--units", &units.to_string()]);
    }
    if job.json {
        command.arg("--json");
    }
    command.arg("--").arg(job.spec);
    let failed = |error| Failure::new(Code::Fault, format!("cannot run Python: {error}"));
    // Ctrl-C reaches Python too, which ends cleanly; this process waits for it.
    let cancel = cancel_on_interrupt();
    let mut child = command.spawn().map_err(failed)?;
    let mut asked = None;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if cancel.is_cancelled() && asked.get_or_insert_with(Instant::now).elapsed() > GRACE {
            child.kill().map_err(failed)?;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Ok(match status.code() {
        Some(0) => Code::Success,
        Some(2) => Code::Usage,
        Some(3) => Code::BadInput,
        Some(4) => Code::Budget,
        None if cancel.is_cancelled() => Code::Budget,
        _ => Code::Fault,
    })
}

/// A Python that has the package.
fn python() -> Result<String, Failure> {
    let named = std::env::var(PYTHON).ok().filter(|name| !name.is_empty());
    let candidates = match &named {
        Some(name) => vec![name.as_str()],
        None => vec!["python3", "python"],
    };
    let mut found = Vec::new();
    for name in &candidates {
        let tried = Command::new(name)
            .args(["-c", "import patience.cluster"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match tried {
            Ok(status) if status.success() => return Ok((*name).to_owned()),
            Ok(_) => found.push(*name),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Failure::new(Code::Usage, format!("cannot run {name}: {error}")));
            }
        }
    }
    let names = candidates.join(" or ");
    let message = match found.first() {
        None => format!("--ray needs Python with the package patience, but there is no {names}"),
        Some(name) => format!("--ray needs the Python package, which {name} does not have"),
    };
    let help = format!(
        "install it with `pip install 'patience-games[ray]'` (in the source folder `pip install '.[ray]'`), or let {PYTHON} name the \
         Python that has it"
    );
    Err(Failure::new(Code::Usage, format!("{message}; {help}")))
}
