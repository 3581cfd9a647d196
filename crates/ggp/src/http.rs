//! HTTP, as far as a player cares: which requests hold a message, and how answers look.

use std::time::Duration;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, TRANSFER_ENCODING,
};
use hyper::{Method, Request, Response, StatusCode, Uri};
use percent_encoding::percent_decode_str;
use tokio::time::{Instant, timeout_at};

/// What a request may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the request line and the headers.
    pub head: usize,
    /// Bytes of the message.
    pub body: usize,
    /// Time until all of it has arrived.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { head: 64 << 10, body: 16 << 20, time: Duration::from_secs(10) }
    }
}

/// An answer with its HTTP status.
pub(crate) type Reply = (StatusCode, String);

/// The answer to what makes no sense.
pub(crate) fn error(message: &str) -> Reply {
    failure(StatusCode::BAD_REQUEST, message)
}

/// Characters of an error at most.
const LONGEST_ERROR: usize = 2000;

/// The answer to what cannot be done, with its status.
pub(crate) fn failure(status: StatusCode, message: &str) -> Reply {
    // What a controller sent may be in it, however long that was.
    let mut short: String = message.chars().take(LONGEST_ERROR).collect();
    if short.len() < message.len() {
        short.push('…');
    }
    (status, format!("(error \"{}\")", short.replace('"', "'")))
}

/// The message in a request: the body of a POST, of whatever type, or the path of a GET. A browser
/// that asks whether it may send messages gets an empty answer.
///
/// # Errors
/// The answer to a request without a message, or one that is not complete by `until`.
pub(crate) async fn message<B>(
    request: Request<B>,
    limits: &Limits,
    until: Instant,
) -> Result<String, Reply>
where
    B: Body,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let headers = request.headers();
    match *request.method() {
        Method::GET => return Ok(unescape(request.uri())),
        Method::OPTIONS => return Err((StatusCode::OK, String::new())),
        Method::POST => {}
        _ => return Err(failure(StatusCode::METHOD_NOT_ALLOWED, "expected POST")),
    }
    if !headers.contains_key(CONTENT_LENGTH) && !headers.contains_key(TRANSFER_ENCODING) {
        let message = "expected the header Content-Length";
        return Err(failure(StatusCode::LENGTH_REQUIRED, message));
    }
    let too_long = || failure(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long");
    if request.body().size_hint().lower() > limits.body as u64 {
        return Err(too_long());
    }
    let body = Limited::new(request.into_body(), limits.body).collect();
    match timeout_at(until, body).await {
        Ok(Ok(body)) => Ok(String::from_utf8_lossy(&body.to_bytes()).into_owned()),
        Ok(Err(why)) if why.is::<LengthLimitError>() => Err(too_long()),
        Ok(Err(_)) => Err(error("the message breaks off")),
        Err(_) => Err(failure(StatusCode::REQUEST_TIMEOUT, "the request took too long")),
    }
}

/// Undoes the escapes of a path: `/%28INFO%29` is `(INFO)`.
fn unescape(uri: &Uri) -> String {
    let path = uri.path_and_query().map_or("", |path| path.as_str());
    let spaced = path.trim_start_matches('/').replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

/// The response of an answer; the connection is closed after it, because one controller reads to
/// the end. Any page may ask: there is nothing to steal.
pub(crate) fn response((status, body): Reply) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(body));
    *response.status_mut() = status;
    for (name, value) in [
        (CONTENT_TYPE, "text/acl"),
        (CONNECTION, "close"),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, Accept, Sender, Receiver"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_message() {
        let path = |text: &str| unescape(&text.parse().expect("it is a path"));
        assert_eq!(path("/%28%20INFO+%29"), "( INFO )");
        assert_eq!(path("/(PLAY+m+((a+%2B)))"), "(PLAY m ((a +)))");
        assert_eq!(path("/INFO?%zz%ff"), "INFO?%zz\u{fffd}");
        assert_eq!(path("/"), "");
    }

    #[test]
    fn quotes_in_an_error_do_not_end_it() {
        assert_eq!(error("a \"b\"").1, "(error \"a 'b'\")");
    }
}
