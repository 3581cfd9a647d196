//! The laboratory: the experiments of a store, how far they are, and their reports.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use patience::lab::{self, LabError, Listing, Reading};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::server::Shared;

#[derive(Serialize)]
pub(crate) struct Lab {
    /// The store, if the server was given one.
    store: Option<String>,
    experiments: Vec<Listing>,
}

fn failed(error: &LabError) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
}

/// Reads the store where waiting for the disk harms nobody.
async fn reading<R: Send + 'static>(
    shared: Arc<Shared>,
    read: impl FnOnce(&Reading) -> Result<R, LabError> + Send + 'static,
) -> Result<Option<R>, Failure> {
    let work = move || {
        let Some(path) = &shared.store else { return Ok(None) };
        let reading = Reading::open(path).map_err(|error| failed(&error))?;
        read(&reading).map(Some).map_err(|error| failed(&error))
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the store could not be read"))
    })
}

/// `GET /api/lab`
pub(crate) async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Lab>, Failure> {
    let store = shared.store.as_ref().map(|path| path.display().to_string());
    let experiments = reading(shared, Reading::list).await?.unwrap_or_default();
    Ok(Json(Lab { store, experiments }))
}

#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    name: String,
}

/// A report is a page of its own: styles and pictures within it, and nothing else.
const POLICY: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/// `GET /api/lab/report?name=…`
pub(crate) async fn report(
    State(shared): State<Arc<Shared>>,
    Query(which): Query<Which>,
) -> Result<Response, Failure> {
    let report =
        reading(shared, move |reading| Ok(lab::html(&lab::report(reading, &[which.name])?)))
            .await?;
    let html = report
        .ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "the server was given no store"))?;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let policy = HeaderValue::from_static(POLICY);
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, policy)];
    Ok((headers, html).into_response())
}
