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
    /// The keys while the table grows.
    moving: Vec<u64>,
}

/// Keys next to each other that are looked at together: one cache line.
const BUCKET: usize = 8;
const SMALLEST: usize = 1 << 10;
/// Above this many slots the memory is given back.
const KEPT: usize = 1 << 16;
/// Half a megabyte.
const LARGE: usize = 1 << 16;

impl Table {
    /// A table of at most so many bytes.
    pub(super) fn new(bytes: u64) -> Table {
        let most = usize::try_from(bytes / 8).unwrap_or(usize::MAX).max(SMALLEST);
        // The largest power of two that is not above it.
        let most = 1 << most.ilog2();
        Table { slots: vec![0; SMALLEST], len: SMALLEST, used: 0, most, moving: Vec::new() }
    }

    /// Forgets all. A search of few nodes pays for few slots, however many there were before.
    pub(super) fn clear(&mut self) {
        if self.slots.len() > KEPT {
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

    /// Adds a key; `false` if it was there. Keys are not 0.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) -> bool {
        debug_assert!(key != 0);
        if self.used * 2 >= self.len && self.len < self.most {
            self.grow();
        }
        let first = self.bucket(key);
        let bucket = &mut self.slots[first..first + BUCKET];
        for slot in bucket.iter_mut() {
            if *slot == key {
                return false;
            }
            if *slot == 0 {
                *slot = key;
                self.used += 1;
                return true;
            }
        }
        // Full: the oldest of the bucket goes.
        bucket.rotate_left(1);
        bucket[BUCKET - 1] = key;
        true
    }

    fn grow(&mut self) {
        let old = self.len;
        // Fourfold, so that keys are moved seldom.
        self.len = (self.len * 4).min(self.most);
        self.used = 0;
        if self.slots.len() < self.len {
            // Memory that was never touched costs nothing, so a large table is taken anew.
            let old = std::mem::replace(&mut self.slots, vec![0; self.len]);
            for key in old.into_iter().filter(|&key| key != 0) {
                self.insert(key);
            }
            return;
        }
        let mut moving = std::mem::take(&mut self.moving);
        moving.clear();
        moving.extend(self.slots[..old].iter().filter(|&&key| key != 0));
        self.slots[..self.len].fill(0);
        for &key in &moving {
            self.insert(key);
        }
        self.moving = moving;
    }
}
