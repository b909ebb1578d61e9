//! A level of the endgames: all boards with the same number of seeds, a byte a board, built in memory or mapped from a
//! file.
//!
//! Where boards have thresholds in place of gains, the byte is a code: an index into the level's table of thresholds. A
//! level can have more than 256 different thresholds. Then the 255 that most boards have get a code, and the last code
//! sends the few boards that are left to a list. Nothing is rounded, so what is said of a board does not depend on the
//! others.
//!
//! | byte of a board | `kalah`, `awari1978`, `ayoayo` | `awari`, `oware` |
//! |---|---|---|
//! | 0 to 255 | the gain, a signed number of seeds | a code: below the number of thresholds an index into them, otherwise the list has the board |
//!
//! Where a turn can have a second move (`awari1978`) the level has two planes: the bytes of all boards, then the bytes of
//! all boards in which the second move is due.

use super::error::EndgameFileError;
use super::indexing::CODES;
use super::mapped_values::{BLOCK, MappedValues};
use super::packed_values::PackedValues;
use super::thresholds::Thresholds;
use crate::game::Board;
use std::convert::Infallible;

/// What is known of the boards of a level.
#[derive(Debug)]
pub struct EndgameLevel {
    /// By the index of a board: its gain, or the code of its thresholds.
    pub codes: Codes,
    /// The thresholds that the codes stand for, in order. None where codes are gains; a code behind the last one is that
    /// of a board in the list.
    pub thresholds: Vec<Thresholds>,
    /// The boards whose thresholds have no code, by their indices, in order.
    pub rare: Vec<(u64, Thresholds)>,
}

/// The bytes of a level.
#[derive(Debug)]
pub enum Codes {
    /// In memory.
    Built(Vec<u8>),
    /// In a file.
    Mapped(MappedValues),
    /// In a packed file.
    Packed(Box<PackedValues>),
}

impl Codes {
    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "a level has a value at least")]
    pub fn len(&self) -> usize {
        match self {
            Codes::Built(bytes) => bytes.len(),
            Codes::Mapped(values) => values.len(),
            Codes::Packed(values) => values.len(),
        }
    }

    /// The byte with an index, of a block that has been checked.
    #[inline]
    pub fn get(&self, index: usize) -> u8 {
        match self {
            Codes::Built(bytes) => bytes[index],
            Codes::Mapped(values) => values[index],
            Codes::Packed(values) => values.value(index),
        }
    }

    /// The bytes from an index on. In a packed file this is slow.
    pub fn copy(&self, from: usize, to: &mut [u8]) {
        match self {
            Codes::Built(bytes) => to.copy_from_slice(&bytes[from..][..to.len()]),
            Codes::Mapped(values) => to.copy_from_slice(&values[from..][..to.len()]),
            Codes::Packed(values) => values.copy(from, to),
        }
    }

    /// Calls a function with all bytes, one stretch after the other, from which index on each is, until it fails.
    pub fn each_stretch<E>(&self, mut each: impl FnMut(usize, &[u8]) -> Result<(), E>) -> Result<(), E> {
        match self {
            Codes::Built(bytes) => each(0, bytes),
            Codes::Mapped(values) => each(0, values),
            Codes::Packed(values) => values.each_stretch(each),
        }
    }
}

impl EndgameLevel {
    /// A level from the gain of each board.
    pub fn of_gains(gains: Vec<u8>) -> EndgameLevel {
        EndgameLevel { codes: Codes::Built(gains), thresholds: Vec::new(), rare: Vec::new() }
    }

    /// The byte with an index. If its block has not been read before, it is checked.
    #[inline]
    pub fn code(&self, index: usize) -> u8 {
        match &self.codes {
            Codes::Packed(values) => values.value(index),
            _ => self.code_of(index, Board::default),
        }
    }

    /// The same for those who have the board.
    #[inline]
    fn code_of(&self, index: usize, board: impl FnOnce() -> Board) -> u8 {
        match &self.codes {
            Codes::Built(bytes) => bytes[index],
            Codes::Mapped(values) => {
                if !values.is_checked(index) {
                    self.check_block(values, index / BLOCK);
                }
                values[index]
            }
            Codes::Packed(values) => values.value_of(index, board),
        }
    }

