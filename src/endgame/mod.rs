//! Endgames: the result of every board with a few seeds.
//!
//! No capture puts seeds back, so boards fall into **levels** by the seeds in their pits, and a level rests on those
//! below it. Within a level boards are numbered without gaps (`number.rs`), and one byte a board says all there is
//! (one for each kind of move where a turn can have a second). What it means:
//!
//! - **Gain** (`kalah`, `awari1978`, `ayoayo`; [`Rules::LEAD_ADDS`]): what the side to move will bank from here on more
//!   than the other side does. A cycle gains nothing. The final difference is the lead and the gain.
//! - **Thresholds** (`awari`; [`Rules::SWEEP_WINS`]): a side wins outright by capturing everything, and a game ends at
//!   25, so the result depends on the lead as well. It never gets worse with a larger store (below), so two numbers tell
//!   it for every lead: the smallest store with which the side to move wins, and the smallest with which it does not lose.
//! - **Bounds** (`oware`): a repetition hands out the rows, which no board knows by itself. So two numbers bound the
//!   mover's share of the seeds in the pits: what it is sure to get and what the other side cannot keep it from getting
//!   more than, whatever a repetition pays. They hold where no board can have been seen before: right after a capture,
//!   and in a position that was set up. Where they meet the share is exact.
//!
//! # Why the values are right
//! *No cycles.* A board's gain is the best that its moves offer, and every line ends.
//!
//! *Cycles that leave the score as it stands.* A value v better than the score that stands must be forced in finitely
//! many moves. Starting with every board at what a cycle pays and taking the best that the moves offer, over and over,
//! finds exactly the boards from which v is forced in one move, two, and so on; the same holds for the other side below
//! the score that stands. When nothing changes any more both have all they can force, and what is left is play that
//! never ends. In which order boards are taken does not matter: each v has its own set of boards that only grows, up to
//! the least set that is closed under the moves.
//!
//! *A larger store is never worse (`awari`).* Play the same moves: each capture is the same, a store reaches 25 no later
//! and the other no sooner, capturing everything wins with any store, and so does or does not the cycle. So the stores
//! with which a side wins reach up to the largest, and so do those with which it does not lose.
//!
//! *Bounds (`oware`).* Starting with "nothing is sure" and "everything is possible", the same passes find the shares that
//! are forced in finitely many moves, by lines in which no board comes back. So what a repetition pays does not enter.
//! A game also ends when a store passes 24; the rest stays on the board then. Who has forced enough for 25 wins, and so
//! does who passes 24 first: he has more than half. So the shares tell the winner, not the final difference.
//!
//! # Where what stands
//! `number.rs` numbers boards; `sweep.rs`, `relay.rs` and `acyclic.rs` build a level, one each for a kind of rule set, on
//! the threads of `crew.rs`; `worth.rs` has the thresholds and bounds; `moves.rs` their moves as tables. A level is kept
//! as `level.rs` has it, in memory or in a file (`file.rs`, `fault.rs`); `builder.rs` makes the files, one after the other, with
//! `part.rs` for a level in the making; `check.rs` and `brute.rs` check them, `survey.rs` and `explorer.rs` tell what is
//! in them; `tape.rs` is for measurements only.

mod acyclic;
mod brute;
mod builder;
mod check;
mod crew;
mod explorer;
mod fault;
mod file;
mod level;
mod moves;
mod number;
mod part;
mod relay;
mod survey;
mod sweep;
#[cfg(feature = "tape")]
mod tape;
mod worth;

use crate::game::{Board, Cycle, Flag, Rules, Variant};
use crate::value::{Proof, Score, by_margin};
pub use brute::Tried;
pub use builder::{BuildError, Event, Plan, build};
pub use check::{CheckError, CheckPlan, Checked, check};
use crew::Stopped;
pub use crew::{Crew, Stage};
pub use explorer::explain;
pub use fault::{Fault, FileError};
pub use file::file_of;
use file::{Kind, Wanted};
use level::Level;
use moves::Tables;
pub use number::{Boards, Numbering, Rows, count};
use once_cell::sync::OnceCell;
use part::Part;
use std::fs;
use std::path::Path;
pub use survey::{Survey, survey, survey_all};
#[cfg(feature = "tape")]
pub use tape::Tape;
use worth::Worth;

/// The largest level: all seeds of the game.
pub const MOST_SEEDS: u8 = 48;

/// The levels of every rule set, as far as they have been built. Shared by all who search.
#[derive(Debug, Default)]
pub struct Endgames {
    levels: [Vec<OnceCell<Level>>; Variant::ALL.len()],
}

