//! A mapped file that may be cut off or overwritten by another program while it is used.
//!
//! This engine only ever replaces such files. But a failed copy, a full disk or another program may shorten one or write into it.
//! The system then answers reads of the missing part with SIGBUS, which ends a process. Therefore:
//!
//! - A handler of that signal maps zeros over the file's place in memory, and marks the file as lost. (The journal of systemd
//!   does the same, `sigbus.c`.) Later reads are safe.
//! - A reader asks [`MappedFile::is_lost`] after reading, and discards the bytes of a lost file.
//! - Before each search the length and the time of the last change are compared with those at the beginning. A file that
//!   has changed is lost as well, since its blocks are checked only once (`checked_file.rs`).
//!
//! Reading the files into memory instead would cost each engine their full size; dozens of engines on one machine share the
//! mapped pages.

use memmap2::Mmap;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::time::SystemTime;

/// Most files that are mapped at once: four times as many as all rule sets have databases.
const SLOTS: usize = 1024;

/// The address of a mapped file, for the signal handler.
#[derive(Debug)]
struct Slot {
    /// Address of the first byte; 0 if the slot is free, 1 if it is about to be filled.
    start: AtomicUsize,
    bytes: AtomicUsize,
    lost: AtomicBool,
    /// The number of changes to start and length, odd during a change: a reader that sees the same even number before and after
    /// has read a pair that belongs together (a sequence lock).
    changes: AtomicUsize,
}

impl Slot {
    /// Changes start and length together.
    fn set(&self, start: usize, bytes: usize) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::Release);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.start.store(start, Ordering::Relaxed);
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Start and length as they belong together, unless they are changing.
    #[cfg(target_os = "linux")]
    fn get(&self) -> Option<(usize, usize)> {
        let before = self.changes.load(Ordering::Acquire);
        let pair = (self.start.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        let after = self.changes.load(Ordering::Relaxed);
        (before == after && before.is_multiple_of(2)).then_some(pair)
    }
}

static MAPS: [Slot; SLOTS] = [const {
    Slot {
        start: AtomicUsize::new(FREE),
        bytes: AtomicUsize::new(0),
        lost: AtomicBool::new(false),
        changes: AtomicUsize::new(0),
    }
}; SLOTS];
const FREE: usize = 0;
const TAKEN: usize = 1;

#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    slot: &'static Slot,
    origin: Box<Origin>,
}

/// The file behind a map. Probes do not need it.
#[derive(Debug)]
struct Origin {
    file: File,
    path: PathBuf,
    /// Length and time of the last change when it was mapped.
    state: (u64, Option<SystemTime>),
    /// Whether it has been said that it is lost.
    told: AtomicBool,
}

impl MappedFile {
    /// Maps a whole file.
    pub fn new(file: File, path: &Path) -> io::Result<MappedFile> {
        bus_error::install()?;
        let state = state(&file.metadata()?);
        // SAFETY: if another program changes the file, its bytes change, and no code here takes a reference to anything but
        // bytes; if the file is cut off, the handler above puts other memory in its place.
        #[expect(
            unsafe_code,
            reason = "a map is the only way to share the values between processes without reading them in"
        )]
        let map = unsafe { Mmap::map(&file) }?;
        let take = |slot: &&Slot| {
            slot.start.compare_exchange(FREE, TAKEN, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let slot = MAPS.iter().find(take).ok_or_else(|| io::Error::other("too many files are mapped"))?;
        slot.lost.store(false, Ordering::Relaxed);
        slot.set(map.as_ptr() as usize, map.len());
        let origin = Origin { file, path: path.to_owned(), state, told: AtomicBool::new(false) };
        Ok(MappedFile { map, slot, origin: Box::new(origin) })
    }

    /// Whether bytes read earlier may be wrong.
    #[inline]
    pub fn is_lost(&self) -> bool {
        // The handler, on any thread, marks the file before it maps the zeros: a reader that has seen the zeros must also see the
        // mark.
        fence(Ordering::Acquire);
        self.slot.lost.load(Ordering::Relaxed)
    }

    pub fn path(&self) -> &Path {
        &self.origin.path
    }

    /// Nothing of the file counts any more.
    #[cold]
    pub fn lose(&self) {
        self.slot.lost.store(true, Ordering::Relaxed);
    }

    /// Loses the file if it has changed since it was mapped. Returns its path, once, if it is lost.
    pub fn take_lost(&self) -> Option<&Path> {
        let Origin { file, path, state: known, told } = &*self.origin;
        if !self.is_lost() && !file.metadata().is_ok_and(|metadata| state(&metadata) == *known) {
            self.lose();
        }
        (self.is_lost() && !told.swap(true, Ordering::Relaxed)).then_some(&**path)
    }
}

