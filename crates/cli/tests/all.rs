//! All tests of the crate in one program, so that it is linked once.

mod bad_input;
mod freecell;
mod gdl;
mod ggp;
mod interface;
mod kill;
mod klondike;
mod play;
mod ray;
mod samegame;
mod support;
