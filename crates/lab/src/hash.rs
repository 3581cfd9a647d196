//! The hash that says which results belong together.

/// FNV-1a with 128 bits, as 32 hexadecimal digits. Parts are separated by their lengths.
///
/// It guards against mixing results by accident, not against an adversary; it never
/// changes, because stores hold it.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let h = parts.into_iter().fold(OFFSET, |h, part| fold(h, part.as_bytes()));
    format!("{h:032x}")
}

/// The same in 64 bits, the halves joined by exclusive or: the checksum of what is stored beside it.
pub(crate) fn checksum<'a>(parts: impl IntoIterator<Item = &'a str>) -> i64 {
    halves(parts.into_iter().fold(OFFSET, |h, part| fold(h, part.as_bytes())))
}

fn halves(h: u128) -> i64 {
    ((h >> 64) ^ h) as u64 as i64
}

/// What the checksums of an arm's rows have in common: the arm's hash and its columns. So a row
/// that damage has moved to another arm, or whose columns were changed, does not fit either.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seal(u128);

impl Seal {
    /// For the rows of the arm with this hash; `columns` as the store has them.
    pub(crate) fn new(arm_hash: &str, columns: &str) -> Seal {
        Seal(fold(fold(OFFSET, arm_hash.as_bytes()), columns.as_bytes()))
    }

    /// The checksum of a row. It never changes, as the hash does not.
    pub(crate) fn row(&self, unit: u64, value: &[u8], seconds: f64) -> i64 {
        // SQLite does not keep the sign of a zero.
        let seconds = seconds + 0.0;
        let h = fold(self.0, &unit.to_le_bytes());
        let h = fold(fold(h, value), &seconds.to_bits().to_le_bytes());
        halves(h)
    }
}

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

/// A part, after its length.
fn fold(h: u128, part: &[u8]) -> u128 {
    let length = (part.len() as u64).to_le_bytes();
    length.iter().chain(part).fold(h, |h, byte| step(h, *byte))
}

/// One byte of FNV-1a: exclusive or, then times the prime 2⁸⁸ + 2⁸ + 0x3b.
fn step(h: u128, byte: u8) -> u128 {
    const PRIME: u128 = (1 << 88) + (1 << 8) + 0x3b;
    (h ^ u128::from(byte)).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published test vector of FNV-1a 128 for the single letter "a".
    #[test]
    fn is_fnv_1a() {
        let h = step(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, b'a');
        assert_eq!(format!("{h:032x}"), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
        assert_ne!(hash(["ab"]), hash(["ab", ""]));
    }

    /// Stores in the world hold these.
    #[test]
    fn never_changes() {
        assert_eq!(hash(["patience", "lab"]), "c42eb31df0cd34f1d71a48c695d0ebe4");
        assert_eq!(hash(["patience-lab 1", "coins", "7"]), "0d5d379ffb955a435ae96064037f79cc");
        assert_eq!(hash([]), "6c62272e07bb014262b821756295c58d");
    }

    /// Every bit counts, and stores in the world hold these.
    #[test]
    fn a_row_that_changed_has_another_checksum() {
        let seal = Seal::new("ab", "[]");
        let value = [1, 2, 3, 4, 5, 6, 7, 8];
        let right = seal.row(3, &value, 0.5);
        assert_eq!(right, 3_950_759_198_094_657_131);
        for bit in 0..64 {
            let mut wrong = value;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(seal.row(3, &wrong, 0.5), right);
            assert_ne!(seal.row(3 ^ (1 << bit), &value, 0.5), right);
            assert_ne!(seal.row(3, &value, f64::from_bits(0.5f64.to_bits() ^ (1 << bit))), right);
        }
        assert_ne!(Seal::new("ac", "[]").row(3, &value, 0.5), right);
        assert_ne!(Seal::new("ab", "[[").row(3, &value, 0.5), right);
        assert_eq!(seal.row(0, &[], -0.0), seal.row(0, &[], 0.0));
    }
}
