//! A server of its own for each test, and the plainest client there can be.
#![allow(dead_code)] // Each test file uses its part.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use patience_web::{Limits, Options, Server};
use serde_json::Value;

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: Option<std::sync::mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        body(&self.body)
    }
}

pub(crate) fn body(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

impl Served {
    pub(crate) fn start() -> Served {
        Served::start_with(|_| ())
    }

    pub(crate) fn start_with(change: impl FnOnce(&mut Limits)) -> Served {
        let mut limits = Limits::default();
        change(&mut limits);
        Served::bound(Options { limits, ..Options::default() })
    }

    pub(crate) fn bound(options: Options) -> Served {
        let server = Server::bind(Options { port: 0, ..options }).unwrap();
        let address = server.address();
        assert!(address.ip().is_loopback());
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let end = async move {
                use std::sync::mpsc::TryRecvError::Empty;
                while stopped.try_recv() == Err(Empty) {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            server.run(end).unwrap();
        });
        Served { address, stop: Some(stop), thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    fn send(&self, method: &str, path: &str, host: Option<&str>, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let host = host.map_or(String::new(), |host| format!("host: {host}\r\n"));
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses may close before all is sent.
        let _ = stream.write_all(body.as_bytes());
        stream
    }

    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        host: Option<&str>,
        body: &str,
    ) -> Answer {
        let mut reader = BufReader::new(self.send(method, path, host, body));
        let (status, headers) = head(&mut reader);
        let chunked = headers.iter().any(|(k, v)| k == "transfer-encoding" && v == "chunked");
        let mut bytes = Vec::new();
        if chunked {
            while let Some(mut chunk) = chunk(&mut reader) {
                bytes.append(&mut chunk);
            }
        } else {
            let _ = reader.read_to_end(&mut bytes);
        }
        Answer { status, headers, body: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// Sends a request as it is, and gives all that is answered.
    pub(crate) fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, Some("localhost"), "")
    }

    pub(crate) fn post(&self, path: &str, value: &Value) -> Answer {
        self.request("POST", path, Some("localhost"), &value.to_string())
    }

    /// A search that has begun; it is left when this is dropped.
    pub(crate) fn open(&self, path: &str, value: &Value) -> BufReader<TcpStream> {
        let stream = self.send("POST", path, Some("localhost"), &value.to_string());
        let mut reader = BufReader::new(stream);
        assert_eq!(head(&mut reader).0, 200);
        assert!(chunk(&mut reader).is_some());
        reader
    }

    /// All events of a search with what they hold.
    pub(crate) fn events(&self, path: &str, value: &Value, most: Duration) -> Vec<(String, Value)> {
        self.timed_events(path, value, most)
            .into_iter()
            .map(|(_, kind, value)| (kind, value))
            .collect()
    }

    /// The same with the seconds after which each came.
    pub(crate) fn timed_events(
        &self,
        path: &str,
        value: &Value,
        most: Duration,
    ) -> Vec<(f64, String, Value)> {
        let begin = Instant::now();
        let stream = self.send("POST", path, Some("localhost"), &value.to_string());
        let mut reader = BufReader::new(stream);
        let (status, _) = head(&mut reader);
        assert_eq!(status, 200);
        let mut events = Vec::new();
        let mut text = String::new();
        while let Some(chunk) = chunk(&mut reader) {
            assert!(begin.elapsed() < most, "{path} takes too long");
            text.push_str(&String::from_utf8_lossy(&chunk));
            while let Some(end) = text.find("\n\n") {
                let event: String = text.drain(..end + 2).collect();
                let part = |key: &str| {
                    event.lines().find_map(|line| line.strip_prefix(key)).map(str::trim)
                };
                if let (Some(kind), Some(data)) = (part("event:"), part("data:")) {
                    events.push((begin.elapsed().as_secs_f64(), kind.to_owned(), body(data)));
                }
            }
        }
        events
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().split_once(':') {
            Some((key, value)) => headers.push((key.to_ascii_lowercase(), value.trim().to_owned())),
            None => return (status, headers),
        }
    }
}

fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let size = usize::from_str_radix(line.trim(), 16).ok().filter(|&size| size > 0)?;
    let mut bytes = vec![0; size + 2];
    reader.read_exact(&mut bytes).ok()?;
    bytes.truncate(size);
    Some(bytes)
}
