//! Where the units of a task start.

use std::path::{Path, PathBuf};

use patience_lab::{Reader, SpecFault, Streams, TaskError};
use patience_model::Game;

use crate::kit::{Kit, Read};

/// Where the units of a task start: each at a position of chance, which all arms share; or unit by
/// unit at the deals from `first_deal` on; or at the positions in the files `*.txt` of the folder
/// `boards`, sorted by name.
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

/// The files `*.txt` of a folder, in the order of their names: those with positions.
///
/// # Errors
/// If the folder cannot be read, or there is none.
pub fn position_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "txt") && path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err("there is no file *.txt in this folder".to_owned());
    }
    files.sort();
    Ok(files)
}

/// What the files of a folder say, once each was read as a position where a game begins.
fn positions<G: Game>(kit: &Kit<G>, read: Read<G>, folder: &Path) -> Result<Vec<String>, String> {
    let files = position_files(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let position = |path: &PathBuf| {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let text = crate::text(bytes).map_err(|error| error.to_string())?;
        let state = read(&kit.game, &text)?;
        kit.begins.map_or(Ok(()), |begins| begins(&kit.game, &state))?;
        Ok(text)
    };
    let named = |path| position(path).map_err(|why: String| format!("{}: {why}", path.display()));
    files.iter().map(named).collect()
}
