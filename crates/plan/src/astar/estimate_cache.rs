//! Estimates of states generated of late, whether stored or not.

/// Larger states are not cached.
const MAX_WORDS: usize = 11;

/// The number of entries, indexed by the last bits of a hash.
const SIZE: usize = 1 << 11;

/// The estimate of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CachedEstimate {
    /// The batch in which the state was found to be within the f-limit, or 0.
    pub(super) batch: u32,
    /// The limit that the estimate was asked for.
    limit: u16,
    pub(super) estimate: u16,
    length: u32,
    words: [u32; MAX_WORDS],
}

/// A cache of estimates. Most states are generated several times within a short while, and those
/// beyond the f-limit are stored nowhere else.
///
/// Guarantees: two states are taken to be the same if and only if all their bits are. The cache
/// saves time and changes no answer.
#[derive(Debug, Default)]
pub(super) struct EstimateCache {
    entries: Vec<CachedEstimate>,
}

impl EstimateCache {
    /// The estimate of the state with these words, asked for with this limit.
    #[inline]
    pub(super) fn find(&self, words: &[u32], hash: u64, limit: u32) -> Option<&CachedEstimate> {
        let entry = self.entries.get(hash as usize % SIZE)?;
        let length = entry.length as usize;
        let same = length == words.len() && entry.words[..length] == *words;
        (same && u32::from(entry.limit) == limit).then_some(entry)
    }

    /// Stores an estimate in place of another.
    #[inline]
    pub(super) fn insert(
        &mut self,
        words: &[u32],
        hash: u64,
        batch: u32,
        limit: u32,
        estimate: u32,
    ) {
        let (Ok(limit), Ok(estimate)) = (u16::try_from(limit), u16::try_from(estimate)) else {
            return;
        };
        if words.len() > MAX_WORDS {
            return;
        }
        if self.entries.is_empty() {
            self.entries.resize(SIZE, CachedEstimate::default());
        }
        let entry = &mut self.entries[hash as usize % SIZE];
        entry.batch = batch;
        (entry.limit, entry.estimate) = (limit, estimate);
        entry.length = words.len() as u32;
        entry.words[..words.len()].copy_from_slice(words);
    }
}
