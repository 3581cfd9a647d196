//! What is wrong with a planner's parameter.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_parameter_value_and_range() {
        let error = ParameterError::check("width", 0, |&w| w > 0, "a whole number above 0");
        assert_eq!(error.unwrap_err().to_string(), "width is 0, expected a whole number above 0");
        assert_eq!(ParameterError::check("width", 3, |&w| w > 0, "above 0"), Ok(3));
    }
}
