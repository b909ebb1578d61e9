//! The checkpoint file of a database during its build: an interrupted build resumes from it.
//!
//! # Why any mixture will do
//! Value iteration may start from any values between those of the beginning and those of the end (see
//! [`kroo_core::endgames`]: each value has a set of boards that only grows, up to one least set). So the values may be read while
//! other threads write them. One part of a checkpoint may even be older than another: the database that comes of it is the same
//! byte for byte. Where a database is built in one pass, a value is final or not known yet, and says so itself
//! ([`acyclic`](kroo_core::endgames::building::acyclic)).
//!
//! Checkpoints are therefore written in the background. A thread visits one block after the other, each once a minute, and writes
//! those that have changed over their earlier content in the file. The iteration of the build does not matter.
//!
//! # The file
//! A [`PlacedFile`] with a record for each block of up to a mebibyte of values. A kill in the middle of a block leaves an
//! incomplete one. Incomplete blocks and those never written are left out, and their boards begin anew. The values are those of
//! the builder: two bytes a board in `awari` and `oware`, otherwise as in a database. They depend on the rules alone: the origin
//! names neither the engine nor weights, and another engine can resume from them.

use kroo_core::endgames::EndgameFileError;
use kroo_core::endgames::building::checkpoint::{Checkpoint, ReadValues};
use kroo_core::endgames::probe::plain_values::BLOCK;
use kroo_core::files::WriteError;
use kroo_core::files::records::{Origin, PlacedFile, RECORD_HEAD, RecordError};
use kroo_core::game::Variant;
use kroo_core::thread_pool::Stopped;
use kroo_core::time::Instant;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Each block that has changed is written once in this interval. Writing takes at most the second half of that time if the disk
/// keeps up: a database built in the first half costs no writing.
const INTERVAL: Duration = Duration::from_secs(60);
/// The name and the version of the format.
const FORMAT: (&str, u32) = ("values of an endgame database", 1);

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
            *failed = written.err().map(EndgameFileError::from);
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

    /// Locks the file of an earlier build, if any, before the work begins.
    ///
    /// # Errors
    /// If the file is not a checkpoint of this database, or another program writes to it. It is unchanged.
    pub fn claim(&mut self) -> Result<(), EndgameFileError> {
        if self.file.path.exists() {
            self.file.opened()?;
        }
        Ok(())
    }

    /// Writes the values from one on, up to the end of its block, if they have changed. For builders that hand over all blocks
    /// in their turn, and then call [`CheckpointFile::sync`].
    pub fn put(&mut self, from: usize, values: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        self.failed = self.file.write_filled(from / BLOCK, values).err().map(EndgameFileError::from);
    }

    /// Waits until all blocks written by [`CheckpointFile::put`] are on the disk; [`CheckpointFile::failed`] holds the error if
    /// that fails.
    pub fn sync(&mut self) {
        if self.failed.is_none() {
            self.failed = self.file.sync().err().map(EndgameFileError::from);
        }
    }

    /// The database is on the disk: the checkpoint is not needed any more.
    pub fn remove(self) {
        // If it stays, it is not read again.
        if let Some(file) = self.file.file {
            file.remove();
        }
    }
}

/// The file of the checkpoint of a database, in the same folder as the database.
pub fn checkpoint_path(database: &Path) -> PathBuf {
    database.with_extension("part")
}

/// Bytes on the disk of a checkpoint of `bytes` bytes of values.
pub fn file_bytes(bytes: u64) -> u64 {
    PlacedFile::START + bytes + RECORD_HEAD as u64 * bytes.div_ceil(BLOCK as u64)
}

fn origin(variant: Variant, seeds: u8, bytes: usize) -> Origin {
    let (format, version) = FORMAT;
    Origin::new(format, version).with("rule set", variant).with("seeds", seeds).with("bytes", bytes)
}

