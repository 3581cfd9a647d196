//! What is rewarded: the three puzzles differ in nothing else.

use std::fmt;
use std::str::FromStr;

/// The reward function (nested MCTS paper, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rewards {
    /// (n − 2)² for a group of n tiles, 1000 for a cleared board, a [`Penalty`] for what is left.
    #[default]
    SameGame,
    /// n(n − 1) for a group of n tiles.
    BubbleBreaker,
    /// A point per tile removed.
    Clickomania,
}

/// What SameGame charges at the end for the tiles that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Penalty {
    /// Nothing, as in the records on the standard boards.
    None,
    /// (n − 2)² for each colour of which n tiles are left, as the nested MCTS paper has it. Read
    /// to the letter: a single tile costs 1, two cost nothing.
    #[default]
    Seed,
    /// The same, but only for colours of which more than two tiles are left.
    AboveTwo,
}

/// The reward function with its penalty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scoring {
    /// What groups bring.
    pub rewards: Rewards,
    /// What is charged for tiles left; of SameGame only.
    pub penalty: Penalty,
}

/// What SameGame pays for a cleared board.
pub const CLEARED: f64 = 1000.0;

impl Scoring {
    /// SameGame without a penalty, in which the records are kept.
    pub const STANDARD: Scoring = Scoring { rewards: Rewards::SameGame, penalty: Penalty::None };

    /// The reward of removing a group of `size` tiles.
    #[inline]
    pub fn group(&self, size: u32) -> f64 {
        let n = f64::from(size);
        match self.rewards {
            Rewards::SameGame => (n - 2.0) * (n - 2.0),
            Rewards::BubbleBreaker => n * (n - 1.0),
            Rewards::Clickomania => n,
        }
    }

    /// The reward at the end of the game, with so many tiles left of each colour.
    pub fn end(&self, left: &[u32]) -> f64 {
        if self.rewards != Rewards::SameGame {
            return 0.0;
        }
        if left.iter().all(|&n| n == 0) {
            return CLEARED;
        }
        let least = match self.penalty {
            Penalty::None => return 0.0,
            Penalty::Seed => 1,
            Penalty::AboveTwo => 3,
        };
        -left.iter().filter(|&&n| n >= least).map(|&n| self.group(n)).sum::<f64>()
    }

    /// No play from a position with so many tiles of each colour can bring more than this: every
    /// colour in one piece, and a cleared board unless a colour has a single tile.
    pub fn bound(&self, left: &[u32]) -> f64 {
        let pieces: f64 = left.iter().filter(|&&n| n >= 2).map(|&n| self.group(n)).sum();
        let clears = self.rewards == Rewards::SameGame && left.iter().all(|&n| n != 1);
        pieces + if clears { CLEARED } else { 0.0 }
    }
}

/// A word that names none of the choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    given: String,
    expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is none of {}", self.given, self.expected)
    }
}

impl std::error::Error for UnknownName {}

impl FromStr for Rewards {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Self, UnknownName> {
        match word {
            "samegame" => Ok(Rewards::SameGame),
            "bubblebreaker" => Ok(Rewards::BubbleBreaker),
            "clickomania" => Ok(Rewards::Clickomania),
            _ => {
                let expected = "samegame, bubblebreaker, clickomania";
                Err(UnknownName { given: word.to_string(), expected })
            }
        }
    }
}

impl FromStr for Penalty {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Self, UnknownName> {
        match word {
            "none" => Ok(Penalty::None),
            "seed" => Ok(Penalty::Seed),
            "above-two" => Ok(Penalty::AboveTwo),
            _ => {
                let expected = "none, seed, above-two";
                Err(UnknownName { given: word.to_string(), expected })
            }
        }
    }
}

impl fmt::Display for Rewards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rewards::SameGame => "samegame",
            Rewards::BubbleBreaker => "bubblebreaker",
            Rewards::Clickomania => "clickomania",
        })
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Penalty::None => "none",
            Penalty::Seed => "seed",
            Penalty::AboveTwo => "above-two",
        })
    }
}
