//! The sandbox: bubblewrap (`bwrap`), which builds namespaces and needs no rights for it.
//!
//! Inside there is no network, no process but the engine's own, and no file except the system's programs and libraries, the
//! engine's program and the files that `read=` names (read only) and, with `dir=`, that folder (also to be written). `/tmp` and
//! `/dev/shm` are empty, private and bounded; nothing else can be written.
//!
//! `bwrap` is started by an absolute path and without variables: those of an engine reach the engine alone.
//!
//! `bwrap` leaves all capabilities to root, with which a read-only mount becomes a writable one. They are dropped, and what root
//! owns in `/proc` is read only: without capabilities root is still the owner of the kernel's settings.

use super::confinement::Confinement;
use super::program::OpenProgram;
use super::spec::EngineSpec;
use rustix::fs::{MemfdFlags, SeekFrom, memfd_create, seek};
use rustix::io::Errno;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the tool may be. A search in `PATH` could find another program.
const BWRAP: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
/// The system's folders, read only, where there are any.
const SYSTEM: [&str; 8] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"];
/// Folders that are made anew inside: nothing of the machine is mounted there.
const MADE: [&str; 3] = ["/proc", "/dev", "/sys"];
/// Bytes of `/tmp`, and of `/dev/shm` (chosen, not measured).
const SPACE: &str = "268435456";
/// Settings and devices of the kernel in `/proc` that root may write without any capability, where there are any. Container
/// runtimes have them read only too.
const SETTINGS: [&str; 5] = ["/proc/acpi", "/proc/asound", "/proc/fs", "/proc/mtrr", "/proc/scsi"];
/// Hidden paths, and their replacements.
const NAMESPACES: [&str; 21] = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--cap-drop",
    "ALL",
    "--proc",
    "/proc",
    "--ro-bind",
    "/proc/sys",
    "/proc/sys",
    "--dev",
    "/dev",
    "--size",
    SPACE,
    "--tmpfs",
    "/dev/shm",
    "--size",
    SPACE,
    "--tmpfs",
    "/tmp",
];

/// A command that has not been started yet.
pub(super) struct Prepared {
    pub command: Command,
    /// The program that it starts.
    pub program: OpenProgram,
    /// The arguments of the sandbox, which it reads from this file: every process can read a command line.
    pub arguments: Option<OwnedFd>,
}

