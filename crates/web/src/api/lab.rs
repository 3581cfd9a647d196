//! The laboratory: the experiments of stores, how far they are, and their reports.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use patience::lab::{self, ExportFormat, LabError, Listing, Reading, Report};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::server::Shared;

/// One store and what is in it.
#[derive(Serialize)]
pub(crate) struct Listed {
    store: String,
    experiments: Vec<Listing>,
    /// Why it cannot be read.
    error: Option<String>,
}

/// The stores that the server was given.
#[derive(Serialize)]
pub(crate) struct Lab {
    stores: Vec<Listed>,
}

fn failed(error: &LabError) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
}

/// `GET /api/lab`
pub(crate) async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Lab>, Failure> {
    let listed = |path: &PathBuf| {
        let store = path.display().to_string();
        match Reading::open(path).and_then(|reading| reading.list()) {
            Ok(experiments) => Listed { store, experiments, error: None },
            // One that is broken does not hide the others.
            Err(error) => Listed { store, experiments: Vec::new(), error: Some(error.to_string()) },
        }
    };
    let reports = shared.reports.clone();
    let stores = reports.work(move || Ok(shared.stores.iter().map(listed).collect())).await?;
    Ok(Json(Lab { stores }))
}

/// An experiment of a store; the first store if none is named.
#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    name: String,
    store: Option<String>,
}

/// A report is a page of its own: styles and pictures within it, and nothing else.
const POLICY: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

impl Which {
    /// The store that is meant: only what the server was given is opened, whatever is asked for.
    fn open(&self, shared: &Shared) -> Result<Reading, Failure> {
        let named = |path: &&PathBuf| {
            self.store.as_ref().is_none_or(|store| path.display().to_string() == *store)
        };
        let path = shared.stores.iter().find(named).ok_or_else(|| {
            Failure::new(StatusCode::NOT_FOUND, "the server was given no such store")
        })?;
        Reading::open(path).map_err(|error| failed(&error))
    }

    fn report(&self, shared: &Shared) -> Result<Report, Failure> {
        let names = std::slice::from_ref(&self.name);
        lab::report(&self.open(shared)?, names).map_err(|error| failed(&error))
    }
}

/// `GET /api/lab/report?store=…&name=…`
pub(crate) async fn report(
    State(shared): State<Arc<Shared>>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(which) = which?;
    let reports = shared.reports.clone();
    let html = reports.work(move || which.report(&shared).map(|report| lab::html(&report))).await?;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let policy = HeaderValue::from_static(POLICY);
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, policy)];
    Ok((headers, html).into_response())
}

/// `GET /api/lab/data?store=…&name=…`: the figures of a report, and its spec.
pub(crate) async fn data(
    State(shared): State<Arc<Shared>>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<Report>, Failure> {
    let Query(which) = which?;
    let reports = shared.reports.clone();
    Ok(Json(reports.work(move || which.report(&shared)).await?))
}

/// `GET /api/lab/csv?store=…&name=…`: every unit of an experiment.
pub(crate) async fn csv(
    State(shared): State<Arc<Shared>>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(which) = which?;
    let file = which.name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
    let reports = shared.reports.clone();
    let work = move || {
        let reading = which.open(&shared)?;
        let mut text = Vec::new();
        let names = std::slice::from_ref(&which.name);
        let written = lab::export(&reading, names, ExportFormat::Csv, &mut text);
        written.map(|_| text).map_err(|error| failed(&error))
    };
    let text = reports.work(work).await?;
    let kind = HeaderValue::from_static("text/csv; charset=utf-8");
    let save = HeaderValue::try_from(format!("attachment; filename=\"{file}.csv\""));
    let save = save.unwrap_or(HeaderValue::from_static("attachment"));
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, save)], text).into_response())
}
