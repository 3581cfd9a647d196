//! The one random stream.

use rand_core::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::convert::Infallible;

/// A random stream: xoshiro256++ seeded by name.
///
/// A unit of work owns its stream, derived from the experiment's seed and the unit's name, so that
/// results do not depend on threads, order, machine or interruption. The values are part of the
/// interface: they never change, and tests pin them.
///
/// ```
/// use patience_model::Rng;
/// let mut deal = Rng::named(7, &["klondike-table-2", "uct", "game 12", "deal"]);
/// let mut again = Rng::named(7, &["klondike-table-2", "uct", "game 12", "deal"]);
/// assert_eq!(deal.next_u64(), again.next_u64());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

/// One round of SplitMix64's output function: a bijection on 64 bits that mixes well.
#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64's increment, 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Rng {
    /// The stream of a plain number.
    #[inline]
    pub fn new(seed: u64) -> Self {
        // What `seed_from_u64` does, in a form that is compiled into its callers: evaluations with
        // noise make a stream for every state.
        let mut state = [0; 32];
        for (n, word) in (1..).zip(state.chunks_exact_mut(8)) {
            let next = mix(seed.wrapping_add(GOLDEN.wrapping_mul(n)));
            word.copy_from_slice(&next.to_le_bytes());
        }
        Rng(Xoshiro256PlusPlus::from_seed(state))
    }

    /// The stream that belongs to a name in several parts, such as experiment, arm, unit and
    /// purpose. Streams of different names are independent for all practical purposes.
    pub fn named(seed: u64, name: &[&str]) -> Self {
        let mut h = mix(seed.wrapping_add(GOLDEN));
        for part in name {
            // The length goes in first: ("ab", "c") and ("a", "bc") are different names.
            h = mix(h ^ (part.len() as u64).wrapping_mul(GOLDEN));
            for chunk in part.as_bytes().chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                h = mix(h.wrapping_add(GOLDEN) ^ u64::from_le_bytes(word));
            }
        }
        Rng::new(h)
    }

    /// A stream of its own for a numbered part of the work, leaving this one as it is.
    #[inline]
    pub fn numbered(key: u64, part: u64) -> Self {
        Rng::new(mix(key ^ part.wrapping_add(1).wrapping_mul(GOLDEN)))
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `n`, each alike (Lemire's method, without bias).
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "below(0) has no value to give");
        let mut wide = u128::from(self.next_u64()) * u128::from(n);
        if (wide as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (wide as u64) < threshold {
                wide = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }

    /// An index into a slice of this length.
    ///
    /// # Panics
    /// If `len` is 0.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of these, each alike.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// A number in [0, 1), with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Puts these into random order (Fisher and Yates), each order alike.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

/// So that distributions of the `rand` family can draw from this stream.
impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(dst)
    }
}
