//! Packed states, each stored once and known by a small id: the open and closed list in one.

use super::bits::{BitReader, BitWriter, MAX_WORDS, META_BITS};

/// The first word of a state: cost, layer, length, and the first bits of the packed state.
const COST_BITS: u32 = 10;
pub(super) const COST: u32 = (1 << COST_BITS) - 1;
pub(super) const LAYER_SHIFT: u32 = COST_BITS;
pub(super) const LAYER: u32 = 0xf << LAYER_SHIFT;
pub(super) const LENGTH_SHIFT: u32 = LAYER_SHIFT + 4;
pub(super) const LENGTH: u32 = 0xf << LENGTH_SHIFT;

/// Layers are stored modulo this; the number itself marks states that are not deferred.
pub(super) const LAYERS: u32 = 15;

/// The largest cost that a state can have.
pub const MAX_COST: u32 = COST;

/// Words per block of memory. Blocks are never moved, so growing copies nothing.
pub(super) const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Bytes of a slot of the table, with its tag.
const SLOT: usize = 5;

/// The id of a state in a [`Registry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateId(pub(super) u32);

/// What became of a state that was to be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The state is new.
    New(StateId),
    /// The state was there, at this cost.
    Known(StateId, u32),
    /// The state was not there and was not admitted.
    Rejected,
}

/// All states stored so far. A state is a record of a few words: its parent, a word that cost,
/// layer and length share with the packed state, and the rest of the packed state.
///
/// Guarantee: two states are taken to be the same if and only if all their bits are; the hash only
/// says where to look.
#[derive(Debug)]
pub struct Registry {
    pub(super) blocks: Vec<Vec<u32>>,
    /// Open addressing with linear probing: ids, and a tag of each hash, 0 for a free slot. The tag
    /// nearly always tells different states apart.
    table: Vec<u32>,
    tags: Vec<u8>,
    states: usize,
    /// The highest cost of a state so far.
    pub(super) highest: u32,
    /// How many states are deferred to each layer.
    pub(super) deferred: [usize; LAYERS as usize],
}

