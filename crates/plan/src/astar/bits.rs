//! States as bits.

/// The bits of the first word that the registry keeps for itself.
pub(super) const META_BITS: u32 = 18;
/// The most words of a packed state.
pub(super) const MAX_WORDS: usize = 15;

/// Packs a state into bits.
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

/// Reads what a [`BitWriter`] wrote, in the same order; zeros after the end.
#[derive(Clone, Debug)]
pub struct BitReader<'r> {
    words: &'r [u32],
    pending: u64,
    filled: u32,
}

impl<'r> BitReader<'r> {
    pub(super) fn new(words: &'r [u32]) -> Self {
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
