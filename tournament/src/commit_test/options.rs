//! What a test and a look at the history are asked for.

use kroo::game::Variant;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The form of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// A table of Markdown.
    Markdown,
    /// Fields with commas between them (RFC 4180).
    Csv,
    /// The line of the history.
    Json,
}

/// Which change of an engine to test, and how.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// The two commits: `BASE..HEAD`, or a base for the working tree.
    pub range: String,
    /// A folder of the repository.
    pub repo: PathBuf,
    /// The command line that builds the program.
    pub build: String,
    /// The program, in the tree that was built.
    pub program: PathBuf,
    /// The folder in which programs are kept.
    pub cache: PathBuf,
    /// The folder of all tests.
    pub history: PathBuf,
    /// Whether `bench` is run.
    pub bench: bool,
    /// Whether programs are built in a sandbox.
    pub sandbox: bool,
    /// The rule sets, each with a test of its own.
    pub variants: Vec<Variant>,
    /// What is tried, in words.
    pub name: Option<String>,
    /// Words for the base's engine, and for the head's.
    pub words: [Vec<String>; 2],
    /// The options of the match that say what is played.
    pub played: Vec<OsString>,
    /// Those that say how.
    pub how: Vec<OsString>,
    /// Whether the random seed is made from the programs.
    pub makes_seed: bool,
    /// How many openings a book is to have, if there is to be one.
    pub book: Option<u64>,
    /// The form of the rows.
    pub row: RowForm,
    /// Whether to go on with a test that was interrupted.
    pub resume: bool,
}

/// How to show the history.
#[derive(Clone, Debug)]
pub struct HistoryOptions {
    /// Its folder.
    pub folder: PathBuf,
    /// The file for a page.
    pub html: Option<PathBuf>,
    /// Whether to print JSON.
    pub json: bool,
}

/// An engine of a test's match.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchSide<'a> {
    /// Its program.
    pub program: &'a Path,
    /// Its name.
    pub name: &'a str,
}

impl TestOptions {
    /// The command line of a match between two engines, the base's first.
    pub(super) fn match_arguments(&self, variant: Variant, sides: [MatchSide<'_>; 2]) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["referee".into()];
        // The head is the first engine of the match: its Elo is the one that is told.
        for (side, own) in sides.iter().zip(&self.words).rev() {
            let cmd = [OsString::from("cmd="), side.program.into()].into_iter().collect::<OsString>();
            words.extend(["--engine".into(), cmd, format!("name={}", side.name).into()]);
            words.extend(own.iter().map(OsString::from));
        }
        words.push(format!("--variant={variant}").into());
        words.extend(self.played.iter().chain(&self.how).cloned());
        words
    }

    /// Command lines of matches that tell, before anything is built, whether the words are understood.
    #[must_use]
    pub fn trials(&self) -> Vec<Vec<OsString>> {
        let program = env::current_exe().unwrap_or_else(|_| "/proc/self/exe".into());
        let side = |name| MatchSide { program: &program, name };
        let trial = |&variant: &Variant| self.match_arguments(variant, [side("base"), side("head")]);
        self.variants.iter().map(trial).collect()
    }
}
