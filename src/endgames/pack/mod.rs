//! From plain files of a folder to packed ones, and back: `kroo endgame pack`, `unpack`.
//!
//! A database is done when its new file has been read back and has every value of the old one; only then is the old one
//! removed. So the same command continues a run that was stopped or killed, within a database too.

mod packed_writer;
#[doc(hidden)]
pub mod tile_encoder;

use crate::building::folder::{lock, make_and_lock};
use crate::building::plan::EndgameBuildError;
use crate::writer::write_file;
use kroo_core::endgames::probe::database::Database;
use kroo_core::endgames::probe::database_files::{check_database, open_database};
use kroo_core::endgames::probe::error::EndgameFileError;
use kroo_core::endgames::probe::file::{DatabaseFile, Header, database_path, is_packed, packed_path};
use kroo_core::endgames::probe::indexing::{MAX_SEEDS, board_count};
use kroo_core::endgames::probe::plain_values::BLOCK;
use kroo_core::endgames::probe::tiling::Tiling;
use kroo_core::files::{self, WriteError, shown};
use kroo_core::game::{Rules, Variant};
use kroo_core::thread_pool::ThreadPool;
use kroo_core::under;
use packed_writer::{ValuesToPack, remove_unfinished, write_packed};
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackWay {
    Pack,
    Unpack,
}

/// The files to pack or unpack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackPlan {
    pub way: PackWay,
    pub folder: PathBuf,
    /// The folder of the new files, if it is another one. Then the old ones stay.
    pub out: Option<PathBuf>,
    /// Of which rule set; all of them if none is named.
    pub variant: Option<Variant>,
    /// Whether the old ones stay.
    pub keep: bool,
    /// Threads that pack, and that check files.
    pub threads: usize,
}

/// An event of packing or unpacking.
#[derive(Debug)]
pub enum PackEvent<'a> {
    /// The part of a database that is done, from 0 to 1.
    Status(Variant, u8, f64),
    /// The new file of a database is there, and the bytes of the old one and of the new one.
    Written(&'a Path, [u64; 2]),
}

