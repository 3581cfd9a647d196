//! The commands, a file each.

mod answers;
pub(crate) mod bench;
pub(crate) mod data;
mod deals;
pub(crate) mod experiment;
pub(crate) mod gdl;
pub(crate) mod ggp;
pub(crate) mod hint;
pub(crate) mod list;
pub(crate) mod play;
mod ray;
pub(crate) mod reliability;
pub(crate) mod reproduce;
pub(crate) mod review;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod verify;