#[inline]
pub(super) fn hash(words: &[u32]) -> u64 {
    let mut h = u64::from(words[0] >> META_BITS).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for &word in &words[1..] {
        h = (h.rotate_left(23) ^ u64::from(word)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    h ^ (h >> 32)
}

/// Where to look first in a table of this length.
#[inline]
fn place(hash: u64, len: usize) -> usize {
    ((u128::from(hash) * len as u128) >> 64) as usize
}

/// The bits of a hash stored beside the id: not those that give the first slot.
#[inline]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The length to which a table grows: large tables grow by little, since half-empty ones would be a
/// good part of all memory.
fn larger(len: usize) -> usize {
    if len < 1 << 16 { 2 * len } else { len / 4 * 5 }
}

impl Default for Registry {
    fn default() -> Self {
        Registry {
            blocks: Vec::new(),
            table: vec![0; 1 << 10],
            tags: vec![0; 1 << 10],
            states: 0,
            highest: 0,
            deferred: [0; LAYERS as usize],
        }
    }
}

impl Registry {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (4 * self.blocks.len() * BLOCK + SLOT * self.table.len()) as u64
    }

    /// Bytes that `more` states may add, with the old table beside the new one.
    pub fn growth(&self, more: usize) -> u64 {
        let table = if self.is_full(more) { SLOT * larger(self.table.len()) } else { 0 };
        let blocks = (more * (MAX_WORDS + 1)).div_ceil(BLOCK).max(1) * BLOCK;
        (table + 4 * blocks) as u64
    }

    /// Whether ids may run out within `more` states.
    pub fn is_exhausted(&self, more: usize) -> bool {
        let blocks = (more * (MAX_WORDS + 1)).div_ceil(BLOCK) + 1;
        self.blocks.len() + blocks >= 1 << (32 - BLOCK_BITS)
    }

    fn is_full(&self, more: usize) -> bool {
        self.states + more > self.table.len() / 8 * 7
    }

    #[inline]
    fn record(&self, id: StateId) -> &[u32] {
        let block = &self.blocks[(id.0 >> BLOCK_BITS) as usize];
        &block[id.0 as usize & (BLOCK - 1)..]
    }

    #[inline]
    fn words(&self, id: StateId) -> &[u32] {
        let record = self.record(id);
        let length = (record[1] & LENGTH) >> LENGTH_SHIFT;
        &record[1..=length as usize]
    }

    pub(super) fn meta(&mut self, id: StateId) -> &mut u32 {
        &mut self.blocks[(id.0 >> BLOCK_BITS) as usize][(id.0 as usize & (BLOCK - 1)) + 1]
    }

    /// Finds or inserts the state that `pack` writes. A new state is inserted with this parent and
    /// cost if `admit` says so, which is asked only then; a state that was there stays as it is.
    pub fn insert(
        &mut self,
        writer: &mut BitWriter,
        parent: Option<StateId>,
        cost: u32,
        pack: impl FnOnce(&mut BitWriter),
        admit: impl FnOnce() -> bool,
    ) -> Entry {
        writer.clear();
        pack(writer);
        let words = writer.finish();
        let hash = hash(words);
        match self.find(words, hash) {
            Some((id, cost)) => Entry::Known(id, cost),
            None if admit() => Entry::New(self.insert_new(words, hash, parent, cost)),
            None => Entry::Rejected,
        }
    }

    /// The state of these words, with its cost.
    #[inline]
    pub(super) fn find(&self, words: &[u32], hash: u64) -> Option<(StateId, u32)> {
        let mut slot = place(hash, self.tags.len());
        let tag = tag(hash);
        while self.tags[slot] != 0 {
            if self.tags[slot] == tag {
                let id = StateId(self.table[slot]);
                let there = self.words(id);
                if there[0] >> META_BITS == words[0] >> META_BITS && there[1..] == words[1..] {
                    return Some((id, there[0] & COST));
                }
            }
            slot = if slot + 1 == self.tags.len() { 0 } else { slot + 1 };
        }
        None
    }

    /// Inserts a state that is not there.
    pub(super) fn insert_new(
        &mut self,
        words: &[u32],
        hash: u64,
        parent: Option<StateId>,
        cost: u32,
    ) -> StateId {
        if self.is_full(1) {
            self.grow();
        }
        let fits = self.blocks.last().is_some_and(|b| b.len() + words.len() < BLOCK);
        if !fits {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        let id = StateId((number << BLOCK_BITS | block.len()) as u32);
        block.push(parent.map_or(u32::MAX, |p| p.0));
        let meta = (words.len() as u32) << LENGTH_SHIFT | LAYERS << LAYER_SHIFT;
        block.push(words[0] | meta | cost.min(MAX_COST));
        block.extend_from_slice(&words[1..]);
        self.link(id, hash);
        self.states += 1;
        self.highest = self.highest.max(cost.min(MAX_COST));
        id
    }

    /// Stores an id in the first free slot.
    fn link(&mut self, id: StateId, hash: u64) {
        let mut slot = place(hash, self.tags.len());
        while self.tags[slot] != 0 {
            slot = if slot + 1 == self.tags.len() { 0 } else { slot + 1 };
        }
        self.table[slot] = id.0;
        self.tags[slot] = tag(hash);
    }

    fn grow(&mut self) {
        let len = larger(self.table.len());
        let old = std::mem::replace(&mut self.table, vec![0; len]);
        let tags = std::mem::replace(&mut self.tags, vec![0; len]);
        for (id, _) in old.into_iter().zip(tags).filter(|&(_, tag)| tag != 0) {
            let hash = hash(self.words(StateId(id)));
            self.link(StateId(id), hash);
        }
    }

    /// The packed state.
    #[inline]
    pub fn read(&self, id: StateId) -> BitReader<'_> {
        BitReader::new(self.words(id))
    }

    /// The cost at which the state was reached.
    #[inline]
    pub fn cost(&self, id: StateId) -> u32 {
        self.record(id)[1] & COST
    }

    /// The state's parent on the cheapest path known.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.record(id)[0];
        (parent != u32::MAX).then_some(StateId(parent))
    }

    /// Records a cheaper path to a state.
    pub(super) fn reopen(&mut self, id: StateId, parent: StateId, cost: u32) {
        let meta = self.meta(id);
        *meta = *meta & !COST | cost.min(MAX_COST);
        self.blocks[(id.0 >> BLOCK_BITS) as usize][id.0 as usize & (BLOCK - 1)] = parent.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash says where to look, and nothing else: with the same hash, states that differ in any
    /// one bit are different states.
    #[test]
    fn states_with_one_hash_are_told_apart_by_every_bit() {
        for length in 1..=MAX_WORDS {
            let words: Vec<u32> = (1..=length as u32)
                .map(|n| n.wrapping_mul(0x9e37_79b9) >> 3 << META_BITS)
                .collect();
            let mut registry = Registry::default();
            let id = registry.insert_new(&words, 7, None, 3);
            assert_eq!(registry.find(&words, 7), Some((id, 3)));
            for bit in META_BITS as usize..32 * length {
                let mut other = words.clone();
                other[bit / 32] ^= 1 << (bit % 32);
                assert_eq!(registry.find(&other, 7), None, "bit {bit} of {length} words");
            }
            let longer: Vec<u32> = words.iter().copied().chain([0]).collect();
            assert_eq!(registry.find(&longer, 7), None, "{length} words and one more");
        }
    }
}
