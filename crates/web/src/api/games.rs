//! What can be played and who can play it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use patience::GameInfo;
use serde::Serialize;

use crate::server::Shared;

#[derive(Serialize)]
pub(crate) struct Games {
    version: &'static str,
    games: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    info: GameInfo,
    planners: Vec<&'static str>,
}

/// `GET /api/games`
pub(crate) async fn games(State(shared): State<Arc<Shared>>) -> Json<Games> {
    let registry = shared.registry;
    // A game that is made from a file of this machine is not for the page.
    let playable = registry.games().filter(|info| !info.parameters.iter().any(|p| p.is("file")));
    let rows = playable.map(|info| {
        let planners = registry.game(info.name).map_or_else(|_| Vec::new(), |game| game.planners());
        Row { info: *info, planners: planners.iter().map(|planner| planner.name).collect() }
    });
    Json(Games { version: env!("CARGO_PKG_VERSION"), games: rows.collect() })
}
