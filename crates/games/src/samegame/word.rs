//! A column of tiles as one machine word.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

/// A column: four bits per tile from the bottom up, 0 where there is none. `u64` holds 16 rows,
/// `u128` holds 32.
///
/// A set of tiles of a column is a word with the lowest bit of each of their places.
pub trait Word:
    sealed::Sealed
    + Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Rows that fit.
    const ROWS: usize;
    /// No tile.
    const ZERO: Self;
    /// All places.
    const ONES: Self;

    /// The tile at this row.
    fn tile(self, row: u32) -> u8;

    /// The place of one row.
    fn place(row: u32) -> Self;

    /// A column with one tile, of this colour at this row.
    fn paint(row: u32, colour: u8) -> Self;

    /// This colour in every place.
    fn of_colour(colour: u8) -> Self;

    /// The row of the lowest place of a set that is not empty.
    fn lowest(self) -> u32;

    /// All places from the lowest of a set that is not empty up.
    fn lowest_up(self) -> Self;

    /// The set without its lowest place.
    fn without_lowest(self) -> Self;

    /// How many places a set has.
    fn count(self) -> u32;

    /// How many tiles a column has.
    fn height(self) -> u32;

    /// From these places up along `links` (a set: this place and the one above are linked).
    fn climb(self, links: Self) -> Self;

    /// The word as 64 bits, for hashing.
    fn mix(self) -> u64;

    /// The column without the places of `gone`: what is above falls down.
    #[inline]
    fn drop_onto(self, gone: Self) -> Self {
        let (mut column, mut gone) = (self, gone);
        while gone != Self::ZERO {
            // The lowest run of places goes in one piece; what is left of `gone` falls with it.
            let from = gone.lowest();
            let to = (gone & !(gone >> 4)).lowest() + 1;
            let below = Self::below(from);
            column = (column & below) | (shifted(column, to) << (4 * from));
            gone = shifted(gone, to) << (4 * from);
        }
        column
    }

    /// All bits below this row.
    #[inline]
    fn below(row: u32) -> Self {
        !(!Self::ZERO << (4 * row))
    }
}

/// Down by this many rows, which may be all.
#[inline]
fn shifted<W: Word>(word: W, rows: u32) -> W {
    if rows as usize >= W::ROWS { W::ZERO } else { word >> (4 * rows) }
}

/// The places where two columns have the same tile, empty places included.
#[inline]
pub(super) fn same<W: Word>(a: W, b: W) -> W {
    let d = a ^ b;
    let d = d | (d >> 2);
    !(d | (d >> 1)) & W::ONES
}

/// The places that have a tile.
#[inline]
pub(super) fn tiles<W: Word>(a: W) -> W {
    let d = a | (a >> 2);
    (d | (d >> 1)) & W::ONES
}

macro_rules! word {
    ($type:ty, $count:expr) => {
        impl Word for $type {
            const ROWS: usize = <$type>::BITS as usize / 4;
            const ZERO: Self = 0;
            const ONES: Self = <$type>::MAX / 15;

            #[inline]
            fn tile(self, row: u32) -> u8 {
                (self >> (4 * row)) as u8 & 15
            }

            #[inline]
            fn place(row: u32) -> Self {
                1 << (4 * row)
            }

            #[inline]
            fn paint(row: u32, colour: u8) -> Self {
                <$type>::from(colour & 15) << (4 * row)
            }

            #[inline]
            fn of_colour(colour: u8) -> Self {
                Self::ONES * <$type>::from(colour & 15)
            }

            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros() / 4
            }

            #[inline]
            fn lowest_up(self) -> Self {
                // Minus a bit is that bit and all above it.
                (self & self.wrapping_neg()).wrapping_neg() & Self::ONES
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn count(self) -> u32 {
                $count(self)
            }

            #[inline]
            fn height(self) -> u32 {
                (<$type>::BITS - self.leading_zeros()).div_ceil(4)
            }

            #[inline]
            fn climb(self, links: Self) -> Self {
                // A carry runs up through linked places and stops at the top of the run.
                let run = (links << 4).wrapping_sub(links);
                ((run.wrapping_add(self) ^ run) & Self::ONES) | self
            }

            #[inline]
            fn mix(self) -> u64 {
                (self as u64) ^ ((self >> (<$type>::BITS / 2)) as u64).rotate_left(29)
            }
        }
    };
}

/// Plain x86-64 has no instruction for it, and sets have one bit in four only.
#[inline]
fn sparse_count(set: u64) -> u32 {
    let pairs = (set + (set >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

word!(u64, sparse_count);
word!(u128, |set: u128| sparse_count(set as u64) + sparse_count((set >> 64) as u64));
