//! The page's files, all of them in the binary.

use std::hash::Hasher;
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

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
    "hear.js",
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

/// Where the page asks for the style of its frame.
const FRAME: &str = r#"<link rel="stylesheet" href="/style.css">"#;
const STYLE: &str = include_str!("../page/style.css");

/// The page with the style of its frame in it, so that its first paint waits for no other file.
static INDEX: LazyLock<String> = LazyLock::new(|| {
    include_str!("../page/index.html").replace(FRAME, &format!("<style>{STYLE}</style>"))
});

/// That style as a policy names it: no other one in the page is followed.
pub(crate) static STYLE_SOURCE: LazyLock<String> =
    LazyLock::new(|| format!("'sha256-{}'", base64(&Sha256::digest(STYLE))));

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits =
            (0..3).fold(0, |bits, i| bits << 8 | three.get(i).map_or(0, |&b| usize::from(b)));
        let digit = |i: usize| char::from(DIGITS[bits >> (18 - 6 * i) & 63]);
        std::array::from_fn::<_, 4, _>(|i| if i <= three.len() { digit(i) } else { '=' })
    };
    bytes.chunks(3).flat_map(group).collect()
}

/// What a file is recognised by: a browser that has it already is told so, and nothing is sent. The
/// tag is a weak one, because the same file is sent compressed or not.
static TAGS: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let tag = |&(name, bytes): &(&str, &'static [u8])| {
        // Fixed, so that all servers of one version tell the same.
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(content(name, bytes));
        let text = format!("W/\"{:016x}\"", hasher.finish());
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("W/\"0\""))
    };
    FILES.iter().map(tag).collect()
});

/// What is sent for a file.
fn content(name: &str, bytes: &'static [u8]) -> &'static [u8] {
    if name == "index.html" { INDEX.as_bytes() } else { bytes }
}

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
    ([(header::CONTENT_TYPE, kind), (header::ETAG, tag)], content(name, bytes)).into_response()
}

#[cfg(test)]
mod tests {
    use super::{FRAME, INDEX, STYLE, base64};

    #[test]
    fn the_frame_has_its_style_in_it() {
        assert!(INDEX.contains(STYLE) && !INDEX.contains(FRAME));
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        // The vectors of RFC 4648.
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(base64(text.as_bytes()), code);
        }
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
    }
}
