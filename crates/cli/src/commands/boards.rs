//! SameGame boards and scoring as the command line names them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use patience::games::samegame::{Grid, Penalty, Rewards, Scoring};
use patience::position_files;

use crate::exit::{Code, Failure};
use crate::files;

/// What is scored.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ScoringArgs {
    /// What groups of n tiles bring: samegame (n-2)^2 and 1000 for an empty board, bubblebreaker
    /// n(n-1), clickomania n
    #[arg(long, value_enum, default_value_t = RewardsName::Samegame)]
    rewards: RewardsName,
    /// What SameGame charges for n tiles of a colour left at the end: seed (n-2)^2, above-two the
    /// same for n > 2 only, none nothing
    #[arg(long, value_enum, default_value_t = PenaltyName::Seed)]
    penalty: PenaltyName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RewardsName {
    Samegame,
    Bubblebreaker,
    Clickomania,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PenaltyName {
    Seed,
    None,
    AboveTwo,
}

impl ScoringArgs {
    pub(crate) fn scoring(self) -> Scoring {
        let rewards = match self.rewards {
            RewardsName::Samegame => Rewards::SameGame,
            RewardsName::Bubblebreaker => Rewards::BubbleBreaker,
            RewardsName::Clickomania => Rewards::Clickomania,
        };
        let penalty = match self.penalty {
            PenaltyName::Seed => Penalty::Seed,
            PenaltyName::None => Penalty::None,
            PenaltyName::AboveTwo => Penalty::AboveTwo,
        };
        Scoring { rewards, penalty }
    }
}

/// Columns, rows and colours of boards drawn from a seed, as `15x15x5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    width: usize,
    height: usize,
    colours: usize,
}

/// Reads a size; clap says which option it was.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let parts: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
    let Some(&[width, height, colours]) = parts.as_deref() else {
        return Err("expected columns, rows and colours such as 15x15x5".to_owned());
    };
    Ok(Size { width, height, colours })
}

/// The boards that a word names, each with its name: a file, all files `*.txt` of a folder, or
/// `seed:7` and `seed:1..20` for boards drawn from a seed.
pub(crate) fn boards(word: &str, size: Size) -> Result<Vec<(String, Grid)>, Failure> {
    if let Some(seeds) = word.strip_prefix("seed:") {
        let wrong = |message: String| Failure::new(Code::Usage, format!("{word}: {message}"));
        let (first, last) = super::solve::many::range(seeds).map_err(wrong)?;
        if last - first >= MOST_SEEDS {
            return Err(wrong(format!("more than {MOST_SEEDS} boards")));
        }
        let Size { width, height, colours } = size;
        let board = |seed| {
            let grid = Grid::seeded(width, height, colours, seed);
            let grid =
                grid.map_err(|error| Failure::new(Code::Usage, format!("--size: {error}")))?;
            Ok((format!("seed:{seed}"), grid))
        };
        return (first..=last).map(board).collect();
    }
    let path = Path::new(word);
    if word != "-" && !path.exists() {
        let message = "there is no such file or folder; boards of seeds are seed:1 or seed:1..20";
        return Err(Failure::new(Code::BadInput, format!("{word}: {message}")));
    }
    if !path.is_dir() {
        return Ok(vec![board(path)?]);
    }
    let files = position_files(path)
        .map_err(|why| Failure::new(Code::BadInput, format!("{word}: {why}")))?;
    let named = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), board(file)?.1))
    };
    files.iter().map(named).collect()
}

/// Whether a word stands for several boards, however many there are.
pub(crate) fn is_several(word: &str) -> bool {
    match word.strip_prefix("seed:") {
        Some(seeds) => seeds.contains(".."),
        None => Path::new(word).is_dir(),
    }
}

/// The board in a file, with the file's name.
fn board(path: &Path) -> Result<(String, Grid), Failure> {
    let (name, text) = files::read(path)?;
    match text.parse::<Grid>() {
        Ok(grid) => Ok((name, grid)),
        Err(error) => Err(Failure::new(Code::BadInput, format!("{name}: {error}"))),
    }
}

/// More boards than anybody solves at once.
const MOST_SEEDS: u64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_three_numbers() {
        assert_eq!(size("15x12x5"), Ok(Size { width: 15, height: 12, colours: 5 }));
        for wrong in ["", "15", "15x15", "15x15x5x5", "15x15xfive", "-1x2x3"] {
            assert!(size(wrong).unwrap_err().contains("15x15x5"), "{wrong}");
        }
    }
}
