//! Sets as words of bits.

/// Calls `visit` with the number of each set bit.
pub(crate) fn for_each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    for (i, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(i * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// The place of the `n`-th set bit, counted from 0 and from the lowest.
#[inline]
pub(super) fn nth_bit(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// Exchanges rows and columns of a 64×64 bit matrix, by halves.
pub(super) fn transpose(matrix: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = 0x0000_0000_ffff_ffffu64;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (matrix[row] >> width ^ matrix[row + width]) & mask;
            matrix[row] ^= swap << width;
            matrix[row + width] ^= swap;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;
    use patience_model::Rng;

    #[test]
    fn transpose_exchanges_rows_and_columns() {
        let mut rng = Rng::new(1);
        let before: [u64; 64] = std::array::from_fn(|_| rng.next_u64());
        let mut after = before;
        transpose(&mut after);
        for (row, bits) in before.iter().enumerate() {
            for (column, transposed) in after.iter().enumerate() {
                assert_eq!(bits >> column & 1, transposed >> row & 1);
            }
        }
    }
}