/// The command that starts an engine with this environment, in a sandbox if it is to be.
pub(super) fn command_of(
    spec: &EngineSpec,
    confinement: &Confinement,
    environment: &[(OsString, OsString)],
) -> io::Result<Prepared> {
    let variables = || environment.iter().map(|(name, value)| (name, value));
    let missing = || io::Error::from_raw_os_error(Errno::NOENT.raw_os_error());
    let path = program_of(&spec.command, environment).ok_or_else(missing)?;
    if !confinement.sandbox {
        let program = OpenProgram::open(&path, false)?;
        let mut command = Command::new(program.executable().unwrap_or(path));
        command.arg0(&spec.command).args(&spec.args).env_clear().envs(variables()).process_group(0);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        return Ok(Prepared { command, program, arguments: None });
    }
    let covered = |place: &Path| SYSTEM.iter().chain(&MADE).any(|folder| place.starts_with(folder));
    let (path, dir) = (plain(&path)?, spec.dir.as_deref().map(plain).transpose()?);
    let bound = confinement.bound.iter().map(|file| plain(file)).collect::<io::Result<Vec<_>>>()?;
    let real = path.canonicalize()?;
    // In a folder of the machine that is shown inside, a copy would be a file of the machine, or be hidden by the folder.
    let shows = |shown: &PathBuf| {
        path.starts_with(shown) || shown.canonicalize().is_ok_and(|shown| real.starts_with(shown))
    };
    let is_own = dir.iter().chain(&bound).any(shows);
    let program = OpenProgram::open(&real, !is_own && !covered(&real))?;
    let mut arguments: Vec<OsString> = Vec::new();
    let mut add = |words: &[&OsStr]| arguments.extend(words.iter().map(|&word| word.to_owned()));
    for (name, value) in variables() {
        add(&["--setenv".as_ref(), name, value]);
    }
    if let Some(copy) = program.copy() {
        let number = copy.as_raw_fd().to_string();
        add(&["--perms", "0555", "--file", &number].map(OsStr::new));
        add(&[real.as_ref()]);
    }
    if path != real && !is_own && !covered(&path) {
        add(&["--symlink".as_ref(), real.as_ref(), path.as_ref()]);
    }
    for spelled in spec.dir.iter().chain(&confinement.bound) {
        for folder in passed(spelled)?.iter().filter(|folder| !covered(folder)) {
            add(&["--dir".as_ref(), folder.as_ref()]);
        }
    }
    for file in &bound {
        let real = file.canonicalize()?;
        for place in [&real, file] {
            if !covered(place) {
                add(&["--ro-bind".as_ref(), real.as_ref(), place.as_ref()]);
            }
        }
    }
    match &dir {
        Some(dir) => add(&["--bind".as_ref(), dir.as_ref(), dir.as_ref(), "--chdir".as_ref(), dir.as_ref()]),
        None => add(&["--chdir".as_ref(), "/tmp".as_ref()]),
    }
    if is_own {
        for place in [&real, &path] {
            add(&["--ro-bind".as_ref(), real.as_ref(), place.as_ref()]);
        }
    }
    // Last: until then places for files are made there.
    add(&["--remount-ro", "/dev", "--remount-ro", "/"].map(OsStr::new));
    // Without CLOEXEC: `bwrap` reads it, and closes it before it starts the engine.
    let mut file = File::from(memfd_create("sandbox", MemfdFlags::empty())?);
    for argument in &arguments {
        file.write_all(argument.as_bytes())?;
        file.write_all(b"\0")?;
    }
    seek(&file, SeekFrom::Start(0))?;
    let mut command = bubblewrap()?;
    command.arg("--args").arg(file.as_raw_fd().to_string()).arg("--").arg(&path).args(&spec.args);
    command.env_clear().process_group(0);
    Ok(Prepared { command, program, arguments: Some(OwnedFd::from(file)) })
}

/// An absolute path without `.` and `..`, which the tool does not take. Links keep their names: a program may have been told them.
fn plain(path: &Path) -> io::Result<PathBuf> {
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

/// The file of a program. A name is looked up in the engine's `PATH`.
fn program_of(command: &Path, environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return std::path::absolute(command).ok().filter(|path| path.is_file());
    }
    let path = environment.iter().rev().find(|(name, _)| name == "PATH")?;
    env::split_paths(&path.1)
        .map(|folder| folder.join(command))
        .find(|path| path.is_absolute() && path.is_file())
}

/// Whether engines can be put into a sandbox here.
///
/// # Errors
/// Why not, as a sentence for a user.
pub fn try_sandbox() -> Result<(), String> {
    let tried = bubblewrap().and_then(|mut command| {
        command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--", "/bin/sh", "-c", ":"]);
        command.env_clear().stdin(Stdio::null()).output()
    });
    match tried {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("`bwrap` cannot make one here: {}", said.trim()))
        }
        Err(error) => Err(format!("it needs bubblewrap, and `bwrap` cannot be started: {error}")),
    }
}

fn bubblewrap() -> io::Result<Command> {
    let program = BWRAP.iter().map(Path::new).find(|path| path.is_file());
    let program = program.ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, format!("it is at none of {}", BWRAP.join(", ")))
    })?;
    let mut command = Command::new(program);
    command.args(NAMESPACES);
    for place in SYSTEM.iter().chain(&SETTINGS) {
        command.args(["--ro-bind-try", place, place]);
    }
    Ok(command)
}
