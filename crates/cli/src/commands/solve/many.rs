//! Many deals on all cores: the work, and how long it took.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use patience::plan::Cancel;
use serde::Serialize;

use crate::console::{duration, note};
use crate::values;

/// Works on every item, on so many threads, and gives the results in the order of the items; those
/// that were not begun when it was cancelled are `None`. A line of progress comes now and then.
pub(crate) fn on_all<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    cancel: &Cancel,
    progress: &(dyn Fn(&[Option<R>]) -> String + Sync),
    work: impl Fn(&T) -> R + Sync,
) -> Vec<Option<R>> {
    let begin = Instant::now();
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    let shown = Mutex::new(Instant::now());
    let worker = || {
        while !cancel.is_cancelled() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(item);
            let mut results = results.lock().expect("no thread panics with the lock held");
            results[index] = Some(result);
            let mut shown = shown.lock().expect("no thread panics with the lock held");
            if shown.elapsed() >= Duration::from_secs(2) && !cancel.is_cancelled() {
                *shown = Instant::now();
                let done = results.iter().flatten().count();
                let rest = items.len() - done;
                let each = begin.elapsed().as_secs_f64() / done as f64;
                let to_go = duration(each * rest as f64);
                let so_far = progress(&results);
                note(&format!("{done}/{}, {to_go} to go; {so_far}", items.len()));
            }
        }
    };
    std::thread::scope(|scope| {
        let start = |_: &usize| {
            let thread = std::thread::Builder::new();
            !cancel.is_cancelled() && thread.spawn_scoped(scope, worker).is_ok()
        };
        // A system that allows fewer threads gets fewer.
        if (0..threads.clamp(1, items.len().max(1))).take_while(start).count() == 0 {
            worker();
        }
    });
    results.into_inner().expect("no thread panics with the lock held")
}

/// More threads than any machine has use for; starting many more would take longer than the work.
const MOST_THREADS: usize = 1024;

/// Reads a number of threads; clap says which option it was.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let read = values::whole(text).ok().and_then(|n| usize::try_from(n).ok());
    let read = read.filter(|n| *n <= MOST_THREADS);
    read.ok_or_else(|| format!("expected a number of threads up to {MOST_THREADS}"))
}

/// Cores to work on if nobody says how many.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How times are spread, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Times {
    pub(crate) median: f64,
    pub(crate) mean: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl Times {
    pub(crate) fn of(mut seconds: Vec<f64>) -> Times {
        if seconds.is_empty() {
            return Times::default();
        }
        seconds.sort_by(f64::total_cmp);
        let quantile = |q: f64| {
            let rank = (q * seconds.len() as f64).ceil() as usize;
            seconds[rank.clamp(1, seconds.len()) - 1]
        };
        Times {
            median: quantile(0.5),
            mean: seconds.iter().sum::<f64>() / seconds.len() as f64,
            p99: quantile(0.99),
            max: quantile(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [1, 3] {
            let squares = on_all(&items, threads, &Cancel::new(), &|_| String::new(), |&n| n * n);
            assert!(squares.into_iter().flatten().eq((0..100).map(|n| n * n)));
        }
    }

    #[test]
    fn times_are_nearest_ranks() {
        let times = Times::of((1..=200).map(f64::from).collect());
        assert_eq!(times, Times { median: 100.0, mean: 100.5, p99: 198.0, max: 200.0 });
    }
}
