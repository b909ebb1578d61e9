//! What can be wrong with a file of endgames, in words that say what to do.

use crate::files::{WriteError, shown};
use crate::game::Variant;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file of endgames cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A file or folder cannot be read.
    #[error("the endgames {} cannot be read: {source}", shown(.path))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no sound level.
    #[error(
        "{} is not a sound file of endgames: {fault}; delete it, then `kroo endgame build --variant {variant} --seeds \
         {seeds} --out {}` makes it again", shown(.path), folder(.path)
    )]
    Fault {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
        /// The rule set that it should be of.
        variant: Variant,
        /// The level that it should be.
        seeds: u8,
    },
    /// A file cannot be written.
    #[error("the endgames {0}")]
    Write(#[from] WriteError),
}

/// What is wrong with a file of endgames.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It begins otherwise.
    #[error("it does not begin with KROO-END")]
    Magic,
    /// It is of a version that is not known here.
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
    #[error("the checksum of its header is {found:08x}, and the header has {expected:08x}")]
    Header {
        /// What the file says.
        found: u32,
        /// What its bytes give.
        expected: u32,
    },
    /// It is another level.
    #[error("it says that it is {found}")]
    Other {
        /// What it is.
        found: String,
    },
    /// The header says what cannot be.
    #[error("its header {0}")]
    Absurd(&'static str),
    /// A block is not what was written.
    #[error("block {block} of {blocks} (from byte {byte} on) does not have its checksum")]
    Block {
        /// Which one, from 1.
        block: usize,
        /// How many there are.
        blocks: usize,
        /// Where it begins in the file.
        byte: u64,
    },
}

fn folder(path: &Path) -> String {
    path.parent().map_or_else(String::new, |folder| folder.display().to_string().escape_debug().to_string())
}
