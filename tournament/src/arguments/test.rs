//! The arguments of `referee test`.

use super::error::ArgumentError;
use super::syntax::{flag_arg, path_arg, text, text_arg, words_arg};
use crate::commit_test::{RowForm, TestOptions};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kroo::files::user_data_folder;
use kroo::game::{Variant, names};
use std::ffi::{OsStr, OsString};
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::{env, thread};

/// The command's name.
pub(super) const NAME: &str = "test";

/// The program that is tested if none is named.
const PROGRAM: &str = "target/release/kroo";
/// Where cargo puts what it builds.
const TARGET: &str = "target";

const USAGE: &str = "referee test BASE..HEAD [OPTIONS]";

const AFTER: &str = "\
BASE and HEAD are revisions of git. BASE.. and ..HEAD: the other one is the current commit. BASE...HEAD: from where the two part.
BASE alone: against the working tree as it is, with changes and new files.

Both are built in a worktree by --build, which is a command line for sh; cargo finds what it can use again of earlier builds.
The program is kept by what it was built from, so it is built once. It must do without other files of its tree.

--sandbox also builds in a sandbox: without a network, so `cargo fetch` comes first, and with no files but the worktree, what is
in PATH, and the folders of cargo, rustup and git.

`PROGRAM bench` of each is run twice, as the engine is, and must visit the same nodes (a line `Nodes searched: N`), as many as the commit's message
says if it has a line `Bench: N`. A test of two programs that are the same is refused, unless --head or --base tells them apart.

What is different from a match: without --sprt it is elo0=0 elo1=5, without a limit nodes=20000, without openings 8 random
plies with a seed made from the two programs, and --concurrency is half the processors. An interrupted test prints its row, too, and
the same command with --resume goes on with it. The games, the journal and a report stay in the history's folder.

--base WORD... and --head WORD... are those of --engine in `referee --help`, without cmd and name.

Standard output has nothing but the table. In its column `kept?` goes what you decide.

Exit status: 0 if H1 was accepted for all rule sets, or there was no SPRT; 10 if it was rejected for one of them; 11 if one was
inconclusive and none rejected; 12 if an engine has broken the match; 1 after an error, such as a build that fails; 128 + N if
signal N has stopped it.";

/// The words that limit a move.
const LIMITS: [&str; 4] = ["st=", "tc=", "nodes=", "depth="];

/// The grammar, with options of a match: what is played, and how.
pub(super) fn command([played, how]: [Vec<Arg>; 2]) -> Command {
    let played = played.into_iter().map(|arg| explained(arg).help_heading("What is played"));
    let how = how.into_iter().map(|arg| explained(arg).help_heading("How it is played"));
    Command::new(NAME)
        .about("Test a change of an engine: build and play two commits")
        .override_usage(USAGE)
        .after_help(AFTER)
        .args(own_args())
        .args(played)
        .args(how)
}

/// An option of a match, with what is different here.
fn explained(arg: Arg) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let own_default = ["concurrency", "random-plies", "seed"].contains(&arg.get_id().as_str());
    arg.help(help.replace("see below", "see `referee --help`")).hide_default_value(own_default)
}

fn own_args() -> Vec<Arg> {
    let all = names().join(", ");
    vec![
        Arg::new("range")
            .value_name("BASE..HEAD")
            .required(true)
            .help("What is compared with what: commits of git"),
        path_arg("repo", "FOLDER", "The repository").default_value("."),
        text_arg(
            "build",
            "COMMAND",
            "How the program is built [default: cargo build --release --bin NAME, the program's]",
        ),
        path_arg("program", "PATH", "The program, in the tree that was built").default_value(PROGRAM),
        text_arg("name", "TEXT", "What is tried [default: the first line of the head's message]"),
        text_arg("variant", "NAME", format!("The rule sets, a test for each: {all}, or all of them (all)"))
            .num_args(1..)
            .action(ArgAction::Append)
            .default_value("awari"),
        words_arg("base", "Words for the base's engine only"),
        words_arg("head", "Words for the head's engine only"),
        flag_arg("no-sprt", "Play all rounds, without a sequential test")
            .conflicts_with("sprt")
            .requires("rounds"),
        flag_arg("no-bench", "Do not run the programs' `bench`"),
        text_arg(
            "book",
            "N",
            "Make a set of N nearly level openings, as `referee openings` does, and take those",
        )
        .value_parser(value_parser!(u64).range(1..=1_000_000))
        .conflicts_with_all(["openings", "random-plies"]),
        text_arg("row", "FORM", "The form of the rows")
            .value_parser(["markdown", "csv", "json"])
            .default_value("markdown"),
        flag_arg("resume", "Go on with the same test if it was interrupted"),
        history_arg(),
        path_arg(
            "cache",
            "FOLDER",
            "Where programs are kept [default: kroo/builds in the user's cache folder]",
        ),
    ]
}

/// The option of the history's folder.
pub(super) fn history_arg() -> Arg {
    path_arg("history", "FOLDER", "The folder of all tests [default: kroo/tests in the user's data folder]")
}

