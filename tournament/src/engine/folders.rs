//! Checks of folders that engines in sandboxes may write to. An engine can replace any file there by a link, which a later match
//! would follow when it resolves the path.

use super::layout::plain;
use super::spec::EngineSpec;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf, absolute};

/// The device and number of a file: the same for all its paths.
type Identity = (u64, u64);

/// A folder of an engine in a sandbox.
struct Writable<'a> {
    engine: &'a EngineSpec,
    dir: &'a Path,
    identity: Identity,
}

impl Writable<'_> {
    /// Where a path enters the folder: the path of the folder, and the rest. Also if links lead there.
    fn entered(&self, path: &Path) -> Option<(PathBuf, PathBuf)> {
        let path = plain(path).or_else(|_| absolute(path)).ok()?;
        let resolved = path.ancestors().find_map(|folder| {
            let rest = path.strip_prefix(folder).ok()?;
            Some(folder.canonicalize().ok()?.join(rest))
        });
        [Some(path), resolved].into_iter().flatten().find_map(|path| {
            let folder = path.ancestors().skip(1).find(|folder| identity(folder) == Some(self.identity))?;
            Some((folder.to_owned(), path.strip_prefix(folder).ok()?.to_owned()))
        })
    }

    fn named(&self) -> String {
        format!("the folder `dir={}` of {}", self.dir.display(), self.engine.name)
    }
}

/// Whether engines in sandboxes can write to nothing that belongs to the referee or to another engine alone. `outputs` are the
/// files of the referee, each with its option.
pub fn check_folders(engines: &[&EngineSpec], outputs: &[(&str, &Path)]) -> Result<(), String> {
    let writable = engines.iter().filter(|engine| engine.confinement.sandbox).filter_map(|engine| {
        let dir = engine.dir.as_deref()?;
        Some(Writable { engine, dir, identity: identity(dir)? })
    });
    for folder in writable {
        for engine in engines {
            let own = |key: &str, path: &Path| format!("`{key}={}` of {}", path.display(), engine.name);
            if let Some(dir) = &engine.dir
                && identity(dir) != Some(folder.identity)
                && folder.entered(dir).is_some()
            {
                return Err(format!(
                    "{} is in {}, which could put a link in its place: give them folders side by side, or the same",
                    own("dir", dir),
                    folder.named()
                ));
            }
            if let Some(stderr) = engine.stderr.as_deref().filter(|stderr| folder.entered(stderr).is_some()) {
                return Err(misplaced(&own("stderr", stderr), &folder));
            }
            let leads_out = |path: &&PathBuf| {
                let Some((folder, rest)) = folder.entered(path) else { return false };
                folder.canonicalize().ok().map(|folder| folder.join(rest)) != path.canonicalize().ok()
            };
            let reads = engine.confinement.bound.iter().filter(|_| engine.confinement.sandbox);
            if let Some(path) = reads.into_iter().find(leads_out) {
                let (what, folder) = (own("read", path), folder.named());
                return Err(format!(
                    "{what} goes through a link in {folder}, which may have made it: name the file itself"
                ));
            }
        }
        if let Some((option, path)) = outputs.iter().find(|(_, path)| folder.entered(path).is_some()) {
            return Err(misplaced(&format!("{option} {}", path.display()), &folder));
        }
    }
    Ok(())
}

fn misplaced(what: &str, folder: &Writable<'_>) -> String {
    format!("{what} is in {}, which could put a link in its place: name a file elsewhere", folder.named())
}

fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}
