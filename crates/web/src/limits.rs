//! What a server gives at most.

use std::time::Duration;

/// What a server gives at most, so that no request and no number of them can exhaust it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Connections at once.
    pub connections: usize,
    /// A connection on which nothing moves for so long is closed.
    pub idle: Duration,
    /// After so long from its first byte a request must have arrived; what comes later ends the
    /// connection.
    pub request: Duration,
    /// Games replayed and stores read at once; more wait.
    pub replays: usize,
    /// Searches at once; one more is told to come back later.
    pub searches: usize,
    /// Seconds of a hint.
    pub hint_seconds: f64,
    /// Seconds of a solution or proof.
    pub solve_seconds: f64,
    /// Bytes of a hint's search.
    pub hint_memory: u64,
    /// Iterations that are told one by one.
    pub trace_iterations: u64,
    /// Solutions and proofs at once.
    pub solves: usize,
    /// Bytes of a solution's search.
    pub solve_memory: u64,
}

impl Default for Limits {
    /// For two cores and a few gigabytes: 24 hints of 48 MB and 2 solutions of 768 MB are 2.7 GB.
    fn default() -> Self {
        Limits {
            body: 1 << 18,
            connections: 256,
            idle: Duration::from_secs(75),
            request: Duration::from_secs(20),
            replays: 2,
            searches: 24,
            hint_seconds: 30.0,
            solve_seconds: 120.0,
            hint_memory: 48 << 20,
            trace_iterations: 1000,
            solves: 2,
            solve_memory: 768 << 20,
        }
    }
}
