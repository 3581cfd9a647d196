//! How a request fails: a status and a sentence.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use patience::CallError;
use patience::TableError;
use serde_json::json;

/// A failure that the client is told.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Failure { status, message: message.into() }
    }

    /// What was sent is not what it should be.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// As many searches run as are allowed.
    pub(crate) fn busy() -> Self {
        let message = "as many searches are running as are allowed; try again in a moment";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Failure::bad(error.to_string())
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Failure::bad(error.to_string())
    }
}

impl From<JsonRejection> for Failure {
    fn from(rejection: JsonRejection) -> Self {
        Failure::new(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for Failure {
    fn from(rejection: QueryRejection) -> Self {
        Failure::new(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "error": self.message }))).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let later = axum::http::HeaderValue::from_static("1");
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, later);
        }
        response
    }
}
