//! All tests of the crate in one program, so that it is linked once.

mod batch;
mod data;
mod deals;
mod docs;
mod ensemble;
mod fuzz;
mod hidden;
mod hints;
mod house;
mod klondike;
mod known;
mod once;
mod parameters;
mod player;
mod registry;
mod review;
mod signature;
mod small;
mod solutions;
mod specs;
mod states;
mod stops;
mod strings;
mod table;
mod tasks;
