//! Probes on tape, to measure what one costs inside a search: `cargo bench --bench endgame --features tape -- probes`.
//!
//! A clock around each probe would take longer than the probe. So a search is run again and again, each time the same: once
//! what its probes answer is taken down, then the answers are read from the tape, sometimes beside the probes and
//! sometimes in their place. The difference in time is the probes', with everything in and around them that only a search
//! has: the order of the boards, and caches that are full of other things.

use crate::value::Score;
use std::cell::RefCell;

/// What the tape is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tape {
    /// Nothing.
    #[default]
    Off,
    /// Answers are taken down.
    Records,
    /// Answers are read from it beside the probes.
    Beside,
    /// Answers are read from it, and nothing is probed.
    Instead,
}

#[derive(Debug, Default)]
struct Reel {
    tape: Tape,
    answers: Vec<Option<Score>>,
    next: usize,
}

thread_local! {
    static REEL: RefCell<Reel> = RefCell::default();
}

impl Tape {
    /// Begins with this, for the probes of this thread. Says how many answers are on the tape.
    pub fn begin(self) -> usize {
        REEL.with_borrow_mut(|reel| {
            (reel.tape, reel.next) = (self, 0);
            if self == Tape::Records {
                reel.answers.clear();
            }
            reel.answers.len()
        })
    }
}

/// A probe, or what takes its place.
#[inline]
pub(super) fn through(probe: impl FnOnce() -> Option<Score>) -> Option<Score> {
    REEL.with_borrow_mut(|reel| match reel.tape {
        Tape::Off => probe(),
        Tape::Records => {
            let answer = probe();
            reel.answers.push(answer);
            answer
        }
        Tape::Beside | Tape::Instead => {
            let answer = reel.answers[reel.next];
            reel.next += 1;
            if reel.tape == Tape::Instead {
                return answer;
            }
            std::hint::black_box(answer);
            probe()
        }
    })
}
