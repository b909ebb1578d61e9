//! The header of a file of records: its format, and all that its bytes depend on.
//!
//! It is text that `head` shows: a line for each field, and the CRC-32 of everything before.
//!
//! ```text
//! Kroo records 1
//! format: training data, version 3
//! rule set: kalah
//! nodes: 2000
//! check: 8c736521
//! ```

use super::error::RecordError;
use crate::printable::{clipped, line};
use std::fmt::Display;
use std::io::{self, Read};
use std::path::Path;

const FIRST: &str = "Kroo records 1\n";
/// The beginning of the first line, whatever the version of the header.
const MAGIC: &[u8] = b"Kroo records ";
const FORMAT: &str = "format: ";
const VERSION: &str = ", version ";
/// The beginning of the last line, which ends with eight hexadecimal digits.
const CHECK: &str = "check: ";
const LONGEST: u64 = 1 << 16;
/// Characters of a value that an error shows.
const SHOWN: usize = 80;

/// The inputs that determine the bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    format: String,
    version: u32,
    fields: Vec<(String, String)>,
}

/// Why bytes are no header of a format.
#[derive(Debug)]
pub(super) enum HeaderFault {
    Io(io::Error),
    Foreign,
    Version(String),
    Damaged,
}

impl HeaderFault {
    pub(super) fn of(self, path: &Path, format: &str, known: u32) -> RecordError {
        let (path, format) = (path.to_owned(), format.to_owned());
        match self {
            HeaderFault::Io(source) => RecordError::Read { path, source },
            HeaderFault::Foreign => RecordError::Foreign { path, expected: format },
            HeaderFault::Version(found) => RecordError::Version { path, format, found, known },
            HeaderFault::Damaged => RecordError::Damaged { path, sound: 0, records: 0 },
        }
    }
}

impl Origin {
    /// The origin of a file of this format, without fields.
    pub fn new(format: &str, version: u32) -> Origin {
        Origin { format: format.to_owned(), version, fields: Vec::new() }
    }

    /// The same with another field. A value is on one line.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Origin {
        self.fields.push((name.to_owned(), line(&value.to_string()).into_owned()));
        self
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| &**value)
    }

    pub(super) fn format(&self) -> (&str, u32) {
        (&self.format, self.version)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut text = format!("{FIRST}{FORMAT}{}{VERSION}{}\n", self.format, self.version);
        self.fields.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\n")));
        let check = crc32fast::hash(text.as_bytes());
        text.push_str(&format!("{CHECK}{check:08x}\n"));
        text.into_bytes()
    }

    /// Reads a header of a format, with its length in bytes.
    pub(super) fn read(
        input: &mut impl Read,
        (format, known): (&str, u32),
    ) -> Result<(Origin, usize), HeaderFault> {
        let mut bytes = Vec::new();
        input.take(LONGEST).read_to_end(&mut bytes).map_err(HeaderFault::Io)?;
        let rest = bytes.strip_prefix(MAGIC).ok_or(HeaderFault::Foreign)?;
        if !bytes.starts_with(FIRST.as_bytes()) {
            let version = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let is_number = !version.is_empty() && version.iter().all(u8::is_ascii_digit);
            let version = clipped(&String::from_utf8_lossy(version), SHOWN);
            return Err(if is_number { HeaderFault::Version(version) } else { HeaderFault::Damaged });
        }
        let (text, length) = checked(&bytes).ok_or(HeaderFault::Damaged)?;
        let mut lines = text.lines().skip(1);
        let named = lines.next().and_then(|line| line.strip_prefix(FORMAT)?.rsplit_once(VERSION));
        let (name, version) = named.ok_or(HeaderFault::Damaged)?;
        if name != format {
            return Err(HeaderFault::Foreign);
        }
        if version != known.to_string() {
            return Err(HeaderFault::Version(version.to_owned()));
        }
        let fields = lines.map(|line| line.split_once(": ").map(|(name, value)| (name.into(), value.into())));
        let fields: Option<_> = fields.collect();
        let origin =
            Origin { format: format.into(), version: known, fields: fields.ok_or(HeaderFault::Damaged)? };
        Ok((origin, length))
    }

    /// The error that a file has this origin instead of another one of the same format, if they differ.
    pub(super) fn difference(&self, wanted: &Origin, path: &Path) -> Option<RecordError> {
        let none = || "not given".to_owned();
        let fields = wanted.fields.iter().chain(&self.fields);
        let values = fields.map(|(name, _)| (name, self.get(name), wanted.get(name)));
        let (field, found, wanted) = values.into_iter().find(|(_, found, wanted)| found != wanted)?;
        let [found, wanted] =
            [found, wanted].map(|value| value.map_or_else(none, |value| clipped(value, SHOWN)));
        Some(RecordError::Different { path: path.to_owned(), field: field.clone(), found, wanted })
    }
}

/// The text of a header up to its check, which is right, and the length of the whole header.
fn checked(bytes: &[u8]) -> Option<(&str, usize)> {
    let last = format!("\n{CHECK}");
    let at = bytes.windows(last.len()).position(|window| window == last.as_bytes())? + 1;
    let length = at + CHECK.len() + 9;
    let check = bytes.get(at + CHECK.len()..length)?.strip_suffix(b"\n")?;
    let right = format!("{:08x}", crc32fast::hash(&bytes[..at]));
    (check == right.as_bytes()).then(|| Some((std::str::from_utf8(&bytes[..at]).ok()?, length)))?
}
