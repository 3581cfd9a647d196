//! All tests of the crate in one program, so that it is linked once.

mod attack;
mod client;
mod fuzz;
mod load;
mod page;
mod server;
