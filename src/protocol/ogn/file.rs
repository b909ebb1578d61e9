//! Game files on disk.

use super::error::{OgnError, Place, ReadError};
use super::record::GameRecord;
use super::text_reader::Reader;
use kroo_core::files::{self, WriteError};
use kroo_core::game::Variant;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Maximum bytes of a file that is read into memory as a whole, some sixty thousand games.
const LARGEST: u64 = 64 << 20;

/// Why games cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum FileError {
    #[error("{} cannot be read: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {error}", .path.display())]
    Text { path: PathBuf, error: OgnError },
    #[error("{}: no game in this file", .path.display())]
    Empty { path: PathBuf },
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The games of a file, at least one.
///
/// # Errors
/// If it cannot be read or has no game; otherwise the first fault with its place.
pub fn open(path: &Path) -> Result<Vec<GameRecord>, FileError> {
    open_as(path, None)
}

/// The same, with a rule set for games without the tag `Variant`.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, untagged: Option<Variant>) -> Result<Vec<GameRecord>, FileError> {
    let file = files::open_at_most(path, LARGEST);
    read(file.map_err(|source| FileError::Read { path: path.to_owned(), source })?, path, untagged)
}

/// The games of an input, at least one. Errors call it `name`. `untagged` is the rule set of games without the tag `Variant`.
///
/// # Errors
/// As [`open`].
pub fn read(input: impl Read, name: &Path, untagged: Option<Variant>) -> Result<Vec<GameRecord>, FileError> {
    Ok(read_placed(input, name, untagged)?.into_iter().map(|(_, record)| record).collect())
}

/// The same, with the place where each begins.
fn read_placed(
    input: impl Read,
    name: &Path,
    untagged: Option<Variant>,
) -> Result<Vec<(Place, GameRecord)>, FileError> {
    let named = || name.to_owned();
    let failed = |error| FileError::Text { path: named(), error };
    let mut reader = Reader::new(BufReader::new(input.take(LARGEST + 1)));
    let records: Result<Vec<(Place, GameRecord)>, FileError> = reader
        .by_ref()
        .map(|text| match text {
            Ok(text) => Ok((text.begins, text.play_as(untagged).map_err(failed)?)),
            Err(ReadError::Text(error)) => Err(failed(error)),
            Err(ReadError::Io { error, .. }) => Err(FileError::Read { path: named(), source: error }),
        })
        .collect();
    if reader.get_ref().get_ref().limit() == 0 {
        return Err(FileError::Read { path: named(), source: files::too_large(LARGEST) });
    }
    records.and_then(
        |records| if records.is_empty() { Err(FileError::Empty { path: named() }) } else { Ok(records) },
    )
}

/// Replaces a file by games, atomically. A device or a pipe is written to directly.
///
/// # Errors
/// If it cannot be written; an old file is then unchanged.
pub fn save(path: &Path, records: &[GameRecord]) -> Result<(), FileError> {
    let text: String = records.iter().map(GameRecord::to_string).collect();
    Ok(files::replace_or_stream(path, text.as_bytes())?)
}

/// The text of a file and the places of its games. One can be replaced; the others stay as they are, byte by byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileText {
    bytes: Vec<u8>,
    /// The first byte of each game.
    begins: Vec<usize>,
}

impl FileText {
    /// A file with its games, at least one.
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(path: &Path) -> Result<(FileText, Vec<GameRecord>), FileError> {
        let read_error = |source| FileError::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        let file = files::open_at_most(path, LARGEST).map_err(read_error)?;
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(read_error)?;
        let (places, records): (Vec<Place>, _) = read_placed(&bytes[..], path, None)?.into_iter().unzip();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index + 1);
        let lines: Vec<usize> = std::iter::once(0).chain(ends).collect();
        let begins = places.into_iter().map(|place| place.offset(&bytes, &lines)).collect();
        Ok((FileText { bytes, begins }, records))
    }

    /// Replaces a file by this text, atomically. A device or a pipe is written to directly.
    ///
    /// # Errors
    /// If it cannot be written; an old file is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        Ok(files::replace_or_stream(path, &self.bytes)?)
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.begins.len()
    }

    /// Replaces the game at an index, or appends it as the last one.
    pub fn put(&mut self, index: usize, record: &GameRecord) {
        if index >= self.games() {
            // A blank line ends the game before.
            while !self.bytes.is_empty() && !self.bytes.ends_with(b"\n\n") {
                self.bytes.push(b'\n');
            }
            self.begins.push(self.bytes.len());
        }
        let index = index.min(self.games() - 1);
        let (begin, old) = (self.begins[index], self.bytes.len());
        let end = self.begins.get(index + 1).copied().unwrap_or(old);
        self.bytes.splice(begin..end, record.to_string().into_bytes());
        let new = self.bytes.len();
        self.begins[index + 1..].iter_mut().for_each(|place| *place = *place + new - old);
    }
}
