//! Opening the file of an origin: created, or locked and compared.

use super::Seal;
use super::error::RecordError;
use super::growing::GrowingFile;
use super::origin::{HeaderFault, Origin};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// The file of an origin, locked unless it is only read.
#[derive(Debug)]
pub(super) struct OwnFile {
    pub grown: GrowingFile,
    pub seal: Seal,
    /// Bytes of the header.
    pub header: u64,
    /// Whether it has just been created.
    pub is_new: bool,
}

impl OwnFile {
    /// Opens or creates a file and locks it. One of another origin stays as it is.
    pub fn open(path: &Path, origin: &Origin) -> Result<OwnFile, RecordError> {
        let mut grown = GrowingFile::open(path)?;
        let header = origin.to_bytes();
        let is_new = is_begun(&grown, &header).map_err(|source| grown.unread(source))?;
        if is_new {
            grown.begin(&header)?;
        } else {
            compare(&grown, origin)?;
        }
        Ok(OwnFile::of(grown, &header, is_new))
    }

    /// Opens a file for reading, without a lock.
    pub fn read_only(path: &Path, origin: &Origin) -> Result<OwnFile, RecordError> {
        let grown = GrowingFile::read_only(path)?;
        compare(&grown, origin)?;
        Ok(OwnFile::of(grown, &origin.to_bytes(), false))
    }

    fn of(grown: GrowingFile, header: &[u8], is_new: bool) -> OwnFile {
        let (seal, header) = (Seal { header: crc32fast::hash(header) }, header.len() as u64);
        OwnFile { grown, seal, header, is_new }
    }
}

/// Whether a file is empty, or the end of this header has not reached the disk: a file system leaves zeros for it.
fn is_begun(grown: &GrowingFile, header: &[u8]) -> io::Result<bool> {
    let mut bytes = Vec::new();
    let mut file = grown.file();
    file.rewind()?;
    file.take(header.len() as u64).read_to_end(&mut bytes)?;
    let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    Ok(grown.end() <= header.len() as u64 && written < header.len() && header.starts_with(&bytes[..written]))
}

fn compare(grown: &GrowingFile, origin: &Origin) -> Result<(), RecordError> {
    let (format, known) = origin.format();
    let fault = |fault: HeaderFault| fault.of(grown.path(), format, known);
    let mut file: &File = grown.file();
    file.rewind().map_err(|source| grown.unread(source))?;
    let (found, _) = Origin::read(&mut file, origin.format()).map_err(fault)?;
    found.difference(origin, grown.path()).map_or(Ok(()), Err)
}
