//! Copies what is whole in a damaged store.

use std::path::PathBuf;

use patience::lab;

use super::read_spec;
use crate::console::{note, say, say_json};
use crate::exit::{Code, Failure};

#[derive(Debug, clap::Args)]
pub(crate) struct Rescue {
    /// The damaged store; it is not changed
    from: PathBuf,
    /// The store to make
    #[arg(long)]
    store: PathBuf,
    /// The spec, or the name of a built-in one, of an experiment whose own is damaged
    #[arg(long, value_name = "SPEC")]
    spec: Vec<String>,
    /// These specs are run in their quick version
    #[arg(long, requires = "spec")]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Rescue) -> Result<Code, Failure> {
    let specs = args.spec.iter().map(|spec| read_spec(spec, args.quick));
    let specs = specs.collect::<Result<Vec<_>, _>>()?;
    let rescued = lab::rescue(&args.from, &args.store, &specs)?;
    if args.json {
        say_json(&rescued)?;
    } else {
        say(&format!("{} rows copied to {}", rescued.kept, args.store.display()));
        rescued.lost.iter().for_each(|lost| say(&lost.to_string()));
    }
    if !rescued.lost.is_empty() {
        let store = args.store.display();
        note(&format!("run what is gone again with: patience experiment resume --store {store}"));
    }
    Ok(Code::Success)
}
