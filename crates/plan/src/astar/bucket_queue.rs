//! A priority queue for small integer priorities.

use super::StateId;

/// Ids per chunk. Buckets share chunks, so nothing is copied when one grows.
const CHUNK: usize = 1 << 10;

/// Ids in buckets by a first and a second priority, smallest first; a bucket is last in, first out.
///
/// As an open list, the first priority is f = g + h and the second is h: among equal f, the state
/// estimated nearest to a goal comes first.
#[derive(Debug, Default)]
pub struct BucketQueue {
    rows: Vec<Row>,
    lowest: usize,
    spare: Vec<Vec<u32>>,
    chunks: usize,
    len: usize,
}

#[derive(Debug, Default)]
struct Row {
    buckets: Vec<Vec<Vec<u32>>>,
    lowest: usize,
    len: usize,
}

impl BucketQueue {
    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held by the chunks.
    pub fn bytes(&self) -> u64 {
        (self.chunks * CHUNK * 4) as u64
    }

    /// Bytes that `more` ids may add.
    pub fn growth(&self, more: usize) -> u64 {
        (more * CHUNK * 4) as u64
    }

    /// The same if all have one first priority, and second priorities below `buckets`.
    pub fn growth_within(&self, more: usize, buckets: usize) -> u64 {
        ((more / CHUNK + more.min(buckets)) * CHUNK * 4) as u64
    }

    /// Inserts an id.
    pub fn push(&mut self, first: u32, second: u32, id: StateId) {
        let (first, second) = (first as usize, second as usize);
        if self.rows.len() <= first {
            self.rows.resize_with(first + 1, Row::default);
        }
        let row = &mut self.rows[first];
        if row.buckets.len() <= second {
            row.buckets.resize_with(second + 1, Vec::new);
        }
        let bucket = &mut row.buckets[second];
        if bucket.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            bucket.push(self.spare.pop().unwrap_or_else(|| {
                self.chunks += 1;
                Vec::with_capacity(CHUNK)
            }));
        }
        bucket.last_mut().expect("a chunk that is not full").push(id.0);
        row.lowest = if row.len == 0 { second } else { row.lowest.min(second) };
        row.len += 1;
        self.lowest = if self.len == 0 { first } else { self.lowest.min(first) };
        self.len += 1;
    }

    /// The smallest first priority.
    pub fn lowest(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        while self.rows[self.lowest].len == 0 {
            self.lowest += 1;
        }
        Some(self.lowest as u32)
    }

    /// Removes the id of smallest priority, and returns it with both priorities.
    pub fn pop(&mut self) -> Option<(u32, u32, StateId)> {
        let first = self.lowest()?;
        let row = &mut self.rows[first as usize];
        while row.buckets[row.lowest].is_empty() {
            row.lowest += 1;
        }
        let bucket = &mut row.buckets[row.lowest];
        let chunk = bucket.last_mut()?;
        let id = chunk.pop()?;
        if chunk.is_empty() {
            self.spare.extend(bucket.pop());
        }
        row.len -= 1;
        self.len -= 1;
        Some((first, row.lowest as u32, StateId(id)))
    }
}
