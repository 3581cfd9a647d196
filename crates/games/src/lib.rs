//! The built-in games: rules, fast engines, evaluation functions.
//!
//! | game | what it is | players | chance | hidden | capabilities |
//! |---|---|---|---|---|---|
//! | [`PGame`] | random minimax trees, UCT paper section 3.1 | 2 | – | – | `Keyed`, `Undo`, `Outcomes`, `Text` |
//! | [`Sailing`] | a stochastic shortest path, UCT paper section 3.2 | 1 | wind | – | `Keyed`, `Outcomes`, `Text` |
//! | [`SameGame`] | also as Bubble Breaker and Clickomania, nested MCTS paper section 5 | 1 | – | – | `Keyed`, `Undo`, `Outcomes`, `Text` |
//! | [`TicTacToe`] | small, deterministic | 2 | – | – | `Keyed`, `Undo`, `Outcomes`, `Text` |
//! | [`ConnectFour`] | larger, deterministic | 2 | – | – | `Keyed`, `Undo`, `Outcomes`, `Text` |
//! | [`FreeCell`] | FreeCell and its family, the optimal FreeCell paper | 1 | – | – | `Keyed`, `Undo`, `Outcomes`, `Text` |
//! | [`Tiger`] | the smallest problem with a hidden state | 1 | what is heard | where the tiger is | `Hidden`, `Outcomes`, `Text` |
//! | [`RockSample`] | samples of rocks that may be bad | 1 | what looks tell | which rocks are good | `Hidden`, `Text` |
//! | [`Tag`] | a robot catches who flees from it | 1 | where the other one goes | where the other one is | `Hidden`, `Text` |
//! | [`LaserTag`] | Tag with a laser that is far from exact | 1 | where the other one goes, readings | where the other one is | `Hidden`, `Text` |
//! | [`Battleship`] | shots at ships that are not seen | 1 | – | where the ships are | `Hidden`, `Text` |
//! | [`FrozenLake`] | across slippery ice | 1 | slips | – | `Keyed`, `Outcomes`, `Text` |
//! | [`Taxi`] | fetch a passenger and bring them home | 1 | the start | – | `Keyed`, `Outcomes`, `Text` |
//! | [`SysAdmin`] | computers that fail, in a ring | 1 | which fail | – | `Keyed`, `Outcomes`, `Text` |
//! | [`GameOfLife`] | Conway's cells with noise | 1 | the noise | – | `Keyed`, `Outcomes`, `Text` |
//! | [`Twenty48`] | tiles slide together | 1 | where tiles come | – | `Keyed`, `Outcomes`, `Text` |
//! | [`Klondike`] | the solitaire, with a thoughtful solver | 1 | cards drawn as they turn up | face-down cards | `Hidden`, `Text` |
//!
//! In two-player games the first player maximises and rewards are from the first player's view.
//! Every game passes the suite of [`patience_model::conformance`] with all the capabilities that
//! it has, is held equal to a slow and obvious twin where its engine is a fast one, and has a
//! golden playthrough under `tests/golden/`.
#![deny(missing_docs)]

/// The specs of these names under `experiments/`.
macro_rules! specs {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/experiments/",
            $name,
            ".toml"
        )))),+]
    };
}

pub mod battleship;
pub mod black_hole;
pub mod cards;
pub mod connect_four;
mod exact;
pub mod freecell;
pub mod frozen_lake;
pub mod game_of_life;
pub mod golf;
pub mod klondike;
pub mod laser_tag;
pub mod pgame;
pub mod rock_sample;
pub mod sailing;
pub mod samegame;
mod stones;
pub mod sysadmin;
pub mod tag;
pub mod taxi;
pub mod tictactoe;
pub mod tiger;
pub mod twenty48;
mod words;

pub use battleship::Battleship;
pub use connect_four::ConnectFour;
pub use freecell::FreeCell;
pub use frozen_lake::FrozenLake;
pub use game_of_life::GameOfLife;
pub use klondike::Klondike;
pub use laser_tag::LaserTag;
pub use pgame::PGame;
pub use rock_sample::RockSample;
pub use sailing::Sailing;
pub use samegame::SameGame;
pub use sysadmin::SysAdmin;
pub use tag::Tag;
pub use taxi::Taxi;
pub use tictactoe::TicTacToe;
pub use tiger::Tiger;
pub use twenty48::Twenty48;
