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
        let tell = Tell { sender, cancel: cancel.clone(), end: self.end.clone() };
        spawn(move || {
            let end = work(&tell);
            // The search is over, however slowly what it found is read.
            drop(permit);
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

/// Work that is short and yet not for the threads that serve connections: replaying a game, reading a
/// store. So much at once; the rest waits.
#[derive(Clone, Debug)]
pub(crate) struct Short(Arc<Semaphore>);

impl Short {
    pub(crate) fn new(most: usize) -> Self {
        Short(Arc::new(Semaphore::new(most)))
    }

    /// Waits for its turn and does it; who goes away before gives the turn to the next.
    ///
    /// # Errors
    /// That of the work; a fault of ours if it ends without an answer.
    pub(crate) async fn work<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let permit = Arc::clone(&self.0).acquire_owned().await.map_err(|_| Failure::busy())?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        done.await.unwrap_or_else(|_| Err(fault("the work ended without an answer")))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// A browser that reads nothing keeps its connection, but not the place of a search.
    #[test]
    fn a_search_that_is_over_gives_its_place_back_though_nobody_reads() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        let searches = Searches::new(1, Cancel::new());
        let unread = searches.stream(|tell| {
            (0..2 * WAITING).for_each(|n| tell.now(&n));
            Ok(0)
        });
        let unread = unread.unwrap();
        let begin = Instant::now();
        while searches.permit().is_err() {
            assert!(begin.elapsed() < Duration::from_secs(60), "its place is still taken");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(unread);
    }

    /// One that waits and goes away takes no turn.
    #[test]
    fn short_work_is_done_a_few_at_a_time() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let short = Short::new(2);
        let running = Arc::new(std::sync::Mutex::new((0, 0)));
        runtime.block_on(async {
            let all: Vec<_> = (0..20)
                .map(|n| {
                    let (short, running) = (short.clone(), Arc::clone(&running));
                    tokio::spawn(async move {
                        short
                            .work(move || {
                                {
                                    let mut now = running.lock().unwrap();
                                    now.0 += 1;
                                    now.1 = now.1.max(now.0);
                                }
                                std::thread::sleep(Duration::from_millis(5));
                                running.lock().unwrap().0 -= 1;
                                assert!(n != 7, "a fault of ours");
                                Ok(n)
                            })
                            .await
                    })
                })
                .collect();
            all[3].abort();
            let mut done = 0;
            for one in all {
                done += u32::from(matches!(one.await, Ok(Ok(_))));
            }
            assert!((18..=19).contains(&done), "{done}");
        });
        assert_eq!(running.lock().unwrap().1, 2);
        assert!(runtime.block_on(short.work(|| Ok(()))).is_ok());
    }
}
