//! The server: what it is given, and its life.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use patience::plan::Cancel;
use patience::{Registry, registry};
use tower_http::compression::CompressionLayer;

use crate::guard::guard;
use crate::limits::Limits;
use crate::listen::Bounded;
use crate::search::{Searches, Short};
use crate::{api, page};

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The host to bind to: an address or a name.
    pub host: String,
    /// The port; 0 is any free one.
    pub port: u16,
    /// The stores whose experiments the laboratory shows.
    pub stores: Vec<PathBuf>,
    /// What is given at most.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        let host = "127.0.0.1".to_owned();
        Options { host, port: 8080, stores: Vec::new(), limits: Limits::default() }
    }
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be had.
    #[error("cannot listen on {host}:{port}: {source}")]
    Bind {
        /// The host asked for.
        host: String,
        /// The port asked for.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// The system fails.
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) registry: &'static Registry,
    pub(crate) host: String,
    pub(crate) stores: Vec<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) hints: Searches,
    pub(crate) solves: Searches,
    pub(crate) short: Short,
    /// Reports over whole stores take longer: moves do not wait for them.
    pub(crate) reports: Short,
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    runtime: tokio::runtime::Runtime,
    listener: tokio::net::TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    end: Cancel,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("web")
            .enable_all()
            .build()?;
        let Options { host, port, stores, limits } = options;
        let bound = runtime.block_on(tokio::net::TcpListener::bind((host.as_str(), port)));
        let listener =
            bound.map_err(|source| ServeError::Bind { host: host.clone(), port, source })?;
        let address = listener.local_addr()?;
        let end = Cancel::new();
        let shared = Arc::new(Shared {
            registry: registry(),
            host,
            stores,
            limits,
            hints: Searches::new(limits.searches, end.clone()),
            solves: Searches::new(limits.solves, end.clone()),
            short: Short::new(limits.replays),
            reports: Short::new(limits.replays),
        });
        Ok(Server { runtime, listener, address, shared, end })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is done; searches that run then are ended.
    ///
    /// # Errors
    /// If the system fails.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server { runtime, listener, shared, end, .. } = self;
        let limits = shared.limits;
        let app: Router = Router::new()
            .nest("/api", api::routes())
            .fallback(page::asset)
            .layer(from_fn_with_state(Arc::clone(&shared), guard))
            // Events are sent as they come: those are left as they are.
            .layer(CompressionLayer::new())
            .layer(DefaultBodyLimit::max(limits.body))
            .with_state(shared);
        runtime.block_on(async move {
            let listener = Bounded::new(listener, &limits);
            tokio::select! {
                served = async { axum::serve(listener, app).await } => served,
                () = stop => Ok(()),
            }
        })?;
        end.cancel();
        // Searches see the flag within milliseconds; nothing else is left to wait for.
        runtime.shutdown_timeout(std::time::Duration::from_millis(300));
        Ok(())
    }
}
