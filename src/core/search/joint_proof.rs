//! A claim that all threads of a search prove together (`solver/together.rs`), and the boards being searched for it.
//!
//! Marks of boards being searched defer them for the other threads (J.-C. Weill, "The ABDADA distributed minimax search
//! algorithm", ICCA Journal 19, 1996).

use crate::game::Pit;
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Places for marks: many more than the boards that all threads mark at a time.
const MARKS: usize = 1024;
/// The number of no claim.
const NONE: u64 = 0;

/// Moves of the root, and the margin that one of them may reach.
#[derive(Clone, Default)]
pub struct Claim {
    pub pits: ArrayVec<Pit, 6>,
    pub target: i8,
}

/// A bound of the best margin, and the move that reaches the target, if any does.
pub type ClaimAnswer = (i8, Option<Pit>);

/// The claim that the threads of a search prove, if any.
pub struct JointProof {
    /// The number of the open claim, or [`NONE`].
    open: AtomicU64,
    last: Mutex<LastClaim>,
    /// Keys of the boards being searched, 0 for none; a key has one place.
    marks: Box<[AtomicU64]>,
}

#[derive(Default)]
struct LastClaim {
    number: u64,
    claim: Claim,
    answer: Option<ClaimAnswer>,
}

impl Default for JointProof {
    fn default() -> JointProof {
        let marks = (0..MARKS).map(|_| AtomicU64::new(0)).collect();
        JointProof { open: AtomicU64::new(NONE), last: Mutex::default(), marks }
    }
}

impl JointProof {
    fn last(&self) -> MutexGuard<'_, LastClaim> {
        // No code that can panic runs while the lock is held, so a poisoned lock is usable.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a claim is open.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed) != NONE
    }

    /// Whether a claim has been answered or given up.
    #[inline]
    pub fn is_over(&self, number: u64) -> bool {
        self.open.load(Ordering::Relaxed) != number
    }

    /// Opens a claim and returns its number.
    pub fn open(&self, claim: Claim) -> u64 {
        let mut last = self.last();
        *last = LastClaim { number: last.number + 1, claim, answer: None };
        self.open.store(last.number, Ordering::Relaxed);
        last.number
    }

    /// The open claim and its number.
    pub fn claim(&self) -> Option<(u64, Claim)> {
        let last = self.last();
        (self.is_open() && !self.is_over(last.number)).then(|| (last.number, last.claim.clone()))
    }

    /// Answers a claim, unless another thread has, or it is given up.
    pub fn answer(&self, number: u64, answer: ClaimAnswer) {
        let mut last = self.last();
        if !self.is_over(number) {
            last.answer = Some(answer);
            self.open.store(NONE, Ordering::Relaxed);
        }
    }

    /// Closes the claim, and returns the answer of another thread.
    pub fn close(&self) -> Option<ClaimAnswer> {
        self.open.store(NONE, Ordering::Relaxed);
        self.last().answer
    }

    #[inline]
    fn mark(&self, key: u64) -> &AtomicU64 {
        &self.marks[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % MARKS]
    }

    /// Whether a thread is searching the board with a key, which is not 0.
    #[inline]
    pub fn is_searched(&self, key: u64) -> bool {
        self.mark(key).load(Ordering::Relaxed) == key
    }

    /// Marks a board as being searched; returns whether its place was free.
    #[inline]
    pub fn start(&self, key: u64) -> bool {
        self.mark(key).compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Removes the mark that [`start`](JointProof::start) made.
    #[inline]
    pub fn finish(&self, key: u64) {
        self.mark(key).store(0, Ordering::Relaxed);
    }
}
