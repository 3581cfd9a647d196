//! The server: many connections at once, so that questions are answered while it thinks.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use patience::plan::Cancel;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::http::{self, Limits, failure};
use crate::matches::Matches;

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
/// How long a connection that is turned away may take to ask.
const TURNED_AWAY: Duration = Duration::from_secs(1);
/// How long connections may take to end with the player.
const LAST: Duration = Duration::from_millis(300);

/// A player that waits for a controller.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    matches: Arc<Matches>,
    limits: Limits,
}

impl Server {
    /// Listens at an address such as `127.0.0.1:9147`; port 0 takes any that is free.
    ///
    /// # Errors
    /// If the address cannot be had.
    pub fn bind(address: &str, options: Options) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let limits = options.limits;
        Ok(Server { listener, matches: Arc::new(Matches::new(options)), limits })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is cancelled; a match that is played then is ended.
    ///
    /// # Errors
    /// If no more connections can be had.
    pub fn run(&self, cancel: &Cancel) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("connection")
            .enable_all()
            .build()?;
        let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let served = runtime.block_on(async {
            let served = tokio::select! {
                served = self.accept(&free) => served,
                () = raised(cancel) => Ok(()),
            };
            // Searches end within milliseconds, and whoever waits for a move is told.
            self.matches.close();
            let _ = timeout(LAST, free.acquire_many(MOST_CONNECTIONS as u32)).await;
            served
        });
        runtime.shutdown_background();
        served
    }

    async fn accept(&self, free: &Arc<Semaphore>) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener.try_clone()?)?;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let permit = Arc::clone(free).try_acquire_owned().ok();
                    tokio::spawn(serve(stream, Arc::clone(&self.matches), self.limits, permit));
                }
                Err(error) if is_lasting(error.kind()) => return Err(error),
                // One connection that failed is no reason to turn the others away, and too many
                // open files become fewer as connections end.
                Err(_) => sleep(Duration::from_millis(20)).await,
            }
        }
    }
}

fn is_lasting(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::NotConnected)
}

/// Done when the flag is raised.
async fn raised(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        sleep(Duration::from_millis(20)).await;
    }
}

/// Answers one request; without a permit, that there are too many.
async fn serve(
    stream: TcpStream,
    matches: Arc<Matches>,
    limits: Limits,
    permit: Option<OwnedSemaphorePermit>,
) {
    let arrived = Instant::now();
    let _ = stream.set_nodelay(true);
    let is_free = permit.is_some();
    let service = service_fn(|request| {
        let matches = Arc::clone(&matches);
        async move {
            if !is_free {
                let busy = failure(StatusCode::SERVICE_UNAVAILABLE, "too many connections");
                return Ok::<_, Infallible>(http::response(busy));
            }
            let until = (arrived + limits.time).into();
            let reply = match http::message(request, &limits, until).await {
                // Thinking blocks its thread. A mistake of ours must not end the player: the
                // controller gets an error, and it goes on.
                Ok(text) => tokio::task::spawn_blocking(move || matches.answer(&text, arrived))
                    .await
                    .unwrap_or_else(|_| {
                        failure(StatusCode::INTERNAL_SERVER_ERROR, "a fault of the player")
                    }),
                Err(reply) => reply,
            };
            Ok(http::response(reply))
        }
    });
    // As lenient as can be: controllers are often written by hand.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(if is_free { limits.time } else { TURNED_AWAY })
        .max_header_size(limits.head)
        .title_case_headers(true)
        .keep_alive(false)
        .half_close(true)
        .ignore_invalid_headers(true)
        .allow_multiple_spaces_in_request_line_delimiters(true)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    drop(permit);
}
