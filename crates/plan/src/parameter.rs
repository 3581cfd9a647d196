//! What is wrong with a parameter, and what was probably meant.

use std::fmt;

/// A parameter is out of its range: which one, what was given, what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    /// The parameter's name.
    pub parameter: &'static str,
    /// The value that was given.
    pub given: String,
    /// What would have been right.
    pub expected: &'static str,
}

impl ParameterError {
    /// Says that `parameter` was `given` where `expected` holds.
    pub fn new(parameter: &'static str, given: impl fmt::Display, expected: &'static str) -> Self {
        ParameterError { parameter, given: given.to_string(), expected }
    }

    /// The value, if it is right.
    ///
    /// # Errors
    /// If it is not.
    pub fn check<T: fmt::Display>(
        parameter: &'static str,
        value: T,
        right: impl FnOnce(&T) -> bool,
        expected: &'static str,
    ) -> Result<T, Self> {
        if right(&value) { Ok(value) } else { Err(Self::new(parameter, value, expected)) }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, expected {}", self.parameter, self.given, self.expected)
    }
}

impl std::error::Error for ParameterError {}

/// "; did you mean `x`?" for the candidate nearest to `wrong`, or nothing.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let lower = wrong.to_lowercase();
    // One slip of the finger is near whatever the length: `utc` for `uct`.
    let nearness = |other: &str| match strsim::osa_distance(&lower, other) {
        0 | 1 => 1.0,
        _ => strsim::jaro_winkler(&lower, other),
    };
    candidates
        .into_iter()
        .map(|c| (nearness(&c.to_lowercase()), c))
        .filter(|(near, _)| *near > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| format!("; did you mean `{c}`?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_proposed() {
        let near = |wrong| did_you_mean(wrong, ["uct", "nested", "norns"]);
        assert_eq!(near("UTC"), "; did you mean `uct`?");
        assert_eq!(near("nestd"), "; did you mean `nested`?");
        assert_eq!(near("chess"), "");
    }

    #[test]
    fn the_message_names_parameter_value_and_range() {
        let error = ParameterError::check("width", 0, |&w| w > 0, "a whole number above 0");
        assert_eq!(error.unwrap_err().to_string(), "width is 0, expected a whole number above 0");
        assert_eq!(ParameterError::check("width", 3, |&w| w > 0, "above 0"), Ok(3));
    }
}
