//! Packed states, each held once and known by a small id.

/// The bits of the first word that the registry keeps for itself.
const META_BITS: u32 = 18;
const COST_BITS: u32 = 10;
const COST: u32 = (1 << COST_BITS) - 1;
const WAIT_SHIFT: u32 = COST_BITS;
const WAIT: u32 = 0xf << WAIT_SHIFT;
const LENGTH_SHIFT: u32 = WAIT_SHIFT + 4;
const LENGTH: u32 = 0xf << LENGTH_SHIFT;

/// Layers that a state can wait for are told apart by what is left when divided by this; the
/// number itself is for states that wait for none.
const LAYERS: u32 = 15;

/// The largest cost that a state can have.
pub const MAX_COST: u32 = COST;
/// The most words that a packed state can have.
pub(super) const MAX_WORDS: usize = 15;

/// Words per block of memory. Blocks are never moved, so growing copies nothing.
const BLOCK_BITS: u32 = 16;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Bytes of a slot of the table, with its tag.
const SLOT: usize = 5;

/// How many costs are looked for in one pass of a [`Sweep`]: with few, the last layer comes to the goal
/// sooner, since states that are far along come first; one is no better than two.
const PASS: u32 = 2;

/// The id of a state in a [`Registry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateId(pub(super) u32);

/// Writes a state as bits.
#[derive(Clone, Debug)]
pub struct BitWriter {
    words: Vec<u32>,
    pending: u64,
    filled: u32,
}

impl Default for BitWriter {
    fn default() -> Self {
        BitWriter { words: Vec::with_capacity(MAX_WORDS), pending: 0, filled: META_BITS }
    }
}

impl BitWriter {
    /// Appends the lowest `bits` bits of `value`; the others must be 0, and there are at most 32.
    #[inline]
    pub fn write(&mut self, value: u32, bits: u32) {
        debug_assert!(bits <= 32 && u64::from(value) >> bits == 0, "{value} has over {bits} bits");
        self.pending |= u64::from(value) << self.filled;
        self.filled += bits;
        if self.filled >= 32 {
            self.words.push(self.pending as u32);
            self.pending >>= 32;
            self.filled -= 32;
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.pending = 0;
        self.filled = META_BITS;
    }

    pub(super) fn finish(&mut self) -> &[u32] {
        if self.filled > 0 {
            self.words.push(self.pending as u32);
            self.pending = 0;
            self.filled = 0;
        }
        assert!(self.words.len() <= MAX_WORDS, "a packed state has over {MAX_WORDS} words");
        &self.words
    }
}

/// Reads what a [`BitWriter`] wrote, in the same order; zeros follow after the end.
#[derive(Clone, Debug)]
pub struct BitReader<'r> {
    words: &'r [u32],
    pending: u64,
    filled: u32,
}

impl<'r> BitReader<'r> {
    fn new(words: &'r [u32]) -> Self {
        let first = u64::from(words[0]) >> META_BITS;
        BitReader { words: &words[1..], pending: first, filled: 32 - META_BITS }
    }

    /// The next `bits` bits, at most 32.
    #[inline]
    pub fn read(&mut self, bits: u32) -> u32 {
        if self.filled < bits {
            let word = match self.words.split_first() {
                Some((&word, rest)) => {
                    self.words = rest;
                    word
                }
                None => 0,
            };
            self.pending |= u64::from(word) << self.filled;
            self.filled += 32;
        }
        let value = self.pending & ((1 << bits) - 1);
        self.pending >>= bits;
        self.filled -= bits;
        value as u32
    }
}

/// Where a state was met again, or put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The state is new.
    New(StateId),
    /// The state was there, at this cost.
    Known(StateId, u32),
    /// The state was not there and is not wanted.
    Refused,
}

/// All states met so far. A state is a record of a few words: its parent, a word with cost, flag
/// and length that it shares with the packed state, and the rest of the packed state.
///
/// Guarantee: two states are taken to be the same if and only if all their bits are; the hash
/// only says where to look.
#[derive(Debug)]
pub struct Registry {
    blocks: Vec<Vec<u32>>,
    /// Open addressing with linear probing: ids, and a few bits of each hash, 0 where there is no
    /// id. Nearly always these say at once that a state is another one.
    table: Vec<u32>,
    tags: Vec<u8>,
    states: usize,
    /// The highest cost of a state so far.
    highest: u32,
    /// How many states wait for each layer.
    waiting: [usize; LAYERS as usize],
}

/// A way through the states that a registry holds: several passes, those of high cost in the
/// first, and in each the latest blocks first. States of high cost look nearest to a goal.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Blocks in all.
    all: usize,
    /// States of lower cost are for later passes.
    least: u32,
    /// Blocks of this pass not begun.
    blocks: usize,
    /// The place in the block that was begun, and where it ends.
    at: usize,
    end: usize,
}

impl Sweep {
    /// Through all states that are there now.
    pub fn over(registry: &Registry) -> Sweep {
        let all = registry.blocks.len();
        Sweep { all, least: registry.highest.saturating_sub(PASS), blocks: all, at: 0, end: 0 }
    }

    /// Whether it has been through.
    pub fn is_over(&self) -> bool {
        self.blocks == 0 && self.at >= self.end && self.least == 0
    }
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

/// The bits of a hash that are kept beside the id: not those that say where to look first.
#[inline]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The length of a table after this one: large tables grow by little, since half-empty ones would
/// be a good part of all memory.
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
            waiting: [0; LAYERS as usize],
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

