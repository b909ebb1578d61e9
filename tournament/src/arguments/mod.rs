//! From the command line to an [`MatchOptions`], in two stages: clap splits it into options and their words (`syntax.rs`),
//! then each word gets its meaning. Files that are read are read here, so nothing is started before everything is
//! understood.

mod adjudication;
mod check;
mod contestants;
mod engine_words;
mod merge;
mod opening_set;
mod openings;
mod sprt;
mod stats;
mod syntax;

pub use contestants::ContestantError;
pub use engine_words::WordError;
pub use stats::StatsError;

use crate::check::CheckOptions;
use crate::engine::GUARD_FLAG;
use crate::merge::MergeOptions;
use crate::opening_set::OpeningSetOptions;
use crate::plan::{Affinity, MatchPlan};
use crate::schedule::{Event, EventError, Openings, OpeningsError, Shard, ShardError};
use crate::stats::StatsOptions;
use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use contestants::contestants;
use kroo::files::are_one;
use kroo::game::{UnknownVariant, Variant};
use kroo::ogn::ReadError;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::SystemTime;

/// Rounds of a match that a test ends, if nobody says how many: enough for all but the smallest differences.
const ROUNDS_OF_A_TEST: u64 = 100_000;

/// What the command line asks for.
#[derive(Debug)]
pub enum Action {
    /// To play.
    Play(Box<MatchOptions>),
    /// To check whether an engine keeps the protocol.
    Check(Box<CheckOptions>),
    /// To make a set of openings.
    Balance(OpeningSetOptions),
    /// To say what results show, without playing.
    Stats(StatsOptions),
    /// To join the journals of a tournament's parts.
    Merge(MergeOptions),
    /// To be the supervisor of another referee, which has this mark.
    Guard(String),
    /// To print a text: help, or the version.
    Show(String),
}

/// What is to be played, and where it is written.
#[derive(Debug)]
pub struct MatchOptions {
    /// The match.
    pub plan: MatchPlan,
    /// Its openings.
    pub openings: Openings,
    /// The file for the games.
    pub games_out: Option<PathBuf>,
    /// The file for everything as JSON.
    pub json: Option<PathBuf>,
    /// The file for the report for people.
    pub html: Option<PathBuf>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// Whether a journal that is there is to be gone on with.
    pub resume: bool,
}

/// What is wrong with the command line.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// An option that does not exist, or is used in a wrong way.
    #[error("{0}")]
    Syntax(String),
    /// The engines.
    #[error(transparent)]
    Contestants(#[from] ContestantError),
    /// The rule set.
    #[error("--variant: {found}", found = .0)]
    Variant(UnknownVariant),
    /// The files of endgames.
    #[error("--endgame: {0}")]
    Endgames(kroo::endgame::EndgameFileError),
    /// There are none.
    #[error("--endgame {}: there are no endgames of {variant}: `kroo endgame build --variant {variant}` makes some", .folder.display())]
    NoEndgames {
        /// Where they were looked for.
        folder: PathBuf,
        /// The rule set.
        variant: Variant,
    },
    /// The limit of moves leaves none to the engines.
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
    /// One file for two outputs.
    #[error("{options}: {} and {} are the same file", .one.display(), .other.display())]
    SameFile {
        /// The two options.
        options: &'static str,
        /// The file of the first.
        one: PathBuf,
        /// The file of the second.
        other: PathBuf,
    },
    /// The event.
    #[error("--event {name}: {error}")]
    Event {
        /// As it was given.
        name: String,
        /// What is wrong with it.
        error: EventError,
    },
    /// A part of a schedule.
    #[error("--shard {text}: {error}")]
    Shard {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        error: ShardError,
    },
    /// A part of something that has none.
    #[error("--shard: {0} cannot be played in parts: what is played depends on the results of all parts")]
    NoParts(&'static str),
    /// A test's words.
    #[error(transparent)]
    Sprt(#[from] WordError),
    /// A test of more than two engines.
    #[error("--sprt: a test is a match of two engines, not of {engines}")]
    TestOfMany {
        /// How many there are.
        engines: usize,
    },
    /// The openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A game file that cannot be read.
    #[error("{}: {error}", .file.display())]
    GameFile {
        /// The file.
        file: PathBuf,
        /// Where, and why.
        error: ReadError,
    },
    /// A game of another rule set.
    #[error("{}:{line}: a game of {found}, but {variant} is played", .file.display())]
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
    /// What is to be counted.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// Reads the command line, its first word the program's name.
///
/// # Errors
/// What is wrong with it.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Action, ArgumentError> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let [_, flag, mark] = arguments.as_slice()
        && flag == GUARD_FLAG
    {
        return Ok(Action::Guard(mark.to_string_lossy().into_owned()));
    }
    match syntax::command().try_get_matches_from(arguments) {
        Ok(matches) => request(&matches),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Action::Show(error.to_string()))
        }
        Err(error) => {
            Err(ArgumentError::Syntax(error.to_string().trim_start_matches("error: ").trim_end().to_owned()))
        }
    }
}

