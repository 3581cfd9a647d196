//! What was found out about states of late, whether they are held or not.

/// Words of the states that are remembered; larger ones are not.
const WORDS: usize = 11;

/// How many states are remembered, one for each end of a hash.
const SIZE: usize = 1 << 11;

/// What is remembered of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memo {
    /// The batch in which it was found to be wanted, or 0.
    pub(super) batch: u32,
    /// Whether it was asked for more than this.
    enough: u16,
    /// What the rest of the path costs at least.
    pub(super) estimate: u16,
    length: u32,
    words: [u32; WORDS],
}

/// States met of late: most are met several times within a short while, and those that belong to
/// later layers are held nowhere else.
///
/// Guarantees: two states are taken to be the same if and only if all their bits are. Nothing but
/// time depends on what is remembered: the answer is what the estimate would be for the same
/// question.
#[derive(Debug, Default)]
pub(super) struct Memory {
    memos: Vec<Memo>,
}

impl Memory {
    /// What is remembered of the state of these words and this question.
    #[inline]
    pub(super) fn find(&self, words: &[u32], hash: u64, enough: u32) -> Option<&Memo> {
        let memo = self.memos.get(hash as usize % SIZE)?;
        let length = memo.length as usize;
        let same = length == words.len() && memo.words[..length] == *words;
        (same && u32::from(memo.enough) == enough).then_some(memo)
    }

    /// Remembers a state, in place of another.
    #[inline]
    pub(super) fn keep(
        &mut self,
        words: &[u32],
        hash: u64,
        batch: u32,
        enough: u32,
        estimate: u32,
    ) {
        let (Ok(enough), Ok(estimate)) = (u16::try_from(enough), u16::try_from(estimate)) else {
            return;
        };
        if words.len() > WORDS {
            return;
        }
        if self.memos.is_empty() {
            self.memos.resize(SIZE, Memo::default());
        }
        let memo = &mut self.memos[hash as usize % SIZE];
        memo.batch = batch;
        (memo.enough, memo.estimate) = (enough, estimate);
        memo.length = words.len() as u32;
        memo.words[..words.len()].copy_from_slice(words);
    }
}
