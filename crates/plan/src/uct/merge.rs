//! Whether different ways to the same state meet in one node.

use std::fmt::Debug;

use patience_model::{Game, Keyed};
use rustc_hash::FxHashMap;

use super::tree::table_bytes;

/// Whether a node can have several parents.
pub trait Merging: Clone + Debug + Send + Sync {
    /// Whether it can.
    const MERGES: bool;
}

/// How nodes are told apart: by the history of actions and observations alone ([`Separate`]), or
/// also by state and depth ([`ByKey`]).
pub trait Merge<G: Game>: Merging {
    /// What is remembered.
    type Table: Default;

    /// The node of this state at this depth, which is 0 where depths do not matter; `or_add` makes it if
    /// there is none.
    fn node(
        table: &mut Self::Table,
        game: &G,
        state: &G::State,
        depth: u32,
        or_add: impl FnOnce() -> u32,
    ) -> u32;

    /// Keeps the nodes that moved when the root went one move down.
    fn descend(table: &mut Self::Table, moved: &FxHashMap<u32, u32>);

    /// Forgets everything.
    fn clear(table: &mut Self::Table);

    /// Bytes held.
    fn bytes(table: &Self::Table) -> u64;
}

/// A tree: every history has a node of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Separate;

impl Merging for Separate {
    const MERGES: bool = false;
}

impl<G: Game> Merge<G> for Separate {
    type Table = ();

    #[inline]
    fn node(_: &mut (), _: &G, _: &G::State, _: u32, or_add: impl FnOnce() -> u32) -> u32 {
        or_add()
    }

    fn descend(_: &mut (), _: &FxHashMap<u32, u32>) {}

    fn clear(_: &mut ()) {}

    fn bytes(_: &()) -> u64 {
        0
    }
}

/// Equal states at equal depth share a node, as in the UCT paper, whose statistics are those of
/// (s, d). Depth is part of it, so that there are no cycles.
///
/// Across depths a state has one node. An episode that comes back to a node leaves the tree there, so
/// that it counts once at every node: no statistics feed on themselves. For games without hidden parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByKey;

impl Merging for ByKey {
    const MERGES: bool = true;
}

impl<G: Keyed> Merge<G> for ByKey {
    type Table = FxHashMap<(G::Key, u32), u32>;

    #[inline]
    fn node(
        table: &mut Self::Table,
        game: &G,
        state: &G::State,
        depth: u32,
        or_add: impl FnOnce() -> u32,
    ) -> u32 {
        *table.entry((game.key(state), depth)).or_insert_with(or_add)
    }

    fn descend(table: &mut Self::Table, moved: &FxHashMap<u32, u32>) {
        *table = table
            .iter()
            .filter_map(|(&(key, depth), node)| {
                Some(((key, depth.checked_sub(1)?), *moved.get(node)?))
            })
            .collect();
    }

    fn clear(table: &mut Self::Table) {
        table.clear();
    }

    fn bytes(table: &Self::Table) -> u64 {
        table_bytes::<(G::Key, u32), u32>(table.len())
    }
}
