//! Compares our figure with the published one.

use serde::Serialize;

use crate::spec::Published;
use crate::stats::{Bounds, Estimate, normal_quantile, wilson};
use crate::task::Kind;

/// Where our estimate lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// Inside the interval.
    Inside,
    /// Above it.
    Above,
    /// Below it.
    Below,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Location::Inside => "inside",
            Location::Above => "above",
            Location::Below => "below",
        })
    }
}

/// What was compared with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Our estimate against the published interval.
    PublishedInterval,
    /// Our estimate against Wilson's interval for the published proportion and its units.
    PublishedUnits,
    /// The published figure, which has no interval, against our 95% interval.
    OurInterval,
}

/// A published figure beside ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The published figure.
    pub value: f64,
    /// Its interval, stated or from its units.
    pub interval: Option<Bounds>,
    /// The confidence of that interval.
    pub confidence: f64,
    /// The units it was measured on.
    pub units: Option<u64>,
    /// Where our estimate lies.
    pub verdict: Location,
    /// Against what.
    pub basis: Basis,
    /// Whether the published interval and ours at 95% (or 99%, if the published one has that
    /// confidence) overlap; `None` without a published interval.
    pub overlap: Option<bool>,
    /// Ours less the published figure.
    pub difference: f64,
    /// Whether that difference is significant at 95%, taking both as normal; `None` without a
    /// published interval or with a single unit.
    pub significant: Option<bool>,
}

impl std::fmt::Display for Comparison {
    /// In one line: `above; intervals overlap; published 0.37 [0.35, 0.39] at 99%`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.verdict)?;
        if self.verdict != Location::Inside && self.overlap == Some(true) {
            f.write_str("; intervals overlap")?;
        }
        write!(f, "; published {}", self.value)?;
        match &self.interval {
            None => f.write_str(" (no interval: compared with ours)"),
            Some(i) => write!(
                f,
                " [{:.4}, {:.4}] at {}%",
                i.low,
                i.high,
                (self.confidence * 1000.0).round() / 10.0
            ),
        }
    }
}

/// Compares our estimate with a published figure.
pub fn compare(ours: &Estimate, kind: Kind, published: &Published) -> Comparison {
    let stated = published.interval.map(|(low, high)| Bounds { low, high });
    let derived = || match (kind, published.units) {
        (Kind::Proportion, Some(units)) if (0.0..=1.0).contains(&published.value) => {
            let successes = (published.value * units as f64).round() as u64;
            Some(wilson(successes, units, published.confidence))
        }
        _ => None,
    };
    let (interval, basis) = match stated {
        Some(interval) => (Some(interval), Basis::PublishedInterval),
        None => match derived() {
            Some(interval) => (Some(interval), Basis::PublishedUnits),
            None => (None, Basis::OurInterval),
        },
    };
    let verdict = match interval {
        Some(interval) if ours.value > interval.high => Location::Above,
        Some(interval) if ours.value < interval.low => Location::Below,
        Some(_) => Location::Inside,
        None if ours.at95.low > published.value => Location::Above,
        None if ours.at95.high < published.value => Location::Below,
        None => Location::Inside,
    };
    let difference = ours.value - published.value;
    let significant = interval.zip(ours.error).map(|(interval, error)| {
        let theirs = (interval.high - interval.low) / 2.0 / normal_quantile(published.confidence);
        difference.abs() > normal_quantile(0.95) * error.hypot(theirs)
    });
    Comparison {
        value: published.value,
        interval,
        confidence: published.confidence,
        units: published.units,
        verdict,
        basis,
        overlap: interval.map(|i| i.overlaps(&ours.at(published.confidence))),
        difference,
        significant,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats;

    fn published(value: f64, half: Option<f64>, units: Option<u64>) -> Published {
        Published {
            column: None,
            at: None,
            value,
            interval: half.map(|h| (value - h, value + h)),
            confidence: 0.99,
            units,
        }
    }

    fn ours(successes: usize, units: usize) -> Estimate {
        let values: Vec<f64> = (0..units).map(|i| f64::from(i < successes)).collect();
        stats::proportion(&values).unwrap()
    }

    #[test]
    fn against_the_published_interval() {
        let p = published(0.3697, Some(0.0192), Some(4206));
        let c = compare(&ours(1840, 5000), Kind::Proportion, &p);
        assert_eq!((c.verdict, c.basis), (Location::Inside, Basis::PublishedInterval));
        assert_eq!((c.overlap, c.significant), (Some(true), Some(false)));
        assert_eq!(c.to_string(), "inside; published 0.3697 [0.3505, 0.3889] at 99%");
        let c = compare(&ours(2100, 5000), Kind::Proportion, &p);
        assert_eq!((c.verdict, c.overlap), (Location::Above, Some(false)));
        assert_eq!(c.significant, Some(true));
        assert_eq!(c.to_string(), "above; published 0.3697 [0.3505, 0.3889] at 99%");
        // Outside their interval, but with so few units of ours that nothing follows.
        let c = compare(&ours(9, 30), Kind::Proportion, &p);
        assert_eq!((c.verdict, c.overlap), (Location::Below, Some(true)));
        let said = "below; intervals overlap; published 0.3697 [0.3505, 0.3889] at 99%";
        assert_eq!(c.to_string(), said);
        assert_eq!(c.significant, Some(false));
    }

    #[test]
    fn without_a_published_interval() {
        let c = compare(&ours(50, 100), Kind::Proportion, &published(0.5, None, Some(100)));
        assert_eq!((c.verdict, c.basis), (Location::Inside, Basis::PublishedUnits));
        let c = compare(&ours(90, 100), Kind::Mean, &published(0.5, None, None));
        assert_eq!((c.verdict, c.basis), (Location::Above, Basis::OurInterval));
        assert_eq!((c.overlap, c.significant), (None, None));
    }

    /// A figure is compared at the confidence at which it was published, not at ours.
    #[test]
    fn at_the_confidence_of_the_published_figure() {
        let at = |confidence| Published { confidence, ..published(0.5, None, Some(100)) };
        // 61 of 100: outside Wilson's 95% interval [0.4038, 0.5962], inside the 99% one.
        for (confidence, verdict) in [(0.95, Location::Above), (0.99, Location::Inside)] {
            let c = compare(&ours(61, 100), Kind::Proportion, &at(confidence));
            assert_eq!(c.interval, Some(wilson(50, 100, confidence)));
            assert_eq!((c.verdict, c.confidence), (verdict, confidence));
        }
        // Ours is taken at the same confidence: at 99% the intervals meet, at 95% they do not.
        let stated = |confidence| Published {
            interval: Some((0.45, 0.52)),
            confidence,
            ..published(0.5, None, Some(100))
        };
        for (confidence, overlap) in [(0.95, false), (0.99, true)] {
            let c = compare(&ours(62, 100), Kind::Proportion, &stated(confidence));
            assert_eq!(c.overlap, Some(overlap), "{confidence}");
        }
        // The same half width says more of a figure at 99% than of one at 95%.
        let half = |confidence| Published {
            interval: Some((0.4, 0.6)),
            confidence,
            ..published(0.5, None, None)
        };
        for (confidence, significant) in [(0.95, false), (0.99, true)] {
            let c = compare(&ours(593, 1000), Kind::Proportion, &half(confidence));
            assert_eq!(c.significant, Some(significant), "{confidence}");
        }
    }
}
