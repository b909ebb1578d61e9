//! The options of a match, for clap: the comment of a field is the help of its option. Defaults that depend on other options
//! are `None` here, and named in the help.

use crate::game::MoveLimitResult;
use crate::output::OutputFiles;
use crate::plan::{MAX_REPETITION, Tolerance, variant_help};
use crate::queue::QueueOptions;
use crate::schedule::{Event, Shard};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use kroo::game::{MOVE_LIMIT, Variant};
use std::net::IpAddr;
use std::path::PathBuf;

/// The port of `--watch` if none is given: the one after that of `kroo web`.
const WATCH_PORT: &str = "8018";

fn count(range: std::ops::RangeInclusive<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(range)
}

/// The words after each `--engine`.
#[derive(Clone, Debug, Default)]
pub struct Engines(pub Vec<Vec<String>>);

impl Args for Engines {
    fn augment_args(command: Command) -> Command {
        let engine = Arg::new("engine").long("engine").value_name("WORD").num_args(1..);
        command.arg(
            engine
                .action(ArgAction::Append)
                .help("An engine, described by words (see below); once for each engine"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Engines::augment_args(command)
    }
}

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Engines, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(Engines(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Options of a match.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Event")]
pub struct MatchArguments {
    #[command(flatten)]
    pub(crate) engines: Engines,
    /// Words for all engines; an engine's own words take precedence
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) each: Vec<String>,
    /// Rounds; two engines that meet in a round play two games, with sides swapped; with --sprt at most 100000 rounds, or as many
    /// as there are openings in a file, unless this is given
    ///
    /// [default: 4]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) rounds: Option<u64>,
    /// Pairs of games that two engines play when they meet in a round
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub(crate) pairs: u64,
    /// Stop as soon as a sequential probability ratio test is decided (see below)
    #[arg(long, value_name = "WORD", num_args = 1.., action = ArgAction::Set)]
    pub(crate) sprt: Option<Vec<String>>,
    #[arg(long, value_name = "NAME", default_value = "awari", help = variant_help("The rule set"))]
    pub(crate) variant: Variant,
    #[arg(
        long,
        value_name = "NAME",
        default_value = "round-robin",
        help = format!("The kind of event: {} (see below)", Event::NAMES.join(", "))
    )]
    pub(crate) event: String,
    /// In a gauntlet: how many engines, the first ones given, meet all others
    #[arg(long, value_name = "N", default_value = "1", value_parser = count(1..=1_000_000))]
    pub(crate) gauntlet_seeds: usize,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    /// Only warn about an option that an engine does not have, does not accept, or complains about
    #[arg(long, help_heading = "Engines and machine")]
    pub(crate) lenient: bool,
    #[command(flatten)]
    pub(crate) files: FileArguments,
    /// Play only the K-th of N parts; `referee merge` joins the journals of all parts, and decides an SPRT
    #[arg(
        long,
        value_name = "K/N",
        requires = "journal",
        conflicts_with = "queue",
        help_heading = "Files and pages"
    )]
    pub(crate) shard: Option<Shard>,
}

/// The options that a match and a tuning run share.
#[derive(Clone, Debug, Args)]
pub struct CommonArguments {
    #[command(flatten)]
    pub(crate) openings: OpeningArguments,
    #[command(flatten)]
    pub(crate) adjudication: AdjudicationArguments,
    #[command(flatten)]
    pub(crate) running: RunningArguments,
    #[command(flatten)]
    pub(crate) watching: WatchingArguments,
    #[command(flatten)]
    pub(crate) queue: Option<QueueOptions>,
}

/// Where the games begin.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArguments {
    /// Take the openings from this file (.txt, .ogn), one for each round; `fair`: all starts that are proven draws
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub(crate) openings: Option<PathBuf>,
    /// The order of these openings: that of the file (sequential), or shuffled by the random seed (random)
    #[arg(long, value_parser = ["sequential", "random"], default_value = "sequential")]
    pub(crate) order: String,
    /// Start with the N-th opening; the first one follows the last one of a file
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) start: u64,
    /// Use only the first N moves of each opening [default: all]
    #[arg(long, value_name = "N", requires = "openings", value_parser = count(0..=1_000_000))]
    pub(crate) opening_plies: Option<usize>,
    /// Without --openings: start with N random moves; 0 is the start position; 4 lead to 1,014 positions in awari, and a pair of games
    /// that repeats another one does not count as evidence
    ///
    /// [default: 4]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1_000))]
    pub(crate) random_plies: Option<u32>,
    /// The random seed, for random moves, --order random, the first round of a Swiss event and the option Seed of engines
    ///
    /// [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl OpeningArguments {
    /// The random seed.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

