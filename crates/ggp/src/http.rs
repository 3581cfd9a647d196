//! As much of HTTP as controllers speak: one request and one answer per connection.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

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

/// A request, as far as a player cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A message: the body of a POST, or the path of a GET.
    Message(String),
    /// A browser asks whether it may send messages.
    Options,
    /// Something else, and the answer to it: status and reason.
    Refused(u16, &'static str),
}

/// Reads a request. `None` if nobody said anything.
pub(crate) fn read(stream: &mut impl Read, limits: &Limits) -> Option<Request> {
    let begin = Instant::now();
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let late = |begin: Instant| begin.elapsed() > limits.time;
    let head = loop {
        if let Some(end) = find(&bytes, b"\r\n\r\n").map(|at| at + 4) {
            break end;
        }
        if let Some(end) = find(&bytes, b"\n\n").map(|at| at + 2) {
            break end;
        }
        if bytes.len() > limits.head {
            return Some(Request::Refused(431, "the headers are too long"));
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) if bytes.is_empty() => return None,
            Ok(0) | Err(_) => return Some(Request::Refused(400, "the request breaks off")),
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
        }
        if late(begin) {
            return Some(Request::Refused(408, "the request took too long"));
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.lines();
    let mut first = lines.next().unwrap_or_default().split_ascii_whitespace();
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let value = |name: &str| {
        let mut headers = text.lines().skip(1).filter_map(|line| line.split_once(':'));
        headers.find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, v)| v.trim())
    };
    match method {
        "OPTIONS" => return Some(Request::Options),
        "GET" => return Some(Request::Message(unescape(path.trim_start_matches('/')))),
        "POST" => {}
        _ => return Some(Request::Refused(405, "expected POST")),
    }
    let Some(length) = value("content-length") else {
        return Some(Request::Refused(411, "expected the header Content-Length"));
    };
    let Ok(length) = length.parse::<usize>() else {
        return Some(Request::Refused(400, "Content-Length is no number"));
    };
    if length > limits.body {
        return Some(Request::Refused(413, "the message is too long"));
    }
    let mut body = bytes.split_off(head);
    while body.len() < length {
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return Some(Request::Refused(400, "the message breaks off")),
            Ok(n) => body.extend_from_slice(&chunk[..n]),
        }
        if late(begin) {
            return Some(Request::Refused(408, "the request took too long"));
        }
    }
    body.truncate(length);
    Some(Request::Message(String::from_utf8_lossy(&body).into_owned()))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Undoes the escapes of a path: `%28INFO%29` is `(INFO)`.
fn unescape(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |b: Option<&u8>| b.and_then(|&b| (b as char).to_digit(16));
        match (bytes[at], hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                text.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'+', ..) => {
                text.push(b' ');
                at += 1;
            }
            (byte, ..) => {
                text.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes an answer; the connection is closed after it, because one controller reads to the end.
pub(crate) fn answer(stream: &mut impl Write, status: u16, body: &str) -> std::io::Result<()> {
    let reason = if status == 200 { "OK" } else { "Error" };
    let text = format!(
        "HTTP/1.0 {status} {reason}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type, Accept, Sender, Receiver\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Option<Request> {
        read(&mut text.as_bytes(), &Limits { head: 200, body: 20, ..Limits::default() })
    }

    #[test]
    fn messages_come_by_post_and_get() {
        let post = "POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 6\r\n\r\n(INFO)more";
        assert_eq!(request(post), Some(Request::Message("(INFO)".to_owned())));
        assert_eq!(
            request("GET /%28%20INFO+%29 HTTP/1.0\n\n"),
            Some(Request::Message("( INFO )".to_owned()))
        );
        assert_eq!(request("OPTIONS / HTTP/1.1\r\n\r\n"), Some(Request::Options));
        assert_eq!(request(""), None);
    }

    #[test]
    fn what_is_wrong_is_refused() {
        let status = |text: &str| match request(text) {
            Some(Request::Refused(status, _)) => status,
            other => panic!("{other:?}"),
        };
        assert_eq!(status("POST / HTTP/1.1\r\n\r\n(INFO)"), 411);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: six\r\n\r\n(INFO)"), 400);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: 60\r\n\r\n(INFO)"), 413);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: 16\r\n\r\n(INFO)"), 400);
        assert_eq!(status("DELETE / HTTP/1.1\r\n\r\n"), 405);
        assert_eq!(status(&format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(9000))), 431);
        assert_eq!(status("POST"), 400);
    }
}
