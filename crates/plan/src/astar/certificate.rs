//! What a proof leaves behind, so that it can be compared with the same proof made again.

use std::fmt;

use super::bits::META_BITS;
use super::registry::{LENGTH, LENGTH_SHIFT, Registry};

/// The states that a proof stored: how many there were when each f-layer was exhausted, and a sum over
/// all of them that does not depend on their order. Another number of threads gives the same; a search
/// that stores other states does not, but for a chance of 2⁻¹²⁸.
///
/// ```text
/// 68:1204 69:5120 70:11873 sum:0f1e…
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// By f-layer, the states stored by its end.
    pub layers: Vec<(u32, u64)>,
    /// The sum, modulo 2¹²⁸, of a hash of every packed state.
    pub sum: u128,
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (layer, states) in &self.layers {
            write!(f, "{layer}:{states} ")?;
        }
        write!(f, "sum:{:032x}", self.sum)
    }
}

/// A hash of a packed state, whatever its cost and layer.
fn hash(words: &[u32]) -> u128 {
    // Multipliers of two 64-bit mixers (Steele, Lea and Flood 2014), each over all words.
    let mut halves = [0x9e37_79b9_7f4a_7c15_u64, 0xbf58_476d_1ce4_e5b9];
    let first = u64::from(words[0] >> META_BITS) | (words.len() as u64) << 32;
    for word in std::iter::once(first).chain(words[1..].iter().map(|&word| word.into())) {
        for (half, multiplier) in
            halves.iter_mut().zip([0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53])
        {
            *half = (*half ^ word).wrapping_mul(multiplier);
            *half ^= *half >> 29;
        }
    }
    u128::from(halves[0]) << 64 | u128::from(halves[1])
}

impl Registry {
    /// The sum of the hashes of all states.
    pub(super) fn sum(&self) -> u128 {
        let mut sum = 0_u128;
        for block in &self.blocks {
            let mut at = 0;
            while at < block.len() {
                let length = ((block[at + 1] & LENGTH) >> LENGTH_SHIFT) as usize;
                sum = sum.wrapping_add(hash(&block[at + 1..=at + length]));
                at += 1 + length;
            }
        }
        sum
    }
}
