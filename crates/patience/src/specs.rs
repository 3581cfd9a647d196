//! The specs of the papers' tables and figures, built into the program.

/// The name and the text of every spec under `experiments/`.
pub const SPECS: &[(&str, &str)] = &[
    ("freecell-table-1", include_str!("../../../experiments/freecell-table-1.toml")),
    ("freecell-5000", include_str!("../../../experiments/freecell-5000.toml")),
    ("freecell-heuristics", include_str!("../../../experiments/freecell-heuristics.toml")),
    ("norns-figure-3", include_str!("../../../experiments/norns-figure-3.toml")),
    ("norns-small-games", include_str!("../../../experiments/norns-small-games.toml")),
    ("uct-figure-2", include_str!("../../../experiments/uct-figure-2.toml")),
    ("uct-figure-3", include_str!("../../../experiments/uct-figure-3.toml")),
    ("uct-figure-4", include_str!("../../../experiments/uct-figure-4.toml")),
    ("klondike-baselines", include_str!("../../../experiments/klondike-baselines.toml")),
    ("klondike-table-1", include_str!("../../../experiments/klondike-table-1.toml")),
    ("klondike-table-2", include_str!("../../../experiments/klondike-table-2.toml")),
    ("klondike-best", include_str!("../../../experiments/klondike-best.toml")),
    ("klondike-thoughtful", include_str!("../../../experiments/klondike-thoughtful.toml")),
    ("nmcts-figure-1", include_str!("../../../experiments/nmcts-figure-1.toml")),
    ("nmcts-figure-2", include_str!("../../../experiments/nmcts-figure-2.toml")),
    ("nmcts-figure-3", include_str!("../../../experiments/nmcts-figure-3.toml")),
    ("nmcts-figure-4", include_str!("../../../experiments/nmcts-figure-4.toml")),
    ("nmcts-figure-5", include_str!("../../../experiments/nmcts-figure-5.toml")),
    ("nmcts-figure-6", include_str!("../../../experiments/nmcts-figure-6.toml")),
    ("nmcts-figure-7", include_str!("../../../experiments/nmcts-figure-7.toml")),
];
