//! A trace of probes, recorded and replayed, to measure what a probe costs inside a search:
//! `cargo bench -p bench --bench endgame --features probe-trace -- probes`.
//!
//! A clock around each probe would take longer than the probe. So a search is run again and again, each time the same. The
//! first run records the answers of its probes. In the others the answers are replayed, in some runs in addition to the probes
//! and in some instead of them. The difference in time is the cost of the probes, with everything that only a search has: the
//! order of the boards, and caches that are full of other things.

use crate::value::Score;
use std::cell::RefCell;

/// The mode of the trace of this thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProbeTrace {
    /// Nothing.
    #[default]
    Off,
    /// Answers are recorded.
    Record,
    /// Answers are replayed, and the board is probed all the same.
    ReplayBeside,
    /// Answers are replayed, and nothing is probed.
    ReplayInstead,
}

#[derive(Debug, Default)]
struct Trace {
    mode: ProbeTrace,
    answers: Vec<Option<Score>>,
    next: usize,
}

thread_local! {
    static TRACE: RefCell<Trace> = RefCell::default();
}

impl ProbeTrace {
    /// Starts this mode, at the beginning of the trace of this thread. Returns how many answers the trace has.
    pub fn begin(self) -> usize {
        TRACE.with_borrow_mut(|trace| {
            (trace.mode, trace.next) = (self, 0);
            if self == ProbeTrace::Record {
                trace.answers.clear();
            }
            trace.answers.len()
        })
    }
}

/// A probe, or its replayed answer.
#[inline]
pub fn traced(probe: impl FnOnce() -> Option<Score>) -> Option<Score> {
    TRACE.with_borrow_mut(|trace| match trace.mode {
        ProbeTrace::Off => probe(),
        ProbeTrace::Record => {
            let answer = probe();
            trace.answers.push(answer);
            answer
        }
        ProbeTrace::ReplayBeside | ProbeTrace::ReplayInstead => {
            let answer = trace.answers[trace.next];
            trace.next += 1;
            if trace.mode == ProbeTrace::ReplayInstead {
                return answer;
            }
            std::hint::black_box(answer);
            probe()
        }
    })
}
