//! Games described in GDL by name.

use super::PlannerInfo;

/// Planners for games with percepts.
pub(super) const PLANNERS: &[PlannerInfo] = &[];