    #[cold]
    fn check_block(&self, values: &MappedValues, block: usize) {
        values.check(block, |from, codes| self.explains(from, codes));
    }

    /// Whether each of the codes from an index on stands for thresholds, or for a board in the list.
    fn explains(&self, from: usize, codes: &[u8]) -> bool {
        let next = self.thresholds.len();
        if next == 0 || next == CODES {
            return true;
        }
        if self.rare.is_empty() {
            return codes.iter().max().is_none_or(|&code| usize::from(code) < next);
        }
        let place = |index: usize| self.rare.partition_point(|&(rare, _)| rare < index as u64);
        let listed = &self.rare[place(from)..place(from + codes.len())];
        codes.iter().filter(|&&code| usize::from(code) >= next).count() == listed.len()
            && listed.iter().all(|&(index, _)| usize::from(codes[index as usize - from]) == next)
    }

    /// Checks all that has not been read yet.
    pub(super) fn check_all(&self, threads: usize) -> Result<(), EndgameFileError> {
        match &self.codes {
            Codes::Built(_) => Ok(()),
            Codes::Mapped(values) => values.check_all(threads, |from, codes| self.explains(from, codes)),
            Codes::Packed(values) => values.check_all(threads, |from, codes| self.explains(from, codes)),
        }
    }

    /// The same with the values of a packed file in memory, for those who read them all over.
    pub(super) fn unpacked(mut self) -> EndgameLevel {
        if let Codes::Packed(values) = &self.codes {
            let mut all = Vec::with_capacity(values.len());
            let Ok(()) = values.each_stretch(|_, stretch| {
                all.extend(stretch);
                Ok::<(), Infallible>(())
            });
            if !values.is_lost() {
                self.codes = Codes::Built(all);
            }
        }
        self
    }

    /// The thresholds of the board with an index.
    #[inline]
    pub fn thresholds(&self, index: usize) -> Thresholds {
        self.thresholds_of_code(self.code(index), index)
    }

    /// The same for those who have the board.
    #[inline]
    pub(super) fn thresholds_of(&self, board: Board, index: usize) -> Thresholds {
        self.thresholds_of_code(self.code_of(index, || board), index)
    }

    #[inline]
    fn thresholds_of_code(&self, code: u8, index: usize) -> Thresholds {
        match self.thresholds.get(usize::from(code)) {
            Some(&thresholds) => thresholds,
            None => self.rare_thresholds(index),
        }
    }

    #[cold]
    fn rare_thresholds(&self, index: usize) -> Thresholds {
        let found = self.rare.binary_search_by_key(&(index as u64), |&(index, _)| index);
        found.map(|place| self.rare[place].1).unwrap_or_else(|_| {
            // Somebody has written into the file.
            self.lose();
            self.thresholds.first().copied().unwrap_or(Thresholds([0; 2]))
        })
    }

    /// The gain of a board, or of the byte with this index.
    #[inline]
    pub(super) fn gain(&self, index: usize, seeds: u8) -> i8 {
        let gain = self.code(index) as i8;
        if gain.unsigned_abs() > seeds {
            self.lose();
            return 0;
        }
        gain
    }

    /// Whether what was read of it so far counts: its file was not cut off or overwritten meanwhile.
    #[inline]
    pub fn is_sound(&self) -> bool {
        match &self.codes {
            Codes::Built(_) => true,
            Codes::Mapped(values) => !values.is_lost(),
            Codes::Packed(values) => !values.is_lost(),
        }
    }

    /// Whether it is mapped from a file.
    #[inline]
    pub(super) fn is_mapped(&self) -> bool {
        !matches!(self.codes, Codes::Built(..))
    }

    /// Nothing of its file counts any more.
    #[cold]
    fn lose(&self) {
        match &self.codes {
            Codes::Built(_) => {}
            Codes::Mapped(values) => values.lose(),
            Codes::Packed(values) => values.lose(),
        }
    }

    /// Why its file is not used any more, once, if it is not.
    pub fn take_lost(&self) -> Option<EndgameFileError> {
        match &self.codes {
            Codes::Built(_) => None,
            Codes::Mapped(values) => values.take_lost(),
            Codes::Packed(values) => values.take_lost(),
        }
    }
}