/// What a command line that is well formed asks for: one of the commands, or else to play.
fn request(matches: &ArgMatches) -> Result<Action, ArgumentError> {
    match matches.subcommand() {
        Some((opening_set::NAME, matches)) => Ok(Action::Balance(opening_set::order(matches)?)),
        Some((check::NAME, matches)) => Ok(Action::Check(Box::new(check::order(matches)?))),
        Some((merge::NAME, matches)) => Ok(Action::Merge(merge::order(matches))),
        Some((stats::NAME, matches)) => Ok(Action::Stats(stats::order(matches)?)),
        _ => Ok(Action::Play(Box::new(order(matches)?))),
    }
}

fn order(matches: &ArgMatches) -> Result<MatchOptions, ArgumentError> {
    let variant: Variant =
        text(matches, "variant").unwrap_or("awari").parse().map_err(ArgumentError::Variant)?;
    let contestants = contestants(matches)?;
    let max_moves = number(matches, "max-moves") as usize;
    let seed = number(matches, "seed");
    let (openings, source) = openings::openings(matches, variant, max_moves)?;
    let test = matches.get_many::<String>("sprt").map(sprt::sprt).transpose()?;
    if test.is_some() && contestants.len() > 2 {
        return Err(ArgumentError::TestOfMany { engines: contestants.len() });
    }
    let unsaid = matches.value_source("rounds") == Some(ValueSource::DefaultValue);
    let plan = MatchPlan {
        event: event(matches, contestants.len())?,
        contestants,
        variant,
        rounds: if test.is_some() && unsaid { ROUNDS_OF_A_TEST } else { number(matches, "rounds") },
        pairs: number(matches, "pairs"),
        seed,
        openings: source,
        conduct: adjudication::conduct(matches, variant, max_moves)?,
        sprt: test,
        shard: shard(matches)?,
        concurrency: number(matches, "concurrency") as usize,
        affinity: affinity(matches),
        began: SystemTime::now(),
    };
    if plan.shard != Shard::WHOLE && (plan.event.takes_results() || test.is_some()) {
        let what = if test.is_some() { "a match with --sprt" } else { plan.event.title(2) };
        return Err(ArgumentError::NoParts(what));
    }
    let [games_out, json, journal, html] = outputs(matches)?;
    Ok(MatchOptions { plan, openings, games_out, json, html, journal, resume: matches.get_flag("resume") })
}

/// Who is to meet whom.
fn event(matches: &ArgMatches, engines: usize) -> Result<Event, ArgumentError> {
    let name = text(matches, "event").unwrap_or("round-robin");
    let seeds = number(matches, "seeds") as usize;
    Event::named(name, engines, seeds).map_err(|error| ArgumentError::Event { name: name.to_owned(), error })
}

fn affinity(matches: &ArgMatches) -> Affinity {
    match text(matches, "affinity") {
        Some("on") => Affinity::On,
        Some("off") => Affinity::Off,
        _ => Affinity::Auto,
    }
}

fn shard(matches: &ArgMatches) -> Result<Shard, ArgumentError> {
    let read = |text: &str| {
        text.parse::<Shard>().map_err(|error| ArgumentError::Shard { text: text.to_owned(), error })
    };
    text(matches, "shard").map_or(Ok(Shard::WHOLE), read)
}

/// The game file, the JSON document, the journal and the page, which must not be one.
fn outputs(matches: &ArgMatches) -> Result<[Option<PathBuf>; 4], ArgumentError> {
    let path = |name| text(matches, name).map(PathBuf::from);
    let paths = [path("games-out"), path("json"), path("journal"), path("html")];
    let [games, json, journal, html] = &paths;
    let both = [
        ("--games-out and --json", games, json),
        ("--games-out and --journal", games, journal),
        ("--json and --journal", json, journal),
        ("--games-out and --html", games, html),
        ("--json and --html", json, html),
        ("--journal and --html", journal, html),
    ];
    for (options, one, other) in both {
        if let (Some(one), Some(other)) = (one, other)
            && are_one(one, other)
        {
            let (one, other) = (one.clone(), other.clone());
            return Err(ArgumentError::SameFile { options, one, other });
        }
    }
    Ok(paths)
}

fn text<'a>(matches: &'a ArgMatches, name: &str) -> Option<&'a str> {
    matches.get_one::<String>(name).map(String::as_str)
}

/// The value of an option that has a default.
fn number(matches: &ArgMatches, name: &str) -> u64 {
    matches.get_one(name).copied().unwrap_or_default()
}
