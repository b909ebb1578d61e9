//! Why there is no test.

use crate::failure::Failure;
use crate::output::OutputError;
use std::io;
use std::path::{Path, PathBuf};

/// What a match says.
pub type MatchError = Box<dyn std::error::Error + Send + Sync>;

/// Why a change is not tested, or a history not shown.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// A signal has come before the first game.
    #[error("interrupted; the same command begins again, with what was built until now")]
    Interrupted,
    /// The options.
    #[error(transparent)]
    Arguments(#[from] Failure),
    /// Git cannot be started.
    #[error("git cannot be started: {0}")]
    NoGit(io::Error),
    /// The folder is in no repository.
    #[error("{}: no git repository with a working tree: give its folder with --repo", .0.display())]
    NoRepository(PathBuf),
    /// A revision is none.
    #[error(
        "`{revision}` is no commit of the repository {}; `git log --oneline` lists them", .repository.display()
    )]
    UnknownRevision {
        /// As it was given.
        revision: String,
        /// Where it was looked for.
        repository: PathBuf,
    },
    /// Git does not do something.
    #[error("git {what}: {said}")]
    Git {
        /// What it was to do.
        what: String,
        /// What it says.
        said: String,
    },
    /// Both sides are the same commit.
    #[error("{0} on both sides: there is nothing to test; --head and --base can give each its own options")]
    SameCommit(String),
    /// Both programs are the same.
    #[error(
        "{base} and {head} build the same program, byte for byte: there is nothing to test; --head and --base can \
         give each its own options"
    )]
    SameProgram {
        /// One commit.
        base: String,
        /// The other one.
        head: String,
    },
    /// A side is not built.
    #[error("{side} is not built: `{command}` {how}\n{tail}The whole of it: {}", .log.display())]
    Build {
        /// Which commit.
        side: String,
        /// The command.
        command: String,
        /// How it ended.
        how: String,
        /// The last lines that it has printed.
        tail: String,
        /// The file with all of them.
        log: PathBuf,
    },
    /// The build makes no such program.
    #[error("{side} is built, but there is no {}{instead}: name the program with --program", .program.display())]
    NoProgram {
        /// Which commit.
        side: String,
        /// What was expected.
        program: PathBuf,
        /// What is there instead.
        instead: String,
    },
    /// A program has no signature.
    #[error("{side}: `{program} bench` {problem}; without a bench, --no-bench")]
    Bench {
        /// Which commit.
        side: String,
        /// Its program's name.
        program: String,
        /// What is wrong.
        problem: String,
    },
    /// The signature is not that of the message.
    #[error(
        "{side}: its message says Bench: {said}, but its program visits {found} nodes: it is not what was meant, or was \
         built in another way (--no-bench plays all the same)"
    )]
    OtherBench {
        /// Which commit.
        side: String,
        /// The message's.
        said: u64,
        /// The program's.
        found: u64,
    },
    /// A file or a folder.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Standard output.
    #[error("standard output: {0}")]
    Print(io::Error),
    /// The page.
    #[error(transparent)]
    Page(#[from] OutputError),
    /// The match.
    #[error("{0:#}")]
    Match(MatchError),
}

impl TestError {
    /// An error with a file.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> TestError {
        let path = path.to_path_buf();
        move |error| TestError::File { path, error }
    }
}
