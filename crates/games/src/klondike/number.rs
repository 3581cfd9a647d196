//! Whole numbers below 52!, for naming deals: 256 bits, by hand, because nothing more is needed.

use std::fmt;
use std::str::FromStr;

/// A deal's canonical number: below 52!, which has 226 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DealNumber {
    /// Digits to the base 2³², the lowest first.
    digits: [u32; 8],
}

/// A text that is no deal number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Not made of decimal digits only.
    #[error("`{0}` is no deal number: a whole number from 0 to 52! - 1 is expected")]
    NotANumber(String),
    /// A seed that is none.
    #[error("`{0}` is no seed: a whole number below 2^64 is expected after `seed:`")]
    NotASeed(String),
    /// A number that Greenfelt does not have.
    #[error(
        "`{0}` is no deal of Greenfelt: a whole number from 1 to 2^31 - 2 is expected after `greenfelt:`"
    )]
    NotOfGreenfelt(String),
    /// 52! or more.
    #[error("the numbers end at 52! - 1 = {last}", last = DealNumber::last())]
    TooLarge(String),
}

impl DealNumber {
    /// The largest, 52! − 1.
    pub fn last() -> DealNumber {
        // The number whose every digit in the factorial base is the largest.
        DealNumber::from_factorial_digits(&std::array::from_fn(|i| 51 - i as u8))
    }

    /// The number Σ dᵢ · (51 − i)!, for digits with dᵢ ≤ 51 − i: the factorial base, the highest
    /// digit first.
    pub(super) fn from_factorial_digits(digits: &[u8; 52]) -> DealNumber {
        let mut number = DealNumber { digits: [0; 8] };
        for (i, &digit) in digits.iter().enumerate() {
            let fits = number.multiply_add(52 - i as u32, u32::from(digit));
            debug_assert!(fits);
        }
        number
    }

    /// Its digits in the factorial base, the highest first.
    pub(super) fn factorial_digits(mut self) -> [u8; 52] {
        let mut digits = [0; 52];
        for i in (0..52).rev() {
            digits[i] = self.divide(52 - i as u32) as u8;
        }
        digits
    }

    /// Multiplies and adds; `false` if the result has more than 256 bits.
    fn multiply_add(&mut self, factor: u32, add: u32) -> bool {
        let mut carry = u64::from(add);
        for digit in &mut self.digits {
            let wide = u64::from(*digit) * u64::from(factor) + carry;
            *digit = wide as u32;
            carry = wide >> 32;
        }
        carry == 0
    }

    /// Divides and gives the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0;
        for digit in self.digits.iter_mut().rev() {
            let wide = rest << 32 | u64::from(*digit);
            *digit = (wide / u64::from(divisor)) as u32;
            rest = wide % u64::from(divisor);
        }
        rest as u32
    }

    fn is_zero(&self) -> bool {
        self.digits.iter().all(|&d| d == 0)
    }
}

impl From<u64> for DealNumber {
    fn from(n: u64) -> Self {
        let mut digits = [0; 8];
        (digits[0], digits[1]) = (n as u32, (n >> 32) as u32);
        DealNumber { digits }
    }
}

impl PartialOrd for DealNumber {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DealNumber {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.digits.iter().rev().cmp(other.digits.iter().rev())
    }
}

impl fmt::Display for DealNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut text) = (*self, Vec::new());
        loop {
            text.push(b'0' + rest.divide(10) as u8);
            if rest.is_zero() {
                break;
            }
        }
        let text: String = text.iter().rev().map(|&b| char::from(b)).collect();
        f.pad_integral(true, "", &text)
    }
}

impl fmt::Debug for DealNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for DealNumber {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let short = || {
            let mut short: String = text.chars().take(80).collect();
            if short.len() < text.len() {
                short.push('…');
            }
            short
        };
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NumberError::NotANumber(short()));
        }
        let mut number = DealNumber { digits: [0; 8] };
        let fits = text.bytes().all(|b| number.multiply_add(10, u32::from(b - b'0')));
        if !fits || number > DealNumber::last() {
            return Err(NumberError::TooLarge(short()));
        }
        Ok(number)
    }
}
