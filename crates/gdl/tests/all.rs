//! All tests of the crate in one program, so that it is linked once.

mod checks;
mod common;
mod engines;
mod export;
mod fuzz;
mod norns;
mod reading;
mod rules;
mod semantics;
mod shown;
mod worlds;
