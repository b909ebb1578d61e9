//! The sandbox: bubblewrap (`bwrap`), which builds namespaces and needs no rights for it.
//!
//! Inside there is no network, no process but the engine's own, and no file except the system's programs and libraries, the
//! folder of the engine's program (read only) and, with `dir=`, that folder (also to be written). `/tmp` is empty and its own.

use super::spec::EngineSpec;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// The tool.
const BWRAP: &str = "bwrap";
/// The system's folders, read only, where there are any.
const SYSTEM: [&str; 8] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"];
/// What is taken away, and what there is instead.
const NAMESPACES: [&str; 9] = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
];

/// The command that starts an engine, in a sandbox if it is to be.
pub(super) fn command_of(spec: &EngineSpec, sandbox: bool) -> io::Result<Command> {
    if !sandbox {
        let mut command = Command::new(&spec.command);
        command.args(&spec.args).process_group(0);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        return Ok(command);
    }
    if spec.command.components().count() > 1 && !spec.command.is_file() {
        return Err(io::Error::from_raw_os_error(rustix::io::Errno::NOENT.raw_os_error()));
    }
    let mut command = bubblewrap();
    if let Some(folder) = spec.command.parent().filter(|folder| folder.is_absolute()) {
        command.arg("--ro-bind").args([folder, folder]);
    }
    match &spec.dir {
        Some(dir) => command.arg("--bind").args([dir, dir]).arg("--chdir").arg(dir),
        None => command.args(["--chdir", "/tmp"]),
    };
    command.arg("--").arg(&spec.command).args(&spec.args).process_group(0);
    Ok(command)
}

/// Whether engines can be put into a sandbox here.
///
/// # Errors
/// Why not, as a sentence for a user.
pub fn try_sandbox() -> Result<(), String> {
    let tried = bubblewrap().args(["--", "true"]).stdin(Stdio::null()).output();
    match tried {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("`{BWRAP}` cannot make one here: {}", said.trim()))
        }
        Err(error) => Err(format!("it needs bubblewrap, and `{BWRAP}` cannot be started: {error}")),
    }
}

fn bubblewrap() -> Command {
    let mut command = Command::new(BWRAP);
    command.args(NAMESPACES);
    for folder in SYSTEM.map(Path::new) {
        command.arg("--ro-bind-try").args([folder, folder]);
    }
    command
}
