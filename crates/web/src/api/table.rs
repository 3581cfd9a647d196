//! Games on the table: replayed from their moves at every request.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use patience::model::Rng;
use patience::plan::Budget;
use patience::{Deals, Objective, Setup, Table, View};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::server::Shared;

/// A game: its setup and its moves.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Played {
    setup: Setup,
    #[serde(default)]
    moves: Vec<String>,
}

impl Played {
    /// Whether the rules come with the request.
    pub(crate) fn has_rules(&self) -> bool {
        self.setup.rules.is_some()
    }

    /// Replays it.
    pub(crate) fn table(&self, shared: &Shared) -> Result<Table, Failure> {
        // Rules from files are for the command line: a request names no file of this machine.
        let name = self.setup.game.split('(').next().unwrap_or_default().trim();
        let mut games = shared.registry.games().filter(|info| info.name == name);
        if games.any(|info| info.parameters.iter().any(|p| p.is("file"))) {
            return Err(Failure::bad("rule files are not opened here: send the rules' text"));
        }
        Ok(Table::open(shared.registry, &self.setup, &self.moves)?)
    }
}

/// What can be seen of a table, and who can be asked about it.
#[derive(Debug, Serialize)]
pub(crate) struct Seen {
    #[serde(flatten)]
    view: View,
    /// The planners that give hints: which ones depends on the game's parameters.
    planners: Vec<&'static str>,
    /// By what solutions are judged.
    objective: &'static str,
    /// Whether the minimising player of a game for two is to move.
    minimising: bool,
    /// The moves that send home all that can go there, one after the other.
    home: Vec<String>,
    /// Whether these win the game.
    finish: bool,
    /// Those that cost nothing.
    safe: Vec<String>,
}

impl From<Table> for Seen {
    fn from(table: Table) -> Self {
        let planners = table.state().game().planners().iter().map(|info| info.name).collect();
        let objective = match table.state().objective() {
            Objective::Score => "score",
            Objective::Length => "length",
            Objective::Win => "win",
        };
        let all = table.gathered(false);
        Seen {
            view: table.view(),
            planners,
            objective,
            minimising: table.state().minimising(),
            home: all.moves,
            finish: all.wins,
            safe: table.gathered(true).moves,
        }
    }
}

/// `POST /api/table`
pub(crate) async fn table(
    State(shared): State<Arc<Shared>>,
    played: Result<Json<Played>, JsonRejection>,
) -> Result<Json<Seen>, Failure> {
    let Json(played) = played?;
    if played.has_rules() {
        // Rules may take seconds to be grounded: that is a search like any other.
        let hints = shared.hints.clone();
        let seen = hints.answer(move |_| Ok(played.table(&shared)?.into())).await?;
        return Ok(Json(seen));
    }
    let short = shared.short.clone();
    Ok(Json(short.work(move || Ok(played.table(&shared)?.into())).await?))
}

#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    game: String,
    /// Where to begin to look: the page draws it.
    seed: u64,
    #[serde(default)]
    winnable: bool,
    #[serde(default)]
    difficulty: Option<Grade>,
}

/// How hard a deal is to be: by the share of games that the game's yardstick wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Grade {
    Easy,
    Medium,
    Hard,
}

/// Games that the yardstick plays of each deal.
const PLAYS: u64 = 8;

impl Grade {
    /// Hard ones are lost mostly, easy ones won mostly; what lies between is neither.
    fn of(won: u64) -> Grade {
        match won {
            0..=2 => Grade::Hard,
            3..=5 => Grade::Medium,
            _ => Grade::Easy,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Found {
    setup: Setup,
    /// How many deals were looked at.
    tried: u32,
}

/// Deals to look at before giving up.
const TRIES: u32 = 200;
/// Positions to look at for each.
const NODES: u64 = 200_000;

/// `POST /api/deal`: a deal drawn from a seed, if wanted one that can be won.
pub(crate) async fn deal(
    State(shared): State<Arc<Shared>>,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Json<Found>, Failure> {
    let Json(Wanted { game, seed, winnable, difficulty }) = wanted?;
    let deals = shared.registry.played(&game).map_err(patience::TableError::from)?.info().deals;
    let mut rng = Rng::named(seed, &["deal"]);
    let mut draw = move || {
        let number = 1 + rng.below(1_000_000_000);
        match deals {
            // The numbers that everybody has.
            Deals::Numbers(last) => Setup::deal(&game, &(1 + number % last).to_string()),
            Deals::Seeds | Deals::Ranks => Setup::deal(&game, &format!("seed:{number}")),
        }
    };
    let open = |shared: &Shared, setup: &Setup| {
        Played { setup: setup.clone(), moves: Vec::new() }.table(shared)
    };
    if !winnable && difficulty.is_none() {
        let setup = draw();
        let short = shared.short.clone();
        let made = move || open(&shared, &setup).map(|_| Found { setup, tried: 1 });
        return Ok(Json(short.work(made).await?));
    }
    let limits = shared.limits;
    let hints = shared.hints.clone();
    let found = hints
        .answer(move |cancel| {
            let begin = std::time::Instant::now();
            for tried in 1..=TRIES {
                let setup = draw();
                let table = open(&shared, &setup)?;
                let fits = match difficulty {
                    Some(grade) => {
                        let found = table.state().difficulty(PLAYS, cancel, &mut |_| ())?;
                        Grade::of(found.won) == grade
                    }
                    None => true,
                };
                // No clock: the same seed finds the same deal on any machine.
                let budget = Budget {
                    iterations: Some(NODES),
                    ..Budget::UNLIMITED.with_memory(limits.hint_memory)
                };
                // What is hard but cannot be won is no pleasure.
                if fits && table.prove(&budget, cancel)?.verdict.is_solved() {
                    return Ok(Found { setup, tried });
                }
                if cancel.is_cancelled() || begin.elapsed().as_secs_f64() > limits.hint_seconds {
                    break;
                }
            }
            Err(Failure::bad("no such deal was found that can be shown to be winnable; try again"))
        })
        .await?;
    Ok(Json(found))
}
