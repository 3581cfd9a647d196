//! The list of games: one line each.

use std::sync::LazyLock;

use patience_catalogue::Registry;
use patience_games as games;

/// A new list of all built-in games, to which others can be added.
pub fn list() -> Registry {
    let mut registry = Registry::new();
    let entries = [
        games::pgame::entry(),
        games::sailing::entry(),
        games::tictactoe::entry(),
        games::connect_four::entry(),
        games::tiger::entry(),
        games::rock_sample::entry(),
        games::tag::entry(),
        games::laser_tag::entry(),
        games::battleship::entry(),
        games::frozen_lake::entry(),
        games::taxi::entry(),
        games::sysadmin::entry(),
        games::game_of_life::entry(),
        games::twenty48::entry(),
        games::black_hole::entry(),
        games::golf::entry(),
        games::klondike::entry(),
        games::freecell::entry(),
        games::samegame::entry(),
        patience_gdl::entry(),
    ];
    entries.into_iter().for_each(|entry| registry.add(entry));
    registry
}

/// All built-in games and the planners for them.
///
/// ```
/// let game = patience::registry().game("tic-tac-toe").unwrap();
/// assert_eq!(game.start(7).actions().len(), 9);
/// ```
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(list);
    &REGISTRY
}
