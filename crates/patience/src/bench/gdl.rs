//! Benchmarks of GDL.

use super::Benchmark;

pub(super) const BENCHMARKS: &[Benchmark] = &[];
