//! The sandbox: bubblewrap (`bwrap`), which builds namespaces and needs no rights for it.
//!
//! It gets open files, not paths: a link left by an engine cannot redirect it.
//!
//! Inside there is no network, no process but the engine's own, and no file except the system's programs and libraries, the
//! engine's program, the files of `read=` (read only) and the folder of `dir=` (writable). `/tmp` and `/dev/shm` are empty,
//! private and bounded; nothing else can be written.
//!
//! `bwrap` is started by an absolute path and without variables: those of an engine reach the engine alone.
//!
//! `bwrap` leaves all capabilities to root, which can make a read-only mount writable with them. They are dropped, and root's
//! files in `/proc` are read only: without capabilities root is still the owner of the kernel's settings. An engine can make no
//! namespaces, which would give it capabilities again, and no system calls that the [filter](super::filter) refuses.

use super::filter;
use super::layout::{Layout, SYSTEM};
use super::opened::EngineFiles;
use rustix::fs::{MemfdFlags, SeekFrom, memfd_create, seek};
use rustix::io::{FdFlags, fcntl_setfd};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the tool may be. A search in `PATH` could find another program.
const BWRAP: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
/// The options that an earlier `bwrap` lacks.
const NEEDED: [&str; 4] = ["--bind-fd", "--ro-bind-fd", "--disable-userns", "--add-seccomp-fd"];
/// Settings and devices of the kernel in `/proc` that root may write without any capability, where there are any. Container
/// runtimes have them read only too.
const SETTINGS: [&str; 5] = ["/proc/acpi", "/proc/asound", "/proc/fs", "/proc/mtrr", "/proc/scsi"];
/// A view of the machine that cannot be written, for a `bwrap` that binds something in a folder of an engine: while it prepares that
/// it follows links, and an engine that runs meanwhile could have it make files elsewhere.
const GUARD: [&str; 10] =
    ["--die-with-parent", "--ro-bind", "/", "/", "--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev"];
/// Hidden paths, and their replacements. `/tmp` and `/dev/shm` have 256 MiB each (chosen, not measured).
const NAMESPACES: &str = "--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --clearenv \
    --cap-drop ALL --proc /proc --ro-bind /proc/sys /proc/sys --dev /dev --size 268435456 --tmpfs /dev/shm \
    --size 268435456 --tmpfs /tmp";

/// A sandbox that has not been started yet.
pub(super) struct Prepared {
    pub command: Command,
    /// Its arguments and filters, which it reads from these files: every process can read a command line.
    pub texts: Vec<OwnedFd>,
}