fn state(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

impl Deref for MappedFile {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        self.slot.set(FREE, 0);
    }
}

#[cfg(target_os = "linux")]
mod bus_error {
    //! The handler of SIGBUS.

    use super::{MAPS, Slot};
    use once_cell::sync::OnceCell;
    use std::sync::atomic::Ordering;
    use std::{io, mem, ptr};

    /// The previous handler of the signal, called for faults outside the maps.
    static BEFORE: OnceCell<libc::sigaction> = OnceCell::new();

    /// Installs the handler, once.
    pub fn install() -> io::Result<()> {
        BEFORE.get_or_try_init(set_handler).map(|_| ())
    }

    #[expect(unsafe_code, reason = "std has no signals")]
    fn set_handler() -> io::Result<libc::sigaction> {
        // SAFETY: zeros are a valid `sigaction`; the handler has the signature that SA_SIGINFO asks for and uses only
        // operations that are allowed in a handler.
        unsafe {
            let (mut action, mut before) = (mem::zeroed::<libc::sigaction>(), mem::zeroed());
            action.sa_sigaction = on_bus_error as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            match libc::sigaction(libc::SIGBUS, &raw const action, &raw mut before) {
                0 => Ok(before),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }

    /// Puts zeros in the place of the map that could not be read. Whatever it calls is async-signal-safe.
    #[expect(unsafe_code, reason = "memory is put in the place of other memory")]
    extern "C" fn on_bus_error(_signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a valid pointer.
        let code = unsafe { (*info).si_code };
        if code <= 0 {
            // Another program has sent it (`kill -BUS`), without an address: it ends the process.
            // SAFETY: the signal gets its default back, and this process sends it to itself.
            unsafe {
                libc::signal(libc::SIGBUS, libc::SIG_DFL);
                libc::raise(libc::SIGBUS);
            }
            return;
        }
        // SAFETY: a fault that the system has seen comes with an address.
        let address = unsafe { (*info).si_addr() } as usize;
        let holding = |slot: &'static Slot| {
            let (start, bytes) = slot.get()?;
            let holds = start > super::TAKEN && (start..start.saturating_add(bytes)).contains(&address);
            holds.then_some((slot, start, bytes))
        };
        if let Some((slot, start, bytes)) = MAPS.iter().find_map(holding) {
            slot.lost.store(true, Ordering::SeqCst);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            // SAFETY: the whole of a map that is in use, which is only ever read, and is unmapped like this one.
            let put = unsafe { libc::mmap(start as *mut _, bytes, libc::PROT_READ, flags, -1, 0) };
            if put != libc::MAP_FAILED {
                return;
            }
        }
        // Nothing of ours: the read is tried again, and then happens what would have happened.
        restore();
    }

    /// Restores the earlier action of the signal.
    #[expect(unsafe_code, reason = "std has no signals")]
    fn restore() {
        if let Some(before) = BEFORE.get() {
            // SAFETY: the system returned this action.
            unsafe { libc::sigaction(libc::SIGBUS, before, ptr::null_mut()) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod bus_error {
    //! Elsewhere a file that is cut off still ends the process.

    use std::io;

    pub fn install() -> io::Result<()> {
        Ok(())
    }
}
