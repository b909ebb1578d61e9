//! The faults of endgame files, in words that say what to do.

use crate::files::records::RecordError;
use crate::files::{WriteError, for_shell, shown};
use crate::game::Variant;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file of endgames cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum EndgameFileError {
    /// A file or folder cannot be read.
    #[error("the endgames {} cannot be read: {source}", shown(.path))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The bytes of the file are not those of a database.
    #[error(
        "{} is not a sound file of endgames: {error}; delete it, then `{}` makes it again",
        shown(.path), build_command(*.variant, *.seeds, .path.parent())
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: EndgameFormatError,
        /// The rule set that it should be of.
        variant: Variant,
        /// The database that it should be.
        seeds: u8,
    },
    /// Another program has cut the file off or written into it since it was mapped.
    #[error(
        "{} has been changed or cut off while it was in use; it is left out until the engine starts again", shown(.path)
    )]
    Lost {
        /// The file.
        path: PathBuf,
    },
    /// The unfinished file of a build or of packing cannot be used.
    #[error(transparent)]
    Unfinished(#[from] RecordError),
    /// A file cannot be written.
    #[error("the endgames {0}")]
    Write(#[from] WriteError),
}

/// A fault in the bytes of an endgame file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameFormatError {
    /// The first bytes are others.
    #[error("it does not begin with KROO-END")]
    Magic,
    /// The first bytes of a packed file are others.
    #[error("it does not begin with KROO-PAK")]
    Packed,
    /// The version is not known.
    #[error("it has version {found} of the format, this engine reads version {known}")]
    Version {
        /// The version.
        found: u16,
        /// The version that this engine reads.
        known: u16,
    },
    /// It ends too early or too late.
    #[error("it has {found} bytes where {expected} are expected")]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The header is not what was written.
    #[error("the checksum of its header is {expected:08x}, and the file records {found:08x}")]
    Header {
        /// The checksum that the file records.
        found: u32,
        /// The checksum of its bytes.
        expected: u32,
    },
    /// It is another database.
    #[error("it says that it is {found}")]
    OtherDatabase {
        /// The database that it is.
        found: String,
    },
    /// The header contradicts itself, the database, or the codes.
    #[error("its header {0}")]
    Inconsistent(&'static str),
    /// The bytes between its parts, or after them, are not zeros.
    #[error("its padding is not zeros")]
    Padding,
    /// A block is not what was written.
    #[error("block {block} of {blocks} (from byte {byte} on) does not have its checksum")]
    Block {
        /// Which one, from 1.
        block: usize,
        /// The number of blocks.
        blocks: usize,
        /// The offset of the block in the file.
        byte: u64,
    },
}

/// The command that builds the files of up to `seeds` seeds, in a folder or in the user's.
pub fn build_command(variant: Variant, seeds: u8, folder: Option<&Path>) -> String {
    let out = folder.map_or_else(String::new, |folder| format!(" --out {}", for_shell(folder)));
    format!("kroo endgame build --variant {variant} --seeds {seeds}{out}")
}
