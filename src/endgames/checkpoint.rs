//! The checkpoint file of a database that is being built: a build that was cut off goes on from there.
//!
//! # Why any mixture will do
//! Value iteration may start from any values between those of the beginning and those of the end (see
//! [`kroo_core::endgame`]: each value has a set of boards that only grows, up to one least set). So the values may be read while
//! other threads write them. One part of a checkpoint may even be older than another: the database that comes of it is the same
//! byte for byte. Where a database is built in one pass, a value is final or not known yet, and says so itself
//! ([`acyclic`](kroo_core::endgame::acyclic)).
//!
//! So checkpoints are written in the background. A thread visits one block after the other, each once a minute, and
//! writes those that have changed over what the file had of them. It does not ask in which iteration the build is.
//!
//! # The file
//! A page with the header ([`Header`], of the kind [`FileKind::Checkpoint`], without checksums), then the blocks, each in a
//! place of its own: its CRC-32, its length and where it begins, in 4, 4 and 8 bytes, and then up to a mebibyte of values.
//! The checksum is taken over the header too, so that no block counts for another database or layout. A kill in the middle of
//! a block leaves one that does not have its checksum. It is left out, and its boards begin anew. So it is with blocks that
//! were never written.

use kroo_core::endgame::EndgameFileError;
use kroo_core::endgame::checkpoint::{Checkpoint, ReadValues};
use kroo_core::endgame::file::{FileKind, Header};
use kroo_core::endgame::plain_values::BLOCK;
use kroo_core::endgame::thread_pool::Stopped;
use kroo_core::files::{self, WriteError};
use kroo_core::game::Variant;
use kroo_core::time::Instant;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Each block that has changed is written once in this interval. The writing takes the second half of that time at most, as
/// long as the disk keeps up, so a database that is built in the first half costs no writing.
const INTERVAL: Duration = Duration::from_secs(60);
/// Bytes before the first block: a page.
pub const START: usize = 4096;
/// Bytes before the values of a block: its checksum, its length, where it begins.
pub const HEAD: usize = 16;

/// The checkpoint of a build in a file.
#[derive(Debug)]
pub struct CheckpointFile {
    file: BlockFile,
    interval: Duration,
    /// Why it could not be saved: nothing is lost by that as long as the build goes on.
    pub failed: Option<EndgameFileError>,
}

/// The end of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    Stopped,
}

impl Checkpoint for CheckpointFile {
    fn load(&mut self, each: &mut dyn FnMut(usize, &[u8])) -> usize {
        // If the file cannot be read, the build begins anew.
        self.file.load(each).unwrap_or(0)
    }

    fn save_during(
        &mut self,
        read: ReadValues<'_>,
        work: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let CheckpointFile { file, interval, failed } = self;
        let (interval, path) = (*interval, file.path.clone());
        thread::scope(|scope| {
            // Dropped if the work panics, which ends the thread.
            let (end, ended) = channel();
            let write = move || file.keep(read, interval, &ended);
            let writer = match thread::Builder::new().spawn_scoped(scope, write) {
                Ok(writer) => writer,
                Err(source) => {
                    *failed = Some(WriteError { path, source }.into());
                    return work();
                }
            };
            let done = work();
            // A thread that has ended needs no telling.
            let _ = end.send(if done.is_ok() { End::Done } else { End::Stopped });
            let written = writer.join().expect("the thread that writes does not panic");
            *failed = written.err().map(|source| WriteError { path, source }.into());
            done
        })
    }
}

impl CheckpointFile {
    /// The checkpoint of a database in a file. The values have `bytes` bytes.
    pub fn at(path: PathBuf, variant: Variant, seeds: u8, bytes: usize) -> CheckpointFile {
        let file = BlockFile::new(path, variant, seeds, bytes);
        CheckpointFile { file, interval: INTERVAL, failed: None }
    }

