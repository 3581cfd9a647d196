//! What can be played and who can play it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use patience::GameInfo;
use patience::games::freecell::Rules;
use serde::Serialize;

use crate::server::Shared;

#[derive(Serialize)]
pub(crate) struct Games {
    version: &'static str,
    games: Vec<Row>,
    /// The games of FreeCell's family.
    presets: Vec<&'static str>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    info: GameInfo,
    planners: Vec<&'static str>,
}

/// `GET /api/games`
pub(crate) async fn games(State(shared): State<Arc<Shared>>) -> Json<Games> {
    let registry = &shared.registry;
    let rows = registry.games().filter(|info| info.name != "gdl").map(|info| {
        let game = registry.game(info.name);
        let fits = |planner: &&str| game.as_ref().is_ok_and(|game| game.check(planner).is_ok());
        let names = registry.planners().map(|planner| planner.name);
        Row { info: *info, planners: names.filter(fits).collect() }
    });
    Json(Games {
        version: env!("CARGO_PKG_VERSION"),
        games: rows.collect(),
        presets: Rules::PRESETS.iter().map(|(name, _)| *name).collect(),
    })
}
