//! The network for others: as JSON, as C, as CUDA.
//!
//! C and CUDA are one source. Every proposition is a word of which each bit is a playout of its own, and
//! a turn is straight-line code: what depends on the state, a legal move for every role in every bit, what
//! depends on the moves. Playouts that end begin anew. The same source runs on a processor and on a GPU,
//! and the program that comes with the latter compares the two.

mod c;
mod gpu;
mod json;

pub use c::{to_c, to_cuda};
pub use gpu::{GpuPlayouts, gpu_playouts};
pub use json::to_json;
