//! What can be played and who can play it.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use patience::{GameInfo, PlannerInfo};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;
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

/// How much is to be told.
#[derive(Debug, Deserialize)]
pub(crate) struct How {
    /// Only what is needed to offer games.
    #[serde(default)]
    brief: bool,
}

/// What tells more than a game's name, variants and deals.
const LONG: [&str; 7] =
    ["summary", "rewards", "paper", "parameters", "planners", "solver", "optimiser"];

/// `GET /api/games`, with `?brief=true` without what is [long](LONG).
pub(crate) async fn games(
    State(shared): State<Arc<Shared>>,
    how: Result<Query<How>, QueryRejection>,
) -> Result<Json<Value>, Failure> {
    let Query(How { brief }) = how?;
    let registry = shared.registry;
    // A game that is made from a file of this machine is not for the page.
    let playable = registry.games().filter(|info| !info.parameters.iter().any(|p| p.is("file")));
    let rows = playable.map(|info| {
        let planners = registry.game(info.name).map_or_else(|_| Vec::new(), |game| game.planners());
        Row { info: *info, planners: planners.iter().map(|planner| planner.name).collect() }
    });
    let games = Games { version: env!("CARGO_PKG_VERSION"), games: rows.collect() };
    let mut said = serde_json::to_value(games).unwrap_or_default();
    for game in said["games"].as_array_mut().filter(|_| brief).into_iter().flatten() {
        if let Some(game) = game.as_object_mut() {
            game.retain(|key, _| !LONG.contains(&key.as_str()));
        }
    }
    Ok(Json(said))
}

/// A language by its code.
#[derive(Debug, Deserialize)]
pub(crate) struct Language {
    language: String,
}

/// `GET /api/words?language=de`: what games say in that language, each with the English for it; none where
/// no game speaks it.
pub(crate) async fn words(
    State(shared): State<Arc<Shared>>,
    language: Result<Query<Language>, QueryRejection>,
) -> Result<Json<Vec<(&'static str, &'static str)>>, Failure> {
    let Query(Language { language }) = language?;
    let mut all = Vec::new();
    let words = shared.registry.games().flat_map(|info| info.words);
    for pair in words.filter(|words| words.language == language).flat_map(|words| words.forms) {
        // Games of cards share theirs.
        if !all.contains(pair) {
            all.push(*pair);
        }
    }
    Ok(Json(all))
}

#[derive(Serialize)]
pub(crate) struct Planners {
    planners: Vec<&'static PlannerInfo>,
}

/// `GET /api/planners`: every planner with its parameters.
pub(crate) async fn planners(State(shared): State<Arc<Shared>>) -> Json<Planners> {
    Json(Planners { planners: shared.registry.planners().collect() })
}
