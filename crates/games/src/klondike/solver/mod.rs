//! The thoughtful solver: all cards are known; is there a way to win? And [`Optimal`]: which is the
//! shortest? (See `shortest/mod.rs` for that.)
//!
//! A depth-first search over classes of positions on a bit engine, with a table of the classes that
//! were seen. It begins again with another order of moves every few hundred nodes: a win that one
//! order misses for millions of nodes another one often finds at once. What was shown to be lost
//! stays in the table, so that little is done twice. **Guarantees**: complete and exact within its
//! budget; every win is given as a list of moves of the obvious engine and was replayed by it.
//! Deterministic.
//!
//! Reductions. The argument for each stands in its file; tests hold all of them against search without
//! them, and by trying everything on small packs and in late positions:
//! - the arrangement of runs is left out (`state.rs`);
//! - positions that differ only by moves to and from foundations are one node, and a move that can be
//!   made in two of them is tried in one (`class.rs`);
//! - a locked card that may go home safely does so at once, and a card that is safe at home is not
//!   taken back (Blake and Gent; `is_safe` in `state.rs`);
//! - turning one card at a time, a safe card of the stock goes home at once, because taking it
//!   hinders nothing; turning more, that is so for the last card if the next pass starts anew
//!   (`forced` in `edge.rs`);
//! - of positions that differ only in how far the stock is turned, one in which more cards are
//!   within reach stands for the others (`table.rs`);
//! - a position in which a card can never be turned up, even if whatever was possible once stayed
//!   so, is lost (see `relaxed.rs`).

pub(crate) mod class;
pub(crate) mod edge;
mod line;
mod relaxed;
pub(crate) mod search;
mod shortest;
pub(crate) mod state;
mod table;
mod thoughtful;

pub(super) use line::lower;
pub use shortest::{Optimal, OptimalSearch, Point, Shortest, Work};
pub use thoughtful::{SolveError, Thoughtful, ThoughtfulSearch};
