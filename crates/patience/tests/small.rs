//! Every built-in game, small enough to be searched by everything.

use patience::registry;

/// Those that are not small by themselves.
const SMALL: [&str; 9] = [
    "pgame(branching=3, depth=4)",
    "sailing(size=3)",
    "tiger(horizon=4)",
    "rock-sample(size=4)",
    "sysadmin(computers=3, horizon=4)",
    "game-of-life(size=2, horizon=4)",
    "2048(size=2)",
    "freecell(ranks=3)",
    "samegame(width=5, height=5, colours=3)",
];

/// The name before the arguments.
pub(crate) fn name(call: &str) -> &str {
    call.split('(').next().unwrap_or(call)
}

/// All games, each once.
pub(crate) fn games() -> Vec<&'static str> {
    let small = |game| SMALL.into_iter().find(|call| name(call) == game).unwrap_or(game);
    registry().games().map(|info| small(info.name)).collect()
}

/// All games and their variants, as large as they are.
pub(crate) fn variants() -> Vec<&'static str> {
    let mut all = Vec::new();
    for info in registry().games() {
        all.push(info.name);
        all.extend(info.variants.iter().map(|(call, _)| *call).filter(|call| *call != info.name));
    }
    all
}