/// The command that starts an engine in a sandbox with this environment.
pub(super) fn command_of(
    (files, layout): (&EngineFiles, &Layout),
    args: &[String],
    environment: &[(OsString, OsString)],
) -> io::Result<Prepared> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut add = |words: &[&OsStr]| arguments.extend(words.iter().map(|&word| word.to_owned()));
    for (name, value) in environment {
        add(&["--setenv".as_ref(), name, value]);
    }
    for folder in &layout.passed {
        add(&["--dir".as_ref(), folder.as_ref()]);
    }
    let copies = layout.copies_program();
    // `bwrap` reads a copy at a position of its own, since other shims share the descriptor.
    let through = format!("/proc/self/fd/{}", files.program.file.as_raw_fd());
    let program = if copies { File::open(through)? } else { files.program.file.try_clone()? };
    let dir = layout.dir.iter().zip(&files.dir).map(|(place, file)| (place, "--bind-fd", file.as_fd()));
    let bound =
        layout.bound.iter().zip(&files.bound).map(|(place, file)| (place, "--ro-bind-fd", file.as_fd()));
    let mut binds: Vec<(&PathBuf, &str, BorrowedFd<'_>)> = dir.chain(bound).collect();
    binds.push((&layout.program, if copies { "--file" } else { "--ro-bind-fd" }, program.as_fd()));
    // A folder hides files bound in it earlier. For one place the later bind counts.
    binds.sort_by_key(|(place, ..)| place.components().count());
    for (place, manner, file) in binds {
        // The sandbox closes it before it starts the engine.
        fcntl_setfd(file, FdFlags::empty())?;
        if copies && manner == "--file" {
            add(&["--perms", "0555"].map(OsStr::new));
        }
        add(&[manner.as_ref(), file.as_raw_fd().to_string().as_ref(), place.as_ref()]);
    }
    for (place, real) in &layout.links {
        add(&["--symlink".as_ref(), real.as_ref(), place.as_ref()]);
    }
    add(&["--chdir".as_ref(), layout.dir.as_deref().unwrap_or(Path::new("/tmp")).as_ref()]);
    // Last: until then places for files are made there.
    add(&["--remount-ro", "/dev", "--remount-ro", "/"].map(OsStr::new));
    let mut texts =
        filter::filters()?.iter().map(|filter| text_file(filter)).collect::<io::Result<Vec<_>>>()?;
    for filter in &texts {
        add(&["--add-seccomp-fd".as_ref(), filter.as_raw_fd().to_string().as_ref()]);
    }
    let arguments = text_file(&arguments.join(OsStr::new("\0")).into_encoded_bytes())?;
    let number = arguments.as_raw_fd().to_string();
    texts.extend([arguments, OwnedFd::from(program)]);
    let mut command = bubblewrap()?;
    command.arg("--args").arg(number).arg("--").arg(&layout.called).args(args);
    if layout.is_nested() {
        let mut outer = Command::new(program_of_sandbox()?);
        outer.args(GUARD);
        if let (Some(place), Some(dir)) = (&layout.dir, &files.dir) {
            let dir = dir.try_clone()?;
            fcntl_setfd(&dir, FdFlags::empty())?;
            outer.arg("--bind-fd").arg(dir.as_raw_fd().to_string()).arg(place);
            texts.push(dir);
        }
        outer.arg("--").arg(command.get_program()).args(command.get_args());
        command = outer;
    }
    command.env_clear().process_group(0);
    Ok(Prepared { command, texts })
}

/// A file in memory with these bytes, for a program that is about to be started: it inherits it.
fn text_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("sandbox", MemfdFlags::empty())?);
    file.write_all(bytes)?;
    seek(&file, SeekFrom::Start(0))?;
    Ok(OwnedFd::from(file))
}

/// Whether engines can be put into a sandbox here.
pub fn try_sandbox() -> Result<(), String> {
    let failed = |error: io::Error| format!("it needs bubblewrap, and `bwrap` cannot be started: {error}");
    let path = program_of_sandbox().map_err(failed)?;
    let help = Command::new(path).arg("--help").env_clear().stdin(Stdio::null()).output().map_err(failed)?;
    if let Some(missing) = missing_option(&String::from_utf8_lossy(&[help.stdout, help.stderr].concat())) {
        return Err(format!(
            "`bwrap` is too old: it has no {missing}; install bubblewrap 0.10 or later, or your system's security update of an \
             earlier one"
        ));
    }
    filter::filters().map_err(|error| error.to_string())?;
    let tried = bubblewrap().and_then(|mut command| {
        command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--", "/bin/sh", "-c", ":"]);
        command.env_clear().stdin(Stdio::null()).output()
    });
    let output = tried.map_err(failed)?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`bwrap` cannot make one here: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// The first option that a sandbox needs and this help does not name.
pub fn missing_option(help: &str) -> Option<&'static str> {
    NEEDED.into_iter().find(|&option| !help.split_whitespace().any(|word| word == option))
}

fn program_of_sandbox() -> io::Result<&'static Path> {
    let program = BWRAP.iter().map(Path::new).find(|path| path.is_file());
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("it is at none of {}", BWRAP.join(", ")));
    program.ok_or_else(missing)
}

/// The beginning of every sandbox.
fn bubblewrap() -> io::Result<Command> {
    let mut command = Command::new(program_of_sandbox()?);
    command.args(NAMESPACES.split(' '));
    for place in SYSTEM.iter().chain(&SETTINGS) {
        // A link such as `/bin` stays a link: each program has a single place.
        match fs::read_link(place) {
            Ok(target) => command.arg("--symlink").arg(target).arg(place),
            Err(_) => command.args(["--ro-bind-try", place, place]),
        };
    }
    Ok(command)
}
