//! The file: reading what is new, adding lines under a lock.

use super::error::clipped;
use super::{LearnError, Record};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The words that the first line begins with.
pub(super) const HEADER: &str = "kroo learn 1";
/// How long to wait for a lock: writing takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(1);
/// A first line is no longer.
const LONGEST_HEADER: u64 = 64;

/// A file of lessons that is being learned from and added to.
#[derive(Debug)]
pub struct LearnFile {
    path: PathBuf,
    /// How far it has been read.
    read: Place,
    /// What could not be written yet.
    pending: Vec<Record>,
}

/// How far which file has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    /// Device and number of the file.
    file: (u64, u64),
    /// Bytes read.
    bytes: u64,
    /// Lines read.
    lines: usize,
}

/// What a file has to say that was not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The lessons, in order.
    pub records: Vec<Record>,
    /// Whether these are all there are: the file is another than before.
    pub anew: bool,
    /// A last line that was cut off; it does not count.
    pub torn: Option<String>,
}

impl LearnFile {
    /// Opens a file, or begins one, and reads it.
    ///
    /// # Errors
    /// If it cannot be read and written, or holds something else.
    pub fn open(path: &Path) -> Result<(LearnFile, News), LearnError> {
        let mut file = LearnFile { path: path.to_owned(), read: Place::default(), pending: Vec::new() };
        let news = file.exclusively(|file, handle| file.catch_up(handle))?;
        Ok((file, news))
    }

    /// All that a file holds. It is only read.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub(super) fn read(path: &Path) -> Result<News, LearnError> {
        let mut file = LearnFile { path: path.to_owned(), read: Place::default(), pending: Vec::new() };
        let handle = ordinary(path, OpenOptions::new().read(true))?;
        file.take_in(&handle)
    }

    /// What was added since the last time, by whomever.
    ///
    /// # Errors
    /// If it cannot be read, or holds what is no lesson. Then nothing of that counts as read.
    pub fn news(&mut self) -> Result<News, LearnError> {
        if !self.pending.is_empty() {
            return self.write();
        }
        let metadata = match fs::metadata(&self.path) {
            // Whoever took it away wants no more of it than not to find it; it is begun again with the next lesson.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(News::default()),
            metadata => metadata.map_err(|source| self.failed("read", source))?,
        };
        if self.read.file == number(&metadata) && self.read.bytes == metadata.len() {
            return Ok(News::default());
        }
        let handle = ordinary(&self.path, OpenOptions::new().read(true))?;
        // Somebody may be writing the last line just now.
        Ok(News { torn: None, ..self.take_in(&handle)? })
    }

    /// Adds a lesson, and returns what others have added before; if the file is another than before, this one too.
    ///
    /// # Errors
    /// If it cannot be written, or the file is none of lessons any more. The lesson is kept, and written with the next.
    pub fn add(&mut self, record: Record) -> Result<News, LearnError> {
        self.pending.push(record);
        self.write()
    }

    /// Writes what is to be written, all of it or nothing.
    fn write(&mut self) -> Result<News, LearnError> {
        self.exclusively(|file, handle| {
            let mut news = file.catch_up(handle)?;
            if news.anew {
                news.records.extend(file.pending.iter().cloned());
            }
            let text: String = file.pending.iter().map(|record| format!("{record}\n")).collect();
            file.append(handle, &text)?;
            file.read.lines += file.pending.len();
            file.pending.clear();
            Ok(news)
        })
    }

    /// Adds text behind all that is whole, and waits until it is on the disk.
    fn append(&mut self, mut handle: &File, text: &str) -> Result<(), LearnError> {
        let written = handle.write_all(text.as_bytes()).and_then(|()| handle.sync_data());
        if let Err(source) = written {
            // A part of a line is taken away here, or by the next who writes.
            let _ = handle.set_len(self.read.bytes);
            return Err(self.failed("written", source));
        }
        self.read.bytes += text.len() as u64;
        Ok(())
    }

    /// Reads what is new, and leaves the file with a first line and without a last one that is cut off.
    fn catch_up(&mut self, handle: &File) -> Result<News, LearnError> {
        let mut news = self.take_in(handle)?;
        // Nothing is missing of a line with its full stop but the end of the line.
        if news.torn.as_ref().is_some_and(|torn| torn.ends_with('.')) {
            let mut handle = handle;
            handle.write_all(b"\n").map_err(|source| self.failed("written", source))?;
            let rest = self.take_in(handle)?;
            news.records.extend(rest.records);
            news.torn = rest.torn;
        }
        self.begin(handle)?;
        Ok(news)
    }

    /// Takes away a last line that was cut off, and sees to the first line.
    fn begin(&mut self, handle: &File) -> Result<(), LearnError> {
        let length = handle.metadata().map_err(|source| self.failed("read", source))?.len();
        if length > self.read.bytes {
            handle.set_len(self.read.bytes).map_err(|source| self.failed("written", source))?;
        }
        if self.read.bytes == 0 {
            self.append(handle, &format!("{HEADER}\n"))?;
            self.read.lines = 1;
        }
        Ok(())
    }

    /// Does something while nobody else writes.
    fn exclusively<T>(
        &mut self,
        action: impl FnOnce(&mut LearnFile, &File) -> Result<T, LearnError>,
    ) -> Result<T, LearnError> {
        let handle = locked(&self.path, true)?;
        action(self, &handle)
    }

    /// Reads the whole lines that were not read yet.
    fn take_in(&mut self, handle: &File) -> Result<News, LearnError> {
        let metadata = handle.metadata().map_err(|source| self.failed("read", source))?;
        let known = self.read.file == number(&metadata) && self.read.bytes <= metadata.len();
        let mut place =
            if known { self.read.clone() } else { Place { file: number(&metadata), ..Place::default() } };
        let mut news = News { anew: !known && self.read != Place::default(), ..News::default() };
        // Each time: somebody may have written another file over it.
        let mut first = vec![0; metadata.len().min(LONGEST_HEADER) as usize];
        handle.read_exact_at(&mut first, 0).map_err(|source| self.failed("read", source))?;
        check_header(&self.path, &first)?;
        let mut bytes = vec![0; (metadata.len() - place.bytes) as usize];
        handle.read_exact_at(&mut bytes, place.bytes).map_err(|source| self.failed("read", source))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
            place.lines += 1;
            place.bytes += line.len() as u64;
            if place.lines > 1 {
                news.records.extend(self.line(place.lines, &line[..line.len() - 1])?);
            }
        }
        if whole < bytes.len() {
            news.torn = Some(String::from_utf8_lossy(&bytes[whole..]).into_owned());
        }
        self.read = place;
        Ok(news)
    }

    /// The lesson of a line; none if it is for people.
    fn line(&self, line: usize, bytes: &[u8]) -> Result<Option<Record>, LearnError> {
        let wrong = |at: usize, expected, found| LearnError::Line {
            path: self.path.clone(),
            line,
            column: at + 1,
            expected,
            found,
        };
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes)
            .map_err(|error| wrong(error.valid_up_to(), "text", "bytes that are no UTF-8".to_owned()))?;
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        Record::read(text).map(Some).map_err(|error| wrong(error.at, error.expected, error.found))
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> LearnError {
        LearnError::Io { path: self.path.clone(), doing, source }
    }
}

