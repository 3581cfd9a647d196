//! Names the lock file that the program is built with: of the workspace, or of the packaged crate.

use std::path::Path;

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let here = Path::new(&here);
    let mut places = [here.join("../../Cargo.lock"), here.join("Cargo.lock")].into_iter();
    let lock =
        places.find(|lock| lock.exists()).expect("a lock file in the workspace or the crate");
    println!("cargo::rustc-env=PATIENCE_LOCK={}", lock.display());
    println!("cargo::rerun-if-changed={}", lock.display());
}
