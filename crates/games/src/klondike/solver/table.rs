//! The states that were searched already, as keys without loss.

/// A set of keys that grows to a limit and then forgets some: the search stays right, because it
/// only ever does over again what was forgotten.
#[derive(Debug)]
pub(super) struct Table {
    /// Memory; only the first `len` slots are in use.
    slots: Vec<u64>,
    len: usize,
    used: usize,
    most: usize,
    /// The bits of a slot by which a state is known: all, or all but those of the offsets.
    mask: u64,
    /// The keys while the table grows.
    moving: Vec<u64>,
}

/// A state as the table knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// All but the offset, in 56 bits; not 0.
    pub(super) state: u64,
    /// The offset as remainder and quotient by the number of cards turned at a time.
    pub(super) offset: (u8, u8),
}

/// What a table held of a state before a key was added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before(Option<u8>);

impl Before {
    /// It held nothing.
    pub(super) const NOTHING: Before = Before(None);
}

/// Offset 0 and no other.
const ALIGNED: u8 = 0xff;

impl Key {
    /// Which offsets are covered after this one was added to them; `None` if it was before.
    ///
    /// Four bits per remainder but 0: the least quotient, 15 for none. Every card within reach at an
    /// offset is within reach at a smaller one of the same remainder; every card within reach at
    /// offset 0 is so at any. Where a card was taken from is all that counts after it was taken.
    #[inline]
    fn added_to(self, offsets: u8) -> Option<u8> {
        let (remainder, quotient) = self.offset;
        if remainder == 0 {
            return None;
        }
        let shift = 4 * (remainder - 1);
        (offsets >> shift & 15 > quotient).then_some(offsets & !(15 << shift) | quotient << shift)
    }

    /// What stands for it alone.
    #[inline]
    fn slot(self) -> u64 {
        self.state << 8 | u64::from(self.added_to(ALIGNED).unwrap_or(ALIGNED))
    }
}

/// Keys next to each other that are looked at together: one cache line.
const BUCKET: usize = 8;
const SMALLEST: usize = 1 << 10;
/// Above this many slots the memory is given back.
const KEPT: usize = 1 << 16;
/// Half a megabyte.
const LARGE: usize = 1 << 16;

/// The largest power of two of slots that take no more bytes than these.
fn slots_of(bytes: u64) -> usize {
    let most = usize::try_from(bytes / 8).unwrap_or(usize::MAX).max(SMALLEST);
    1 << most.ilog2()
}

impl Table {
    /// A table of at most so many bytes; if `exact`, only the same state covers a state.
    pub(super) fn new(bytes: u64, exact: bool) -> Table {
        let mask = if exact { !0 } else { !0xff };
        let most = slots_of(bytes);
        Table { slots: vec![0; SMALLEST], len: SMALLEST, used: 0, most, mask, moving: Vec::new() }
    }

    /// At most so many bytes from now on. A table that is larger already does not grow.
    pub(super) fn limit(&mut self, bytes: u64) {
        self.most = slots_of(bytes);
        if self.used == 0 {
            self.clear();
        }
    }

    /// Forgets all. A search of few nodes pays for few slots, however many there were before.
    pub(super) fn clear(&mut self) {
        if self.slots.len() > KEPT.min(self.most) {
            self.slots = vec![0; SMALLEST];
            self.moving = Vec::new();
        } else if self.used > 0 {
            self.slots[..SMALLEST].fill(0);
        }
        self.len = SMALLEST;
        self.used = 0;
    }

