//! Benchmarks of FreeCell.

use super::Benchmark;

pub(super) const BENCHMARKS: &[Benchmark] = &[];
