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

/// What the command line asks for.
#[derive(Debug)]
pub enum Request {
    /// To run the experiment.
    Evolve {
        /// Its numbers.
        settings: Settings,
        /// The folder of its files.
        out: PathBuf,
        /// Threads to play on.
        threads: usize,
    },
    /// To play the tables.
    Tables(Plan),
    /// To print a text: help, or the version.
    Show(String),
}

/// What is wrong with the command line.
#[derive(Debug, thiserror::Error)]
pub enum ArgumentError {
    /// An option that does not exist, or is used in a wrong way.
    #[error("{0}")]
    Syntax(String),
    /// A number out of bounds.
    #[error("--{0}")]
    Settings(#[from] SettingsError),
    /// The rule set.
    #[error("--variant: {0}")]
    Variant(#[from] UnknownVariant),
    /// The weights.
    #[error("--weights: {0}")]
    Weights(#[from] WeightsError),
    /// The random moves leave no others.
    #[error(
        "--max-moves {max_moves} leaves no move to play after {plies} random plies, which it counts, too"
    )]
    NoMovesLeft {
        /// How many random moves are made.
        plies: u64,
        /// How many a game may have.
        max_moves: u64,
    },
}

const ABOUT: &str = "Evolves players of mancala games as Davis and Kendall did (2002). \
Every number's default is the paper's, whose whole run is 250 generations and 95,000 games.";

const AFTER: &str = "\
The folder gets run.csv (a line a generation), run.json, run.svg (the picture), best.weights (what the engine's option
EvalFile reads for the player `evolved`) and checkpoint. A run that was ended, however, goes on from its last whole
generation when the same command is given again; with more --generations a run that was complete goes on as well.
The same numbers give the same files, on any number of threads.";

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
    text("variant").value_name("NAME").default_value(default).help(format!("The rule set: {names}"))
}

fn threads() -> Arg {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    number("threads", 1..=1024, cores, "Threads that play; the result is the same on any number")
}

fn max_moves(paper: &Settings) -> Arg {
    let help = "After so many moves of either side the stores decide";
    number("max-moves", bounds::MAX_MOVES, paper.max_moves, help)
}

/// `evolve tables`.
fn tables() -> Command {
    let paper = Settings::default();
    let file = text("weights").value_name("FILE").value_parser(value_parser!(PathBuf));
    Command::new("tables")
        .about("Plays tables like the paper's 1 to 6: drawn weights and evolved ones against the engine's levels")
        .arg(variant(paper.variant.clone()))
        .arg(file.help("The evolved player's weights; without a file those compiled into the engine"))
        .arg(number("games", 1..=100_000, 200, "Games against each level; the first five are shown apart"))
        .arg(number("random-plies", 0..=1000, 4, "Random moves that each pair of games begins with"))
        .arg(number("depth", bounds::DEPTH, paper.depth, "Plies that a player of six weights looks ahead"))
        .arg(max_moves(&paper))
        .arg(number("seed", 0..=u64::MAX, paper.seed, "The random seed"))
        .arg(threads())
}

/// The grammar of the command line.
#[must_use]
pub fn command() -> Command {
    let paper = Settings::default();
    let [win, draw, loss] = paper.points;
    Command::new("evolve")
        .version(kroo::usage::VERSION)
        .about(ABOUT)
        .after_help(AFTER)
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .subcommand(tables())
        .arg(variant(paper.variant.clone()))
        .arg(number("seed", 0..=u64::MAX, paper.seed, "The random seed; the same seed gives the same run"))
        .arg(number("population", bounds::POPULATION, paper.population, "Players of a generation"))
        .arg(number(
            "survivors",
            1..=*bounds::POPULATION.end(),
            paper.survivors,
            "Best players who survive; their children fill the next generation, as many each, more for the best",
        ))
        .arg(number("generations", bounds::GENERATIONS, paper.generations, "Generations"))
        .arg(number("depth", bounds::DEPTH, paper.depth, "Plies that a player looks ahead"))
        .arg(number(
            "meetings",
            bounds::MEETINGS,
            paper.meetings,
            "Games between every two players, sides swapped from one to the next",
        ))
        .arg(points("win", win, "Points for a win"))
        .arg(points("draw", draw, "Points for a draw"))
        .arg(points("loss", loss, "Points for a loss"))
        .arg(max_moves(&paper))
        .arg(real("range", paper.range, "The first weights are drawn evenly between -X and X"))
        .arg(real("mutation", paper.mutation, "A child's weights differ by a normal number with this deviation"))
        .arg(
            text("out")
                .value_name("DIR")
                .default_value("evolution")
                .value_parser(value_parser!(PathBuf))
                .help("The folder of the run's files"),
        )
        .arg(threads())
}

/// Reads the command line, its first word the program's name.
///
/// # Errors
/// What is wrong with it.
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
        meetings: whole("meetings") as u32,
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
