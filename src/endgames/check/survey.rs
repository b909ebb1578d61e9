//! Statistics of an endgame file.

use kroo_core::endgames::probe::database_files::{check_database, find_database};
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::file::{DatabaseFile, identify};
use kroo_core::endgames::probe::indexing::{MAX_SEEDS, board_count};
use kroo_core::game::{Board, ROW, Row, Rules, Variant, Verdict};
use kroo_core::thread_pool::ThreadPool;
use kroo_core::under;
use kroo_core::value::{Proof, Score, by_margin};
use std::fs;
use std::path::Path;

/// A database in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Its seeds.
    pub seeds: u8,
    /// The number of boards.
    pub boards: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// The number of thresholds with a code; 0 where the byte of a board is the gain.
    pub codes: usize,
    /// The number of boards whose thresholds have no code.
    pub rare: usize,
    /// Boards that the side to move loses, draws and wins with level stores, or one seed behind if they cannot be level; in
    /// `oware`, only the certain ones.
    pub results: [u64; 3],
    /// Boards whose value is known exactly.
    pub exact: u64,
}

/// The figures of a file, which is checked, and its rule set.
///
/// # Errors
/// If it is no sound file of endgames.
pub fn survey(path: &Path, threads: &ThreadPool) -> Result<(Variant, Survey), EndgameFileError> {
    let (variant, seeds) = identify(path)?;
    under!(variant, R => measure::<R>(path, seeds, threads)).map(|survey| (variant, survey))
}

/// The figures of all databases of a rule set in a folder, from the first database to the first gap, or the fault of a file.
pub fn survey_all(
    folder: &Path,
    variant: Variant,
    threads: &ThreadPool,
) -> Vec<Result<Survey, EndgameFileError>> {
    let there = (0..=MAX_SEEDS).map_while(|seeds| Some((seeds, find_database(folder, variant, seeds)?)));
    there.map(|(seeds, path)| under!(variant, R => measure::<R>(&path, seeds, threads))).collect()
}

fn measure<R: Rules>(path: &Path, seeds: u8, threads: &ThreadPool) -> Result<Survey, EndgameFileError> {
    let database = check_database(&DatabaseFile::of_database::<R>(seeds), path, threads)?;
    let store = (R::SEEDS - seeds) / 2;
    let rest = R::SEEDS - seeds - store;
    let board = Board { mover: Row::new([0; ROW], store), other: Row::new([0; ROW], rest) };
    let mut survey = Survey {
        seeds,
        boards: board_count(seeds) as u64,
        bytes: fs::metadata(path).map_or(0, |data| data.len()),
        codes: database.thresholds.len(),
        rare: database.rare.len(),
        ..Survey::default()
    };
    let mut add = |boards: u64, verdict: Option<Verdict>, exact: bool| {
        if let Some(verdict) = verdict {
            survey.results[verdict as usize] += boards;
        }
        survey.exact += if exact { boards } else { 0 };
    };
    let mut codes = [0u64; 256];
    database.values.each_stretch(|from, stretch| {
        let first_plane = board_count(seeds).saturating_sub(from).min(stretch.len());
        stretch[..first_plane].iter().for_each(|&code| codes[usize::from(code)] += 1);
    });
    for (code, &boards) in codes.iter().enumerate().filter(|(_, boards)| **boards > 0) {
        if R::LEAD_ADDS {
            let value = by_margin(board.lead() + code as u8 as i8);
            add(boards, Score { value, proof: Proof::EXACT }.proven(), true);
        } else if let Some(thresholds) = database.thresholds.get(code) {
            add(boards, thresholds.result::<R>(board, seeds), thresholds.is_exact::<R>());
        }
    }
    for (_, thresholds) in &database.rare {
        add(1, thresholds.result::<R>(board, seeds), thresholds.is_exact::<R>());
    }
    Ok(survey)
}
