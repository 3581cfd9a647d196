//! What was found out about states of late, whether they are held or not.

/// Words of the states that are remembered; larger ones are not.
const WORDS: usize = 11;

/// How many states are remembered, one for each end of a hash.
const SIZE: usize = 1 << 13;

/// What is remembered of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memo {
    /// The batch in which it was found to be wanted, or 0.
    pub(super) batch: u32,
    /// At which cost.
    pub(super) cost: u16,
    /// What the rest of the path costs at least.
    pub(super) estimate: u16,
    length: u32,
    words: [u32; WORDS],
}

/// States met of late: most are met several times within a short while, and those that belong to
/// later layers are held nowhere else.
///
/// Guarantee: two states are taken to be the same if and only if all their bits are.
#[derive(Debug, Default)]
pub(super) struct Memory {
    memos: Vec<Memo>,
}

impl Memory {
    /// What is remembered of the state of these words.
    #[inline]
    pub(super) fn find(&self, words: &[u32], hash: u64) -> Option<&Memo> {
        let memo = self.memos.get(hash as usize % SIZE)?;
        let length = memo.length as usize;
        (length == words.len() && memo.words[..length] == *words).then_some(memo)
    }

    /// Remembers a state, in place of another.
    #[inline]
    pub(super) fn keep(&mut self, words: &[u32], hash: u64, batch: u32, cost: u32, estimate: u32) {
        if words.len() > WORDS || estimate > u32::from(u16::MAX) {
            return;
        }
        if self.memos.is_empty() {
            self.memos.resize(SIZE, Memo::default());
        }
        let memo = &mut self.memos[hash as usize % SIZE];
        memo.batch = batch;
        memo.cost = cost as u16;
        memo.estimate = estimate as u16;
        memo.length = words.len() as u32;
        memo.words[..words.len()].copy_from_slice(words);
    }
}
