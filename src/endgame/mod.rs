//! Endgames: the result of every board with a few seeds, worked out in memory.
//!
//! No capture puts seeds back, so boards fall into **levels** by the seeds in their pits, and a level rests on those
//! below it. Within a level boards are numbered without gaps ([`Numbering`]), and two bytes a board say all there is:
//!
//! - Where the lead only adds ([`Rules::LEAD_ADDS`]) a board has a **gain**: what the side to move will bank from here
//!   on more than the other side does. A cycle gains nothing. Its final difference is the lead and the gain.
//! - In `awari` a side wins outright by capturing everything, and a game ends at 25, so the result depends on the lead
//!   as well. It never gets worse with a larger store, so two **thresholds** tell it for every lead: the smallest store
//!   with which the side to move wins, and the smallest with which it does not lose.
//! - In `oware` a repetition hands out the rows, which no board knows by itself: it has no endgames here.
//!
//! # Why the values are right
//! Where nothing can cycle (`kalah`, `awari1978`) a board's value is the best that its moves offer, and the recursion
//! ends. Where cycles leave the score as it stands, a value v better than the score that stands must be forced in
//! finitely many moves. Starting with every board at what a cycle pays and taking the best that the moves offer, over
//! and over, finds exactly the boards from which v is forced in one move, two, and so on; the same holds for the other
//! side below the score that stands. When nothing changes any more both have all they can force, and what is left is
//! play that never ends.

mod acyclic;
mod cyclic;
mod number;

use crate::game::{Board, Cycle, Flag, Rules, Variant, Verdict};
use crate::value::{Proof, Score, Value, by_margin};
pub use number::{Boards, Numbering, count};
use once_cell::sync::OnceCell;

/// No level has more seeds: 52 million boards.
pub const MOST_SEEDS: u8 = 17;

/// What is known of the boards of a level: two bytes each.
#[derive(Debug)]
pub(crate) struct Level {
    /// The gain, or the smallest store that wins.
    first: Vec<u8>,
    /// The gain when the move is the second of its turn, or the smallest store that does not lose. Empty where neither
    /// is needed.
    second: Vec<u8>,
}

/// The levels of every rule set, as far as they have been built. Shared by all who search.
#[derive(Debug, Default)]
pub struct Endgames {
    levels: [[OnceCell<Level>; MOST_SEEDS as usize + 1]; Variant::ALL.len()],
}

/// Whether a rule set has endgames.
#[must_use]
pub const fn covers<R: Rules>() -> bool {
    R::LEAD_ADDS || R::SWEEP_WINS
}

impl Endgames {
    /// No levels.
    #[must_use]
    pub fn new() -> Endgames {
        Endgames::default()
    }

    /// The one set that all searches of this process share: facts do not depend on who found them.
    #[must_use]
    pub fn shared() -> &'static Endgames {
        static SHARED: OnceCell<Endgames> = OnceCell::new();
        SHARED.get_or_init(Endgames::new)
    }

    /// Up to how many seeds all levels of a rule set are there.
    #[must_use]
    pub fn built<R: Rules>(&self) -> Option<u8> {
        let levels = &self.levels[R::VARIANT as usize];
        levels
            .iter()
            .take_while(|level| level.get().is_some())
            .count()
            .checked_sub(1)
            .map(|seeds| seeds as u8)
    }

    /// Builds what is missing of the levels up to so many seeds. Says whether they are all there; if not, it was
    /// stopped.
    pub fn build<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        let levels = &self.levels[R::VARIANT as usize];
        for seeds in 0..=seeds.min(MOST_SEEDS) {
            let built = levels[usize::from(seeds)].get_or_try_init(|| {
                let below = Below { levels: &levels[..usize::from(seeds)] };
                let level = match R::CYCLE {
                    Cycle::Impossible => acyclic::level::<R>(seeds, below, stop),
                    Cycle::ScoreStands | Cycle::EndsGame => cyclic::level::<R>(seeds, below, stop),
                };
                level.ok_or(())
            });
            if built.is_err() {
                return false;
            }
        }
        true
    }

    /// What is certain of a board that is not over, if its level has been built.
    #[must_use]
    #[inline]
    pub fn probe<R: Rules>(&self, board: Board, seeds: u8) -> Option<Score> {
        let level = self.levels[R::VARIANT as usize].get(usize::from(seeds))?.get()?;
        let rank = Numbering::get().rank(board);
        if R::LEAD_ADDS {
            let column = if board.has(Flag::SecondMove) { &level.second } else { &level.first };
            let gain = column[rank] as i8;
            return Some(Score { value: by_margin(board.lead() + gain), proof: Proof::EXACT });
        }
        let (store, seeds) = (board.mover.store(), seeds as i8);
        let (at_least, at_most) = (true, true);
        Some(if store >= level.first[rank] {
            let value = Value::ended(Verdict::Win, board.lead() - seeds);
            Score { value, proof: Proof { at_least, at_most: false } }
        } else if store >= level.second[rank] {
            Score { value: Value::DRAW, proof: Proof::EXACT }
        } else {
            let value = Value::ended(Verdict::Loss, board.lead() + seeds);
            Score { value, proof: Proof { at_least: false, at_most } }
        })
    }
}

/// The levels below the one that is being built; all of them are there.
#[derive(Clone, Copy)]
struct Below<'a> {
    levels: &'a [OnceCell<Level>],
}

impl Below<'_> {
    /// The two bytes of a board below.
    #[inline]
    fn of(&self, board: Board, seeds: u8) -> (u8, u8) {
        let level = self.levels[usize::from(seeds)].get().expect("levels are built from below");
        let rank = Numbering::get().rank(board);
        (level.first[rank], level.second.get(rank).copied().unwrap_or(0))
    }
}
