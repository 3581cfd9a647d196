//! Benchmarks of SameGame.

use super::Benchmark;

pub(super) const BENCHMARKS: &[Benchmark] = &[];