/// Why it ended early. The files on the disk are sound.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error(transparent)]
    File(#[from] EndgameFileError),
    #[error(transparent)]
    Folder(#[from] EndgameBuildError),
    #[error("there are no {what} endgames in {}", shown(.folder))]
    Nothing { what: &'static str, folder: PathBuf },
    /// A file that is there has other values.
    #[error("{} has other values than {}: delete the one that is wrong", shown(.one), shown(.other))]
    Different { one: PathBuf, other: PathBuf },
    #[error("stopped; the same command continues")]
    Stopped,
}

/// Packs or unpacks the files of a folder. `watch` gets each event, and says whether to stop. Returns how many files were
/// made.
pub fn pack(plan: &PackPlan, watch: &mut dyn FnMut(PackEvent<'_>) -> bool) -> Result<usize, PackError> {
    let old = plan.old_files();
    // A mistyped folder is not made.
    let Some(&(variant, seeds)) = old.first() else {
        let what = match plan.way {
            PackWay::Pack => "plain",
            PackWay::Unpack => "packed",
        };
        return Err(PackError::Nothing { what, folder: plan.folder.clone() });
    };
    let _lock = lock(&plan.folder)?;
    let _other = match &plan.out {
        Some(out) if !same(out, &plan.folder) => Some(make_and_lock(out)?),
        _ => None,
    };
    files::can_replace(&plan.paths(variant, seeds).1).map_err(EndgameFileError::from)?;
    let mut made = 0;
    let threads = &ThreadPool::new(plan.threads);
    for (variant, seeds) in old {
        let (from, to) = plan.paths(variant, seeds);
        // No other run works there: leftovers of a killed run are only in the way.
        let _ = files::remove_abandoned(&to);
        let repack = Repack { plan, threads, seeds, from: &from, to: &to, watch };
        made += usize::from(under!(variant, R => repack.run::<R>())?);
    }
    Ok(made)
}

fn same(one: &Path, other: &Path) -> bool {
    one == other
        || fs::canonicalize(one)
            .ok()
            .zip(fs::canonicalize(other).ok())
            .is_some_and(|(one, other)| one == other)
}

impl PackPlan {
    /// The files to pack or unpack, by rule set and seeds.
    fn old_files(&self) -> Vec<(Variant, u8)> {
        let variants = self.variant.map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
        let all = variants.into_iter().flat_map(|variant| (0..=MAX_SEEDS).map(move |seeds| (variant, seeds)));
        all.filter(|&(variant, seeds)| self.paths(variant, seeds).0.exists()).collect()
    }

    /// The old file of a database and the new one.
    fn paths(&self, variant: Variant, seeds: u8) -> (PathBuf, PathBuf) {
        let out = self.out.as_deref().unwrap_or(&self.folder);
        match self.way {
            PackWay::Pack => (database_path(&self.folder, variant, seeds), packed_path(out, variant, seeds)),
            PackWay::Unpack => {
                (packed_path(&self.folder, variant, seeds), database_path(out, variant, seeds))
            }
        }
    }
}

/// One database.
struct Repack<'a> {
    plan: &'a PackPlan,
    threads: &'a ThreadPool,
    seeds: u8,
    from: &'a Path,
    to: &'a Path,
    watch: &'a mut dyn FnMut(PackEvent<'_>) -> bool,
}

impl Repack<'_> {
    fn run<R: Rules>(self) -> Result<bool, PackError> {
        let Repack { plan, threads, seeds, from, to, watch } = self;
        let file = DatabaseFile::of_database::<R>(seeds);
        let old = check_database(&file, from, threads)?;
        let mut status = |fraction| watch(PackEvent::Status(R::VARIANT, seeds, fraction));
        if status(0.0) {
            return Err(PackError::Stopped);
        }
        let new = !to.exists();
        if new && !write(&old, &file, to, threads, &mut status)? {
            return Err(PackError::Stopped);
        }
        let made = if new { open_database(&file, to)? } else { check_database(&file, to, threads)? };
        let (packed, plain) = if is_packed(to) { (&made, &old) } else { (&old, &made) };
        if !same_values(packed, plain, threads) {
            // One that has just been written is read here for the first time.
            made.check_all(threads)?;
            return Err(PackError::Different { one: to.to_owned(), other: from.to_owned() });
        }
        if is_packed(to) {
            // A run may have been killed before it removed this.
            remove_unfinished(to, |_| true);
        }
        drop(old);
        let bytes = [from, to].map(|path| fs::metadata(path).map_or(0, |data| data.len()));
        if !plan.keep && plan.out.is_none() {
            let cannot = |source| EndgameFileError::from(WriteError { path: from.to_owned(), source });
            fs::remove_file(from).map_err(cannot)?;
        }
        let stop = new && watch(PackEvent::Written(to, bytes));
        if stop { Err(PackError::Stopped) } else { Ok(new) }
    }
}

/// Writes the other kind of file. Returns whether it is there; if not, it was stopped.
fn write(
    old: &Database,
    file: &DatabaseFile,
    to: &Path,
    threads: &ThreadPool,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<bool, EndgameFileError> {
    let (thresholds, rare) = (old.thresholds.clone(), old.rare.clone());
    let DatabaseFile { variant, seeds, bytes, .. } = *file;
    let header = Header { variant, seeds, bytes, thresholds, rare };
    if is_packed(to) {
        let all = old.values.all();
        let tiling = Tiling::new(seeds, bytes / board_count(seeds));
        let plain = (header.start() + bytes) as u64;
        let checksums: Vec<u32> = all.chunks(BLOCK).map(crc32fast::hash).collect();
        let values = ValuesToPack { variant, seeds, bytes: &all, are_gains: !file.coded };
        return write_packed(to, (plain, &header.to_bytes(&checksums)), values, &tiling, threads, watch);
    }
    let mut stopped = false;
    let written = write_file(&header, to, &mut |from, block| {
        old.values.copy(from, block);
        stopped = watch(from as f64 / bytes as f64);
        if stopped { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    });
    if stopped { Ok(false) } else { written.map(|()| true) }
}

/// Whether a packed and a plain database have the same values. All threads unpack.
fn same_values(packed: &Database, plain: &Database, threads: &ThreadPool) -> bool {
    let same = packed.values.all_stretches(threads, |from, stretch| {
        let mut there = vec![0; stretch.len()];
        plain.values.copy(from, &mut there);
        there == stretch
    });
    same && packed.thresholds == plain.thresholds
        && packed.rare == plain.rare
        && packed.is_sound()
        && plain.is_sound()
}