impl Drop for LearnFile {
    fn drop(&mut self) {
        if !self.pending.is_empty() {
            // The last chance; nobody is left to be told.
            let _ = self.write();
        }
    }
}

/// What tells a file from another of the same name.
fn number(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// A first line that is cut off may still become one.
fn check_header(path: &Path, first: &[u8]) -> Result<(), LearnError> {
    let (line, whole) = match first.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&first[..end], true),
        None => (first, false),
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let fine = if whole { line == HEADER.as_bytes() } else { HEADER.as_bytes().starts_with(line) };
    if fine {
        return Ok(());
    }
    Err(LearnError::Foreign { path: path.to_owned(), found: clipped(&String::from_utf8_lossy(line)) })
}

/// Opens an ordinary file: not one whose opening would wait for somebody.
fn ordinary(path: &Path, options: &OpenOptions) -> Result<File, LearnError> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(LearnError::NoFile { path: path.to_owned() });
    }
    let doing = "opened";
    options.open(path).map_err(|source| LearnError::Io { path: path.to_owned(), doing, source })
}

/// Opens a file to add to it, and locks it, so that nobody else does. The lock ends with the handle.
pub(super) fn locked(path: &Path, create: bool) -> Result<File, LearnError> {
    let began = Instant::now();
    let failed = |source| LearnError::Io { path: path.to_owned(), doing: "locked", source };
    loop {
        let handle = ordinary(path, OpenOptions::new().read(true).append(true).create(create))?;
        match handle.try_lock() {
            // Whoever compacted the file has put another in its place in the meantime.
            Ok(()) => {
                let mine = number(&handle.metadata().map_err(failed)?);
                if fs::metadata(path).is_ok_and(|metadata| number(&metadata) == mine) {
                    return Ok(handle);
                }
            }
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if began.elapsed() >= PATIENCE {
            return Err(LearnError::Locked { path: path.to_owned(), seconds: PATIENCE.as_secs() });
        }
        thread::sleep(PAUSE);
    }
}
