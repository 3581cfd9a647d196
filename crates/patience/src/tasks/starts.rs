//! Where the units of a task start.

use std::path::{Path, PathBuf};

use patience_catalogue::AnyGame;
use patience_catalogue::run::Start;
use patience_lab::{Reader, SpecFault, TaskError, Versions};

/// Where the units of a task start: each at a position of chance, which all arms share; or unit by
/// unit at the deals from `first_deal` on; or at the positions in the files `*.txt` of the folder
/// `boards`, in the order of their names.
pub(super) enum Starts {
    Chance,
    Numbered(u64),
    /// The folder, and the texts in it, all of which can be read.
    Listed(String, Vec<String>),
}

impl Starts {
    pub(super) fn read(game: &AnyGame, reader: &mut Reader<'_>) -> Result<Self, SpecFault> {
        let first = reader.integer("first_deal", 0..=i64::MAX)?;
        let boards = reader.text("boards")?;
        let can = |what| game.capabilities().contains(&what);
        match (first, boards) {
            (None, None) => Ok(Starts::Chance),
            (Some(_), Some(_)) => {
                Err(reader.fault("boards", "goes without first_deal, not together with it"))
            }
            (Some(_), None) if !can("numbered") => {
                Err(reader.fault("first_deal", "this game's deals have no numbers"))
            }
            (Some(first), None) => Ok(Starts::Numbered(first as u64)),
            (None, Some(_)) if !can("reading") => {
                Err(reader.fault("boards", "this game is not read from text"))
            }
            (None, Some(folder)) => {
                let boards = positions(game, Path::new(&folder));
                let boards = boards.map_err(|fault| reader.fault("boards", &fault))?;
                Ok(Starts::Listed(folder, boards))
            }
        }
    }

    /// What results depend on: the positions themselves, not where they lie.
    pub(super) fn depends(&self) -> Option<(String, u32)> {
        match self {
            Starts::Chance | Starts::Numbered(_) => None,
            Starts::Listed(folder, boards) => {
                Some(Versions::of_files(folder, boards.iter().map(String::as_str)))
            }
        }
    }

    /// Does something at the start of a unit.
    pub(super) fn at<R>(
        &self,
        unit: u64,
        run: impl FnOnce(Start<'_>) -> R,
    ) -> Result<R, TaskError> {
        match self {
            Starts::Chance => Ok(run(Start::Chance)),
            Starts::Numbered(first) => {
                Ok(run(Start::Deal(&first.saturating_add(unit).to_string())))
            }
            Starts::Listed(_, boards) => {
                let board = usize::try_from(unit).ok().and_then(|unit| boards.get(unit));
                let none = || format!("there are {} boards, none for this unit", boards.len());
                let board = board.ok_or_else(|| TaskError::Failed(none()))?;
                Ok(run(Start::Text(board)))
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
fn positions(game: &AnyGame, folder: &Path) -> Result<Vec<String>, String> {
    let files = position_files(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let position = |path: &PathBuf| {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let text = crate::text(bytes).map_err(|error| error.to_string())?;
        game.check_start(&text)?;
        Ok(text)
    };
    let named = |path| position(path).map_err(|why: String| format!("{}: {why}", path.display()));
    files.iter().map(named).collect()
}
