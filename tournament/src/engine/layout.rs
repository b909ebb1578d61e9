//! The files of an engine in its sandbox, and their places.

use rustix::fs::{Mode, OFlags, ResolveFlags, Stat, fstat, openat2};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// The system's folders, read only, where there are any.
pub(super) const SYSTEM: [&str; 8] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"];
/// Folders that are made anew inside: nothing of the machine is mounted there.
const MADE: [&str; 3] = ["/proc", "/dev", "/sys"];

/// The files of an engine in its sandbox, and their places: decided once, when they are opened. All places are real ones; other
/// spellings of them are links inside.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    /// The path by which the program is called.
    pub called: PathBuf,
    /// The file of the program.
    pub program: PathBuf,
    /// The folder to write.
    pub dir: Option<PathBuf>,
    /// The files and folders to read.
    pub bound: Vec<PathBuf>,
    /// Other spellings, each with its real place.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// Folders that a path enters and leaves again.
    pub passed: Vec<PathBuf>,
}

impl Layout {
    /// The layout for a program, a folder and files to read.
    pub fn new(program: &Path, dir: Option<&Path>, reads: &[PathBuf]) -> io::Result<Layout> {
        let spelled = |path: &Path| Ok::<_, io::Error>((plain(path)?, path.canonicalize()?));
        let called = spelled(program)?;
        let dir_places = dir.map(spelled).transpose()?;
        let read_places = reads.iter().map(|path| spelled(path)).collect::<io::Result<Vec<_>>>()?;
        let shown: Vec<&(PathBuf, PathBuf)> = dir_places.iter().chain(&read_places).collect();
        let mut links: Vec<(PathBuf, PathBuf)> = Vec::new();
        for (place, real) in shown.iter().copied().chain([&called]) {
            let is_shown = |(other, real): &&(PathBuf, PathBuf)| {
                [other, real].into_iter().any(|folder| place != folder && place.starts_with(folder))
            };
            if place != real && !covered(place) && !shown.iter().copied().any(|other| is_shown(&other)) {
                links.push((place.clone(), real.clone()));
            }
        }
        links.sort_unstable();
        links.dedup();
        let folders = dir.into_iter().chain(reads.iter().map(PathBuf::as_path)).map(passed);
        let mut passed = folders.collect::<io::Result<Vec<_>>>()?.concat();
        passed.retain(|folder| !covered(folder));
        let mut bound: Vec<PathBuf> = read_places.into_iter().map(|(_, real)| real).collect();
        bound.retain(|place| !covered(place));
        bound.sort_unstable();
        bound.dedup();
        let (called, program) = called;
        Ok(Layout { called, program, dir: dir_places.map(|(_, real)| real), bound, links, passed })
    }

    /// Whether the program is a copy inside: it is if no folder of the machine that is shown has it.
    pub fn copies_program(&self) -> bool {
        !covered(&self.program)
            && !self.dir.iter().chain(&self.bound).any(|folder| self.program.starts_with(folder))
    }

    /// Whether the program is in the folder to write.
    pub fn owns_program(&self) -> bool {
        self.dir.as_ref().is_some_and(|dir| self.program.starts_with(dir))
    }

    /// Whether something is bound in a folder that may be written to meanwhile.
    pub fn is_nested(&self) -> bool {
        let folders = || self.dir.iter().chain(&self.bound);
        let inside = |place: &PathBuf| folders().any(|folder| place != folder && place.starts_with(folder));
        folders().chain([&self.program]).any(inside)
    }

    /// The first of the files to read that is in the folder to write and has been moved. An engine may have moved it there, and a
    /// file bound elsewhere would be unprotected.
    pub fn moved(&self, folder: Option<&OwnedFd>, files: &[OwnedFd]) -> Option<usize> {
        let (place, folder) = (self.dir.as_ref()?, folder?);
        self.bound.iter().zip(files).position(|(path, file)| {
            let Ok(below) = path.strip_prefix(place) else { return false };
            let found = below_without_links(folder, below).and_then(fstat);
            let identity = |state: Stat| (state.st_dev, state.st_ino);
            found.map(identity) != fstat(file).map(identity)
        })
    }
}

/// The file with this path in a folder, if no link is on the way.
fn below_without_links(folder: &OwnedFd, below: &Path) -> Result<OwnedFd, Errno> {
    let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    openat2(folder, below, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), resolve)
}

/// Whether a place is among the system's folders, or in one that is made anew inside.
fn covered(place: &Path) -> bool {
    SYSTEM.iter().chain(&MADE).any(|folder| place.starts_with(folder))
}

/// An absolute path without `.` and `..`, which the tool does not take. Links keep their names: a program may have been told them.
pub(super) fn plain(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => {
                plain = plain.canonicalize()?;
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    Ok(plain)
}

/// The folders that a path enters and leaves again by `..`. A program that has been told the path goes through them.
fn passed(path: &Path) -> io::Result<Vec<PathBuf>> {
    let path = std::path::absolute(path)?;
    let parts: Vec<_> = path.components().collect();
    let ends = (1..parts.len()).filter(|&end| parts[end] == Component::ParentDir);
    let folders = ends.map(|end| plain(&parts[..end].iter().collect::<PathBuf>()));
    // Where there is a link, the path leads elsewhere inside.
    let is_real = |folder: &PathBuf| folder.canonicalize().is_ok_and(|real| real == *folder);
    folders.filter(|folder| folder.as_ref().map_or(true, is_real)).collect()
}
