//! What a search may spend, what it has spent, and why it stopped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a search may spend. `None` is no limit; the first limit that is reached ends the search.
///
/// Iterations and model calls give the same result on any machine; time and memory do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Calls of [`Stepped::step`](crate::Stepped::step): episodes, leaves or sweeps.
    pub iterations: Option<u64>,
    /// Moves simulated by the game: the "samples" of the UCT paper's section 3.2.
    pub model_calls: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held by the search.
    pub memory: Option<u64>,
}

impl Budget {
    /// No limit: only for searches that end by themselves.
    pub const UNLIMITED: Budget =
        Budget { iterations: None, model_calls: None, time: None, memory: None };

    /// So many iterations.
    pub fn iterations(n: u64) -> Self {
        Budget { iterations: Some(n), ..Budget::UNLIMITED }
    }

    /// So many model calls.
    pub fn model_calls(n: u64) -> Self {
        Budget { model_calls: Some(n), ..Budget::UNLIMITED }
    }

    /// So much time.
    pub fn time(t: Duration) -> Self {
        Budget { time: Some(t), ..Budget::UNLIMITED }
    }

    /// The same, and no more memory than this many bytes.
    pub fn with_memory(self, bytes: u64) -> Self {
        Budget { memory: Some(bytes), ..self }
    }

    /// Whether nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        *self == Budget::UNLIMITED
    }
}

/// A flag that ends searches and experiments cleanly; its clones are one flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Raises the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a search has spent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Steps taken.
    pub iterations: u64,
    /// Moves simulated.
    pub model_calls: u64,
    /// Nodes or table entries held (in all trees of the search so far, the finished ones too).
    pub nodes: u64,
    /// Bytes held now.
    pub bytes: u64,
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The search has found out all that it can.
    Complete,
    /// The iterations are used up.
    Iterations,
    /// The model calls are used up.
    ModelCalls,
    /// The time is used up.
    Time,
    /// The memory is used up.
    Memory,
    /// Somebody raised the [`Cancel`] flag.
    Cancelled,
}

/// In words, after "stopped: ".
impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Complete => "the search is complete",
            StopReason::Iterations => "the iterations are used up",
            StopReason::ModelCalls => "the model calls are used up",
            StopReason::Time => "the time is used up",
            StopReason::Memory => "the memory is used up",
            StopReason::Cancelled => "cancelled",
        })
    }
}

/// The final account of a search, the same value for every front end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// What was spent.
    #[serde(flatten)]
    pub counts: Counts,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Why it stopped; `None` while it runs.
    pub stop: Option<StopReason>,
}
