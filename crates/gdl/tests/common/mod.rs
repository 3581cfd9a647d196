//! The games of this crate, for its tests.
#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};

use patience_gdl::{Description, Source};

/// The rule files of the crate, in order of their names.
pub fn games() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("games"))
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths
}

pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn source(path: &Path) -> Source {
    let text = std::fs::read(path).expect("the file can be read");
    Source::new(path.display().to_string(), String::from_utf8_lossy(&text))
}

pub fn read(path: &Path) -> Description {
    let source = source(path);
    Description::read(source.text()).unwrap_or_else(|f| panic!("{}", f.render(&source)))
}

/// One of the crate's games by name.
pub fn game(name: &str) -> Description {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(format!("{name}.gdl")))
}
