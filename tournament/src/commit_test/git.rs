//! The repository: revisions, messages and worktrees, by the program `git`. Nothing of what a user or a commit says goes through
//! a shell, and none of it is taken for an option.

use super::error::TestError;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Variables that lead git to another repository.
const MISLEADING: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
];
const NO_GIT: &str = "git cannot be started";
/// Characters of a commit's short name.
const SHORT: usize = 7;

/// A repository with a working tree.
#[derive(Clone, Debug)]
pub(super) struct Repository {
    root: PathBuf,
    /// The folder that all its worktrees share.
    common: PathBuf,
}

/// A commit to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// As it was given.
    pub revision: String,
    pub commit: String,
    /// Its name in tables.
    pub short: String,
    /// The content of its tree.
    pub tree: String,
    /// The message, with its first line.
    pub message: String,
}

impl Revision {
    /// The first line of the message.
    pub fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// The node count in the message: the number of the last line `Bench: N`.
    pub fn bench(&self) -> Option<u64> {
        let number = |line: &str| {
            let line = line.trim();
            let rest = line.get(..5).filter(|word| word.eq_ignore_ascii_case("bench")).map(|_| &line[5..])?;
            let digits = rest.trim_start().strip_prefix([':', '=']).unwrap_or(rest).trim();
            digits.replace([',', '_', '\''], "").parse().ok()
        };
        self.message.lines().filter_map(number).next_back()
    }
}

/// A checked-out commit. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Worktree<'a> {
    repository: &'a Repository,
    path: PathBuf,
}

impl Repository {
    /// The repository that a folder is in.
    pub fn of(folder: &Path) -> Result<Repository, TestError> {
        let none = || {
            let problem = "no git repository with a working tree: give its folder with --repo";
            TestError::new(format!("{}: {problem}", folder.display()))
        };
        if !folder.is_dir() {
            return Err(none());
        }
        let found = Repository { root: folder.to_path_buf(), common: PathBuf::new() };
        let Ok(root) = found.ask(&["rev-parse", "--show-toplevel"]) else {
            // Without git there is no telling.
            found.output(found.git().arg("--version"))?;
            return Err(none());
        };
        let found = Repository { root: root.into(), ..found };
        let common = found.ask(&["rev-parse", "--git-common-dir"])?;
        let common = found.root.join(common);
        Ok(Repository { common: fs::canonicalize(&common).unwrap_or(common), ..found })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of its objects.
    pub fn common(&self) -> &Path {
        &self.common
    }

    /// A name that no other repository on this machine has.
    pub fn identity(&self) -> Result<String, TestError> {
        self.hash_text(&self.common.to_string_lossy())
    }

    /// The commits of `BASE..HEAD`, `BASE...HEAD`, or a base and the working tree.
    pub fn sides(&self, range: &str) -> Result<[Revision; 2], TestError> {
        let or_current = |text: &str| if text.is_empty() { "HEAD".to_owned() } else { text.to_owned() };
        if let Some((base, head)) = range.split_once("...") {
            let (base, head) = (self.side(&or_current(base))?, self.side(&or_current(head))?);
            let fork = self.ask(&["merge-base", &base.commit, &head.commit])?;
            return Ok([self.side(&fork)?, head]);
        }
        match range.split_once("..") {
            Some((base, head)) => Ok([self.side(&or_current(base))?, self.side(&or_current(head))?]),
            None => Ok([self.side(range)?, self.working_tree()?]),
        }
    }

    fn side(&self, revision: &str) -> Result<Revision, TestError> {
        let unknown = || {
            let repository = self.root.display();
            TestError::new(format!(
                "`{revision}` is no commit of the repository {repository}; `git log --oneline` lists them"
            ))
        };
        if revision.is_empty() || revision.starts_with('-') {
            return Err(unknown());
        }
        let commit = self.ask(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]);
        let commit = commit.map_err(|_| unknown())?;
        let tree = self.ask(&["rev-parse", "--verify", &format!("{commit}^{{tree}}")])?;
        let message = self.ask(&["log", "-1", "--no-show-signature", "--format=%B", &commit])?;
        let short = commit.get(..SHORT).unwrap_or(&commit).to_owned();
        Ok(Revision { revision: revision.to_owned(), commit, short, tree, message })
    }

