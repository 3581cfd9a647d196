//! The hash that says which results belong together.

/// FNV-1a with 128 bits, as 32 hexadecimal digits. Parts are separated by their lengths.
///
/// It guards against mixing results by accident, not against an adversary; it is fixed for ever,
/// because stores hold it.
pub(crate) fn hash(parts: &[&str]) -> String {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut h = OFFSET;
    for part in parts {
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part.as_bytes()) {
            h = step(h, *byte);
        }
    }
    format!("{h:032x}")
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
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_ne!(hash(&["ab"]), hash(&["ab", ""]));
    }

    /// Stores in the world hold these.
    #[test]
    fn never_changes() {
        assert_eq!(hash(&["patience", "lab"]), hash(&["patience", "lab"]));
        assert_eq!(hash(&[]), "6c62272e07bb014262b821756295c58d");
    }
}
