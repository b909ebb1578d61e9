//! Writes the files of databases, each whole or not at all (`kroo_core::endgames::probe::file` has the format).

use kroo_core::endgames::probe::database::Database;
use kroo_core::endgames::probe::file::Header;
use kroo_core::endgames::probe::plain_values::BLOCK;
use kroo_core::endgames::{EndgameFileError, Endgames, database_path};
use kroo_core::files;
use kroo_core::game::{Rules, Variant};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Writes the file of a database that is in memory.
///
/// # Errors
/// If it cannot be written.
///
/// # Panics
/// If the database is not there.
pub fn save<R: Rules>(endgames: &Endgames, folder: &Path, seeds: u8) -> Result<(), EndgameFileError> {
    let database = endgames.database::<R>(seeds).expect("the database is there");
    write_database(database, &database_path(folder, R::VARIANT, seeds), R::VARIANT, seeds)
}

pub fn write_database(
    database: &Database,
    path: &Path,
    variant: Variant,
    seeds: u8,
) -> Result<(), EndgameFileError> {
    let (thresholds, rare) = (database.thresholds.clone(), database.rare.clone());
    let header = Header { variant, seeds, bytes: database.values.len(), thresholds, rare };
    write_file(&header, path, &mut |from, block| {
        database.values.copy(from, block);
        Ok(())
    })
}

/// Writes a file. `fill` gives the values from a byte on; if it fails, no file is left.
pub fn write_file(
    header: &Header,
    path: &Path,
    fill: &mut dyn FnMut(usize, &mut [u8]) -> io::Result<()>,
) -> Result<(), EndgameFileError> {
    let written = files::replace_with(path, |file| {
        file.seek(SeekFrom::Start(header.start() as u64))?;
        let mut checksums = Vec::with_capacity(header.blocks());
        let mut block = vec![0; BLOCK.min(header.bytes)];
        for from in (0..header.bytes).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(header.bytes - from)];
            fill(from, block)?;
            checksums.push(crc32fast::hash(block));
            file.write_all(block)?;
        }
        file.rewind()?;
        file.write_all(&header.to_bytes(&checksums))
    });
    Ok(written?)
}
