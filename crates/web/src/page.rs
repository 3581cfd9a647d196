//! The page's files, all of them in the binary.

use std::hash::Hasher;
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)).as_slice())),*]
    };
}

/// What there is; nothing else is ever served.
const FILES: &[(&str, &[u8])] = files![
    "index.html",
    "icon.svg",
    "page.webmanifest",
    "worker.js",
    "style.css",
    "cards.css",
    "panels.css",
    "more.css",
    "main.js",
    "api.js",
    "words.js",
    "words-de.js",
    "memory.js",
    "games.js",
    "dom.js",
    "theme.js",
    "faces.js",
    "courts.js",
    "layout.js",
    "cardtable.js",
    "hand.js",
    "tiles.js",
    "grid.js",
    "board.js",
    "foresee.js",
    "game.js",
    "course.js",
    "sound.js",
    "win.js",
    "play.js",
    "settings.js",
    "dialogs.js",
    "stats.js",
    "hints.js",
    "graph.js",
    "tree.js",
    "teach.js",
    "forest.js",
    "review.js",
    "watch.js",
    "solve.js",
    "lab.js",
    "plot.js",
    "rules.js",
];

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// What a file is recognised by: a browser that has it already is told so, and nothing is sent. The
/// tag is a weak one, because the same file is sent compressed or not.
static TAGS: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let tag = |(_, bytes): &(&str, &[u8])| {
        // Fixed, so that all servers of one version tell the same.
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(bytes);
        let text = format!("W/\"{:016x}\"", hasher.finish());
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("W/\"0\""))
    };
    FILES.iter().map(tag).collect()
});

/// A file of the page.
pub(crate) async fn asset(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Failure::new(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered here")
            .into_response();
    }
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(place) = FILES.iter().position(|(known, _)| *known == name) else {
        return Failure::new(StatusCode::NOT_FOUND, "there is no such page").into_response();
    };
    let (name, bytes) = FILES[place];
    let tag = TAGS[place].clone();
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    if known.is_some_and(|tags| tags.split(',').any(|other| tag == other.trim())) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let kind = HeaderValue::from_static(kind(name));
    ([(header::CONTENT_TYPE, kind), (header::ETAG, tag)], bytes).into_response()
}
