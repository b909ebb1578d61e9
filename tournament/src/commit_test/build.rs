//! Programs, each built once from the content of a commit.
//!
//! ```text
//! CACHE/programs/KEY/         the program, and build.json, which says what it was built from
//! CACHE/repositories/ID/      lock; tree: the worktree, while something is built; target: what cargo can use again
//! CACHE/logs/KEY.log          what the last build of this has printed
//! ```
//!
//! KEY is made from the tree of the commit, the command, the compiler's version and the variables that it obeys. A folder of
//! programs gets its name when everything is in it, so an interrupted build leaves nothing half. Builds of one repository take
//! turns. Their worktrees have the same place, so that equal sources make equal programs, whatever paths a compiler writes into them.

use super::error::TestError;
use super::git::{Repository, Revision};
use super::process::{Ended, end_of, passed_variables, run};
use crate::engine::{Shared, build_sandbox};
use kroo::files::{LockError, lock, sync_folder};
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Cargo's target folder, in the repository.
const TARGET: &str = "target";
/// The lines of a failed build that are shown.
const TAIL: usize = 20;
/// How often it is looked whether another build has ended.
const WAIT: Duration = Duration::from_millis(200);
/// Variables that compilers and cargo obey, by their beginning.
const OBEYED: [&str; 12] = [
    "RUSTFLAGS",
    "RUSTC",
    "RUSTUP_TOOLCHAIN",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_",
    "CARGO_PROFILE_",
    "CC",
    "CXX",
    "CFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
];
/// A hint at what a failed build may lack.
const NO_NETWORK: &str = " in its sandbox, where it has no network (`cargo fetch` gets crates before)";
/// The file with a program's source commit, in its folder.
const ABOUT: &str = "build.json";

/// How programs are built, and where they are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Builder<'a> {
    pub repository: &'a Repository,
    /// The command line.
    pub command: &'a str,
    /// The program, in the tree that was built.
    pub program: &'a Path,
    pub cache: &'a Path,
    /// Whether it is built in a sandbox.
    pub sandbox: bool,
}

/// A program that was built.
#[derive(Clone, Debug)]
pub(super) struct Built {
    /// Where it is.
    pub program: PathBuf,
    pub content: String,
    /// Where what it prints may go: no other process writes there.
    pub log: PathBuf,
}

/// The source of a program.
#[derive(Debug, Serialize, Deserialize)]
struct BuildStamp {
    commit: String,
    tree: String,
    command: String,
    compiler: String,
    content: String,
}

