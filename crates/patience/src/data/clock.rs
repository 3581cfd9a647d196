//! Processor time: what a result has cost, however busy the machine was.

#[cfg(unix)]
mod system {
    use rustix::time::{ClockId, clock_gettime};

    fn seconds(clock: ClockId) -> f64 {
        let time = clock_gettime(clock);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    pub(crate) fn thread() -> f64 {
        seconds(ClockId::ThreadCPUTime)
    }

    pub(crate) fn process() -> f64 {
        seconds(ClockId::ProcessCPUTime)
    }
}

/// Elsewhere the time that passes.
#[cfg(not(unix))]
mod system {
    use std::sync::LazyLock;
    use std::time::Instant;

    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub(crate) fn thread() -> f64 {
        BEGIN.elapsed().as_secs_f64()
    }

    pub(crate) fn process() -> f64 {
        thread()
    }
}

pub(super) use system::{process, thread};
