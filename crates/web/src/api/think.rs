//! Searches: hints, proofs and solutions, told as they go.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::Response;
use patience::plan::Budget;
use patience::{Reviewing, Table, Trace, Twig};
use serde::Deserialize;

use super::table::Played;
use crate::failure::Failure;
use crate::server::Shared;

/// A position and how to think about it.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    #[serde(flatten)]
    played: Played,
    /// The planner; if none, the one that suits the game.
    #[serde(default)]
    planner: Option<String>,
    /// Seconds at most.
    #[serde(default)]
    seconds: Option<f64>,
    /// Iterations at most.
    #[serde(default)]
    iterations: Option<u64>,
    /// The planner's seed.
    #[serde(default)]
    seed: u64,
    /// Whether a review may tell a line that the player could not know of.
    #[serde(default)]
    reveal: bool,
}

impl Question {
    fn budget(&self, default: f64, most: f64, memory: u64) -> Result<Budget, Failure> {
        let seconds = self.seconds.unwrap_or(default);
        if seconds.is_nan() || seconds <= 0.0 {
            return Err(Failure::bad("`seconds` must be a number above 0"));
        }
        let time = Some(Duration::from_secs_f64(seconds.min(most)));
        Ok(Budget { iterations: self.iterations, model_calls: None, time, memory: Some(memory) })
    }

    /// Opens the table, so that what is wrong with it is told at once; one whose rules must be
    /// grounded first is opened where the search runs.
    async fn open(&self, shared: &Arc<Shared>) -> Result<Option<Table>, Failure> {
        if self.played.has_rules() {
            return Ok(None);
        }
        let (played, all) = (self.played.clone(), Arc::clone(shared));
        shared.short.work(move || played.table(&all).map(Some)).await
    }
}

type Asked = Result<Json<Question>, JsonRejection>;

/// `POST /api/hint`
pub(crate) async fn hint(
    State(shared): State<Arc<Shared>>,
    question: Asked,
) -> Result<Response, Failure> {
    let Json(question) = question?;
    let limits = shared.limits;
    let budget = question.budget(5.0, limits.hint_seconds, limits.hint_memory)?;
    let table = question.open(&shared).await?;
    let hints = shared.hints.clone();
    hints.stream(move |tell| {
        let table = table.map_or_else(|| question.played.table(&shared), Ok)?;
        let planner = question.planner.as_deref();
        let mut watch = |hint: &_| tell.now(hint);
        Ok(table.hint(planner, &budget, question.seed, tell.cancel(), &mut watch)?)
    })
}

/// Levels of a tree that are shown.
const LEVELS: u32 = 3;

/// `POST /api/tree`
pub(crate) async fn tree(
    State(shared): State<Arc<Shared>>,
    question: Asked,
) -> Result<Json<Vec<Twig>>, Failure> {
    let Json(question) = question?;
    let limits = shared.limits;
    let budget = question.budget(1.0, limits.hint_seconds, limits.hint_memory)?;
    let hints = shared.hints.clone();
    let twigs = hints.answer(move |cancel| {
        let table = question.played.table(&shared)?;
        let planner = question.planner.as_deref();
        Ok(table.tree(planner, &budget, question.seed, cancel, LEVELS)?)
    });
    Ok(Json(twigs.await?))
}

/// `POST /api/trace`
pub(crate) async fn trace(
    State(shared): State<Arc<Shared>>,
    question: Asked,
) -> Result<Json<Trace>, Failure> {
    let Json(question) = question?;
    let limits = shared.limits;
    let budget = question.budget(5.0, limits.hint_seconds, limits.hint_memory)?;
    let iterations = question.iterations.unwrap_or(50).min(limits.trace_iterations);
    let budget = Budget { iterations: Some(iterations), ..budget };
    let hints = shared.hints.clone();
    let trace = hints.answer(move |cancel| {
        let table = question.played.table(&shared)?;
        let planner = question.planner.as_deref();
        Ok(table.trace(planner, &budget, question.seed, cancel)?)
    });
    Ok(Json(trace.await?))
}

/// What a proof of a review may search.
const PROOF: u64 = 300_000;

/// `POST /api/review`: `seconds` and `iterations` are those of every position.
pub(crate) async fn review(
    State(shared): State<Arc<Shared>>,
    question: Asked,
) -> Result<Response, Failure> {
    let Json(question) = question?;
    let limits = shared.limits;
    let budget = question.budget(0.3, 3.0, limits.hint_memory)?;
    let table = question.open(&shared).await?;
    // It takes long, so it has a place among the long ones.
    let solves = shared.solves.clone();
    solves.stream(move |tell| {
        let table = table.map_or_else(|| question.played.table(&shared), Ok)?;
        let proof = Budget {
            iterations: Some(PROOF),
            time: Some(Duration::from_secs(5)),
            ..Budget::UNLIMITED.with_memory(limits.hint_memory)
        };
        let how = Reviewing {
            planner: question.planner.clone(),
            budget,
            proof: Some(proof),
            reveal: question.reveal,
            seed: question.seed,
        };
        let mut watch = |review: &_| tell.now(review);
        Ok(table.review(&how, tell.cancel(), &mut watch)?)
    })
}

/// `POST /api/prove`
pub(crate) async fn prove(
    State(shared): State<Arc<Shared>>,
    question: Asked,
) -> Result<Response, Failure> {
    let Json(question) = question?;
    let limits = shared.limits;
    let budget = question.budget(20.0, limits.solve_seconds, limits.solve_memory)?;
    let table = question.open(&shared).await?;
    let solves = shared.solves.clone();
    solves.stream(move |tell| {
        let table = table.map_or_else(|| question.played.table(&shared), Ok)?;
        Ok(table.prove(&budget, tell.cancel())?)
    })
}

/// `POST /api/solve`
pub(crate) async fn solve(
    State(shared): State<Arc<Shared>>,
    question: Asked,
) -> Result<Response, Failure> {
    let Json(question) = question?;
    let limits = shared.limits;
    let budget = question.budget(60.0, limits.solve_seconds, limits.solve_memory)?;
    let table = question.open(&shared).await?;
    let solves = shared.solves.clone();
    solves.stream(move |tell| {
        let table = table.map_or_else(|| question.played.table(&shared), Ok)?;
        let mut watch = |proof: &_| tell.now(proof);
        Ok(table.solve(&budget, tell.cancel(), &mut watch)?)
    })
}
