//! `experiment run --ray`: what the command hands to Python, and what it says without it. The cluster
//! itself is tested in `python/tests/test_cluster.py`.
#![cfg(unix)]

use crate::support;

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use support::Bench;

const SPEC: &str = "name = \"t\"\nseed = 1\nunits = 2\ntask = { kind = \"play\" }\n\
                    [[arm]]\nname = \"a\"\ngame = \"sailing(size=3)\"\nplanner = \"random\"\n";

/// Runs with a Python that this says, or none.
fn run(bench: &Bench, python: &str, args: &[&str]) -> (i32, String, String) {
    let mut command: Command = bench.command(args);
    let output = command.env("PATIENCE_PYTHON", python).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A Python that has the package, or not, and ends with this code.
fn python(bench: &Bench, has_package: bool, code: i32) -> String {
    let path = bench.path("python");
    let has = if has_package { 0 } else { 1 };
    let script =
        format!("#!/bin/sh\nif [ \"$1\" = -c ]; then exit {has}; fi\necho \"$@\"\nexit {code}\n");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn python_is_handed_what_was_asked_for() {
    let bench = Bench::new();
    bench.write("t.toml", SPEC);
    let python = python(&bench, true, 0);
    let args = ["experiment", "run", "t.toml", "--ray", "10.0.0.1:6379", "--store", "S.db"];
    let (code, out, err) = run(&bench, &python, &args);
    assert_eq!((code, err.as_str()), (0, ""));
    let whole = "-m patience.cluster run --address 10.0.0.1:6379 --store S.db -- t.toml\n";
    assert_eq!(out, whole);
    let more = [&args[..], &["--quick", "--units", "5", "--json"]].concat();
    let (_, out, _) = run(&bench, &python, &more);
    assert!(out.contains("--quick --units 5 --json -- t.toml"), "{out}");
}

#[test]
fn its_exit_code_is_ours() {
    let bench = Bench::new();
    bench.write("t.toml", SPEC);
    for (given, ours) in [(0, 0), (2, 2), (3, 3), (4, 4), (5, 5), (77, 5)] {
        let python = python(&bench, true, given);
        let (code, ..) = run(&bench, &python, &["experiment", "run", "t.toml", "--ray", "auto"]);
        assert_eq!(code, ours, "Python ended with {given}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let bench = Bench::new();
    bench.write("t.toml", SPEC);
    let args = ["experiment", "run", "t.toml", "--ray", "auto"];
    let (code, out, err) = run(&bench, "no-such-python", &args);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("there is no no-such-python") && err.contains("pip install"), "{err}");
    let (code, _, err) = run(&bench, &python(&bench, false, 0), &args);
    assert_eq!(code, 2);
    assert!(err.contains("needs the Python package") && err.contains("pip install"), "{err}");
    assert!(!bench.path("patience.db").exists(), "no store was made");
}

#[test]
fn a_wrong_spec_or_option_is_found_before_python_is() {
    let bench = Bench::new();
    bench.write("t.toml", SPEC.replace("random", "randon"));
    let args = ["experiment", "run", "t.toml", "--ray", "auto"];
    let (code, _, err) = run(&bench, "no-such-python", &args);
    assert_eq!(code, 3);
    assert!(err.contains("did you mean `random`"), "{err}");
    for other in [["--shard", "0/2"], ["--threads", "2"]] {
        let (code, ..) = run(&bench, "no-such-python", &[&args[..], &other].concat());
        assert_eq!(code, 2);
    }
}
