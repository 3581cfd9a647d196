//! The fewest blockers that hit every cycle: a minimum vertex cover for cycles of two, a minimum
//! hitting set in general.

use super::blockers::Blockers;
use super::pairs::Pairs;
use crate::freecell::engine::bits;

/// A minimum vertex cover and its size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cover {
    pub(super) size: u32,
    set: u64,
}

impl Cover {
    /// The cover of these vertices.
    #[inline]
    pub(super) fn of(neighbours: &[u64; 52], vertices: u64) -> Cover {
        let mut best = Cover { size: u32::MAX, set: vertices };
        if vertices == 0 {
            best.size = 0;
        } else {
            cover(neighbours, vertices, Cover::default(), &mut best);
        }
        best
    }

    /// The cover of `pairs`, given that this is the cover of `before`. Most often some vertices are
    /// gone and nothing else has changed.
    #[inline]
    pub(super) fn after(self, before: &Pairs, pairs: &Pairs) -> Cover {
        let Pairs { vertices, neighbours, .. } = pairs;
        let only_gone = vertices & !before.vertices == 0
            && bits(*vertices).all(|v| neighbours[v] == before.neighbours[v] & vertices);
        match only_gone {
            true => self.without(neighbours, *vertices, before.vertices & !vertices),
            false => pairs.cover(),
        }
    }

    /// The cover of these vertices, which are all that this one covers except those `gone`.
    #[inline]
    pub(super) fn without(self, neighbours: &[u64; 52], vertices: u64, gone: u64) -> Cover {
        // What is left of this cover covers them. Any cover of them, with those gone added, covers
        // all; so if those gone are all in this one, no cover is smaller.
        let set = self.set & !gone;
        debug_assert_eq!(set & !vertices, 0, "what is left is among the vertices");
        let mut best = Cover { size: self.size - (self.set & gone).count_ones(), set };
        if gone & !self.set != 0 && vertices != 0 {
            cover(neighbours, vertices, Cover::default(), &mut best);
        }
        best
    }
}

/// Branch and bound: covers what is left with fewer than `best` vertices in all, if that is
/// possible. The bound by disjoint cliques is nearly always tight.
fn cover(neighbours: &[u64; 52], mut left: u64, mut taken: Cover, best: &mut Cover) {
    // A vertex with one neighbour is never a better choice than that neighbour.
    let mut unseen = left;
    while unseen != 0 {
        let v = unseen.trailing_zeros() as usize;
        unseen &= unseen - 1;
        let around = neighbours[v] & left;
        if around & around.wrapping_sub(1) == 0 {
            left &= !(1 << v | around);
            if around != 0 {
                taken.size += 1;
                taken.set |= around;
                // Its neighbours may have one neighbour now.
                unseen |= neighbours[around.trailing_zeros() as usize];
            }
            unseen &= left;
        }
    }
    if taken.size >= best.size {
        return;
    }
    if left == 0 {
        *best = taken;
        return;
    }
    if best.size < u32::MAX && taken.size + disjoint_cliques(neighbours, left) >= best.size {
        return;
    }
    let (degree, v) = max_degree(neighbours, left);
    let around = neighbours[v] & left;
    // Either it is in the cover, or all its neighbours are.
    let with = Cover { size: taken.size + 1, set: taken.set | 1 << v };
    cover(neighbours, left & !(1 << v), with, best);
    // If every vertex has two neighbours, only cycles are left, and any vertex is as good as
    // another.
    if degree > 2 {
        let with = Cover { size: taken.size + degree, set: taken.set | around };
        cover(neighbours, left & !(around | 1 << v), with, best);
    }
}

/// A vertex of maximum degree; every vertex left has a degree of at least two.
#[inline]
fn max_degree(neighbours: &[u64; 52], left: u64) -> (u32, usize) {
    let mut most = (2, left.trailing_zeros() as usize);
    for v in bits(left) {
        let around = neighbours[v] & left;
        let but_one = around & around.wrapping_sub(1);
        // Few have more than two, and this test is quicker than counting.
        if but_one & but_one.wrapping_sub(1) != 0 {
            most = most.max((around.count_ones(), v));
        }
    }
    most
}

/// A lower bound: cliques are picked greedily so that no two share a vertex, and each needs all but
/// one of its vertices.
#[inline]
fn disjoint_cliques(neighbours: &[u64; 52], mut left: u64) -> u32 {
    let mut needed = 0;
    while left != 0 {
        let v = left.trailing_zeros() as usize;
        left &= left - 1;
        let mut common = neighbours[v] & left;
        while common != 0 {
            let next = common.trailing_zeros() as usize;
            needed += 1;
            left &= !(1 << next);
            common &= neighbours[next];
        }
    }
    needed
}

