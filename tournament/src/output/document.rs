//! Documents: files that are complete or absent. A document grows in a temporary file of its folder, and gets its name at the
//! end.

use crate::failure::Failure;
use kroo::files::{self, Replacement, why};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Told the path of a temporary file before the file is made, to remove it after a kill.
pub(super) type Know<'a> = &'a dyn Fn(&Path);

/// A document that is being written.
#[derive(Debug)]
pub(super) struct Document {
    /// As the user has named it.
    pub path: PathBuf,
    pub file: BufWriter<Replacement>,
}

impl Document {
    /// Begins a document.
    ///
    /// An existing file is replaced only if it is empty, or begins as the new one will: a file named by mistake is not lost. The
    /// place is locked: of two writers the second would win. Of special files only `/dev/null` is accepted.
    pub fn begin(path: &Path, beginning: &str, know: Know<'_>) -> Result<Document, Failure> {
        let begin = || {
            if path.is_file() && !begins_with(path, beginning)? {
                let error =
                    "something else is in this file and would be lost: give another name, or remove it";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, error));
            }
            if !files::is_null(path) && files::is_special(path) {
                return Err(io::Error::other("it is a pipe or a device, not a file"));
            }
            let document = Replacement::begin_or_stream(path, know)?;
            document.keep_others_out()?;
            let mut file = BufWriter::new(document);
            file.write_all(beginning.as_bytes())?;
            Ok(file)
        };
        let file = begin().map_err(failed(path))?;
        Ok(Document { path: path.to_path_buf(), file })
    }

    /// Adds to the document.
    pub fn add(
        &mut self,
        write: impl FnOnce(&mut BufWriter<Replacement>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        write(&mut self.file).map_err(failed(&self.path))
    }

    /// Moves the document to its place.
    pub fn commit(self) -> Result<(), Failure> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(Replacement::commit).map_err(failed(&self.path))
    }
}

/// An error with a file.
pub(super) fn failed(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::at(path.display(), why(path, &error))
}

/// Whether a file begins with a text, or is empty.
fn begins_with(path: &Path, text: &str) -> io::Result<bool> {
    let mut start = Vec::new();
    files::open(path)?.take(text.len() as u64).read_to_end(&mut start)?;
    Ok(start.is_empty() || start == text.as_bytes())
}
