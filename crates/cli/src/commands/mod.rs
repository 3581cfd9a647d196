//! The commands, a file each.

pub(crate) mod bench;
pub(crate) mod experiment;
pub(crate) mod hint;
pub(crate) mod list;
mod ray;
pub(crate) mod reproduce;
pub(crate) mod solve;
pub(crate) mod verify;
