//! The sailing domain: a stochastic shortest path (UCT paper section 3.2).
//!
//! The problem is Vanderbei's. A boat crosses a lake of `size` × `size` way points from the
//! south-west corner to the north-east corner, by legs to the eight neighbours of a way point. A
//! leg out of the lake is not allowed.
//!
//! **Wind.** Its direction is the one that it blows *towards*, so that, in the UCT paper's words,
//! the action opposite to the direction of the wind is the forbidden one. After every leg a new
//! wind is drawn, given the old one:
//!
//! | from \ to | N | NE | E | SE | S | SW | W | NW |
//! |---|---|---|---|---|---|---|---|---|
//! | N  | .4 | .3 |    |    |    |    |    | .3 |
//! | NE | .4 | .3 | .3 |    |    |    |    |    |
//! | E  |    | .4 | .3 | .3 |    |    |    |    |
//! | SE |    |    | .4 | .3 | .3 |    |    |    |
//! | S  |    |    |    | .4 | .2 | .4 |    |    |
//! | SW |    |    |    |    | .3 | .3 | .4 |    |
//! | W  |    |    |    |    |    | .3 | .3 | .4 |
//! | NW | .4 |    |    |    |    |    | .3 | .3 |
//!
//! The UCT paper does not print a matrix; this is the one that public implementations of
//! Vanderbei's problem agree on.
//!
//! **Minutes of a leg**, by the angle between the heading and the wind; a diagonal leg takes √2 as
//! long:
//!
//! | 0° away | 45° down | 90° cross | 135° up | 180° into the wind |
//! |---|---|---|---|---|
//! | 1 | 2 | 3 | 4 | forbidden |
//!
//! **Tack.** A leg with the wind over the left side is on port tack, over the right side on
//! starboard tack; a leg straight away from the wind is on neither. Changing from port to
//! starboard or back between two legs costs a delay of 3 minutes; to or from neither costs
//! nothing. So a leg takes from 1 to 4√2 + 3 ≈ 8.66 minutes: the paper's "1 to 8.6".
//!
//! **No dead ends.** Every way point, even a corner, has three neighbours or more, and only one
//! leg is forbidden by the wind: every state but the goal has at least two actions.

mod encoded;
mod entry;
mod evaluation;
mod optimal;
mod rules;
mod wind;

pub use entry::entry;
pub use evaluation::Perturbed;
pub use optimal::Optimal;
pub use rules::{Sailing, SailingError, State};
pub use wind::{Direction, Tack};
