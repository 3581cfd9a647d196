//! The hash that says which results belong together.

/// The version of what results depend on beyond the spec: rules, planners, random streams, tasks.
///
/// It is part of every arm's hash, so that rows from before a change never mix with those from
/// after it. It is raised whenever results change, that is, together with the pinned signatures of
/// `patience bench`.
pub const ENGINE: u32 = 1;

/// The hash of an arm: of the engine and of all in the spec that its results depend on.
pub(crate) fn arm_hash(engine: u32, spec: &[&str]) -> String {
    let engine = format!("patience-lab {engine}");
    hash(&[&[engine.as_str()], spec].concat())
}

/// FNV-1a with 128 bits, as 32 hexadecimal digits. Parts are separated by their lengths.
///
/// It guards against mixing results by accident, not against an adversary; it is fixed for ever,
/// because stores hold it.
fn hash(parts: &[&str]) -> String {
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
        assert_eq!(hash(&["patience", "lab"]), "c42eb31df0cd34f1d71a48c695d0ebe4");
        assert_eq!(hash(&[]), "6c62272e07bb014262b821756295c58d");
    }

    #[test]
    fn another_engine_has_other_hashes() {
        assert_eq!(arm_hash(1, &["coins", "7"]), "0d5d379ffb955a435ae96064037f79cc");
        assert_eq!(arm_hash(2, &["coins", "7"]), "a574b0c01aeeccdc060a54a4f35c00fd");
    }
}
