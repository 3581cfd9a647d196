//! The JSON API: documented in `docs/page.md`.

mod games;
mod lab;
mod rules;
mod table;
mod think;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};

use crate::failure::Failure;
use crate::server::Shared;

pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/games", get(games::games))
        .route("/words", get(games::words))
        .route("/table", post(table::table))
        .route("/deal", post(table::deal))
        .route("/hint", post(think::hint))
        .route("/tree", post(think::tree))
        .route("/prove", post(think::prove))
        .route("/solve", post(think::solve))
        .route("/trace", post(think::trace))
        .route("/review", post(think::review))
        .route("/planners", get(games::planners))
        .route("/rules", get(rules::bundled).post(rules::check))
        .route("/lab", get(lab::list))
        .route("/lab/report", get(lab::report))
        .route("/lab/data", get(lab::data))
        .route("/lab/csv", get(lab::csv))
        .fallback(async || Failure::new(StatusCode::NOT_FOUND, "there is no such request"))
        .method_not_allowed_fallback(async || {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this request has another method")
        })
}
