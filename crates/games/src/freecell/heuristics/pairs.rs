//! The cycles of two blockers, which h2 covers.

use super::blockers::Blockers;
use super::hitting_set::Cover;
use crate::freecell::engine::bits;

/// The cycles of two blockers that are not forced, as a graph.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// The blockers in such cycles; one card stands for a run.
    pub(super) vertices: u64,
    /// For each of them, the blockers with which it forms a cycle.
    pub(super) neighbours: [u64; 52],
    /// All cards of the vertices' runs.
    pub(super) moving: u64,
}

impl Pairs {
    pub(super) fn of(blockers: &Blockers) -> Pairs {
        let mut pairs = Pairs::default();
        pairs.rebuild(blockers);
        pairs
    }

    /// Makes these the cycles of some blockers.
    #[inline]
    pub(super) fn rebuild(&mut self, blockers: &Blockers) {
        let free = blockers.cards & !blockers.forced;
        // The neighbours of cards that are no vertices are never read.
        let neighbours = &mut self.neighbours;
        let mut vertices = 0u64;
        for suit in 0..4 {
            // The cards over lower cards of the suit: those that block the card in hand.
            let mut blocked_by = 0u64;
            for card in (suit..52).step_by(4) {
                if free >> card & 1 == 1 {
                    let around = blockers.blocks[card] & blocked_by & free;
                    if around != 0 {
                        neighbours[card] = around;
                        vertices |= 1 << card;
                    }
                }
                blocked_by |= blockers.above[card];
            }
        }
        self.moving = blockers.whole_runs(vertices);
        for &run in blockers.runs() {
            join(run, &mut vertices, neighbours);
        }
        self.vertices = vertices;
    }

    /// A minimum vertex cover.
    #[inline]
    pub(super) fn cover(&self) -> Cover {
        Cover::of(&self.neighbours, self.vertices)
    }
}

impl Default for Pairs {
    fn default() -> Self {
        Pairs { vertices: 0, neighbours: [0; 52], moving: 0 }
    }
}

/// Merges the vertices of a run into one.
fn join(run: u64, vertices: &mut u64, neighbours: &mut [u64; 52]) {
    let members = run & *vertices;
    if members & members.wrapping_sub(1) == 0 {
        return;
    }
    let name = members.trailing_zeros() as usize;
    let around = bits(members).fold(0, |around, card| around | neighbours[card]) & !members;
    for other in bits(around) {
        neighbours[other] = neighbours[other] & !members | 1 << name;
    }
    for card in bits(members) {
        neighbours[card] = 0;
    }
    neighbours[name] = around;
    *vertices &= !members;
    *vertices |= 1 << name;
}
