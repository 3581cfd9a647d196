//! The specs of the papers' tables and figures, built into the program.

/// The name and the text of every spec under `experiments/`.
pub const SPECS: &[(&str, &str)] = &[
    ("norns-figure-3", include_str!("../../../experiments/norns-figure-3.toml")),
    ("norns-small-games", include_str!("../../../experiments/norns-small-games.toml")),
    ("uct-figure-2", include_str!("../../../experiments/uct-figure-2.toml")),
    ("uct-figure-3", include_str!("../../../experiments/uct-figure-3.toml")),
    ("uct-figure-4", include_str!("../../../experiments/uct-figure-4.toml")),
];
