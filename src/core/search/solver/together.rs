//! The solver in a proof that several threads share: where they part and meet again.
//!
//! All threads search the same claim, and what one proves the others find in the table. They part where every move has to be
//! searched: a move that another thread is searching is deferred, then looked up again, and only then searched, together with
//! that thread, which parts from it farther down. Now and then a thread looks up the boards on its path, and leaves those that
//! have been proven meanwhile.

use super::bounds::TableSlot;
use super::state::{Sharing, Solver};
use crate::game::{Board, Rules};
use crate::search::joint_proof::{Claim, ClaimAnswer};
use crate::search::smp::SmpState;
use crate::search::thread::SearchThread;

/// Seeds above the tablebase limit up to which boards are not shared; chosen, not measured with the moves shared now.
const NOT_SHARED: u8 = 8;
/// The limit to count from without a tablebase.
const WITHOUT_TABLEBASE: u8 = 10;

/// A thread's mark of a board that it searches.
pub(super) type Mark = Option<u64>;

impl<'a, R: Rules> Solver<'_, 'a, R> {
    /// Whether a board with `seeds` seeds is worth sharing.
    #[inline]
    pub fn is_shared(&self, seeds: u8) -> bool {
        self.sharing.is_some()
            && seeds > self.tablebase.limit.unwrap_or(WITHOUT_TABLEBASE).saturating_add(NOT_SHARED)
    }

    /// Adds a board to the path.
    #[inline]
    pub fn enter(&mut self, slot: TableSlot<'a>, target: i8) {
        if let Some(sharing) = &mut self.sharing {
            sharing.path.push((slot, target));
        }
    }

    /// Takes the last board from the path; returns the bound that another thread has proven of it, if that has stopped the
    /// search of this board.
    #[inline]
    pub fn leave(&mut self) -> Option<i8> {
        let sharing = self.sharing.as_mut()?;
        sharing.path.pop();
        let (index, bound) = sharing.proven.filter(|_| self.stop.stopped)?;
        if index != sharing.path.len() {
            return None;
        }
        sharing.proven = None;
        self.stop.stopped = false;
        Some(bound)
    }

    /// Whether another thread is searching a board.
    #[inline]
    pub fn is_searched_elsewhere(&self, slot: TableSlot<'_>) -> bool {
        self.sharing.as_ref().is_some_and(|sharing| sharing.proof().is_searched(key(slot)))
    }

    #[inline]
    pub fn mark(&self, slot: TableSlot<'_>) -> Mark {
        let sharing = self.sharing.as_ref()?;
        Some(key(slot)).filter(|&key| sharing.proof().start(key))
    }

    #[inline]
    pub fn unmark(&self, mark: Mark) {
        if let (Some(sharing), Some(key)) = (&self.sharing, mark) {
            sharing.proof().finish(key);
        }
    }

    /// Leaves what other threads have proven, and takes over the tablebase of the main thread.
    #[cold]
    pub fn look_at_others(&mut self) {
        let Some(sharing) = &mut self.sharing else { return };
        self.tablebase.limit = self.tablebase.limit.max(sharing.smp.tablebase_limit());
        if self.stop.stopped {
            return;
        }
        sharing.left = sharing.proof().is_over(sharing.number);
        sharing.proven = if sharing.left { None } else { sharing.find_proven() };
        self.stop.stopped = sharing.left || sharing.proven.is_some();
    }

    /// Proves a claim together with the helper threads: a bound, as of a node, and the move that reaches the target.
    pub fn prove_together(&mut self, smp: &'a SmpState, board: Board, claim: &Claim) -> Option<ClaimAnswer> {
        let number = smp.proof.open(claim.clone());
        let (own, left) = self.prove_part(Sharing::new(smp, number, false), board, claim);
        let other = smp.proof.close();
        if left && own.is_none() {
            (self.stop.stopped, self.stop.next_poll) = (false, 0);
            return other;
        }
        own
    }

    /// Proves a claim that is open; returns the answer, or whether this thread has left it.
    fn prove_part(
        &mut self,
        sharing: Sharing<'a>,
        board: Board,
        claim: &Claim,
    ) -> (Option<ClaimAnswer>, bool) {
        self.sharing = Some(sharing);
        let found = self.first_that_reaches(board, claim);
        let left = self.sharing.take().is_some_and(|sharing| sharing.left);
        (found, left)
    }
}

fn key(slot: TableSlot<'_>) -> u64 {
    slot.index | 1 << 63
}

/// A helper thread's part in the claim that is open, if one is.
pub fn help_to_prove<R: Rules>(thread: &mut SearchThread<'_, R>, smp: &SmpState, board: Board) {
    let Some((number, claim)) = smp.proof.claim() else { return };
    let limit = thread.stop.node_limit;
    let mut solver = Solver::new(thread, limit);
    let (found, left) = solver.prove_part(Sharing::new(smp, number, true), board, &claim);
    let Solver { counters, tablebase, stop, .. } = solver;
    let stopped = stop.stopped && !left;
    (thread.counters, thread.tablebase) = (counters, tablebase);
    (thread.stop.stopped, thread.stop.next_poll) = (stopped, 0);
    if let Some(found) = found {
        smp.proof.answer(number, found);
    }
}
