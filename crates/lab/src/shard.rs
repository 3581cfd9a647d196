//! Parts of an experiment that run separately.

use std::str::FromStr;

use crate::error::{LabError, Result};

/// One of `of` parts of the units, numbered from 0: those whose number modulo `of` is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Part `index` of `of` parts.
    pub fn new(index: u64, of: u64) -> Result<Shard> {
        if index < of {
            return Ok(Shard { index, of });
        }
        Err(LabError::Usage(format!(
            "shard {index}/{of}: expected i/n with i from 0 to n − 1, such as 0/4"
        )))
    }

    /// How many of the units below `units` belong to this part.
    pub fn count(&self, units: u64) -> u64 {
        units.saturating_sub(self.index).div_ceil(self.of)
    }

    /// Whether a unit belongs to this part.
    pub fn has(&self, unit: u64) -> bool {
        unit % self.of == self.index
    }
}

impl FromStr for Shard {
    type Err = LabError;

    /// Reads `i/n`.
    fn from_str(text: &str) -> Result<Shard> {
        let parts = text.split_once('/').map(|(i, n)| (i.trim().parse(), n.trim().parse()));
        match parts {
            Some((Ok(index), Ok(of))) => Shard::new(index, of),
            _ => Err(LabError::Usage(format!("shard {text:?}: expected i/n, such as 0/4"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_part_the_units() {
        let shards: Vec<Shard> = (0..3).map(|i| Shard::new(i, 3).unwrap()).collect();
        for unit in 0..100 {
            assert_eq!(shards.iter().filter(|s| s.has(unit)).count(), 1);
        }
        for units in 0..10 {
            for shard in &shards {
                let counted = (0..units).filter(|u| shard.has(*u)).count() as u64;
                assert_eq!(shard.count(units), counted);
            }
        }
        assert!("1/4".parse::<Shard>().is_ok());
        for wrong in ["4/4", "0/0", "1", "a/b", "-1/3", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