/// Which games are adjudicated.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Adjudication")]
pub struct AdjudicationArguments {
    /// The move limit: after N moves of both sides together, the game is over and the larger store wins
    #[arg(long, value_name = "N", default_value_t = MOVE_LIMIT, value_parser = count(1..=1_000_000))]
    pub(crate) max_moves: usize,
    /// The result at the move limit: the larger store wins (stores), or a draw (draw)
    #[arg(
        long,
        value_name = "RESULT",
        default_value = "stores",
        value_parser = PossibleValuesParser::new(["stores", "draw"]).map(|result| match result.as_str() {
            "draw" => MoveLimitResult::Draw,
            _ => MoveLimitResult::Stores,
        })
    )]
    pub(crate) at_max_moves: MoveLimitResult,
    /// A game is a draw when a position occurs for the N-th time; 0: never
    #[arg(long, value_name = "N", default_value = "0", value_parser = value_parser!(u32).range(0..=MAX_REPETITION as i64))]
    pub(crate) repetition: u32,
    /// End games that an engine sees as lost (see below)
    #[arg(long, value_name = "WORD", num_args = 1.., action = ArgAction::Set)]
    pub(crate) resign: Option<Vec<String>>,
    /// End games that both engines see as level (see below)
    #[arg(long, value_name = "WORD", num_args = 1.., action = ArgAction::Set)]
    pub(crate) draw: Option<Vec<String>>,
    /// End games once the endgame files in this folder know the result (`kroo endgame build` makes them)
    #[arg(long, value_name = "DIR")]
    pub(crate) endgame: Option<PathBuf>,
}

/// How the match is run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines and machine")]
pub struct RunningArguments {
    /// How many games are played at the same time
    ///
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = count(1..=1_024))]
    pub(crate) concurrency: Option<usize>,
    /// Keep the engines of a game and the thread that referees it on one processor, which takes less time if they answer at once (on, or
    /// --affinity alone), or not (off)
    ///
    /// [default: on if every engine has nodes= of at most 1000 and none ponders, else off]
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        default_missing_value = "on",
        value_parser = PossibleValuesParser::new(["on", "off"]).map(|when| when == "on"),
        action = ArgAction::Set
    )]
    pub(crate) affinity: Option<bool>,
    /// End the match when an engine has lost N games in a row because it did not start, crashed or gave no answer
    #[arg(
        long,
        value_name = "N",
        default_value_t = Tolerance::MAX_FAULTS,
        value_parser = value_parser!(u64).range(1..=1_000_000),
        conflicts_with = "recover"
    )]
    pub(crate) max_faults: u64,
    /// Play the match to its end even if engines fail: they lose those games
    #[arg(long)]
    pub(crate) recover: bool,
    /// Run all engines in a sandbox made by bubblewrap; the word sandbox=off excludes one
    #[arg(long)]
    pub(crate) sandbox: bool,
}

/// The files of a match.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Files and pages")]
pub struct FileArguments {
    #[command(flatten)]
    pub outputs: OutputFiles,
    /// Save each finished game in this file at once, to resume an interrupted match
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Resume the match of the journal, if there is one; no game is played twice. --resume --journal FILE is enough: the journal
    /// records the command line. Options of the match that are given must agree with it; a larger --rounds adds rounds
    #[arg(long, requires = "journal")]
    pub resume: bool,
}

/// How a match is observed.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Files and pages")]
pub struct WatchingArguments {
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        default_missing_value = WATCH_PORT,
        help = format!(
            "Serve a page for a web browser that shows the match as it is played: boards, tables, and games [default port: \
             {WATCH_PORT}; 0: any free one]"
        )
    )]
    pub(crate) watch: Option<u16>,
    /// Address for that page [default: 127.0.0.1, for this machine only]
    #[arg(long, value_name = "ADDRESS", requires = "watch")]
    pub(crate) listen: Option<IpAddr>,
    /// Log engine I/O with timestamps to this file: `>` sent, `<` received
    #[arg(long, value_name = "FILE", conflicts_with = "queue")]
    pub(crate) log: Option<PathBuf>,
    /// Size limit of that log, in MiB
    #[arg(long, value_name = "N", default_value = "1024", value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) log_limit: u64,
}
