//! The faults of endgame files, in words that say what to do.

use crate::files::records::RecordError;
use crate::files::{WriteError, for_shell, shown};
use crate::game::Variant;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file of endgames cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum EndgameFileError {
    #[error("the endgames {} cannot be read: {source}", shown(.path))]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "{} is not a sound file of endgames: {error}; delete it, then `{}` makes it again",
        shown(.path), build_command(*.variant, *.seeds, .path.parent())
    )]
    Format { path: PathBuf, error: EndgameFormatError, variant: Variant, seeds: u8 },
    #[error(
        "{} has been changed or cut off while it was in use; it is left out until the engine starts again", shown(.path)
    )]
    Lost { path: PathBuf },
    #[error(transparent)]
    Unfinished(#[from] RecordError),
    #[error("the endgames {0}")]
    Write(#[from] WriteError),
}

/// A fault in the bytes of an endgame file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameFormatError {
    #[error("it does not begin with KROO-END")]
    Magic,
    #[error("it does not begin with KROO-PAK")]
    Packed,
    #[error("it has version {found} of the format, this engine reads version {known}")]
    Version { found: u16, known: u16 },
    #[error("it has {found} bytes where {expected} are expected")]
    Length { found: u64, expected: u64 },
    #[error("the checksum of its header is {expected:08x}, and the file records {found:08x}")]
    Header {
        found: u32,
        /// The checksum of its bytes.
        expected: u32,
    },
    #[error("it says that it is {found}")]
    OtherDatabase { found: String },
    #[error("its header {0}")]
    Inconsistent(&'static str),
    #[error("its padding is not zeros")]
    Padding,
    #[error("block {block} of {blocks} (from byte {byte} on) does not have its checksum")]
    Block { block: usize, blocks: usize, byte: u64 },
}

/// The command that builds the files of up to `seeds` seeds, in a folder or in the user's.
pub fn build_command(variant: Variant, seeds: u8, folder: Option<&Path>) -> String {
    let out = folder.map_or_else(String::new, |folder| format!(" --out {}", for_shell(folder)));
    format!("kroo endgame build --variant {variant} --seeds {seeds}{out}")
}
