//! A file of the proofs that took long, from which a later process continues.
//!
//! | line | content |
//! |---|---|
//! | first | `proofs of` and the rule set |
//! | each other | a [`KeptProof`] |
//! | last | `end`, the number of proofs, and the CRC-32 of all bytes before |

use crate::files::records::GrowingFile;
use crate::files::{self, check_output, why};
use crate::game::Variant;
use crate::search::{KeptProof, SearchMemory, add_proofs, kept_proofs};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Only proofs that took at least 4 to this power of nodes are kept: the others are found again at once.
const KEPT_WORK: u8 = 7;
/// The largest file that is read, in bytes.
const LARGEST_FILE: u64 = 4 << 30;
/// The time between two writings while a search goes on.
const WRITE_EVERY: Duration = Duration::from_secs(60);

/// A file of proofs of one rule set.
#[derive(Debug)]
pub struct ProofFile {
    path: PathBuf,
    variant: Variant,
    /// Proofs that the file had when it was opened.
    pub found: usize,
    written: Instant,
}

impl ProofFile {
    /// Checks that a file can be written, and adds its proofs, if it exists, to the memory.
    ///
    /// # Errors
    /// If it is damaged, of another rule set or no file of proofs, or cannot be read and written. It is unchanged then, and so is
    /// the memory.
    pub fn open(path: &Path, variant: Variant, memory: &SearchMemory) -> Result<ProofFile, Box<dyn Error>> {
        check_output(path, "file of proofs", FIRST.as_bytes())?;
        let proofs = match files::open(path) {
            Ok(file) => read(path, &file, variant)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(unread(path, &error)),
        };
        let found = proofs.len();
        add_proofs(memory, variant, proofs);
        Ok(ProofFile { path: path.to_owned(), variant, found, written: Instant::now() })
    }

    /// Adds the proofs of the memory that took long to those of the file. No proof of the file is lost, whether the memory has
    /// replaced it or another process has written it.
    ///
    /// # Errors
    /// If the file cannot be read and written, or has other content by now; it is unchanged then.
    pub fn keep(&mut self, memory: &SearchMemory) -> Result<(), Box<dyn Error>> {
        self.written = Instant::now();
        // Locked until the new file is in its place.
        let locked = GrowingFile::open(&self.path)?;
        let mut proofs = BTreeMap::new();
        let known = read(&self.path, locked.file(), self.variant)?;
        for proof in known.into_iter().chain(kept_proofs(memory, KEPT_WORK)) {
            proofs
                .entry(proof.index)
                .and_modify(|known: &mut KeptProof| *known = known.and(proof))
                .or_insert(proof);
        }
        let mut text = header(self.variant);
        for proof in proofs.values() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{proof}");
        }
        let end = end(proofs.len(), &text);
        Ok(files::replace(&self.path, (text + &end).as_bytes())?)
    }

    /// The same if it was not done for a minute.
    ///
    /// # Errors
    /// See [`keep`](ProofFile::keep).
    pub fn keep_sometimes(&mut self, memory: &SearchMemory) -> Result<(), Box<dyn Error>> {
        if self.written.elapsed() < WRITE_EVERY { Ok(()) } else { self.keep(memory) }
    }
}

/// The first words of the file.
const FIRST: &str = "proofs of ";

fn header(variant: Variant) -> String {
    format!("{FIRST}{variant}\n")
}

fn end(count: usize, before: &str) -> String {
    format!("end {count} {:08x}\n", crc32fast::hash(before.as_bytes()))
}

fn unread(path: &Path, error: &io::Error) -> Box<dyn Error> {
    format!("{} cannot be read: {}", path.display(), why(path, error)).into()
}

/// The proofs of a file; none if it is empty.
fn read(path: &Path, file: &File, variant: Variant) -> Result<Vec<KeptProof>, Box<dyn Error>> {
    let mut text = String::new();
    let length =
        file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(|error| unread(path, &error))?;
    if length as u64 > LARGEST_FILE {
        return Err(unread(path, &files::too_large(LARGEST_FILE)));
    }
    let proofs = if text.is_empty() { Ok(Vec::new()) } else { parse(&text, variant) };
    proofs.map_err(|fault| format!("{}, {fault}; name another file", path.display()).into())
}

/// The proofs of a file's text, or the line with its fault.
fn parse(text: &str, variant: Variant) -> Result<Vec<KeptProof>, String> {
    let rest = text.strip_prefix(&header(variant)).ok_or_else(|| {
        let expected = header(variant);
        format!("line 1: it should be `{}`", expected.trim_end())
    })?;
    let last = rest.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
    let (lines, last) = rest.split_at(last);
    let count = lines.lines().count();
    if last != end(count, &text[..text.len() - last.len()]) {
        return Err(format!("line {}: the file is damaged or cut off", count + 2));
    }
    let proof =
        |(number, line): (usize, &str)| line.parse().map_err(|fault| format!("line {number}: {fault}"));
    (2..).zip(lines.lines()).map(proof).collect()
}