/// The size of a minimum hitting set: the fewest blockers (or runs) that hit every cycle of at most
/// `longest` of them. Iterative deepening from a lower bound.
pub(super) fn minimum(blockers: &Blockers, longest: usize, lower: u32) -> u32 {
    let all = blockers.cards & !blockers.forced;
    (lower..).find(|&budget| hit(blockers, all, longest, budget)).unwrap_or(0)
}

/// Whether `budget` blockers (or runs) hit all cycles among the cards left.
fn hit(blockers: &Blockers, left: u64, longest: usize, budget: u32) -> bool {
    let Some(cycle) = find_cycle(blockers, left, longest) else { return true };
    // Disjoint cycles each need a blocker of their own.
    let mut disjoint = left;
    let mut needed = 0;
    while let Some(cycle) = find_cycle(blockers, disjoint, longest) {
        needed += 1;
        if needed > budget {
            return false;
        }
        disjoint &= !blockers.whole_runs(cycle);
    }
    bits(cycle)
        .any(|card| hit(blockers, left & !blockers.whole_runs(1 << card), longest, budget - 1))
}

/// A shortest cycle of at most `longest` cards among those left.
fn find_cycle(blockers: &Blockers, left: u64, longest: usize) -> Option<u64> {
    (2..=longest).find_map(|length| {
        bits(left)
            .find_map(|first| close_cycle(blockers, left, first, first, 1 << first, length - 1))
    })
}

/// A path from `at` back to `first` over `more` further cards, with the cards visited so far. Cards
/// before `first` have been tried as starts.
fn close_cycle(
    blockers: &Blockers,
    left: u64,
    first: usize,
    at: usize,
    visited: u64,
    more: usize,
) -> Option<u64> {
    if more == 0 {
        return (blockers.blocks[at] >> first & 1 == 1).then_some(visited);
    }
    let later = !((2u64 << first) - 1);
    bits(blockers.blocks[at] & left & later & !visited)
        .find_map(|next| close_cycle(blockers, left, first, next, visited | 1 << next, more - 1))
}

#[cfg(test)]
mod tests {
    use patience_model::Rng;

    use super::*;

    const VERTICES: usize = 10;

    /// A graph in which each edge is there with some probability, its vertices spread over the
    /// cards.
    fn random_graph(rng: &mut Rng, of_hundred: u64) -> ([u64; 52], u64) {
        let mut cards: Vec<usize> = (0..52).collect();
        rng.shuffle(&mut cards);
        let mut neighbours = [0; 52];
        for (n, &one) in cards[..VERTICES].iter().enumerate() {
            for &other in &cards[..n] {
                if rng.below(100) < of_hundred {
                    neighbours[one] |= 1 << other;
                    neighbours[other] |= 1 << one;
                }
            }
        }
        let vertices = bits(u64::MAX >> 12).filter(|&v| neighbours[v] != 0);
        (neighbours, vertices.fold(0, |set, v| set | 1 << v))
    }

    /// The same by looking at all sets.
    fn smallest(neighbours: &[u64; 52], vertices: u64) -> u32 {
        let all: Vec<usize> = bits(vertices).collect();
        let sets = (0..1u64 << all.len())
            .map(|choice| bits(choice).fold(0, |set, n| set | 1u64 << all[n]));
        let covers =
            sets.filter(|set| bits(vertices & !set).all(|v| neighbours[v] & vertices & !set == 0));
        covers.map(u64::count_ones).min().unwrap_or(0)
    }

    #[test]
    fn covers_are_the_smallest_with_and_without_some_vertices() {
        let mut rng = Rng::new(11);
        let mut changed = 0;
        for n in 0..600 {
            let (neighbours, vertices) = random_graph(&mut rng, 5 + n % 60);
            let is_cover = |cover: &Cover, of: u64| {
                cover.set.count_ones() == cover.size
                    && bits(of & !cover.set).all(|v| neighbours[v] & of & !cover.set == 0)
            };
            let cover = Cover::of(&neighbours, vertices);
            assert_eq!(cover.size, smallest(&neighbours, vertices));
            assert!(is_cover(&cover, vertices));
            let mut gone = 0;
            let mut rest = cover;
            for _ in 0..3 {
                let Some(v) = bits(vertices & !gone).nth(rng.below(4) as usize) else { break };
                gone |= 1 << v;
                rest = rest.without(&neighbours, vertices & !gone, 1 << v);
                let truth = smallest(&neighbours, vertices & !gone);
                assert_eq!(rest.size, truth, "one by one");
                assert!(is_cover(&rest, vertices & !gone));
                let at_once = cover.without(&neighbours, vertices & !gone, gone);
                assert_eq!(at_once.size, truth, "at once");
                changed += u32::from(truth != cover.size);
            }
        }
        assert!(changed > 300, "only {changed} times was a cover smaller");
    }
}
