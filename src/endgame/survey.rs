//! What a file of endgames holds, in figures.

use super::fault::FileError;
use super::file::{file_of, identify};
use super::{count, wanted};
use crate::game::{Board, ROW, Row, Rules, Variant, Verdict, Visitor};
use crate::value::{Score, by_margin};
use std::fs;
use std::path::Path;

/// A level in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Its seeds.
    pub seeds: u8,
    /// How many boards it has.
    pub boards: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// How many worths the boards have that are told apart by a byte; 0 where the byte is the gain.
    pub worths: usize,
    /// How many boards have another worth.
    pub rare: usize,
    /// Boards that the side to move loses, draws and wins when the stores are level (where they cannot be level, with one
    /// seed less than the other); in `oware`, only those of which that is certain.
    pub results: [u64; 3],
    /// Boards whose worth is known exactly.
    pub exact: u64,
}

/// The figures of a file, after checking it, and the rule set that it belongs to.
///
/// # Errors
/// If it is no sound file of endgames.
pub fn survey(path: &Path, threads: usize) -> Result<(Variant, Survey), FileError> {
    let (variant, seeds) = identify(path)?;
    variant.visit(Look { path, seeds, threads }).map(|survey| (variant, survey))
}

/// The figures of all levels of a rule set in a folder, as far as they follow on one another.
///
/// # Errors
/// If one of the files is not sound.
pub fn survey_all(folder: &Path, variant: Variant, threads: usize) -> Result<Vec<Survey>, FileError> {
    let path = |seeds| file_of(folder, variant, seeds);
    let there = (0..=super::MOST_SEEDS).take_while(|&seeds| path(seeds).exists());
    there.map(|seeds| variant.visit(Look { path: &path(seeds), seeds, threads })).collect()
}

struct Look<'a> {
    path: &'a Path,
    seeds: u8,
    threads: usize,
}

impl Visitor for Look<'_> {
    type Output = Result<Survey, FileError>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Look { path, seeds, threads } = self;
        let level = wanted::<R>(seeds).level(path, threads)?;
        let store = (R::SEEDS - seeds) / 2;
        let rest = R::SEEDS - seeds - store;
        let board = Board { mover: Row::new([0; ROW], store), other: Row::new([0; ROW], rest) };
        let mut survey = Survey {
            seeds,
            boards: count(seeds) as u64,
            bytes: fs::metadata(path).map_or(0, |data| data.len()),
            worths: level.worths.len(),
            rare: level.rare.len(),
            ..Survey::default()
        };
        let mut enter = |boards: u64, verdict: Option<Verdict>, exact: bool| {
            if let Some(verdict) = verdict {
                survey.results[verdict as usize] += boards;
            }
            survey.exact += if exact { boards } else { 0 };
        };
        let mut codes = [0u64; 256];
        level.codes[..count(seeds)].iter().for_each(|&code| codes[usize::from(code)] += 1);
        for (code, &boards) in codes.iter().enumerate().filter(|(_, boards)| **boards > 0) {
            if R::LEAD_ADDS {
                let value = by_margin(board.lead() + code as u8 as i8);
                enter(boards, Score { value, proof: crate::value::Proof::EXACT }.proven(), true);
            } else if let Some(worth) = level.worths.get(code) {
                enter(boards, worth.result::<R>(board, seeds), worth.is_exact::<R>());
            }
        }
        for (_, worth) in &level.rare {
            enter(1, worth.result::<R>(board, seeds), worth.is_exact::<R>());
        }
        Ok(survey)
    }
}
