//! What can be wrong with a command line.

use super::contestants::ContestantError;
use super::key_values::WordError;
use crate::plan::PlanError;
use crate::queue::AddressError;
use crate::schedule::{EventError, OpeningsError, ShardError};
use crate::tuning::{ParameterError, TuningError};
use kroo::endgame::{EndgameFileError, MAX_SEEDS};
use kroo::game::{UnknownVariant, Variant};
use kroo::ogn::ReadError;
use kroo::printable;
use std::io;
use std::path::PathBuf;

/// What is wrong with the arguments of `referee stats`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatsError {
    /// There is nothing to count.
    #[error("stats: no results: give --wdl W L D, --ptnml LL LD DD WD WW, or game files")]
    NoResults,
    /// More games than can be counted.
    #[error("stats: {option}: more than {most} games")]
    TooMany {
        /// The option.
        option: &'static str,
        /// How many there may be.
        most: u64,
    },
    /// The SPRT.
    #[error("stats: {0}")]
    Sprt(#[from] WordError),
}

/// What is wrong with the arguments of `referee tune`.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A parameter on the command line.
    #[error("--param {text}: {error}")]
    Parameter {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        error: ParameterError,
    },
    /// A line of a file of parameters.
    #[error("--params {}:{line}: {error}", .file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        error: ParameterError,
    },
    /// That file cannot be read.
    #[error("--params {}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is nothing to tune, or too much.
    #[error("tune: {0}; give each with --param NAME,START,MIN,MAX,C_END,R_END, or all with --params FILE")]
    Parameters(TuningError),
    /// A message on a queue would be too long.
    #[error("--batch: at most {most} with so many parameters")]
    Batch {
        /// How many pairs of games it may have.
        most: u64,
    },
    /// A parameter has a fixed value.
    #[error("tune: `{name}` is a parameter, and has a value by option.{name}: leave one of them out")]
    Fixed {
        /// Its name.
        name: String,
    },
}

/// What is wrong with the arguments of `referee accuracy`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccuracyArgumentError {
    /// What the files say depends on the past.
    #[error(
        "accuracy: in oware a repetition may change what the endgame files say, so it cannot be measured"
    )]
    Cycles,
    /// A clock says nothing about one move.
    #[error("accuracy: a clock (tc) is for games; give st=SECONDS, nodes=N or depth=N")]
    Clock,
    /// That is no range of seeds.
    #[error("--seeds {}: expected a range such as 18-24, of at most {MAX_SEEDS} seeds", printable::name(.0))]
    Seeds(String),
}

/// What is wrong with the command line.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// An option does not exist, or is used in a wrong way.
    #[error("{0}")]
    Syntax(String),
    /// The engines.
    #[error(transparent)]
    Contestants(#[from] ContestantError),
    /// There is no such rule set.
    #[error("--variant: {0}")]
    Variant(UnknownVariant),
    /// The endgame files cannot be used.
    #[error("--endgame: {0}")]
    Endgames(EndgameFileError),
    /// There are no endgame files.
    #[error("--endgame {}: there are no endgames of {variant}: `kroo endgame build --variant {variant}` makes some", .folder.display())]
    NoEndgames {
        /// Where they were looked for.
        folder: PathBuf,
        /// The rule set.
        variant: Variant,
    },
    /// The move limit leaves no move to the engines.
    #[error(
        "--max-moves {max_moves} leaves no move to play after {plies} random plies, which it counts, too: \
         give a larger one, or fewer --random-plies"
    )]
    NoMovesLeft {
        /// How many random moves are made.
        plies: u32,
        /// How many a game may have.
        max_moves: usize,
    },
    /// The command line that a journal records cannot be used.
    #[error("{}: the command line in this journal is not understood: {problem}", .journal.display())]
    Recorded {
        /// The journal.
        journal: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The match of the journal is not one of this command.
    #[error("{}: this is not the journal of `referee {name}`: leave `{name}` out", .journal.display())]
    OtherCommand {
        /// The journal.
        journal: PathBuf,
        /// The command that was given.
        name: String,
    },
    /// Words for all engines are given in another folder than that of the match, and the engines are not.
    #[error(
        "{}: its match began in another folder, where the words after --each may mean something else: resume it there, or \
         give its engines, too",
        .journal.display()
    )]
    Elsewhere {
        /// The journal.
        journal: PathBuf,
    },
    /// Two outputs have the same file.
    #[error("{options}: {} and {} are the same file", .one.display(), .other.display())]
    SameFile {
        /// The two options.
        options: String,
        /// The file of the first.
        one: PathBuf,
        /// The file of the second.
        other: PathBuf,
    },
    /// The event is unknown, or impossible with so many engines.
    #[error("--event {name}: {error}")]
    Event {
        /// As it was given.
        name: String,
        /// What is wrong with it.
        error: EventError,
    },
    /// A part of a schedule is not one.
    #[error("--shard {text}: {error}")]
    Shard {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        error: ShardError,
    },
    /// The address of a queue is none.
    #[error("the queue's URL: {0}")]
    Queue(AddressError),
    /// Workers have no file for an engine's standard error.
    #[error("--queue: {}: workers do not write the standard error of engines: leave `stderr=` out", printable::name(.0))]
    StandardErrorOfWorkers(String),
    /// The match cannot be played in parts.
    #[error("--shard: {0} cannot be played in parts: what is played depends on the results of all parts")]
    NoParts(&'static str),
    /// A word is not understood.
    #[error(transparent)]
    Word(#[from] WordError),
    /// An SPRT of more than two engines.
    #[error("--sprt: a test is a match of two engines, not of {engines}")]
    SprtOfMany {
        /// How many there are.
        engines: usize,
    },
    /// What is to be played is out of bounds.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A game file cannot be read.
    #[error("{}: {error}", .file.display())]
    GameFile {
        /// The file.
        file: PathBuf,
        /// Where, and why.
        error: ReadError,
    },
    /// A game has another rule set.
    #[error("{}:{line}: a game of {}, but {variant} is played", .file.display(), printable::name(.found))]
    OtherVariant {
        /// The file.
        file: PathBuf,
        /// Where the game begins.
        line: usize,
        /// What its tag says.
        found: String,
        /// What is played.
        variant: Variant,
    },
    /// The environment names no folder for this.
    #[error("{option}: the environment names no folder of the user (HOME): give one")]
    NoFolder {
        /// The option that gives one.
        option: &'static str,
    },
    /// The program that is tested is not in the tree that was built.
    #[error("--program {}: expected a path inside the tree that is built, such as target/release/kroo", .0.display())]
    ProgramOutside(PathBuf),
    /// Nothing says how the program is built.
    #[error("--build: say how {} is built, as in --build \"make -j\"", .0.display())]
    NoBuild(PathBuf),
    /// A word about an engine whose program and name are given by its commit.
    #[error("--{side}: `{word}`: the program and the name are those of the commit")]
    FixedWord {
        /// Base or head.
        side: &'static str,
        /// The word.
        word: String,
    },
    /// What is to be measured.
    #[error(transparent)]
    Accuracy(#[from] AccuracyArgumentError),
    /// What is to be counted.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// What is to be tuned.
    #[error(transparent)]
    Tune(#[from] TuneError),
}
