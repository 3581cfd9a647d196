//! The fewest blockers that hit every cycle: a minimum vertex cover for cycles of two, a minimum
//! hitting set in general.

use super::state::bits;

/// Who keeps whom waiting, among cards that are not known to move twice.
#[derive(Clone, Debug)]
pub(super) struct Cycles {
    /// Cards that are looked at.
    blockers: u64,
    /// For each of them the cards that it keeps waiting.
    waiting: [u64; 52],
    /// For each of them the cards that move with it: itself, or its run.
    group: [u64; 52],
}

impl Default for Cycles {
    fn default() -> Self {
        Cycles { blockers: 0, waiting: [0; 52], group: [0; 52] }
    }
}

impl Cycles {
    #[inline]
    pub(super) fn put(&mut self, card: u8, waiting: u64) {
        self.blockers |= 1 << card;
        self.waiting[usize::from(card)] = waiting;
    }

    #[inline]
    pub(super) fn remove(&mut self, cards: u64) {
        self.blockers &= !cards;
    }

    #[inline]
    pub(super) fn group(&mut self, cards: u64) {
        for card in bits(cards) {
            self.group[card] = cards;
        }
    }
}

/// The fewest groups that hit every cycle of two blockers.
pub(super) fn pairs(cycles: &Cycles) -> u32 {
    // A group is known by its lowest card.
    let name = |card: usize| cycles.group[card].trailing_zeros() as usize;
    let mut neighbours = [0u64; 52];
    let mut vertices = 0u64;
    for a in bits(cycles.blockers) {
        let later = cycles.blockers & !((2 << a) - 1);
        for b in bits(cycles.waiting[a] & later) {
            if cycles.waiting[b] >> a & 1 == 1 {
                let (a, b) = (name(a), name(b));
                neighbours[a] |= 1 << b;
                neighbours[b] |= 1 << a;
                vertices |= 1 << a | 1 << b;
            }
        }
    }
    vertex_cover(&neighbours, vertices)
}

/// The size of a minimum vertex cover. A vertex with one neighbour is never better than its
/// neighbour; where all have more, a vertex of most neighbours is in the cover or they all are.
fn vertex_cover(neighbours: &[u64; 52], mut left: u64) -> u32 {
    let mut taken = 0;
    loop {
        let mut busiest = (0, 0);
        let mut changed = false;
        for v in bits(left) {
            if left >> v & 1 == 0 {
                continue;
            }
            let around = neighbours[v] & left;
            match around.count_ones() {
                0 => left &= !(1 << v),
                1 => {
                    taken += 1;
                    left &= !(around | 1 << v);
                    changed = true;
                }
                n if n > busiest.0 => busiest = (n, v),
                _ => {}
            }
        }
        if left == 0 {
            return taken;
        }
        if changed {
            continue;
        }
        let (degree, v) = busiest;
        let around = neighbours[v] & left;
        let with = 1 + vertex_cover(neighbours, left & !(1 << v));
        // Only cycles are left: taking any vertex is as good as any other.
        if degree == 2 {
            return taken + with;
        }
        let without = around.count_ones() + vertex_cover(neighbours, left & !(around | 1 << v));
        return taken + with.min(without);
    }
}

/// The fewest groups that hit every cycle of at most `longest` blockers, by iterative deepening.
pub(super) fn up_to(cycles: &Cycles, longest: usize) -> u32 {
    (pairs(cycles)..).find(|&budget| hit(cycles, cycles.blockers, longest, budget)).unwrap_or(0)
}

/// Whether `budget` groups hit all cycles among the cards left.
fn hit(cycles: &Cycles, left: u64, longest: usize, budget: u32) -> bool {
    let Some(cycle) = find_cycle(cycles, left, longest) else { return true };
    // Cycles that have no group in common each need one of their own.
    let mut apart = left;
    let mut needed = 0;
    while let Some(cycle) = find_cycle(cycles, apart, longest) {
        needed += 1;
        if needed > budget {
            return false;
        }
        for card in bits(cycle) {
            apart &= !cycles.group[card];
        }
    }
    bits(cycle).any(|card| hit(cycles, left & !cycles.group[card], longest, budget - 1))
}

/// The cards of a shortest cycle of at most `longest` cards among those left.
fn find_cycle(cycles: &Cycles, left: u64, longest: usize) -> Option<u64> {
    (2..=longest).find_map(|length| {
        bits(left).find_map(|first| way_back(cycles, left, first, first, 1 << first, length - 1))
    })
}

/// The cards of a way from `at` to `first` over `more` further cards, with those passed already.
/// Cards before `first` have been tried as beginnings.
fn way_back(
    cycles: &Cycles,
    left: u64,
    first: usize,
    at: usize,
    passed: u64,
    more: usize,
) -> Option<u64> {
    if more == 0 {
        return (cycles.waiting[at] >> first & 1 == 1).then_some(passed);
    }
    let later = !((2u64 << first) - 1);
    bits(cycles.waiting[at] & left & later & !passed)
        .find_map(|next| way_back(cycles, left, first, next, passed | 1 << next, more - 1))
}