impl Endgames {
    /// No levels.
    #[must_use]
    pub fn new() -> Endgames {
        let levels = std::array::from_fn(|_| (0..=MOST_SEEDS).map(|_| OnceCell::new()).collect());
        Endgames { levels }
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

    /// Builds what is missing of the levels up to so many seeds, on one thread. Says whether they are all there; if
    /// not, it was stopped.
    pub fn build<R: Rules>(&self, seeds: u8, stop: &mut dyn FnMut() -> bool) -> bool {
        self.build_with::<R>(seeds, &mut Crew { threads: 1, watch: &mut |_| stop() })
    }

    /// Builds what is missing of the levels up to so many seeds. Says whether they are all there; if not, it was
    /// stopped.
    pub fn build_with<R: Rules>(&self, seeds: u8, crew: &mut Crew<'_>) -> bool {
        let most = seeds.min(R::SEEDS);
        let work = Work { most, tables: OnceCell::new() };
        (0..=most).all(|seeds| {
            let cell = &self.levels[R::VARIANT as usize][usize::from(seeds)];
            if cell.get().is_some() {
                return true;
            }
            let level = self.make::<R>(seeds, &work, crew, &mut Part::none());
            // Who is second has worked in vain, but nobody has waited for another.
            level.map(|level| cell.set(level)).is_ok()
        })
    }

    /// Makes a level from those below it.
    fn make<R: Rules>(
        &self,
        seeds: u8,
        work: &Work,
        crew: &mut Crew<'_>,
        part: &mut Part,
    ) -> Result<Level, Stopped> {
        let below = Below { levels: &self.levels[R::VARIANT as usize][..usize::from(seeds)] };
        match R::CYCLE {
            Cycle::Impossible => acyclic::level::<R>(seeds, below, crew, part),
            _ if R::LEAD_ADDS => relay::level::<R>(seeds, below, crew, part),
            _ => {
                let tables = work.tables.get_or_init(|| Tables::new::<R>(work.most));
                sweep::level::<R>(seeds, below, tables, crew, part)
            }
        }
    }

    /// Maps the levels up to so many seeds from their files in a folder, as far as they follow on one another from the
    /// first, and are not there already. Says up to how many seeds all levels are there now.
    ///
    /// # Errors
    /// If the folder cannot be read, or a file that is needed is not what it should be. Nothing of such a file is used;
    /// the levels below it are there, as [`Endgames::built`] tells.
    pub fn open<R: Rules>(&self, folder: &Path, seeds: u8, threads: usize) -> Result<Option<u8>, FileError> {
        fs::read_dir(folder).map_err(|source| FileError::Read { path: folder.to_owned(), source })?;
        let levels = &self.levels[R::VARIANT as usize];
        for seeds in 0..=seeds.min(R::SEEDS) {
            let (cell, path) = (&levels[usize::from(seeds)], file_of(folder, R::VARIANT, seeds));
            if cell.get().is_none() {
                if !path.exists() {
                    break;
                }
                let level = wanted::<R>(seeds).level(&path, threads)?;
                // Whoever was quicker has found the same.
                let _ = cell.set(level);
            }
        }
        Ok(self.built::<R>())
    }

    /// Writes the file of a level, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If the level is not there.
    pub fn save<R: Rules>(&self, folder: &Path, seeds: u8) -> Result<(), FileError> {
        let level = self.levels[R::VARIANT as usize][usize::from(seeds)].get().expect("the level is there");
        level.write(&file_of(folder, R::VARIANT, seeds), R::VARIANT, seeds)
    }

    /// What is certain of a board that is not over, if its level has been built.
    #[must_use]
    #[inline]
    pub fn probe<R: Rules>(&self, board: Board, seeds: u8) -> Option<Score> {
        #[cfg(feature = "tape")]
        return tape::through(|| self.look_up::<R>(board, seeds));
        #[cfg(not(feature = "tape"))]
        self.look_up::<R>(board, seeds)
    }

    #[inline]
    fn look_up<R: Rules>(&self, board: Board, seeds: u8) -> Option<Score> {
        let level = self.levels[R::VARIANT as usize].get(usize::from(seeds))?.get()?;
        let rank = Numbering::get().rank(board);
        if R::LEAD_ADDS {
            let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
            let gain = level.codes[if second { rank + count(seeds) } else { rank }] as i8;
            return Some(Score { value: by_margin(board.lead() + gain), proof: Proof::EXACT });
        }
        level.worth(rank).score::<R>(board, seeds)
    }
}

/// What the levels of one build have in common.
#[derive(Debug)]
struct Work {
    /// The largest of them.
    most: u8,
    tables: OnceCell<Tables>,
}

/// Values of each board of a level.
fn planes<R: Rules>() -> usize {
    if R::SECOND_MOVE { 2 } else { 1 }
}

/// The file that has a level.
fn wanted<R: Rules>(seeds: u8) -> Wanted {
    let bytes = planes::<R>() * count(seeds);
    Wanted { kind: Kind::Whole, variant: R::VARIANT, seeds, bytes, coded: !R::LEAD_ADDS }
}

/// The levels below the one that is being built; all of them are there.
#[derive(Clone, Copy)]
struct Below<'a> {
    levels: &'a [OnceCell<Level>],
}

impl<'a> Below<'a> {
    #[inline]
    fn level(self, seeds: u8) -> &'a Level {
        self.levels[usize::from(seeds)].get().expect("levels are built from below")
    }

    /// The byte of a board below.
    #[inline]
    fn code(self, seeds: u8, number: usize) -> u8 {
        self.level(seeds).codes[number]
    }

    /// The worth of a board below.
    fn worth(self, seeds: u8, number: usize) -> Worth {
        self.level(seeds).worth(number)
    }

    /// The worths that the codes of a level stand for.
    fn worths(self, seeds: u8) -> &'a [Worth] {
        &self.level(seeds).worths
    }
}
