//! The page's files, all of them in the binary.

use axum::http::{Method, StatusCode, Uri, header};
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
    "style.css",
    "cards.css",
    "panels.css",
    "main.js",
    "api.js",
    "games.js",
    "dom.js",
    "theme.js",
    "faces.js",
    "cardtable.js",
    "tiles.js",
    "board.js",
    "game.js",
    "play.js",
    "hints.js",
    "graph.js",
    "tree.js",
    "watch.js",
    "solve.js",
    "lab.js",
    "rules.js",
];

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// A file of the page.
pub(crate) async fn asset(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Failure::new(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered here")
            .into_response();
    }
    let name = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match FILES.iter().find(|(known, _)| *known == name) {
        Some((name, bytes)) => ([(header::CONTENT_TYPE, kind(name))], *bytes).into_response(),
        None => Failure::new(StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}
