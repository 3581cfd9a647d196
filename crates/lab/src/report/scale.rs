//! Axes: from values to places, and where the ticks are.

use super::text::{number, superscript};

/// An axis from values to pixels.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    log: bool,
    min: f64,
    max: f64,
    from: f64,
    to: f64,
}

/// A tick; without a label it is a minor one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: Option<String>,
}

impl Scale {
    /// An axis that holds all these values, with ends at round numbers unless they are given.
    /// Values that a logarithmic axis cannot show are left out.
    pub(super) fn around(
        values: impl Iterator<Item = f64>,
        log: bool,
        given: (Option<f64>, Option<f64>),
        pixels: (f64, f64),
    ) -> Scale {
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.filter(|v| v.is_finite() && (!log || *v > 0.0)) {
            min = min.min(v);
            max = max.max(v);
        }
        if min > max {
            (min, max) = if log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if log {
            // A little air, so that points do not sit on the frame.
            let air = ((max / min).log10() * 0.02).max(0.02);
            min /= 10f64.powf(air);
            max *= 10f64.powf(air);
        } else {
            let span = if max > min { max - min } else { max.abs().max(1.0) };
            // An axis that starts near 0 starts at 0.
            min = if min >= 0.0 && min < 0.4 * max { 0.0 } else { min - 0.04 * span };
            max += 0.04 * span;
        }
        min = given.0.filter(|v| !log || *v > 0.0).unwrap_or(min);
        max = given.1.filter(|v| !log || *v > 0.0).unwrap_or(max);
        if min >= max {
            (min, max) = if log { (min / 2.0, min * 2.0) } else { (min - 0.5, min + 0.5) };
        }
        Scale { log, min, max, from: pixels.0, to: pixels.1 }
    }

    pub(super) fn min(&self) -> f64 {
        self.min
    }

    /// The place of a value, kept within the frame.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        let part = if self.log {
            (value / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        };
        self.from + part * (self.to - self.from)
    }

    pub(super) fn ticks(&self) -> Vec<Tick> {
        if self.log { self.log_ticks() } else { self.linear_ticks() }
    }

    fn linear_ticks(&self) -> Vec<Tick> {
        let span = self.max - self.min;
        let raw = span / 6.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|m| m * power)
            .find(|s| *s >= raw * 0.999)
            .unwrap_or(raw);
        let first = (self.min / step - 1e-9).ceil() as i64;
        let last = (self.max / step + 1e-9).floor() as i64;
        (first..=last.min(first + 50))
            .map(|i| {
                let at = i as f64 * step;
                Tick { at, label: Some(number(if i == 0 { 0.0 } else { at })) }
            })
            .collect()
    }

    fn log_ticks(&self) -> Vec<Tick> {
        let first = self.min.log10().floor() as i32;
        let last = self.max.log10().ceil() as i32;
        let decades = (self.max / self.min).log10();
        let every = (decades / 8.0).ceil().max(1.0) as i32;
        let mut ticks = Vec::new();
        for power in first..=last {
            for digit in 1..10 {
                let at = f64::from(digit) * 10f64.powi(power);
                if at < self.min * (1.0 - 1e-9) || at > self.max * (1.0 + 1e-9) {
                    continue;
                }
                let named = match digit {
                    1 => power.rem_euclid(every) == 0,
                    // With little more than a decade on the axis, powers of ten are too few.
                    2 | 5 => decades < 1.7,
                    _ => false,
                };
                ticks.push(Tick { at, label: named.then(|| label(at, power, digit)) });
            }
        }
        ticks
    }
}

fn label(at: f64, power: i32, digit: i32) -> String {
    match (power, digit) {
        (-3..=3, _) => number(at),
        (_, 1) => format!("10{}", superscript(power)),
        _ => format!("{digit}·10{}", superscript(power)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().filter_map(|t| t.label).collect()
    }

    #[test]
    fn logarithmic() {
        let values = [1.0, 0.0, 1e5, f64::INFINITY];
        let s = Scale::around(values.into_iter(), true, (None, None), (0.0, 100.0));
        assert_eq!(labels(&s), ["1", "10", "100", "1000", "10⁴", "10⁵"]);
        assert!((s.place(316.227_766) - 50.0).abs() < 0.01);
        let narrow = Scale::around([2.0, 9.0].into_iter(), true, (None, None), (0.0, 1.0));
        assert_eq!(labels(&narrow), ["2", "5"]);
    }

    #[test]
    fn linear() {
        let s = Scale::around([2.0, 40.0].into_iter(), false, (None, None), (0.0, 1.0));
        assert_eq!(labels(&s), ["0", "10", "20", "30", "40"]);
        let flat = Scale::around([3.0].into_iter(), false, (None, None), (0.0, 1.0));
        assert!(flat.place(3.0) > 0.0 && flat.place(3.0) < 1.0);
    }

    #[test]
    fn nothing_to_show_is_still_an_axis() {
        for log in [true, false] {
            let s = Scale::around(std::iter::empty(), log, (None, None), (0.0, 1.0));
            assert!(!labels(&s).is_empty() && s.place(5.0).is_finite());
        }
    }
}