    /// The same checkpoint with each block written once per `interval`.
    pub fn every(self, interval: Duration) -> CheckpointFile {
        CheckpointFile { interval, ..self }
    }

    /// Writes the values from one on, up to the end of its block, if they have changed. For builders that hand over all blocks
    /// in their turn, and then call [`CheckpointFile::sync`].
    pub fn put(&mut self, from: usize, values: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        let mut buffer = vec![0; HEAD];
        buffer.extend(values);
        let written = self.file.write_filled(from / BLOCK, &mut buffer);
        self.failed = self.failure(written);
    }

    /// Waits until all blocks written by [`CheckpointFile::put`] are on the disk; [`CheckpointFile::failed`] holds the error if
    /// that fails.
    pub fn sync(&mut self) {
        if self.failed.is_none() {
            let synced = self.file.sync();
            self.failed = self.failure(synced);
        }
    }

    fn failure(&self, done: io::Result<()>) -> Option<EndgameFileError> {
        done.err().map(|source| WriteError { path: self.file.path.clone(), source }.into())
    }

    /// The database is on the disk: the checkpoint is not needed any more.
    pub fn remove(self) {
        let BlockFile { path, file, .. } = self.file;
        drop(file);
        files::step();
        // If it stays, it is not read again.
        let _ = fs::remove_file(path);
    }
}

/// The file of the checkpoint of a database, in the same folder as the database.
pub fn checkpoint_path(database: &Path) -> PathBuf {
    database.with_extension("part")
}

/// Bytes on the disk of a checkpoint of `bytes` bytes of values.
pub fn file_bytes(bytes: u64) -> u64 {
    START as u64 + bytes + HEAD as u64 * bytes.div_ceil(BLOCK as u64)
}

/// A file of blocks that are written in place.
#[derive(Debug)]
struct BlockFile {
    path: PathBuf,
    header: Vec<u8>,
    /// Bytes of the values.
    bytes: usize,
    /// By block: its checksum in the file, if it is sound there.
    written: Vec<Option<u32>>,
    /// The file, once it has been opened and has the right header.
    file: Option<File>,
}

impl BlockFile {
    fn new(path: PathBuf, variant: Variant, seeds: u8, bytes: usize) -> BlockFile {
        let (kind, thresholds, rare) = (FileKind::Checkpoint, Vec::new(), Vec::new());
        let header = Header { kind, variant, seeds, bytes, thresholds, rare }.to_bytes(&[]);
        BlockFile { path, header, bytes, written: vec![None; bytes.div_ceil(BLOCK)], file: None }
    }

    /// The offset of the block in the values, and its length.
    fn block(&self, block: usize) -> (usize, usize) {
        let from = block * BLOCK;
        (from, BLOCK.min(self.bytes - from))
    }

    /// The offset of the block in the file.
    fn place(block: usize) -> SeekFrom {
        SeekFrom::Start((START + block * (HEAD + BLOCK)) as u64)
    }