    /// Bytes that `more` further states can take on top, the old table beside the new one
    /// included.
    pub fn growth(&self, more: usize) -> u64 {
        let table = if self.is_full(more) { SLOT * larger(self.table.len()) } else { 0 };
        let blocks = (more * (MAX_WORDS + 1)).div_ceil(BLOCK).max(1) * BLOCK;
        (table + 4 * blocks) as u64
    }

    /// Whether no further state has an id.
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

    fn meta(&mut self, id: StateId) -> &mut u32 {
        &mut self.blocks[(id.0 >> BLOCK_BITS) as usize][(id.0 as usize & (BLOCK - 1)) + 1]
    }

    /// Finds or puts the state that `pack` writes. A new state gets this parent and cost if it is
    /// `wanted`, which is asked only then; a state that was there stays as it is.
    pub fn enter(
        &mut self,
        writer: &mut BitWriter,
        parent: Option<StateId>,
        cost: u32,
        pack: impl FnOnce(&mut BitWriter),
        wanted: impl FnOnce() -> bool,
    ) -> Entry {
        writer.clear();
        pack(writer);
        let words = writer.finish();
        let hash = hash(words);
        match self.find(words, hash) {
            Some((id, cost)) => Entry::Known(id, cost),
            None if wanted() => Entry::New(self.put(words, hash, parent, cost)),
            None => Entry::Refused,
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

    /// Puts a state that is not there.
    pub(super) fn put(
        &mut self,
        words: &[u32],
        hash: u64,
        parent: Option<StateId>,
        cost: u32,
    ) -> StateId {
        if self.is_full(1) {
            self.grow();
        }
        let room = self.blocks.last().is_some_and(|b| b.len() + words.len() < BLOCK);
        if !room {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let number = self.blocks.len() - 1;
        let block = &mut self.blocks[number];
        let id = StateId((number << BLOCK_BITS | block.len()) as u32);
        block.push(parent.map_or(u32::MAX, |p| p.0));
        let meta = (words.len() as u32) << LENGTH_SHIFT | LAYERS << WAIT_SHIFT;
        block.push(words[0] | meta | cost.min(MAX_COST));
        block.extend_from_slice(&words[1..]);
        self.link(id, hash);
        self.states += 1;
        self.highest = self.highest.max(cost.min(MAX_COST));
        id
    }

    /// Puts an id into the first free slot.
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

    /// The state from which it was reached.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.record(id)[0];
        (parent != u32::MAX).then_some(StateId(parent))
    }

    /// A cheaper way to a state has been found.
    pub fn reach(&mut self, id: StateId, parent: StateId, cost: u32) {
        let meta = self.meta(id);
        *meta = *meta & !COST | cost.min(MAX_COST);
        self.blocks[(id.0 >> BLOCK_BITS) as usize][id.0 as usize & (BLOCK - 1)] = parent.0;
    }

    /// A state has something to add to a later layer, or to none. It may be found earlier than
    /// that, if the layer is far away, but not later.
    pub fn wait(&mut self, id: StateId, layer: Option<u32>, present: u32) {
        let code =
            layer.map_or(LAYERS, |layer| layer.clamp(present + 1, present + LAYERS - 1) % LAYERS);
        let meta = self.meta(id);
        let before = (*meta & WAIT) >> WAIT_SHIFT;
        *meta = *meta & !WAIT | code << WAIT_SHIFT;
        if let Some(waiting) = self.waiting.get_mut(before as usize) {
            *waiting -= 1;
        }
        if let Some(waiting) = self.waiting.get_mut(code as usize) {
            *waiting += 1;
        }
    }

    /// The first layer after the present one for which a state waits.
    pub fn next_layer(&self, present: u32) -> Option<u32> {
        (present + 1..present + LAYERS).find(|layer| self.waiting[(layer % LAYERS) as usize] > 0)
    }

    /// The next state of a sweep that waits for this layer; it waits no more.
    pub fn find_waiting(&mut self, sweep: &mut Sweep, layer: u32) -> Option<StateId> {
        let code = layer % LAYERS;
        if self.waiting[code as usize] == 0 {
            *sweep = Sweep::default();
            return None;
        }
        loop {
            if sweep.at >= sweep.end {
                if sweep.blocks == 0 {
                    if sweep.least == 0 {
                        return None;
                    }
                    sweep.blocks = sweep.all;
                    sweep.least = sweep.least.saturating_sub(PASS);
                }
                sweep.blocks = sweep.blocks.checked_sub(1)?;
                (sweep.at, sweep.end) = (0, self.blocks[sweep.blocks].len());
            }
            let block = &self.blocks[sweep.blocks];
            while sweep.at < sweep.end {
                let meta = block[sweep.at + 1];
                let at = sweep.at;
                sweep.at += 1 + ((meta & LENGTH) >> LENGTH_SHIFT) as usize;
                if (meta & WAIT) >> WAIT_SHIFT == code && meta & COST >= sweep.least {
                    let id = StateId((sweep.blocks << BLOCK_BITS | at) as u32);
                    self.wait(id, None, layer);
                    return Some(id);
                }
            }
        }
    }
}
