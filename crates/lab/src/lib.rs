//! The laboratory: experiments, from the spec to the report.
//!
//! A [`Spec`] says what is compared, on how many units, from which seed, and what was published
//! about it. [`check`] makes an [`Experiment`] of it, which works through its (arm, unit) pairs on
//! all cores and appends each finished one to a [`Store`]. A run can be killed at any moment and
//! goes on where it stopped; the results are the same to the bit on any number of threads.
//! [`report`] turns a store into tables, intervals, plots and rulings on claims.
//!
//! The lab knows no game: what a unit does is a [`Task`], which the caller makes from the
//! strings of an [`Arm`].
#![deny(missing_docs)]

mod analysis;
mod claim;
mod compare;
mod error;
mod expression;
mod hash;
mod keys;
mod ledger;
mod lock;
mod merge;
mod progress;
mod reader;
mod report;
mod runner;
mod shard;
pub mod spec;
pub mod stats;
mod store;
mod task;
mod template;
mod versions;

pub use claim::{CheckReport, ClaimReport, Ruling};
pub use compare::{Basis, Comparison, Location, compare};
pub use error::{Category, LabError, Result};
pub use expression::Expression;
pub use keys::{Item, Keys, Node, SpecFault};
pub use ledger::{Crew, Done, Ledger, Places};
pub use merge::{Merged, merge, merge_into};
pub use patience_plan::did_you_mean;
pub use progress::{ArmProgress, Progress};
pub use reader::Reader;
pub use report::{
    ArmReport, ChartReport, ColumnReport, CrossingLine, CrossingPoint, Difference, Exact,
    ExperimentReport, ExportFormat, Frame, Report, export, figures, html, markdown, report,
};
pub use runner::{Experiment, RunOptions, Summary, check, run};
pub use shard::Shard;
pub use spec::{Arm, Spec};
pub use store::{Listing, Lost, Reading, Rescued, Row, Store, StoredArm, StoredExperiment, rescue};
pub use task::{Column, Kind, Resolve, Streams, Task, TaskError};
pub use versions::{Outdated, Versions};
