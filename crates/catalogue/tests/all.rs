//! All tests of the crate in one program, so that it is linked once.

mod deals;
mod ladder;
mod layers;
mod parameters;
mod solved;
