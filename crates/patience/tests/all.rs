//! All tests of the crate in one program, so that it is linked once.

mod batch;
mod docs;
mod ensemble;
mod hidden;
mod klondike;
mod player;
mod registry;
mod signature;
mod specs;
mod states;
mod strings;
mod table;
mod tasks;
