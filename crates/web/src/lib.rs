//! The page: play, watch and understand one-player games in a browser.
//!
//! [`Server::bind`] takes a port, [`Server::run`] answers until it is told to stop. The page is
//! embedded in the binary and loads nothing from elsewhere. Behind it is a small JSON API, which is
//! documented in `docs/page.md` and which others can use.
//!
//! The server keeps nothing of a game: a request holds its setup and its moves, which are replayed.
//! So there are no sessions to run out, and a link is a game. Searches run on threads of their own,
//! are bounded in number, time and memory ([`Limits`]), and end when whoever asked goes away.
#![deny(missing_docs)]

mod api;
mod failure;
mod guard;
mod limits;
mod listen;
mod page;
mod search;
mod server;

pub use limits::Limits;
pub use server::{Options, ServeError, Server};
