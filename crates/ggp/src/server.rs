//! The server: one thread for each connection, so that questions are answered while it thinks.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use patience::plan::Cancel;

use crate::http::{self, Limits, Request};
use crate::table::{Table, error};

/// How the player plays.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it is called.
    pub name: String,
    /// The planner, as a string.
    pub planner: String,
    /// The time by which a move is sent before its clock runs out, at most half of the clock.
    pub margin: Duration,
    /// Bytes that a search may hold.
    pub memory: u64,
    /// The seed of its searches.
    pub seed: u64,
    /// A folder for the logs of matches; without one they go to standard error.
    pub log: Option<PathBuf>,
    /// What a request may cost.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            name: "patience".to_owned(),
            planner: "norns".to_owned(),
            margin: Duration::from_millis(250),
            memory: 1 << 30,
            seed: 0,
            log: None,
            limits: Limits::default(),
        }
    }
}

/// Connections served at the same time; more are turned away.
const MOST_CONNECTIONS: usize = 32;

/// A player that waits for a controller.
pub struct Server {
    listener: TcpListener,
    table: Arc<Table>,
    limits: Limits,
    connections: Arc<AtomicUsize>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("listener", &self.listener).finish_non_exhaustive()
    }
}

impl Server {
    /// Listens at an address such as `127.0.0.1:9147`; port 0 takes any that is free.
    ///
    /// # Errors
    /// If the address cannot be had.
    pub fn bind(address: &str, options: Options) -> std::io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let limits = options.limits;
        let table = Arc::new(Table::new(options));
        Ok(Server { listener, table, limits, connections: Arc::default() })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is cancelled.
    ///
    /// # Errors
    /// If no more connections can be had.
    pub fn run(&self, cancel: &Cancel) -> std::io::Result<()> {
        while !cancel.is_cancelled() {
            match self.listener.accept() {
                Ok((stream, _)) => self.take(stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                // One connection that failed is no reason to turn the others away.
                Err(error) if is_passing(error.kind()) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn take(&self, mut stream: TcpStream) {
        let arrived = Instant::now();
        let connections = Arc::clone(&self.connections);
        if connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            connections.fetch_sub(1, Ordering::SeqCst);
            let _ = stream.set_nonblocking(false);
            let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = http::answer(&mut stream, 503, "(error \"too many connections\")");
            return;
        }
        let (table, limits) = (Arc::clone(&self.table), self.limits);
        let counted = Arc::clone(&connections);
        let served = std::thread::Builder::new().name("connection".to_owned()).spawn(move || {
            serve(&mut stream, &table, &limits, arrived);
            counted.fetch_sub(1, Ordering::SeqCst);
        });
        if served.is_err() {
            connections.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

fn is_passing(kind: ErrorKind) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, TimedOut};
    // Too many open files shows as `Other` or has no name: it passes as connections end.
    matches!(kind, ConnectionAborted | ConnectionReset | Interrupted | TimedOut)
        || !matches!(kind, ErrorKind::InvalidInput | ErrorKind::NotConnected)
}

fn serve(stream: &mut TcpStream, table: &Table, limits: &Limits, arrived: Instant) {
    let set = stream
        .set_nonblocking(false)
        .and_then(|()| stream.set_read_timeout(Some(limits.time)))
        .and_then(|()| stream.set_write_timeout(Some(limits.time)))
        .and_then(|()| stream.set_nodelay(true));
    if set.is_err() {
        return;
    }
    let (status, body) = match http::read(stream, limits) {
        None => return,
        Some(Request::Options) => (200, String::new()),
        Some(Request::Refused(status, reason)) => (status, error(reason).1),
        // A mistake of ours must not end the player: the controller gets an error, and it goes on.
        Some(Request::Message(text)) => {
            let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                table.answer(&text, arrived)
            }));
            answered.unwrap_or_else(|_| (500, error("a fault of the player").1))
        }
    };
    let _ = http::answer(stream, status, &body);
}
