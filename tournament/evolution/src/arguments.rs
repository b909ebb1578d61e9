//! The command line of `evolve`.

use crate::settings::{Settings, SettingsError, bounds};
use crate::tables::Plan;
use clap::builder::RangedU64ValueParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use kroo::game::UnknownVariant;
use kroo::players::evolved::{EvolvedWeights, WeightsError};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

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
    Tables(Plan),
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
    /// An unknown rule set.
    #[error("--variant: {0}")]
    Variant(#[from] UnknownVariant),
    /// Unusable weights.
    #[error("--weights: {0}")]
    Weights(#[from] WeightsError),
    /// A move limit that the random moves exhaust.
    #[error("--max-moves {max_moves} counts the {plies} random plies too, and must be larger")]
    NoMovesLeft {
        /// The number of random moves.
        plies: u64,
        /// The move limit.
        max_moves: u64,
    },
}

const ABOUT: &str = "Evolve players of mancala games as Davis and Kendall did (2002). \
Every default is the paper's, whose whole run is 250 generations and 95,000 games.";

const AFTER: &str = "\
Files of a run: run.csv (one line per generation), run.json, run.svg (a plot),
best.weights (for the engine's option EvalFile with the player `evolved`) and
checkpoint. The same command continues an interrupted run after its last complete
generation; more --generations continue a complete one. The files depend on the
settings only, not on the number of threads.";

fn number(name: &'static str, range: RangeInclusive<u64>, default: impl ToString, help: &'static str) -> Arg {
    let parser: RangedU64ValueParser = value_parser!(u64).range(range);
    let arg = Arg::new(name).long(name).value_name("N").value_parser(parser);
    arg.default_value(default.to_string()).help(help)
}

fn points(name: &'static str, default: i64, help: &'static str) -> Arg {
    let parser = value_parser!(i64).range(bounds::POINTS);
    let arg = Arg::new(name).long(name).value_name("N").value_parser(parser).allow_negative_numbers(true);
    arg.default_value(default.to_string()).help(help)
}

fn real(name: &'static str, default: f64, help: &'static str) -> Arg {
    let arg = Arg::new(name).long(name).value_name("X").value_parser(value_parser!(f64));
    arg.allow_negative_numbers(true).default_value(default.to_string()).help(help)
}

fn text(name: &'static str) -> Arg {
    Arg::new(name).long(name)
}

fn variant(default: String) -> Arg {
    let names = kroo::game::names().join(", ");
    text("variant").value_name("NAME").default_value(default).help(format!("Rule set: {names}"))
}

fn threads() -> Arg {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    number("threads", 1..=1024, cores, "Number of threads; the result does not depend on it")
}

fn max_moves(paper: &Settings) -> Arg {
    let help = "Moves of both sides together after which the stores decide";
    number("max-moves", bounds::MAX_MOVES, paper.max_moves, help)
}

/// `evolve tables`.
fn tables() -> Command {
    let paper = Settings::default();
    let file = text("weights").value_name("FILE").value_parser(value_parser!(PathBuf));
    Command::new("tables")
        .about("Play tables like the paper's 1 to 6: random and evolved weights against the engine's levels")
        .arg(variant(paper.variant.clone()))
        .arg(file.help("The evolved player's weights [default: those compiled into the engine]"))
        .arg(number(
            "games",
            1..=100_000,
            200,
            "Games against each level; the first five also have a row of their own",
        ))
        .arg(number("random-plies", 0..=1000, 4, "Random moves at the beginning of each pair of games"))
        .arg(number(
            "depth",
            bounds::DEPTH,
            paper.depth,
            "Search depth of the players of six weights, in plies",
        ))
        .arg(max_moves(&paper))
        .arg(number("seed", 0..=u64::MAX, paper.seed, "Random seed"))
        .arg(threads())
}

/// The grammar of the command line.
pub fn command() -> Command {
    let paper = Settings::default();
    let [win, draw, loss] = paper.points;
    Command::new("evolve")
        .version(kroo::cli::usage::VERSION)
        .about(ABOUT)
        .after_help(AFTER)
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .subcommand(tables())
        .arg(variant(paper.variant.clone()))
        .arg(number("seed", 0..=u64::MAX, paper.seed, "Random seed; the same seed gives the same run"))
        .arg(number("population", bounds::POPULATION, paper.population, "Number of players in a generation"))
        .arg(number(
            "survivors",
            1..=*bounds::POPULATION.end(),
            paper.survivors,
            "Number of best players that survive; their children fill the next generation",
        ))
        .arg(number("generations", bounds::GENERATIONS, paper.generations, "Number of generations"))
        .arg(number("depth", bounds::DEPTH, paper.depth, "Search depth of the players, in plies"))
        .arg(number(
            "games-per-pairing",
            bounds::GAMES_PER_PAIRING,
            paper.games_per_pairing,
            "Number of games between each two players, with alternating sides",
        ))
        .arg(points("win", win, "Points for a win"))
        .arg(points("draw", draw, "Points for a draw"))
        .arg(points("loss", loss, "Points for a loss"))
        .arg(max_moves(&paper))
        .arg(real("range", paper.range, "The first weights are uniform between -X and X"))
        .arg(real("mutation", paper.mutation, "Standard deviation of the mutation of a child's weights"))
        .arg(
            text("out")
                .value_name("DIR")
                .default_value("evolution")
                .value_parser(value_parser!(PathBuf))
                .help("Folder of the run's files"),
        )
        .arg(threads())
}

/// Parses the command line, which begins with the program's name.
///
/// # Errors
/// The fault.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, ArgumentError> {
    match command().try_get_matches_from(arguments) {
        Ok(matches) => match matches.subcommand_matches("tables") {
            Some(matches) => Ok(Request::Tables(plan(matches)?)),
            None => evolve(&matches),
        },
        Err(error) if !error.use_stderr() => Ok(Request::Show(error.to_string())),
        Err(error) => {
            Err(ArgumentError::Syntax(error.to_string().trim_start_matches("error: ").trim_end().to_owned()))
        }
    }
}

fn whole(matches: &ArgMatches, name: &str) -> u64 {
    matches.get_one(name).copied().unwrap_or_default()
}

fn plan(matches: &ArgMatches) -> Result<Plan, ArgumentError> {
    let whole = |name| whole(matches, name);
    let variant = matches.get_one::<String>("variant").map_or("", String::as_str).parse()?;
    let weights = match matches.get_one::<PathBuf>("weights") {
        Some(path) => EvolvedWeights::read(path, variant)?,
        None => EvolvedWeights::built_in(),
    };
    let (plies, max_moves) = (whole("random-plies"), whole("max-moves"));
    if plies >= max_moves {
        return Err(ArgumentError::NoMovesLeft { plies, max_moves });
    }
    Ok(Plan {
        variant,
        weights,
        games: whole("games") as usize,
        depth: whole("depth") as u8,
        random_plies: plies as u32,
        max_moves: max_moves as u32,
        seed: whole("seed"),
        threads: whole("threads") as usize,
    })
}

fn evolve(matches: &ArgMatches) -> Result<Request, ArgumentError> {
    let whole = |name| whole(matches, name);
    let points = |name: &str| matches.get_one::<i64>(name).copied().unwrap_or_default();
    let real = |name: &str| matches.get_one::<f64>(name).copied().unwrap_or_default();
    let named = matches.get_one::<String>("variant").cloned().unwrap_or_default();
    let mut settings = Settings {
        variant: named,
        seed: whole("seed"),
        population: whole("population") as usize,
        survivors: whole("survivors") as usize,
        generations: whole("generations") as u32,
        depth: whole("depth") as u8,
        games_per_pairing: whole("games-per-pairing") as u32,
        points: ["win", "draw", "loss"].map(points),
        max_moves: whole("max-moves") as u32,
        range: real("range"),
        mutation: real("mutation"),
    };
    settings.check()?;
    settings.variant = settings.rules()?.name().to_owned();
    let out = matches.get_one::<PathBuf>("out").cloned().unwrap_or_default();
    Ok(Request::Evolve { settings, out, threads: whole("threads") as usize })
}
