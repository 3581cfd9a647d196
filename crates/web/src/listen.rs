//! Connections: no more than a few at once, none that is idle for long, and none that is only asking
//! for long.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

use crate::limits::Limits;

/// A listener that takes a connection only when one is free.
pub(crate) struct Bounded {
    listener: TcpListener,
    free: Arc<Semaphore>,
    idle: Duration,
    request: Duration,
}

impl Bounded {
    pub(crate) fn new(listener: TcpListener, limits: &Limits) -> Self {
        let free = Arc::new(Semaphore::new(limits.connections));
        Bounded { listener, free, idle: limits.idle, request: limits.request }
    }
}

impl Listener for Bounded {
    type Io = Watched;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Watched, SocketAddr) {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.free).acquire_owned().await.ok();
        let (stream, from) = Listener::accept(&mut self.listener).await;
        let _ = stream.set_nodelay(true);
        let sleep = Box::pin(tokio::time::sleep(self.idle));
        let (idle, request, asking) = (self.idle, self.request, None);
        (Watched { stream, sleep, idle, request, asking, _permit: permit }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when nothing moves on it for a while, or when a request comes byte by byte
/// for too long.
pub(crate) struct Watched {
    stream: TcpStream,
    sleep: Pin<Box<Sleep>>,
    idle: Duration,
    request: Duration,
    /// When the request that is not answered yet began to arrive.
    asking: Option<Instant>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Watched {
    /// Passes on what moved; what does not move may be over.
    fn seen<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            let next = Instant::now() + self.idle;
            self.sleep.as_mut().reset(next);
            return poll;
        }
        match self.sleep.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            // Who has asked sends nothing more before the answer, so that a search may take its time.
            let began = *self.asking.get_or_insert_with(Instant::now);
            if began.elapsed() > self.request {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        self.seen(cx, poll)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if poll.is_ready() {
            self.asking = None;
        }
        self.seen(cx, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
