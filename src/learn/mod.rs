//! Lessons of the program of 1978: a text file that outlives the engine.
//!
//! Each line of the file is a game that the program failed to win (`docs/formats.md` has the format). Several engines can share a
//! file: each reads it once, and then only locks it, appends a whole line, and syncs it to the disk.
//!
//! **Crashes.** A crash can leave the beginning of a line at the end of the file. The next writer removes it. A file with another
//! first line, or with a line that is no lesson, is refused and never written to.

mod lesson;

pub use lesson::{Lesson, begins_at_start};

use crate::files::records::{GrowingFile, RecordError};
use crate::files::too_large;
use crate::printable::{MAX_WORD, clipped};
use lesson::LessonFault;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The first line: the format and its version.
const HEADER: &str = "kroo learn 1\n";
/// Maximum size of a file in bytes: some two million lessons.
const LARGEST: u64 = 64 << 20;

/// Why a lesson file cannot be read or written. The file is unchanged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum LearnError {
    /// The operating system refused, or another process held the lock for too long.
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(
        "{} is not a file of lessons: its first line is `{found}`, expected `{}`; name another file", .path.display(), HEADER.trim_end()
    )]
    Foreign {
        path: PathBuf,
        /// Its first line, clipped.
        found: String,
    },
    #[error(
        "{}, line {line}, column {column}: expected {expected}, found `{found}`; correct or remove the line, or name another \
         file", .path.display()
    )]
    Line {
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1.
        column: usize,
        expected: &'static str,
        /// The text found, clipped.
        found: String,
    },
}

/// A file of lessons.
#[derive(Debug)]
pub struct LearnFile {
    path: PathBuf,
    /// The lines that could not be written yet.
    unwritten: String,
}

/// The content of a file of lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// The lessons, in the order of the file.
    pub lessons: Vec<Lesson>,
    /// The beginning of a last line that a crash cut off; it has been removed.
    pub torn: Option<String>,
}

impl LearnFile {
    /// Opens or creates a file, and reads it.
    ///
    /// # Errors
    /// If it cannot be read and written, or is no file of lessons.
    pub fn open(path: &Path) -> Result<(LearnFile, Learned), LearnError> {
        let mut file = LearnFile { path: path.to_owned(), unwritten: String::new() };
        let mut learned = Learned::default();
        file.write(Some(&mut learned))?;
        Ok((file, learned))
    }

    /// Appends a lesson.
    ///
    /// # Errors
    /// If it cannot be written, or the file is no longer a file of lessons. The lesson is written with the next one, or when this
    /// is dropped.
    pub fn add(&mut self, lesson: &Lesson) -> Result<(), LearnError> {
        self.unwritten.push_str(&format!("{lesson}\n"));
        self.write(None)
    }

    /// Mends the end of the file and appends the unwritten lines. Checks all lines if they are to be learned, otherwise the first
    /// and the last.
    fn write(&mut self, learned: Option<&mut Learned>) -> Result<(), LearnError> {
        let mut file = GrowingFile::open(&self.path)?;
        let mut text = Vec::new();
        let read = match file.end() {
            0..=LARGEST => file.file().take(LARGEST).read_to_end(&mut text),
            _ => Err(too_large(LARGEST)),
        };
        read.map_err(|source| file.unread(source))?;
        if HEADER.as_bytes().starts_with(&text) && text.len() < HEADER.len() {
            file.begin(HEADER.as_bytes())?;
            text = HEADER.into();
        }
        let Some(lines) = text.strip_prefix(HEADER.as_bytes()) else {
            let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let found = clipped(&String::from_utf8_lossy(first), MAX_WORD);
            return Err(LearnError::Foreign { path: self.path.clone(), found });
        };
        let whole = lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, rest) = lines.split_at(whole);
        let mut lessons = Vec::new();
        if learned.is_some() {
            for (index, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
                lessons.push(self.lesson(index + 2, &line[..line.len() - 1])?);
            }
        }
        let (mut torn, mut added) = (None, String::new());
        match Lesson::parse(rest) {
            _ if rest.is_empty() => {}
            Err(LessonFault { at, .. }) if at == rest.len() => {
                torn = Some(clipped(&String::from_utf8_lossy(rest), MAX_WORD));
            }
            _ => {
                // The line lacks only its line feed.
                lessons.push(self.lesson(lines.iter().filter(|&&byte| byte == b'\n').count() + 2, rest)?);
                added.push('\n');
            }
        }
        file.cut((text.len() - if torn.is_some() { rest.len() } else { 0 }) as u64)?;
        added.push_str(&self.unwritten);
        if !added.is_empty() {
            file.append(added.as_bytes())?;
        }
        self.unwritten.clear();
        if let Some(learned) = learned {
            *learned = Learned { lessons, torn };
        }
        Ok(())
    }

    fn lesson(&self, line: usize, text: &[u8]) -> Result<Lesson, LearnError> {
        Lesson::parse(text).map_err(|LessonFault { at, expected, found }| LearnError::Line {
            path: self.path.clone(),
            line,
            column: at + 1,
            expected,
            found,
        })
    }
}

impl Drop for LearnFile {
    fn drop(&mut self) {
        if !self.unwritten.is_empty() {
            // The last chance to write; errors can no longer be reported.
            let _ = self.write(None);
        }
    }
}
