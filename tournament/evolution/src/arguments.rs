//! The command line of `evolve`.

use crate::settings::{Settings, SettingsError};
use crate::tables::Plan;
use clap::builder::RangedU64ValueParser;
use clap::{Args, Command, CommandFactory, Parser, Subcommand};
use kroo::players::evolved::{EvolvedWeights, WeightsError};
use std::ffi::OsString;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// A parsed command line.
#[derive(Debug)]
pub enum Request {
    /// Run the experiment.
    Evolve {
        /// Its settings.
        settings: Settings,
        /// The folder of its files.
        out: PathBuf,
        /// Number of threads.
        threads: usize,
    },
    /// Play the tables.
    Tables(Plan, usize),
    /// Print help or the version.
    Show(String),
}

/// A fault of the command line.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// An unknown or misused option.
    #[error("{0}")]
    Syntax(String),
    /// A number out of range.
    #[error("--{0}")]
    Settings(#[from] SettingsError),
    /// Unusable weights.
    #[error("--weights: {0}")]
    Weights(#[from] WeightsError),
}

const ABOUT: &str = "Evolve players of mancala games as Davis and Kendall did (2002). \
Every default is the paper's, whose whole run is 250 generations and 95,000 games.";

const AFTER: &str = "\
Files of a run: run.csv (one line per generation), run.json, run.svg (a plot),
best.weights (for the engine's option EvalFile with the player `evolved`) and
checkpoint. The same command continues an interrupted run after its last complete
generation; more --generations continue a complete one. The files depend on the
settings only, not on the number of threads.";

#[derive(Parser)]
#[command(
    name = "evolve",
    version = kroo::cli::usage::VERSION,
    about = ABOUT,
    after_help = AFTER,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Commands>,
    #[command(flatten)]
    settings: Settings,
    /// Points for a win
    #[arg(long, value_name = "N", default_value_t = Settings::POINTS[0], allow_negative_numbers = true)]
    win: i64,
    /// Points for a draw
    #[arg(long, value_name = "N", default_value_t = Settings::POINTS[1], allow_negative_numbers = true)]
    draw: i64,
    /// Points for a loss
    #[arg(long, value_name = "N", default_value_t = Settings::POINTS[2], allow_negative_numbers = true)]
    loss: i64,
    /// Folder of the run's files
    #[arg(long, value_name = "DIR", default_value = "evolution")]
    out: PathBuf,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Subcommand)]
enum Commands {
    /// Play tables like the paper's 1 to 6: random and evolved weights against the engine's levels
    Tables {
        #[command(flatten)]
        plan: Plan,
        /// The evolved player's weights [default: those compiled into the engine]
        #[arg(long, value_name = "FILE")]
        weights: Option<PathBuf>,
        #[command(flatten)]
        threads: Threads,
    },
}

#[derive(Args)]
struct Threads {
    /// Number of threads; the result does not depend on it
    #[arg(
        long = "threads",
        value_name = "N",
        default_value_t = available_parallelism().map_or(1, usize::from),
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024)
    )]
    count: usize,
}

/// The grammar of the command line.
pub fn command() -> Command {
    CommandLine::command()
}

/// Parses the command line, which begins with the program's name.
///
/// # Errors
/// The fault.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, ArgumentError> {
    let CommandLine { command, mut settings, win, draw, loss, out, threads } =
        match CommandLine::try_parse_from(arguments) {
            Ok(read) => read,
            Err(error) if !error.use_stderr() => return Ok(Request::Show(error.to_string())),
            Err(error) => {
                let text = error.to_string();
                return Err(ArgumentError::Syntax(text.trim_start_matches("error: ").trim_end().to_owned()));
            }
        };
    if let Some(Commands::Tables { mut plan, weights, threads }) = command {
        if let Some(path) = weights {
            plan.weights = EvolvedWeights::read(&path, plan.variant)?;
        }
        if plan.random_plies >= plan.max_moves {
            let Plan { random_plies, max_moves, .. } = plan;
            return Err(ArgumentError::Syntax(format!(
                "--max-moves {max_moves} counts the {random_plies} random plies too, and must be larger"
            )));
        }
        return Ok(Request::Tables(plan, threads.count));
    }
    settings.points = [win, draw, loss];
    settings.check()?;
    settings.variant = settings.rules()?.name().to_owned();
    Ok(Request::Evolve { settings, out, threads: threads.count })
}
