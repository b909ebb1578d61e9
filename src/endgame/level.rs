//! A level: a byte a board, built in memory or mapped from a file.
//!
//! Where boards have worths in place of gains the byte says which of the level's worths a board has. A level can have
//! more than 256 of them: then the 255 that most boards have get a byte, and the last byte sends the few boards that
//! are left to a list. Nothing is rounded, so what is said of a board does not depend on its neighbours.

use super::fault::FileError;
use super::file::{Head, Kind};
use super::worth::Worth;
use crate::game::Variant;
use memmap2::Mmap;
use std::ops::Deref;
use std::path::Path;

/// Worths that a byte can tell apart.
const CODES: usize = 256;

/// What is known of the boards of a level.
#[derive(Debug)]
pub(crate) struct Level {
    /// By the number of a board: its gain, or which of the worths it has.
    pub(super) codes: Codes,
    /// The worths that the codes stand for, in order. None where codes are gains; a code behind the last one is that of
    /// a board in the list.
    pub(super) worths: Vec<Worth>,
    /// The boards whose worth has no code, by their numbers, in order.
    pub(super) rare: Vec<(u64, Worth)>,
}

/// The bytes of a level.
#[derive(Debug)]
pub(super) enum Codes {
    /// In memory.
    Built(Vec<u8>),
    /// In a file, from a byte of it on.
    Mapped(Mmap, usize),
}

impl Deref for Codes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Codes::Built(bytes) => bytes,
            Codes::Mapped(map, from) => &map[*from..],
        }
    }
}

impl Level {
    /// A level from the gain of each board.
    pub(super) fn of_gains(gains: Vec<u8>) -> Level {
        Level { codes: Codes::Built(gains), worths: Vec::new(), rare: Vec::new() }
    }

    /// A level from the worth of each board.
    pub(super) fn of_worths(boards: impl Iterator<Item = Worth> + Clone) -> Level {
        Level::with_codes(boards, CODES)
    }

    fn with_codes(boards: impl Iterator<Item = Worth> + Clone, most: usize) -> Level {
        let mut counts = vec![0u64; 1 << 16];
        for worth in boards.clone() {
            counts[usize::from(worth.bits())] += 1;
        }
        let mut worths: Vec<u16> = (0..=u16::MAX).filter(|&bits| counts[usize::from(bits)] > 0).collect();
        let too_many = worths.len() > most;
        if too_many {
            worths.sort_by_key(|&bits| (std::cmp::Reverse(counts[usize::from(bits)]), bits));
            worths.truncate(most - 1);
            worths.sort_unstable();
        }
        let mut codes = vec![worths.len() as u8; 1 << 16];
        for (code, &bits) in worths.iter().enumerate() {
            codes[usize::from(bits)] = code as u8;
        }
        let coded = boards.clone().map(|worth| codes[usize::from(worth.bits())]).collect();
        let mut level = Level {
            codes: Codes::Built(coded),
            worths: worths.into_iter().map(Worth::of_bits).collect(),
            rare: Vec::new(),
        };
        if too_many {
            let last = level.worths.len();
            let numbered = (0..).zip(boards);
            let is_rare = |&(number, _): &(u64, Worth)| usize::from(level.codes[number as usize]) == last;
            level.rare = numbered.filter(is_rare).collect();
        }
        level
    }

    /// The worth of a board.
    #[inline]
    pub(super) fn worth(&self, number: usize) -> Worth {
        match self.worths.get(usize::from(self.codes[number])) {
            Some(&worth) => worth,
            None => self.rare_worth(number),
        }
    }

    /// Writes the file of a level, whole or not at all.
    pub(super) fn write(&self, path: &Path, variant: Variant, seeds: u8) -> Result<(), FileError> {
        let (worths, rare) = (self.worths.clone(), self.rare.clone());
        let head = Head { kind: Kind::Whole, variant, seeds, bytes: self.codes.len(), worths, rare };
        head.write(path, &|from, block| block.copy_from_slice(&self.codes[from..from + block.len()]))
    }

    #[cold]
    fn rare_worth(&self, number: usize) -> Worth {
        let found = self.rare.binary_search_by_key(&(number as u64), |&(number, _)| number);
        self.rare[found.expect("a board whose worth has no code is in the list")].1
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::Wanted;
    use super::*;

    #[test]
    fn no_number_of_worths_is_too_large() {
        // A skewed crowd: worth k at every board that k squared divides.
        let worth = |number: u64| {
            let root = (1..=40).rev().find(|root: &u64| number.is_multiple_of(root * root)).unwrap_or(0);
            Worth([root as u8, (3 * root) as u8])
        };
        let boards = (1..20_000).map(worth);
        for most in [2, 3, 17, 39, 40, 41, 256] {
            let mut level = Level::with_codes(boards.clone(), most);
            assert!(level.worths.len() <= most && level.worths.is_sorted());
            assert_eq!(level.rare.is_empty(), most >= 40, "{most}");
            let folder = tempfile::tempdir().expect("a folder");
            let (path, bytes) = (folder.path().join("level"), boards.clone().count());
            level.write(&path, Variant::Awari, 7).expect("a file");
            let wanted = Wanted { kind: Kind::Whole, variant: Variant::Awari, seeds: 7, bytes, coded: true };
            let mapped = wanted.level(&path, 2).expect("sound");
            for (number, worth) in boards.clone().enumerate() {
                assert_eq!([level.worth(number), mapped.worth(number)], [worth; 2], "{most}: {number}");
            }
            // A board that is left out of the list, or told of although it has a code.
            if let Some(first) = level.rare.first().copied() {
                let listed = level.rare.clone();
                for wrong in [listed[1..].to_vec(), [&[(first.0 + 1, first.1)], &listed[1..]].concat()] {
                    level.rare = wrong;
                    level.write(&path, Variant::Awari, 7).expect("a file");
                    assert!(wanted.level(&path, 1).is_err());
                }
            }
        }
    }
}
