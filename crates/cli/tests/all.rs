//! All tests of the crate in one program, so that it is linked once.

mod bad_input;
mod boards;
mod deals;
mod determinism;
mod gdl;
mod ggp;
#[cfg(unix)]
mod guide;
mod hint;
mod interface;
mod kill;
mod play;
mod ray;
mod solve;
mod support;
mod verify;
