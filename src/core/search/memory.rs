//! What a search leaves for the searches after it: the transposition table, and next to it what the endgames need.

use super::budget::BuildBudget;
use super::result::Plies;
use super::table::{OutOfMemory, TranspositionTable};
use crate::endgame::ConversionTable;
use crate::game::{Board, Rules, Variant};
use crate::value::Value;
use ahash::AHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What searches share with those after them, on any number of threads.
pub struct SearchMemory {
    #[doc(hidden)]
    pub transpositions: TranspositionTable,
    pub(super) budget: BuildBudget,
    conversion: Mutex<Option<ConversionTable>>,
    won: Mutex<WonBoards>,
}

/// Boards that earlier searches have proven to be won for their mover, by rule set: at least how, and within how many plies.
type WonBoards = AHashMap<(Variant, Board), (Value, Plies)>;

/// Most of them that are kept.
const MAX_WON_BOARDS: usize = 4096;

impl SearchMemory {
    /// A transposition table of so many MiB, at least one. The memory is not touched before it is used, or until [`touch`](SearchMemory::touch).
    ///
    /// # Errors
    /// If there is not that much memory.
    pub fn new(mebibytes: usize) -> Result<SearchMemory, OutOfMemory> {
        let transpositions = TranspositionTable::new(mebibytes)?;
        Ok(SearchMemory {
            transpositions,
            budget: BuildBudget::default(),
            conversion: Mutex::default(),
            won: Mutex::default(),
        })
    }

    /// Has the system find the memory now, so that the first searches need not wait for it.
    pub fn touch(&self) {
        self.transpositions.touch();
    }

    /// The same after another one, whose searches have paid for endgames that later games may use.
    #[must_use]
    pub fn after(self, old: &SearchMemory) -> SearchMemory {
        self.budget.go_on_from(&old.budget);
        self
    }

    /// Forgets everything but what searches have paid for endgames.
    pub fn clear(&self) {
        self.transpositions.clear();
        self.budget.clear();
        *self.conversion() = None;
        self.won().clear();
    }

    /// What earlier searches have proven of a board that their winner can come to: at least a win, within so many plies. It
    /// does not depend on how the board came about.
    pub(super) fn won_board<R: Rules>(&self, board: Board) -> Option<(Value, Plies)> {
        self.won().get(&(R::VARIANT, board)).copied()
    }

    /// Adds a board that is proven to be won for its mover.
    pub(super) fn add_won_board<R: Rules>(&self, board: Board, (value, settles): (Value, Plies)) {
        let mut won = self.won();
        if won.len() >= MAX_WON_BOARDS {
            won.clear();
        }
        won.insert((R::VARIANT, board), (value, settles));
    }

    fn won(&self) -> MutexGuard<'_, WonBoards> {
        self.won.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The conversion table that was built last.
    pub(super) fn conversion(&self) -> MutexGuard<'_, Option<ConversionTable>> {
        // A thread that panics with the lock leaves a whole conversion table or none.
        self.conversion.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
