//! What every answer carries, and which requests are none of ours.

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;
use crate::page::STYLE_SOURCE;
use crate::server::Shared;

/// Everything comes from this server: scripts from files only, styles from files and the page's own.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' {}; img-src 'self' data:; \
         connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        *STYLE_SOURCE
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// Refuses names that are not ours, and adds the headers of every answer.
///
/// A page elsewhere can make its own name point to 127.0.0.1 and then ask us as if we were it. Its
/// requests still carry its name, so only addresses, `localhost` and the name that the server was
/// given are answered.
pub(crate) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut response = match host {
        Some(host) if is_ours(host, &shared.host) => next.run(request).await,
        _ => {
            let message = "this server answers to its address and to localhost only";
            Failure::new(StatusCode::MISDIRECTED_REQUEST, message).into_response()
        }
    };
    let headers = response.headers_mut();
    let fixed = HeaderValue::from_static;
    let own = [
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")),
        (header::CACHE_CONTROL, fixed("no-cache")),
        (header::CONTENT_SECURITY_POLICY, POLICY.clone()),
        (header::REFERRER_POLICY, fixed("no-referrer")),
    ];
    // A policy is that of a document: scripts and styles obey the one that asked for them, and the page
    // is many small files.
    let part = headers.get(header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.as_bytes();
        kind.starts_with(b"text/javascript") || kind.starts_with(b"text/css")
    });
    for (name, value) in own.into_iter().take(if part { 3 } else { 5 }) {
        headers.entry(name).or_insert(value);
    }
    response
}

/// Whether a request to this host is meant for us.
fn is_ours(host: &str, own: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.eq_ignore_ascii_case(own)
        || name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn only_addresses_and_own_names_are_ours() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:80", "10.0.0.7"] {
            assert!(is_ours(host, "127.0.0.1"), "{host}");
        }
        assert!(is_ours("games.example:80", "games.example"));
        for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "[x"] {
            assert!(!is_ours(host, "127.0.0.1"), "{host}");
        }
    }
}