    /// Whether it is too large for the nearer caches.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        self.len > LARGE
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<u64>()) as u64
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        // One multiplication by 2⁶⁴ over the golden ratio mixes low bits into the high ones.
        let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let buckets = (self.len / BUCKET) as u64;
        ((u128::from(mixed) * u128::from(buckets)) >> 64) as usize * BUCKET
    }

    /// Whether a slot is the one of a key's state.
    #[inline]
    fn same(mask: u64, slot: u64, key: Key) -> bool {
        (slot ^ key.slot()) & mask == 0
    }

    /// Whether the same state or one in which at least as much can be done was added before.
    #[inline]
    pub(super) fn covers(&self, key: Key) -> bool {
        let first = self.bucket(key.state);
        let slots = self.slots[first..first + BUCKET].iter().take_while(|&&slot| slot != 0);
        let mut same = slots.filter(|&&slot| Table::same(self.mask, slot, key));
        same.next().is_some_and(|&slot| key.added_to(slot as u8).is_none())
    }

    /// Adds a key; `None` if it was covered already. What is given is for [`Table::undo`].
    #[inline]
    pub(super) fn insert(&mut self, key: Key) -> Option<Before> {
        debug_assert!(key.state != 0);
        if self.used * 2 >= self.len && self.len < self.most {
            self.grow();
        }
        let first = self.bucket(key.state);
        let bucket = &mut self.slots[first..first + BUCKET];
        for slot in bucket.iter_mut() {
            if *slot == 0 {
                *slot = key.slot();
                self.used += 1;
                return Some(Before(None));
            }
            if Table::same(self.mask, *slot, key) {
                let before = *slot as u8;
                *slot = key.state << 8 | u64::from(key.added_to(before)?);
                return Some(Before(Some(before)));
            }
        }
        // Full: the oldest of the bucket goes.
        bucket.rotate_left(1);
        bucket[BUCKET - 1] = key.slot();
        Some(Before(None))
    }

    /// Takes out the key that was added last of those of its state.
    pub(super) fn undo(&mut self, key: Key, before: Before) {
        let first = self.bucket(key.state);
        let bucket = &mut self.slots[first..first + BUCKET];
        let same = |&slot: &u64| slot != 0 && Table::same(self.mask, slot, key);
        let Some(at) = bucket.iter().position(same) else {
            return;
        };
        match before.0 {
            Some(before) => bucket[at] = key.state << 8 | u64::from(before),
            None => {
                bucket[at..].rotate_left(1);
                bucket[BUCKET - 1] = 0;
                self.used -= 1;
            }
        }
    }

    /// Puts a slot into a table that grew.
    fn put(&mut self, slot: u64) {
        let first = self.bucket(slot >> 8);
        let bucket = &mut self.slots[first..first + BUCKET];
        if let Some(free) = bucket.iter_mut().find(|slot| **slot == 0) {
            *free = slot;
            self.used += 1;
        }
    }

    fn grow(&mut self) {
        let before = self.len;
        // Fourfold, so that keys are moved seldom.
        self.len = (self.len * 4).min(self.most);
        self.used = 0;
        if self.slots.len() < self.len {
            // Memory that was never touched costs nothing, so a large table is taken anew.
            let old = std::mem::replace(&mut self.slots, vec![0; self.len]);
            for key in old.into_iter().take(before).filter(|&key| key != 0) {
                self.put(key);
            }
            return;
        }
        let mut moving = std::mem::take(&mut self.moving);
        moving.clear();
        moving.extend(self.slots[..before].iter().filter(|&&key| key != 0));
        self.slots[..self.len].fill(0);
        for &key in &moving {
            self.put(key);
        }
        self.moving = moving;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_offsets() -> Vec<(u8, u8)> {
        (0..3).flat_map(|remainder| (0..8).map(move |quotient| (remainder, quotient))).collect()
    }

    /// What the comment of [`Key::added_to`] says, of a list of all that was added.
    fn is_covered(added: &[(u8, u8)], (remainder, quotient): (u8, u8)) -> bool {
        let smaller = |&(r, q): &(u8, u8)| r == remainder && q <= quotient;
        !added.is_empty() && (remainder == 0 || added.iter().any(smaller))
    }

    /// A state is covered by the same state at a smaller offset of the same remainder, by any if its
    /// own is a multiple, and by nothing else.
    #[test]
    fn offsets_cover_larger_ones_of_their_remainder_only() {
        let all = all_offsets();
        for &first in &all {
            for &second in &all {
                let mut table = Table::new(1 << 16, false);
                let mut added = Vec::new();
                for offset in [first, second] {
                    let key = Key { state: 77, offset };
                    let was = is_covered(&added, offset);
                    assert_eq!(table.covers(key), was, "{offset:?} after {added:?}");
                    assert_eq!(table.insert(key).is_none(), was, "{offset:?} after {added:?}");
                    added.push(offset);
                }
                for &third in &all {
                    let key = Key { state: 77, offset: third };
                    let right = is_covered(&added, third);
                    assert_eq!(table.covers(key), right, "{third:?} after {added:?}");
                    let other = Key { state: 78, offset: third };
                    assert!(!table.covers(other), "another state after {added:?}");
                }
            }
        }
    }

    /// Where only the same state counts, no other offset covers one.
    #[test]
    fn an_exact_table_covers_the_same_offset_only() {
        let all = all_offsets();
        for &first in &all {
            let mut table = Table::new(1 << 16, true);
            assert!(table.insert(Key { state: 77, offset: first }).is_some());
            for &second in &all {
                // Multiples of the cards turned at a time are one offset: the talon is aligned.
                let same = first == second || first.0 == 0 && second.0 == 0;
                let key = Key { state: 77, offset: second };
                assert_eq!(table.covers(key), same, "{second:?} after {first:?}");
            }
        }
    }

    /// Taken out in turn, the table is as it was.
    #[test]
    fn what_is_undone_was_never_there() {
        let all = all_offsets();
        let mut table = Table::new(1 << 16, false);
        let mut added = Vec::new();
        for offset in [(2, 5), (1, 6), (1, 3), (2, 1)] {
            let key = Key { state: 5, offset };
            let before = table.insert(key).unwrap();
            added.push((key, before));
        }
        while let Some((key, before)) = added.pop() {
            table.undo(key, before);
            let left: Vec<_> = added.iter().map(|(key, _)| key.offset).collect();
            for &offset in &all {
                let right = is_covered(&left, offset);
                assert_eq!(table.covers(Key { state: 5, offset }), right, "{offset:?} of {left:?}");
            }
        }
    }
}
