//! Benchmarks of Klondike.

use super::Benchmark;

pub(super) const BENCHMARKS: &[Benchmark] = &[];
