//! Searches on threads of their own, told as server-sent events, ended when nobody listens.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use patience::plan::Cancel;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_stream::Stream;

use crate::failure::Failure;

/// So many searches at once.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    free: Arc<Semaphore>,
    /// Raised when the server ends.
    end: Cancel,
}

/// A running search, told of through its events; the search ends with it.
struct Events {
    receiver: mpsc::Receiver<Event>,
    cancel: Cancel,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(cx).map(|event| event.map(Ok))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Where a search says what it knows.
pub(crate) struct Tell {
    sender: mpsc::Sender<Event>,
    cancel: Cancel,
    end: Cancel,
    _permit: OwnedSemaphorePermit,
}

impl Tell {
    /// The flag that ends the search.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Says what is known by now. A client that reads slowly misses some of it; one that has gone
    /// ends the search.
    pub(crate) fn now(&self, value: &impl Serialize) {
        if self.end.is_cancelled() || self.sender.is_closed() {
            self.cancel.cancel();
        }
        if let Ok(event) = Event::default().event("now").json_data(value) {
            let _ = self.sender.try_send(event);
        }
    }

    /// Says the end.
    fn end(&self, end: Result<impl Serialize, Failure>) {
        let event = match end {
            Ok(value) => Event::default().event("done").json_data(&value),
            Err(failure) => {
                let error = serde_json::json!({ "error": failure.message() });
                Event::default().event("failed").json_data(error)
            }
        };
        if let Ok(event) = event {
            let _ = self.sender.blocking_send(event);
        }
    }
}

/// Events that wait for a slow client.
const WAITING: usize = 8;

impl Searches {
    pub(crate) fn new(most: usize, end: Cancel) -> Self {
        Searches { free: Arc::new(Semaphore::new(most)), end }
    }

    fn permit(&self) -> Result<OwnedSemaphorePermit, Failure> {
        Arc::clone(&self.free).try_acquire_owned().map_err(|_| Failure::busy())
    }

    /// Runs a search and streams what it tells.
    ///
    /// # Errors
    /// If too many run already.
    pub(crate) fn stream<R: Serialize>(
        &self,
        work: impl FnOnce(&Tell) -> Result<R, Failure> + Send + 'static,
    ) -> Result<Response, Failure> {
        let permit = self.permit()?;
        let (sender, receiver) = mpsc::channel(WAITING);
        let cancel = Cancel::new();
        let tell = Tell { sender, cancel: cancel.clone(), end: self.end.clone(), _permit: permit };
        spawn(move || {
            let end = work(&tell);
            tell.end(end);
        })?;
        let events = Events { receiver, cancel };
        Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
    }

    /// Runs a search and waits for its result; who goes away ends it.
    pub(crate) async fn answer<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let permit = self.permit()?;
        let cancel = Cancel::new();
        let raised = Raise(cancel.clone());
        let (sender, receiver) = oneshot::channel();
        spawn(move || {
            let _ = sender.send(work(&cancel));
            drop(permit);
        })?;
        let result = receiver.await;
        drop(raised);
        result.unwrap_or_else(|_| Err(fault("the search ended without an answer")))
    }
}

/// Raises a flag when it is dropped.
struct Raise(Cancel);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn fault(message: &str) -> Failure {
    Failure::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, message)
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = std::thread::Builder::new().name("search".to_owned());
    thread.spawn(work).map(drop).map_err(|_| Failure::busy())
}
