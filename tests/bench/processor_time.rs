//! Processor time.

use rustix::time::{ClockId, clock_gettime};

/// The processor time of a clock, in seconds.
pub fn on_processor(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
