//! The conformance suite finds nothing wrong with right games, and the right thing with wrong ones.
//!
//! Each file has one small right game and the ways in which it can be broken: the fault is a
//! parameter of the game, so that the only difference between passing and failing is the fault.

mod chance;
mod hidden;
mod walk;

use patience_model::conformance::{Report, Violation};

/// The suite reports this property, and says where.
#[track_caller]
fn assert_violates(
    result: Result<Report, Violation>,
    property: patience_model::conformance::Property,
) {
    let violation = result.expect_err(&format!("nobody noticed that not {property}"));
    assert_eq!(violation.property, property, "{violation}");
    assert!(violation.to_string().contains(&property.to_string()), "{violation}");
}
