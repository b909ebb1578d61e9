//! Options of `referee test` and of `referee history`.

use crate::arguments::{
    CommonArguments, Engines, FileArguments, MatchArguments, OpeningArguments, SeriesArguments,
};
use crate::failure::Failure;
use clap::{ArgAction, Args};
use kroo::files::user_data_folder;
use kroo::game::{UnknownVariant, Variant, names};
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;
use std::{env, thread};

/// The program that is tested if none is named.
const PROGRAM: &str = "target/release/kroo";
/// Where cargo puts what it builds.
const TARGET: &str = "target";

const USAGE: &str = "referee test BASE..HEAD [OPTIONS]";

const AFTER: &str = "\
BASE and HEAD are revisions of git. BASE.. and ..HEAD: the other one is the current commit. BASE...HEAD: the base is their common
ancestor. BASE alone: against the working tree, with changes and new files.

Both are built in a worktree by --build, which is a command line for sh; cargo reuses earlier builds. A program is kept by the tree
that it was built from, so it is built once. It must run without other files of its tree.

--sandbox also builds in a sandbox: without a network, so `cargo fetch` comes first, and with no files but the worktree, what is
in PATH, and the folders of cargo, rustup and git.

`PROGRAM bench` of each is run twice, as the engine is, and must visit the same nodes (a line `Nodes searched: N`), as many as the commit's message
says if it has a line `Bench: N`. A test of two programs that are the same is refused, unless --head or --base tells them apart.

Defaults that differ from those of a match: --sprt elo0=0 elo1=5, nodes=20000, 8 random plies with a seed made from the two
programs, and a --concurrency of half the processors. An interrupted test prints its row, too, and the same command with --resume
continues it. The games, the journal and a report stay in the history's folder.

--base WORD... and --head WORD... are those of --engine in `referee --help`, without cmd and name.

Standard output has only the table. Its column `kept?` is for your decision.

Exit status: 0 if H1 was accepted for all rule sets, or there was no SPRT; 10 if it was rejected for one of them; 11 if one was
inconclusive and none rejected; 12 if an engine has broken the match; 1 after an error, such as a build that fails; 128 + N if
signal N has stopped it.";

const HISTORY_AFTER: &str = "\
A test of `referee test` has a line for each of its rule sets. If a test was interrupted and continued, its last line counts.

Exit status: 0, or 1 after an error.";

/// The words that limit a move.
const LIMITS: [&str; 4] = ["st=", "tc=", "nodes=", "depth="];
/// Defaults that differ from those of a match.
const SPRT: [&str; 2] = ["elo0=0", "elo1=5"];
const NODES: &str = "nodes=20000";
const RANDOM_PLIES: u32 = 8;

/// Rule sets by a name: one, or `all`.
#[derive(Clone, Debug)]
pub struct NamedVariants(Vec<Variant>);

impl FromStr for NamedVariants {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<NamedVariants, UnknownVariant> {
        Ok(NamedVariants(if name == "all" { Variant::ALL.to_vec() } else { vec![name.parse()?] }))
    }
}

/// Options of `referee test`.
#[derive(Clone, Debug, Args)]
#[command(override_usage = USAGE, after_help = AFTER)]
pub struct TestOptions {
    /// The two commits to compare
    #[arg(value_name = "BASE..HEAD")]
    pub range: String,
    /// The repository
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub repo: PathBuf,
    /// How the program is built [default: cargo build --release --bin NAME, the program's]
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// The program, in the tree that was built
    #[arg(long, value_name = "PATH", default_value = PROGRAM)]
    pub program: PathBuf,
    /// The idea that is tested [default: the first line of the head's message]
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// The rule sets.
    #[arg(
        long,
        value_name = "NAME",
        num_args = 1..,
        default_value = "awari",
        help = format!("The rule sets, a test for each: {}, or all of them (all)", names().join(", "))
    )]
    pub variant: Vec<NamedVariants>,
    /// Words for the base's engine only
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub base: Vec<String>,
    /// Words for the head's engine only
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub head: Vec<String>,
    /// Play all rounds, without a sequential test
    #[arg(long, conflicts_with = "sprt", requires = "rounds")]
    pub no_sprt: bool,
    /// Do not run the programs' `bench`
    #[arg(long = "no-bench", action = ArgAction::SetFalse)]
    pub bench: bool,
    /// Print JSON, the line of the history, instead of a table
    #[arg(long)]
    pub json: bool,
    /// Go on with the same test if it was interrupted
    #[arg(long)]
    pub resume: bool,
    /// The folder of all tests.
    #[command(flatten)]
    pub history: HistoryFolder,
    /// Where programs are kept [default: kroo/builds in the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// How many games there are.
    #[command(flatten)]
    pub series: SeriesArguments,
    /// The other options of a match.
    #[command(flatten)]
    pub common: CommonArguments,
    /// Only warn about an option that an engine does not have, does not accept, or complains about
    #[arg(long, help_heading = "Engines and machine")]
    pub lenient: bool,
}

/// The folder of the history.
#[derive(Clone, Debug, Args)]
pub struct HistoryFolder {
    /// The folder of all tests [default: kroo/tests in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    pub history: Option<PathBuf>,
}

