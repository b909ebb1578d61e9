//! The memory that later searches reuse: the transposition table, boards proven won, and the bookkeeping of the endgames.

use super::budget::BuildBudget;
use super::result::Plies;
use super::table::{OutOfMemory, TranspositionTable};
use crate::endgame::ConversionTable;
use crate::game::{Board, Pit, Rules, Variant};
use crate::value::Value;
use ahash::AHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The memory that searches share with later ones, on any number of threads.
pub struct SearchMemory {
    #[doc(hidden)]
    pub transpositions: TranspositionTable,
    pub(super) budget: BuildBudget,
    conversion: Mutex<Option<ConversionTable>>,
    won: Mutex<WonBoards>,
}

/// Boards proven won for their mover, by rule set.
type WonBoards = AHashMap<(Variant, Board), Win>;

/// A proven win of a board's mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    /// The move that wins, if it is known.
    pub pit: Option<Pit>,
    /// At least what it wins.
    pub value: Value,
    /// Plies within which the win is realised.
    pub settles: Plies,
}

/// Maximum number of boards in [`WonBoards`].
const MAX_WON_BOARDS: usize = 4096;

impl SearchMemory {
    /// A transposition table of `mebibytes` MiB, at least one. Its pages are not touched before they are used, or until
    /// [`touch`](SearchMemory::touch).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mebibytes: usize) -> Result<SearchMemory, OutOfMemory> {
        let transpositions = TranspositionTable::new(mebibytes)?;
        Ok(SearchMemory {
            transpositions,
            budget: BuildBudget::default(),
            conversion: Mutex::default(),
            won: Mutex::default(),
        })
    }

    /// Allocates the pages now, so that the first searches do not wait for them.
    pub fn touch(&self) {
        self.transpositions.touch();
    }

    /// This memory with the build budget of an older one, so that later games may use the endgames its searches have paid for.
    #[must_use]
    pub fn after(self, old: &SearchMemory) -> SearchMemory {
        self.budget.go_on_from(&old.budget);
        self
    }

    /// Clears everything but the nodes that have paid for endgames.
    pub fn clear(&self) {
        self.transpositions.clear();
        self.budget.clear();
        *self.conversion() = None;
        self.won().clear();
    }

    /// The win that earlier searches have proven for the mover of a board. It does not depend on the path.
    pub(super) fn won_board<R: Rules>(&self, board: Board) -> Option<Win> {
        self.won().get(&(R::VARIANT, board)).copied()
    }

    /// Adds a board proven won for its mover.
    pub(super) fn add_won_board<R: Rules>(&self, board: Board, win: Win) {
        let mut won = self.won();
        if won.len() >= MAX_WON_BOARDS {
            won.clear();
        }
        won.insert((R::VARIANT, board), win);
    }

    fn won(&self) -> MutexGuard<'_, WonBoards> {
        self.won.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last conversion table.
    pub(super) fn conversion(&self) -> MutexGuard<'_, Option<ConversionTable>> {
        // A thread that panics while it holds the lock leaves a complete conversion table or none.
        self.conversion.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
