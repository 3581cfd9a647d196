//! Where the units of a task start.

use std::path::{Path, PathBuf};

use patience_lab::{Reader, SpecFault, Streams, TaskError};
use patience_model::Game;

use crate::kit::{Kit, Read};

/// Where the units of a task start: each at a position of chance, which all arms share; or unit by
/// unit at the deals from `first_deal` on; or at the positions in the files of the folder `boards`,
/// sorted by name.
pub(crate) enum Starts<G: Game> {
    Chance,
    Numbered {
        first: u64,
        deal: fn(&G, u64) -> Result<G::State, String>,
    },
    /// Their texts, all of which can be read.
    Listed {
        boards: Vec<String>,
        read: Read<G>,
    },
}

impl<G: Game> Starts<G> {
    pub(crate) fn read(kit: &Kit<G>, reader: &mut Reader<'_>) -> Result<Self, SpecFault> {
        let first = reader.integer("first_deal", 0..=i64::MAX)?;
        let boards = reader.text("boards")?;
        match (first, boards) {
            (None, None) => Ok(Starts::Chance),
            (Some(_), Some(_)) => {
                Err(reader.fault("boards", "goes without first_deal, not together with it"))
            }
            (Some(first), None) => {
                let Some(deal) = kit.numbered else {
                    return Err(reader.fault("first_deal", "this game's deals have no numbers"));
                };
                Ok(Starts::Numbered { first: first as u64, deal })
            }
            (None, Some(folder)) => {
                let Some(read) = kit.read else {
                    return Err(reader.fault("boards", "this game is not read from text"));
                };
                let boards = positions(kit, read, Path::new(&folder));
                let boards = boards.map_err(|fault| reader.fault("boards", &fault))?;
                Ok(Starts::Listed { boards, read })
            }
        }
    }

    pub(crate) fn state(
        &self,
        kit: &Kit<G>,
        unit: u64,
        streams: &Streams,
    ) -> Result<G::State, TaskError> {
        match self {
            Starts::Chance => Ok((kit.start)(&kit.game, &mut streams.shared("start"))),
            Starts::Numbered { first, deal } => {
                deal(&kit.game, first.saturating_add(unit)).map_err(TaskError::Failed)
            }
            Starts::Listed { boards, read } => {
                let board = usize::try_from(unit).ok().and_then(|unit| boards.get(unit));
                let none = || format!("there are {} boards, none for this unit", boards.len());
                let board = board.ok_or_else(|| TaskError::Failed(none()))?;
                read(&kit.game, board).map_err(TaskError::Failed)
            }
        }
    }
}

/// What the files of a folder say, in the order of their names, once each was read as a position.
fn positions<G: Game>(kit: &Kit<G>, read: Read<G>, folder: &Path) -> Result<Vec<String>, String> {
    let cannot = |what: &Path, error: std::io::Error| format!("{}: {error}", what.display());
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| cannot(folder, error))? {
        let path = entry.map_err(|error| cannot(folder, error))?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    let position = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| cannot(path, error))?;
        let read = read(&kit.game, &text);
        read.map(|_| text).map_err(|fault| format!("{}: {fault}", path.display()))
    };
    files.iter().map(position).collect()
}