    /// The working tree with its changes and its new files, as a commit that no branch leads to. The same content is the same
    /// commit.
    fn working_tree(&self) -> Result<Revision, TestError> {
        let head = self.side("HEAD")?;
        let index = self.common.join(format!("referee-index-{}", std::process::id()));
        let git = || {
            let mut git = self.git();
            git.env("GIT_INDEX_FILE", &index);
            git
        };
        let made = (|| {
            self.output(git().args(["read-tree", &head.commit]))?;
            self.output(git().args(["add", "--all", "."]))?;
            self.output(git().arg("write-tree"))
        })();
        // It was only for this.
        let _ = fs::remove_file(&index);
        let tree = made?;
        if tree == head.tree {
            return Ok(head);
        }
        let mut git = self.git();
        for person in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{person}_NAME"), "referee").env(format!("GIT_{person}_EMAIL"), "referee");
            git.env(format!("GIT_{person}_DATE"), "@0 +0000");
        }
        let message = format!("Changes after {}", head.subject());
        let commit = self.output(git.args(["commit-tree", "-p", &head.commit, "-m", &message, &tree]))?;
        let short = format!("{} and changes", head.short);
        Ok(Revision { revision: "the working tree".to_owned(), commit, short, tree, message })
    }

    /// Checks a commit out, in a folder that only one process uses at a time.
    pub fn worktree<'a>(&'a self, commit: &str, path: &Path) -> Result<Worktree<'a>, TestError> {
        // What a killed referee has left.
        self.remove_worktree(path);
        let worktree = Worktree { repository: self, path: path.to_path_buf() };
        let mut git = self.git();
        git.args(["worktree", "add", "--quiet", "--force", "--force", "--detach"]).arg(path).arg(commit);
        self.output(&mut git)?;
        Ok(worktree)
    }

    fn remove_worktree(&self, path: &Path) {
        if path.exists() {
            let _ = self.output(self.git().args(["worktree", "remove", "--force", "--force"]).arg(path));
            // Git removes only what it knows.
            let _ = fs::remove_dir_all(path);
        }
        let _ = self.output(self.git().args(["worktree", "prune"]));
    }

    /// The content of a file in one word.
    pub fn hash_file(&self, path: &Path) -> Result<String, TestError> {
        self.output(self.git().args(["hash-object", "--no-filters", "--"]).arg(path))
    }

    /// The content of a text in one word.
    pub fn hash_text(&self, text: &str) -> Result<String, TestError> {
        let mut git = self.git();
        git.args(["hash-object", "--stdin"]);
        let mut run = || {
            let mut child =
                git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
            if let Some(mut input) = child.stdin.take() {
                input.write_all(text.as_bytes())?;
            }
            child.wait_with_output()
        };
        said("hash-object", &run().map_err(TestError::at(NO_GIT))?)
    }

    fn git(&self) -> Command {
        let mut git = Command::new("git");
        git.arg("-C").arg(&self.root).args(["-c", "core.hooksPath=/dev/null"]).stdin(Stdio::null());
        without_misleading(&mut git).env("LC_ALL", "C");
        git
    }

    fn ask<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<String, TestError> {
        self.output(self.git().args(arguments))
    }

    fn output(&self, git: &mut Command) -> Result<String, TestError> {
        let output = git.output().map_err(TestError::at(NO_GIT))?;
        let what = git.get_args().nth(4).unwrap_or_default().to_string_lossy().into_owned();
        said(&what, &output)
    }
}

/// A command that finds the repository of the folder that it is run in.
fn without_misleading(command: &mut Command) -> &mut Command {
    MISLEADING.iter().for_each(|name| _ = command.env_remove(name));
    command
}

/// The output of git, without its last line break.
fn said(what: &str, output: &Output) -> Result<String, TestError> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let said = text(&output.stderr);
    let said = if said.is_empty() { output.status.to_string() } else { said };
    Err(TestError::new(format!("git {what}: {said}")))
}

impl Worktree<'_> {
    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Worktree<'_> {
    fn drop(&mut self) {
        self.repository.remove_worktree(&self.path);
    }
}