    /// The bytes before the values of a block.
    fn head(&self, from: usize, values: &[u8]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[4..8].copy_from_slice(&(values.len() as u32).to_le_bytes());
        head[8..].copy_from_slice(&(from as u64).to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        [&self.header[..], &head[4..], values].into_iter().for_each(|bytes| hasher.update(bytes));
        head[..4].copy_from_slice(&hasher.finalize().to_le_bytes());
        head
    }

    fn load(&mut self, mut each: impl FnMut(usize, &[u8])) -> io::Result<usize> {
        let mut file = files::open_with(File::options().read(true).write(true), &self.path)?;
        if !self.has_header(&mut file)? {
            return Ok(0);
        }
        let (mut buffer, mut loaded) = (vec![0; HEAD + BLOCK], 0);
        for block in 0..self.written.len() {
            let (from, length) = self.block(block);
            let buffer = &mut buffer[..HEAD + length];
            file.seek(BlockFile::place(block))?;
            match file.read_exact(buffer) {
                // The blocks behind it were never written.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                read => read?,
            }
            let (head, values) = buffer.split_at(HEAD);
            if head == self.head(from, values) {
                self.written[block] = Some(checksum(head));
                each(from, values);
                loaded += length;
            }
        }
        self.file = Some(file);
        Ok(loaded)
    }

    fn has_header(&self, file: &mut File) -> io::Result<bool> {
        let mut header = Vec::new();
        file.rewind()?;
        file.take(self.header.len() as u64).read_to_end(&mut header)?;
        Ok(header == self.header)
    }

    /// The file, with its header: what is there is kept if it is of the same database and layout.
    fn opened(&mut self) -> io::Result<&mut File> {
        if self.file.is_none() {
            let mut options = File::options();
            let mut file = files::open_with(options.read(true).write(true).create(true), &self.path)?;
            if !self.has_header(&mut file)? {
                self.written.fill(None);
                files::step();
                file.set_len(0)?;
                file.rewind()?;
                files::step();
                file.write_all(&self.header)?;
            }
            self.file = Some(file);
        }
        Ok(self.file.as_mut().expect("it has been opened"))
    }

    /// Writes a block if it has changed. `buffer` has room for one with its head.
    fn write(&mut self, block: usize, read: ReadValues<'_>, buffer: &mut [u8]) -> io::Result<()> {
        let (from, length) = self.block(block);
        let buffer = &mut buffer[..HEAD + length];
        if read(from, &mut buffer[HEAD..]) { self.write_filled(block, buffer) } else { Ok(()) }
    }

    /// The same with the values in the buffer, behind room for their head.
    fn write_filled(&mut self, block: usize, buffer: &mut [u8]) -> io::Result<()> {
        let (from, _) = self.block(block);
        let head = self.head(from, &buffer[HEAD..]);
        // Of two blocks with one checksum, which is rare, the older one is as good a start.
        if self.written[block] == Some(checksum(&head)) {
            return Ok(());
        }
        buffer[..HEAD].copy_from_slice(&head);
        let file = self.opened()?;
        file.seek(BlockFile::place(block))?;
        files::step();
        let done = file.write_all(buffer);
        self.written[block] = done.is_ok().then_some(checksum(&head));
        done
    }

    /// Writes the blocks one after the other, over and over, until the work ends. Returns whether the last time has failed.
    fn keep(&mut self, read: ReadValues<'_>, interval: Duration, ended: &Receiver<End>) -> io::Result<()> {
        let (blocks, mut buffer) = (self.written.len(), vec![0; HEAD + BLOCK.min(self.bytes)]);
        let mut failed = Ok(());
        let mut begin = Instant::now();
        loop {
            let mut round = Ok(());
            for block in 0..blocks {
                let due = interval.mul_f64(0.5 + 0.5 * block as f64 / blocks as f64);
                match ended.recv_timeout(due.saturating_sub(begin.elapsed())) {
                    Ok(End::Stopped) => return self.finish(read, &mut buffer),
                    Ok(End::Done) | Err(RecvTimeoutError::Disconnected) => return failed,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                // Behind an error the disk is given time until the next round.
                if round.is_ok() {
                    round = self.write(block, read, &mut buffer);
                }
            }
            failed = round.and_then(|()| self.sync());
            begin = Instant::now();
        }
    }

    /// Writes all blocks that have changed.
    fn finish(&mut self, read: ReadValues<'_>, buffer: &mut [u8]) -> io::Result<()> {
        (0..self.written.len()).try_for_each(|block| self.write(block, read, buffer))?;
        self.sync()
    }

    fn sync(&self) -> io::Result<()> {
        files::step();
        self.file.as_ref().map_or(Ok(()), File::sync_data)
    }
}

mod on_disk;

/// The checksum in the head of a block.
fn checksum(head: &[u8]) -> u32 {
    u32::from_le_bytes([head[0], head[1], head[2], head[3]])
}
