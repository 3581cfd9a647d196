//! All tests of the crate in one program, so that it is linked once.

mod claims;
mod damage;
mod faults;
mod kill;
mod ledger;
mod report;
mod run;
mod spec;
mod store;
mod support;
mod versions;
