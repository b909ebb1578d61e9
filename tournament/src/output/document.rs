//! Beginning a document: it grows beside its place until it is complete.

use kroo::files::{self, Replacement};
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;

/// Begins a document for this path.
///
/// A file that exists is replaced only if it is empty, or begins as the new one will. So nothing that was named by mistake is lost.
/// Nobody else may be writing it: of two the one that comes last would win. Of all that is no file only `/dev/null` is taken.
pub(super) fn begin(path: &Path, beginning: &str) -> io::Result<Replacement> {
    if path.is_file() && !begins_with(path, beginning)? {
        let error = "something else is in this file and would be lost: give another name, or remove it";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, error));
    }
    if !files::is_null(path) && files::is_special(path) {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    let document = Replacement::begin_or_stream(path)?;
    document.keep_others_out()?;
    Ok(document)
}

/// Whether a file begins with a text, or is empty.
fn begins_with(path: &Path, text: &str) -> io::Result<bool> {
    let mut start = Vec::new();
    files::open(path)?.take(text.len() as u64).read_to_end(&mut start)?;
    Ok(start.is_empty() || start == text.as_bytes())
}

/// A path as a part of an address.
pub(super) fn percent_encoded(path: &OsStr) -> String {
    let encoded = |&byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    path.as_encoded_bytes().iter().map(encoded).collect()
}
