//! The parts of engines that a worker lets a job decide: program, arguments, options and limits. A job is not trusted: folders,
//! environment variables and bounds are the worker's own.

use super::error::QueueError;
use super::options::WorkerOptions;
use crate::engine::{Confinement, EngineSpec};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::{env, process};

/// An empty folder of a worker's own, for engines without a sandbox. It is removed with all that is in it.
#[derive(Debug)]
pub(super) struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// Makes one; `None` in a sandbox, which has a folder of its own.
    pub fn new(options: &WorkerOptions) -> Result<Option<PrivateFolder>, QueueError> {
        if !options.no_sandbox {
            return Ok(None);
        }
        let path = env::temp_dir().join(format!("kroo-worker-{}", process::id()));
        // A folder that is there already is another process's.
        let made = DirBuilder::new().mode(0o700).create(&path);
        made.map_err(|error| QueueError::System(format!("{}: {error}", path.display())))?;
        Ok(Some(PrivateFolder(path)))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What cannot be removed holds no secret.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes from an engine of a job everything that the worker's command line does not allow. Returns the removed parts, for a
/// user.
pub(super) fn contain(
    engine: &mut EngineSpec,
    options: &WorkerOptions,
    folder: Option<&PrivateFolder>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if engine.dir.take().is_some() {
        notes.push("the job's folder (dir=) is ignored by workers".to_owned());
    }
    engine.dir = folder.map(|folder| folder.path().to_owned());
    engine.stderr = None;
    let Confinement { variables, memory, processes, files, file_mib, bound, stderr_kib, sandbox } =
        &mut engine.confinement;
    variables.retain(|(name, _)| {
        let allowed = options.variables.contains(name);
        if !allowed {
            notes.push(format!(
                "the variable {name} is not passed on; `referee worker --allow-env {name}` allows it"
            ));
        }
        allowed
    });
    if *sandbox && options.no_sandbox {
        notes.push("the job's sandbox is left out; `referee worker` without --no-sandbox has one".to_owned());
    }
    *sandbox = !options.no_sandbox;
    for path in bound.iter().filter(|path| !options.bound.contains(path)) {
        notes.push(format!(
            "{0} is not shown in the sandbox; `referee worker --allow-file {0}` allows it",
            path.display()
        ));
    }
    bound.clone_from(&options.bound);
    let mut limit = |key: &str, asked: &mut u64, most: u64, option: &str| {
        if *asked > most {
            notes.push(format!("{key}={asked} is {most} here; `referee worker {option} {asked}` allows it"));
            *asked = most;
        }
    };
    match memory {
        Some(memory) => limit("memory", memory, options.max_memory, "--max-memory"),
        None if options.max_memory < 1 << 20 => *memory = Some(options.max_memory),
        None => {}
    }
    limit("processes", processes, options.max_processes, "--max-processes");
    limit("files", files, options.max_files, "--max-files");
    limit("filesize", file_mib, options.max_filesize, "--max-filesize");
    if *stderr_kib > Confinement::STDERR_KIB {
        notes.push(format!("stderrlimit={stderr_kib} is {} for all workers", Confinement::STDERR_KIB));
        *stderr_kib = Confinement::STDERR_KIB;
    }
    notes.iter().map(|note| format!("{}: {note}", engine.name)).collect()
}
