//! A file that cannot be written.

use kroo::files::why;
use std::io;
use std::path::PathBuf;

/// An output could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", .path.display(), why(.path, .error))]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}
