//! All tests of the crate in one program, so that it is linked once.

mod conformance;
mod streams;
