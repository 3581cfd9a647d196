//! What a search thinks of the actions at its root.

use serde::Serialize;

/// What a search thinks of one action at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate<A> {
    /// The action.
    pub action: A,
    /// The mean or exact value found so far; `None` if the action was never tried.
    pub value: Option<f64>,
    /// How often it was tried.
    pub visits: u64,
    /// The standard error of `value`, where there is an honest one: where `value` is a mean of
    /// independent samples.
    pub error: Option<StandardError>,
    /// The lower end of the 95% interval of the value, where the search knows a better one than
    /// Student's of the standard error (shares of games won are never below 0), or a proven bound.
    pub low: Option<f64>,
    /// The upper end, likewise.
    pub high: Option<f64>,
    /// Whether the value is proven: a sure win, a sure loss.
    pub proven: bool,
}

impl<A> Estimate<A> {
    /// An action with the value found so far, tried so often; nothing is known of its error.
    pub fn new(action: A, value: Option<f64>, visits: u64) -> Self {
        Estimate { action, value, visits, error: None, low: None, high: None, proven: false }
    }

    /// An action that was never tried.
    pub fn untried(action: A) -> Self {
        Estimate::new(action, None, 0)
    }

    /// The same with a standard error.
    pub fn with_error(self, error: Option<StandardError>) -> Self {
        Estimate { error, ..self }
    }

    /// The same with the ends of an interval of its own.
    pub fn within(self, ends: Option<(f64, f64)>) -> Self {
        Estimate { low: ends.map(|ends| ends.0), high: ends.map(|ends| ends.1), ..self }
    }
}

/// The standard error of a mean, and its degrees of freedom: one less than the samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StandardError {
    /// The standard error.
    pub value: f64,
    /// The degrees of freedom of Student's distribution.
    pub freedom: u64,
}

/// An action in a search's tree, and what came after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<A, O> {
    /// The action.
    pub action: A,
    /// The mean value found so far.
    pub value: f64,
    /// How often it was tried.
    pub visits: u64,
    /// What the search adds to the value when it next selects, to explore; `None` where it does not.
    pub bonus: Option<f64>,
    /// What was observed then, most often first.
    pub after: Vec<After<A, O>>,
}

/// An observation after an action, and the actions that were tried then.
#[derive(Clone, Debug, PartialEq)]
pub struct After<A, O> {
    /// What was observed.
    pub obs: O,
    /// How often a search came here.
    pub visits: u64,
    /// The actions, most visited first.
    pub branches: Vec<Branch<A, O>>,
}