/// Options of `referee history`.
#[derive(Clone, Debug, Args)]
#[command(after_help = HISTORY_AFTER)]
pub struct HistoryOptions {
    /// Its folder.
    #[command(flatten)]
    pub history: HistoryFolder,
    /// Write a page for a web browser to this file, instead of the table
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print the tests as JSON, one in each line
    #[arg(long, conflicts_with = "html")]
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

impl HistoryFolder {
    /// The folder, valid in any other folder.
    ///
    /// # Errors
    /// If none is given, and the environment names no folder of the user.
    pub fn path(&self) -> Result<PathBuf, Failure> {
        let folder = self.history.clone().or_else(|| user_data_folder().map(|folder| folder.join("tests")));
        folder.map(absolute).ok_or_else(|| Failure::no_folder("--history"))
    }
}

impl TestOptions {
    /// Whether everything is understood, before anything is built: also the match, with any program.
    ///
    /// # Errors
    /// The first thing that is not.
    pub fn check(&self) -> Result<(), Failure> {
        self.build_command()?;
        self.cache_folder()?;
        self.history.path()?;
        for (side, words) in [("--base", &self.base), ("--head", &self.head)] {
            if let Some(word) =
                words.iter().find(|word| word.starts_with("cmd=") || word.starts_with("name="))
            {
                let problem = format!("`{word}`: the program and the name are those of the commit");
                return Err(Failure::at(side, problem));
            }
        }
        let program = env::current_exe().unwrap_or_else(|_| "/proc/self/exe".into());
        let side = |name| MatchSide { program: &program, name };
        for variant in self.variants() {
            let (openings, files) = (self.openings(), FileArguments::default());
            self.match_arguments(variant, [side("base"), side("head")], openings, files).options()?;
        }
        Ok(())
    }

    /// The command line that builds the program.
    ///
    /// # Errors
    /// If the program is outside of the tree, or nothing says how it is built.
    pub(super) fn build_command(&self) -> Result<String, Failure> {
        let program = self.program.display();
        let inside =
            self.program.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let Some(name) = self.program.file_name().filter(|_| inside) else {
            return Err(Failure::new(format!(
                "--program {program}: expected a path inside the tree that is built, such as target/release/kroo"
            )));
        };
        if let Some(command) = &self.build {
            return Ok(command.clone());
        }
        let name = name.to_string_lossy();
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if self.program.starts_with(TARGET) && plain {
            return Ok(format!("cargo build --release --bin {name}"));
        }
        Err(Failure::new(format!("--build: say how {program} is built, as in --build \"make -j\"")))
    }

    /// The folder in which programs are kept.
    pub(super) fn cache_folder(&self) -> Result<PathBuf, Failure> {
        let variable =
            |name| env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
        let caches = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        let folder = self.cache.clone().or_else(|| Some(caches()?.join("kroo/builds")));
        folder.map(absolute).ok_or_else(|| Failure::no_folder("--cache"))
    }

    /// The rule sets, each once.
    pub(super) fn variants(&self) -> Vec<Variant> {
        let mut variants = Vec::new();
        for &variant in self.variant.iter().flat_map(|named| &named.0) {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        variants
    }

    /// Whether programs are built in a sandbox.
    #[must_use]
    pub fn sandbox(&self) -> bool {
        self.common.running.sandbox
    }

    /// The words for the base's engine only, and for the head's.
    pub(super) fn words(&self) -> [&Vec<String>; 2] {
        [&self.base, &self.head]
    }

    /// The openings.
    pub(super) fn openings(&self) -> OpeningArguments {
        let mut openings = self.common.openings.clone();
        if openings.openings.is_none() {
            openings.random_plies.get_or_insert(RANDOM_PLIES);
        }
        openings
    }

    /// How many games there are, by the defaults of a test.
    fn series(&self) -> SeriesArguments {
        let mut series = self.series.clone();
        if !self.no_sprt {
            series.sprt.get_or_insert_with(|| SPRT.map(str::to_owned).to_vec());
        }
        let mut words = series.each.iter().chain(&self.base).chain(&self.head);
        if !words.any(|word| LIMITS.iter().any(|limit| word.starts_with(limit))) {
            series.each.push(NODES.to_owned());
        }
        series
    }

    /// A match between two engines, the base's first.
    pub(super) fn match_arguments(
        &self,
        variant: Variant,
        sides: [MatchSide<'_>; 2],
        openings: OpeningArguments,
        files: FileArguments,
    ) -> MatchArguments {
        let engine = |(side, own): (&MatchSide<'_>, &Vec<String>)| {
            let described = [format!("cmd={}", side.program.display()), format!("name={}", side.name)];
            described.into_iter().chain(own.iter().cloned()).collect()
        };
        let mut common = CommonArguments { openings, ..self.common.clone() };
        common.running.concurrency.get_or_insert_with(|| {
            let processors = thread::available_parallelism().map_or(1, NonZero::get);
            (processors / 2).max(1)
        });
        MatchArguments {
            // The head is the first engine of the match: its Elo is the one that is shown.
            engines: Engines(sides.iter().zip(self.words()).rev().map(engine).collect()),
            series: self.series(),
            variant,
            event: "match".to_owned(),
            gauntlet_seeds: 1,
            common,
            lenient: self.lenient,
            files,
            shard: None,
        }
    }
}

/// Programs are built and run in other folders than that of the referee.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
