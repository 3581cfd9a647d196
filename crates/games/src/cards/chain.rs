//! Cards that go onto one pile, each beside the one before it: whether there are enough of them.

use super::Card;

const RANKS: usize = super::RANKS as usize;

/// How many cards there are of each rank, the aces first.
pub(crate) type Counts = [u8; RANKS];

pub(crate) const NONE: Counts = [0; RANKS];

/// Adds cards to counts.
pub(crate) fn count<'c>(cards: impl IntoIterator<Item = &'c Card>, counts: &mut Counts) {
    cards.into_iter().for_each(|card| counts[usize::from(card.rank()) - 1] += 1);
}

/// Whether every card of `above` can have a card of `below` to itself whose rank is a neighbour. Where
/// it cannot, the cards `above` cannot all go onto the pile: each goes onto another card, and nothing
/// that lies there takes two. With `wraps` ace and king are neighbours.
///
/// A matching of ranks in which r meets r - 1 and r + 1: rank by rank, r takes what is left of r - 1,
/// because nobody after it can, and the rest of r + 1. In steps of two these are two lines, or, since 13
/// is odd, one circle, which is cut open at all that its last rank may take.
pub(crate) fn can_lie(above: &Counts, below: &Counts, wraps: bool) -> bool {
    if wraps {
        let order = (0..RANKS).map(|n| 2 * n % RANKS);
        let last = below[RANKS - 1];
        return (0..=last.min(above[0])).any(|taken| {
            let mut left = *below;
            left[RANKS - 1] = taken;
            order.clone().all(|rank| {
                // Back at its beginning the circle has what the first rank did not take.
                if rank == RANKS - 2 {
                    left[RANKS - 1] = last - taken;
                }
                takes(above[rank], &mut left, (rank + RANKS - 1) % RANKS, Some((rank + 1) % RANKS))
            })
        });
    }
    [0, 1].into_iter().all(|first| {
        let mut left = *below;
        (first..RANKS).step_by(2).all(|rank| {
            let after = Some(rank + 1).filter(|&after| after < RANKS);
            match rank.checked_sub(1) {
                Some(before) => takes(above[rank], &mut left, before, after),
                None => takes(above[rank], &mut left, RANKS, after),
            }
        })
    })
}

/// Takes so many from one rank, then from another; whether there are enough.
fn takes(wanted: u8, left: &mut Counts, before: usize, after: Option<usize>) -> bool {
    let first = left.get(before).map_or(0, |&count| count.min(wanted));
    if let Some(count) = left.get_mut(before) {
        *count -= first;
    }
    match after.and_then(|after| left.get_mut(after)) {
        Some(count) if *count >= wanted - first => *count -= wanted - first,
        _ => return wanted == first,
    }
    true
}

#[cfg(test)]
mod tests {
    use patience_model::Rng;

    use super::*;

    /// Hall's theorem: cards have places enough if every set of ranks has.
    fn obvious(above: &Counts, below: &Counts, wraps: bool) -> bool {
        (0..1_u32 << RANKS).all(|set| {
            let has = |rank: usize| set >> rank & 1 == 1;
            let wanted: u8 = (0..RANKS).filter(|&rank| has(rank)).map(|rank| above[rank]).sum();
            let beside = |rank: usize| {
                let (before, after) = ((rank + RANKS - 1) % RANKS, (rank + 1) % RANKS);
                has(before) && (wraps || rank > 0) || has(after) && (wraps || rank + 1 < RANKS)
            };
            let there: u8 = (0..RANKS).filter(|&rank| beside(rank)).map(|rank| below[rank]).sum();
            wanted <= there
        })
    }

    #[test]
    fn places_are_enough_as_halls_theorem_says() {
        let mut rng = Rng::new(1);
        let mut seen = [[0; 2]; 2];
        for case in 0..3000 {
            let most = 2 + case % 4;
            let mut draw = || std::array::from_fn(|_| rng.below(most) as u8);
            let (above, below): (Counts, Counts) = (draw(), draw());
            for wraps in [false, true] {
                let enough = can_lie(&above, &below, wraps);
                assert_eq!(enough, obvious(&above, &below, wraps), "{above:?} {below:?} {wraps}");
                seen[usize::from(wraps)][usize::from(enough)] += 1;
            }
        }
        assert!(seen.iter().flatten().all(|&count| count > 100), "{seen:?}");
    }
}
