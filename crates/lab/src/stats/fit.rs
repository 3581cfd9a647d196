//! Straight lines through points, by least squares.

use serde::Serialize;

use super::{Bounds, student};

/// The slope of a straight line with Student's intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slope {
    /// How many points it goes through.
    pub points: u64,
    /// The slope.
    pub value: f64,
    /// Where the line meets x = 0.
    pub intercept: f64,
    /// Its 95% interval; unbounded with two points.
    pub at95: Bounds,
    /// Its 99% interval; unbounded with two points.
    pub at99: Bounds,
}

/// Fits y = intercept + slope · x by least squares; `None` with fewer than two different x.
pub fn slope(points: &[(f64, f64)]) -> Option<Slope> {
    let n = points.len() as f64;
    let mx = points.iter().map(|p| p.0).sum::<f64>() / n;
    let my = points.iter().map(|p| p.1).sum::<f64>() / n;
    let sxx: f64 = points.iter().map(|p| (p.0 - mx).powi(2)).sum();
    let sxy: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    if points.len() < 2 || sxx <= 0.0 || !sxx.is_finite() || !sxy.is_finite() {
        return None;
    }
    let value = sxy / sxx;
    let intercept = my - value * mx;
    let residual: f64 = points.iter().map(|p| (p.1 - intercept - value * p.0).powi(2)).sum();
    let bounds = |confidence| {
        if points.len() < 3 {
            return Bounds::UNBOUNDED;
        }
        let freedom = points.len() as u64 - 2;
        let half = student(freedom, confidence) * (residual / freedom as f64 / sxx).sqrt();
        Bounds { low: value - half, high: value + half }
    };
    Some(Slope {
        points: points.len() as u64,
        value,
        intercept,
        at95: bounds(0.95),
        at99: bounds(0.99),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Anscombe 1973 (The American Statistician 27:17), the first data set: slope 0.5001,
    /// intercept 3.0001, standard error of the slope 0.1179, 9 degrees of freedom.
    #[test]
    fn anscombe() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<_> = x.into_iter().zip(y).collect();
        let s = slope(&points).unwrap();
        assert!((s.value - 0.50009).abs() < 1e-5 && (s.intercept - 3.00009).abs() < 1e-5);
        assert!(((s.at95.high - s.value) / 2.26216 - 0.11791).abs() < 1e-4);
    }

    #[test]
    fn degenerate_cases_are_defined() {
        assert_eq!(slope(&[]), None);
        assert_eq!(slope(&[(1.0, 1.0)]), None);
        assert_eq!(slope(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(slope(&[(0.0, 0.0), (1.0, 2.0)]).unwrap().at95, Bounds::UNBOUNDED);
    }
}