/// A file of blocks that are written in place.
#[derive(Debug)]
struct BlockFile {
    path: PathBuf,
    origin: Origin,
    /// Bytes of the values.
    bytes: usize,
    /// By block: its check in the file, if it is whole there.
    written: Vec<Option<u32>>,
    /// The file, once it has been opened to write to it.
    file: Option<PlacedFile>,
}

impl BlockFile {
    fn new(path: PathBuf, variant: Variant, seeds: u8, bytes: usize) -> BlockFile {
        let (origin, written) = (origin(variant, seeds, bytes), vec![None; bytes.div_ceil(BLOCK)]);
        BlockFile { path, origin, bytes, written, file: None }
    }

    /// The offset of the block in the values, and its length.
    fn block(&self, block: usize) -> (usize, usize) {
        let from = block * BLOCK;
        (from, BLOCK.min(self.bytes - from))
    }

    /// The place of the block in the file.
    fn place(block: usize) -> u64 {
        (block * (RECORD_HEAD + BLOCK)) as u64
    }

    /// Reads all whole blocks. The file need not be locked: on many machines each process reads it.
    fn load(&mut self, mut each: impl FnMut(usize, &[u8])) -> Result<usize, RecordError> {
        let mut unlocked = None;
        let file = match &mut self.file {
            Some(file) => file,
            None => unlocked.insert(PlacedFile::read_only(&self.path, &self.origin)?),
        };
        let (mut buffer, mut loaded) = (vec![0; BLOCK], 0);
        for (block, written) in self.written.iter_mut().enumerate() {
            let from = block * BLOCK;
            let values = &mut buffer[..BLOCK.min(self.bytes - from)];
            if file.read(BlockFile::place(block), block as u64, values)? {
                *written = Some(file.check(block as u64, values));
                each(from, values);
                loaded += values.len();
            }
        }
        Ok(loaded)
    }

    /// The file, locked.
    fn opened(&mut self) -> Result<&mut PlacedFile, RecordError> {
        if self.file.is_none() {
            let file = PlacedFile::open(&self.path, &self.origin)?;
            if file.is_new() {
                self.written.fill(None);
            }
            self.file = Some(file);
        }
        Ok(self.file.as_mut().expect("it has been opened"))
    }

    /// Writes a block if it has changed. `buffer` has room for one.
    fn write(&mut self, block: usize, read: ReadValues<'_>, buffer: &mut [u8]) -> Result<(), RecordError> {
        let (from, length) = self.block(block);
        let values = &mut buffer[..length];
        if read(from, values) { self.write_filled(block, values) } else { Ok(()) }
    }

    /// The same with the values.
    fn write_filled(&mut self, block: usize, values: &[u8]) -> Result<(), RecordError> {
        let file = self.opened()?;
        let check = file.check(block as u64, values);
        // Of two blocks with one check, which is rare, the older one is as good a start.
        if self.written[block] == Some(check) {
            return Ok(());
        }
        let done = self.opened()?.write(BlockFile::place(block), block as u64, values);
        self.written[block] = done.is_ok().then_some(check);
        done
    }

    /// Writes the blocks one after the other, over and over, until the work ends. Returns whether the last time has failed.
    fn keep(
        &mut self,
        read: ReadValues<'_>,
        interval: Duration,
        ended: &Receiver<End>,
    ) -> Result<(), RecordError> {
        let (blocks, mut buffer) = (self.written.len(), vec![0; BLOCK.min(self.bytes)]);
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
                // After an error the disk is given time until the next round.
                if round.is_ok() {
                    round = self.write(block, read, &mut buffer);
                }
            }
            failed = round.and_then(|()| self.sync());
            begin = Instant::now();
        }
    }

    fn finish(&mut self, read: ReadValues<'_>, buffer: &mut [u8]) -> Result<(), RecordError> {
        (0..self.written.len()).try_for_each(|block| self.write(block, read, buffer))?;
        self.sync()
    }

    fn sync(&self) -> Result<(), RecordError> {
        self.file.as_ref().map_or(Ok(()), PlacedFile::sync)
    }
}

mod on_disk;