impl Builder<'_> {
    /// The program of a commit: one that is kept, or a new one.
    pub fn build(
        &self,
        side: &Revision,
        stop: &dyn Fn() -> bool,
        say: &dyn Fn(&str),
    ) -> Result<Built, TestError> {
        let compiler = self.compiler();
        let key = self.key(side, &compiler)?;
        let (programs, logs) = (self.cache.join("programs"), self.cache.join("logs"));
        let place = self.cache.join("repositories").join(self.repository.identity()?);
        for folder in [&programs, &logs, &place] {
            fs::create_dir_all(folder).map_err(TestError::file(folder))?;
        }
        let (folder, log) = (programs.join(&key), logs.join(format!("{key}.log")));
        if let Some(built) = self.kept(&folder, &log) {
            say(&format!("{} is built already", side.short));
            return Ok(built);
        }
        let turn = self.turn(&place.join("lock"), stop, say)?;
        // The process that had the lock may have built it.
        if let Some(built) = self.kept(&folder, &log) {
            return Ok(built);
        }
        say(&format!("Building {} ({}): {}", side.short, side.subject(), self.command));
        let worktree = self.repository.worktree(&side.commit, &place.join("tree"))?;
        let target = place.join(TARGET);
        let made = self.places(worktree.path(), &target);
        // What an earlier commit has left there must not be taken for this one's.
        made.iter().filter(|path| path.starts_with(&target)).for_each(|path| _ = fs::remove_file(path));
        self.run(side, worktree.path(), &target, &turn, &log, stop)?;
        let made = made.iter().find(|path| is_program(path)).ok_or_else(|| self.no_program(side, &made))?;
        let partial = programs.join(format!(".{key}.{}", std::process::id()));
        let about = BuildStamp {
            commit: side.commit.clone(),
            tree: side.tree.clone(),
            command: self.command.to_owned(),
            compiler,
            content: self.repository.hash_file(made)?,
        };
        self.keep(made, &partial, &folder, &about).map_err(TestError::file(&folder))?;
        self.kept(&folder, &log).ok_or_else(|| TestError::file(&folder)(io::ErrorKind::InvalidData.into()))
    }

    /// The key of a kept program.
    fn key(&self, side: &Revision, compiler: &str) -> Result<String, TestError> {
        let obeyed = |name: &str| OBEYED.iter().any(|begin| name.starts_with(begin));
        let mut variables: Vec<String> = env::vars_os()
            .map(|(name, value)| format!("{}={}\n", name.to_string_lossy(), value.to_string_lossy()))
            .filter(|line| obeyed(line))
            .collect();
        variables.sort();
        self.repository.hash_text(&format!(
            "{}\n{}\n{}\n{compiler}\n{}",
            side.tree,
            self.command,
            self.program.display(),
            variables.concat()
        ))
    }

    /// The version of the Rust compiler that is used here, if there is one.
    fn compiler(&self) -> String {
        let asked = Command::new("rustc").arg("-vV").current_dir(self.repository.root()).output();
        asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    }

    /// The program in a folder, if it is whole.
    fn kept(&self, folder: &Path, log: &Path) -> Option<Built> {
        let about: BuildStamp = serde_json::from_slice(&fs::read(folder.join(ABOUT)).ok()?).ok()?;
        let program = folder.join(self.program.file_name()?);
        let content = self.repository.hash_file(&program).ok()?;
        let built =
            Built { program, content, log: log.with_extension(format!("{}.bench", std::process::id())) };
        (is_program(&built.program) && built.content == about.content).then_some(built)
    }

    /// Waits until no other process builds something of this repository.
    fn turn(&self, path: &Path, stop: &dyn Fn() -> bool, say: &dyn Fn(&str)) -> Result<File, TestError> {
        let open = || File::options().create(true).truncate(false).write(true).read(true).open(path);
        let file = open().map_err(TestError::file(path))?;
        let mut told = false;
        loop {
            match lock(&file) {
                Ok(()) => return Ok(file),
                Err(LockError::Held { holder }) if !told => {
                    let who = holder.map(|holder| format!(" ({holder})")).unwrap_or_default();
                    say(&format!("Another build of this repository is running{who}; this one waits"));
                    told = true;
                }
                Err(LockError::Held { .. }) => {}
                Err(LockError::Io(error)) => return Err(TestError::file(path)(error)),
            }
            if stop() {
                return Err(TestError::Interrupted);
            }
            thread::sleep(WAIT);
        }
    }

    /// Where the program may be after a build: in the tree, or in cargo's target folder.
    fn places(&self, tree: &Path, target: &Path) -> Vec<PathBuf> {
        let told = self.program.strip_prefix(TARGET).map(|inside| target.join(inside));
        std::iter::once(tree.join(self.program)).chain(told).collect()
    }

    fn run(
        &self,
        side: &Revision,
        tree: &Path,
        target: &Path,
        turn: &File,
        log: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), TestError> {
        let begin = || {
            let output = File::create(log)?;
            let mut command = self.shell(tree, target)?;
            command.args(["-c", self.command]).current_dir(tree);
            // It reads nothing. While something of the build is left, the turn is not another one's, even if the referee is killed.
            command.stdin(turn.try_clone()?).stdout(output.try_clone()?).stderr(output);
            run(&mut command, stop)
        };
        let how = match begin().map_err(TestError::file(log))? {
            Ended::Exited(status) if status.success() => return Ok(()),
            Ended::Exited(status) => format!("ends with {status}"),
            Ended::Stopped => return Err(TestError::Interrupted),
        };
        let how = if self.sandbox { how + NO_NETWORK } else { how };
        let printed = end_of(log).unwrap_or_default();
        let lines: Vec<&str> = printed.lines().collect();
        let tail = lines[lines.len().saturating_sub(TAIL)..].iter().map(|line| format!("  {line}\n"));
        Err(TestError::new(format!(
            "{} is not built: `{}` {how}\n{}The whole of it: {}",
            side.short,
            self.command,
            tail.collect::<String>(),
            log.display()
        )))
    }

    /// A shell for a build, with few variables, and in a sandbox if it is to be.
    fn shell(&self, tree: &Path, target: &Path) -> io::Result<Command> {
        let mut variables = passed_variables(&OBEYED);
        variables.push(("CARGO_TARGET_DIR".into(), target.into()));
        if !self.sandbox {
            let mut command = Command::new("sh");
            command.env_clear().envs(variables);
            return Ok(command);
        }
        let folder = |name: &str, inside: &str| {
            let set = env::var_os(name).map(PathBuf::from);
            set.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(inside)))
        };
        let homes = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")].into_iter().filter_map(
            |(name, inside)| Some((OsString::from(name), folder(name, inside)?.into_os_string())),
        );
        let homes: Vec<(OsString, OsString)> = homes.collect();
        let path = env::var_os("PATH").unwrap_or_default();
        // Of cargo's folder not the whole: it may keep passwords for registries.
        let parts = ["bin", "registry", "git", "config.toml"].map(|part| Path::new(&homes[0].1).join(part));
        let mut readable: Vec<PathBuf> = env::split_paths(&path).filter(|path| path.is_absolute()).collect();
        readable.extend(parts);
        readable.extend(homes.iter().skip(1).map(|(_, folder)| PathBuf::from(folder)));
        readable.push(self.repository.common().to_owned());
        variables.extend(homes);
        variables.extend(
            [("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("CARGO_NET_OFFLINE", "true")]
                .map(|(name, value)| (name.into(), value.into())),
        );
        fs::create_dir_all(target)?;
        let mut command =
            build_sandbox(&Shared { writable: &[tree, target], readable: &readable, variables: &variables })?;
        command.arg("sh");
        Ok(command)
    }

    /// The error of a missing program: it lists those that exist.
    fn no_program(&self, side: &Revision, places: &[PathBuf]) -> TestError {
        let folders = places.iter().filter_map(|place| fs::read_dir(place.parent()?).ok());
        let mut found: Vec<String> = folders
            .flat_map(|entries| entries.flatten())
            .filter(|entry| is_program(&entry.path()))
            .map(|entry| self.program.with_file_name(entry.file_name()).display().to_string())
            .collect();
        found.sort();
        found.dedup();
        let instead =
            if found.is_empty() { String::new() } else { format!(" (there is {})", found.join(", ")) };
        let (side, program) = (&side.short, self.program.display());
        TestError::new(format!(
            "{side} is built, but there is no {program}{instead}: name the program with --program"
        ))
    }

    /// Puts a program in its folder, all at once. If another one with the same content is there, that is as good.
    fn keep(&self, made: &Path, partial: &Path, folder: &Path, about: &BuildStamp) -> io::Result<()> {
        let _ = fs::remove_dir_all(partial);
        fs::create_dir(partial)?;
        let program = partial.join(self.program.file_name().unwrap_or_default());
        fs::copy(made, &program)?;
        File::open(&program)?.sync_all()?;
        fs::write(partial.join(ABOUT), serde_json::to_vec_pretty(about)?)?;
        File::open(partial.join(ABOUT))?.sync_all()?;
        // Only what is not whole is there, or nothing: see `kept`.
        let _ = fs::remove_dir_all(folder);
        fs::rename(partial, folder)?;
        sync_folder(folder.parent().unwrap_or(folder))
    }
}

/// Whether a file can be run.
fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