/// The history's folder.
pub(super) fn history_folder(matches: &ArgMatches) -> Result<PathBuf, ArgumentError> {
    let given = matches.get_one::<PathBuf>("history").cloned();
    let folder = given.or_else(|| user_data_folder().map(|folder| folder.join("tests")));
    folder.map(absolute).ok_or(ArgumentError::NoFolder { option: "--history" })
}

fn cache_folder(matches: &ArgMatches) -> Result<PathBuf, ArgumentError> {
    let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let caches = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let given = matches.get_one::<PathBuf>("cache").cloned();
    let folder = given.or_else(|| Some(caches()?.join("kroo/builds")));
    folder.map(absolute).ok_or(ArgumentError::NoFolder { option: "--cache" })
}

/// Programs are built and run in other folders than that of the referee.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// What the arguments mean. The options of a match, which the grammar was given, are passed on to it.
pub(super) fn options(
    matches: &ArgMatches,
    [played, how]: [Vec<Arg>; 2],
) -> Result<TestOptions, ArgumentError> {
    let program = matches.get_one::<PathBuf>("program").cloned().unwrap_or_default();
    let inside = program.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside || program.file_name().is_none() {
        return Err(ArgumentError::ProgramOutside(program));
    }
    let [mut played, mut how] = [played, how].map(|args| repeated(matches, &args));
    played.extend(played_by_default(matches));
    if !is_given(matches, "concurrency") {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        how.push(format!("--concurrency={}", (processors / 2).max(1)).into());
    }
    Ok(TestOptions {
        range: text(matches, "range").unwrap_or_default().to_owned(),
        repo: matches.get_one::<PathBuf>("repo").cloned().unwrap_or_default(),
        build: build_command(matches, &program)?,
        program,
        cache: cache_folder(matches)?,
        history: history_folder(matches)?,
        bench: !matches.get_flag("no-bench"),
        sandbox: matches.get_flag("sandbox"),
        variants: variants(matches)?,
        name: text(matches, "name").map(str::to_owned),
        words: [engine_words(matches, "base")?, engine_words(matches, "head")?],
        played,
        how,
        makes_seed: !is_given(matches, "seed"),
        book: matches.get_one::<u64>("book").copied(),
        row: match text(matches, "row") {
            Some("csv") => RowForm::Csv,
            Some("json") => RowForm::Json,
            _ => RowForm::Markdown,
        },
        resume: matches.get_flag("resume"),
    })
}

fn is_given(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// These options as they were given.
fn repeated(matches: &ArgMatches, args: &[Arg]) -> Vec<OsString> {
    let mut words = Vec::new();
    for arg in args.iter().filter(|arg| is_given(matches, arg.get_id().as_str())) {
        let option = format!("--{}", arg.get_id());
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            words.push(option.into());
            continue;
        }
        let many = arg.get_num_args().is_some_and(|count| count.max_values() > 1);
        for values in matches.get_raw_occurrences(arg.get_id().as_str()).into_iter().flatten() {
            if many {
                words.push(option.clone().into());
                words.extend(values.map(OsString::from));
            } else {
                let value = values.map(OsStr::to_owned).next().unwrap_or_default();
                words.push([OsStr::new(&option), OsStr::new("="), &value].into_iter().collect());
            }
        }
    }
    words
}

/// What is played if nothing else is asked for.
fn played_by_default(matches: &ArgMatches) -> Vec<OsString> {
    let mut words: Vec<&str> = Vec::new();
    if !is_given(matches, "sprt") && !matches.get_flag("no-sprt") {
        words.extend(["--sprt", "elo0=0", "elo1=5"]);
    }
    let engines = ["each", "base", "head"];
    let mut given = engines.iter().flat_map(|name| matches.get_many::<String>(name).into_iter().flatten());
    if !given.any(|word| LIMITS.iter().any(|limit| word.starts_with(limit))) {
        words.extend(["--each", "nodes=20000"]);
    }
    if !["openings", "random-plies", "book"].iter().any(|name| is_given(matches, name)) {
        words.push("--random-plies=8");
    }
    words.into_iter().map(OsString::from).collect()
}

fn build_command(matches: &ArgMatches, program: &Path) -> Result<String, ArgumentError> {
    if let Some(command) = text(matches, "build") {
        return Ok(command.to_owned());
    }
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if program.starts_with(TARGET) && plain {
        return Ok(format!("cargo build --release --bin {name}"));
    }
    Err(ArgumentError::NoBuild(program.to_path_buf()))
}

/// The rule sets, each once.
fn variants(matches: &ArgMatches) -> Result<Vec<Variant>, ArgumentError> {
    let mut variants = Vec::new();
    for name in matches.get_many::<String>("variant").into_iter().flatten() {
        let named = match name.as_str() {
            "all" => Variant::ALL.to_vec(),
            name => vec![name.parse().map_err(ArgumentError::Variant)?],
        };
        for variant in named {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
    }
    Ok(variants)
}

/// The words for one of the engines, which has its program and its name already.
fn engine_words(matches: &ArgMatches, side: &'static str) -> Result<Vec<String>, ArgumentError> {
    let words: Vec<String> = matches.get_many::<String>(side).into_iter().flatten().cloned().collect();
    match words.iter().find(|word| word.starts_with("cmd=") || word.starts_with("name=")) {
        Some(word) => Err(ArgumentError::FixedWord { side, word: word.clone() }),
        None => Ok(words),
    }
}
