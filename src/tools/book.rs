//! `kroo book build`, `kroo book info` and `kroo book probe`.

use super::flags::variant_argument;
use super::output::{say, usage_error};
use crate::book::{Book, BookBuilder, BookEntry, BookPlan, BookProgress, can_solve};
use crate::game::{Game, Move, Position, Variant};
use crate::printable::{agreeing, counted};
use crate::progress::Progress;
use crate::protocol::parse_game;
use crate::value::{Kind, Value};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// The name of the subcommand.
pub(super) const NAME: &str = "book";

/// A subcommand of `kroo book` with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookCommand {
    /// Build a book.
    Build(BookPlan),
    /// Describe a book.
    Info(PathBuf),
    /// Show the entry of a position.
    Probe {
        /// The position.
        game: Box<Game>,
        /// The book; `None` for the built-in one.
        file: Option<PathBuf>,
    },
}

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    let variant = variant_argument();
    let number = |name: &'static str, value: &'static str, range: std::ops::RangeInclusive<i64>| {
        Arg::new(name)
            .long(name)
            .value_name("N")
            .default_value(value)
            .value_parser(value_parser!(i64).range(range))
    };
    let out = Arg::new("out").long("out").value_name("FILE").value_parser(value_parser!(PathBuf));
    let file = Arg::new("file").value_name("FILE").help("The book").value_parser(value_parser!(PathBuf));
    let build = Command::new("build")
        .about("Build a book from the engine's own searches; continues a build that was interrupted")
        .arg(variant.clone())
        .arg(out.help("File to write [default: NAME.book, after the rule set]; the journal of the build is kept next to it"))
        .arg(
            number("positions", "60", 1..=1_000_000)
                .help("Number of positions in the book, each with all its moves"),
        )
        .arg(number("plies", "40", 1..=200).help("Longest line in the book, in plies from the start position"))
        .arg(number("nodes", "200000", 1..=i64::MAX).help("Node limit of each search"))
        .arg(Arg::new("solve").long("solve").action(ArgAction::SetTrue).conflicts_with("nodes").help(
            "Solve every position, however long it takes: for rule sets in which no position comes back",
        ))
        .arg(
            number("width", "30", 0..=4800)
                .help("Most that the owner of the book gives away with a move, in hundredths of a seed"),
        )
        .arg(number("threads", "1", 1..=1024).help("Number of searches at a time; the book does not depend on it"))
        .arg(number("hash", "16", 1..=65536).help("Transposition table of each search, in MiB"));
    let info = Command::new("info")
        .about("Print the rule set, size, checksum and main line of a book")
        .arg(file.clone().required(true));
    let words = Arg::new("position").value_name("POSITION").num_args(1..).required(true);
    let probe = Command::new("probe")
        .about("Print the book's moves in a position, best first")
        .arg(variant)
        .arg(file.long("file").help("File of the book [default: the built-in book]"))
        .arg(words.help("`startpos` or fifteen fields, optionally followed by `moves` and moves"));
    Command::new(NAME)
        .about("Build and read opening books")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([build, info, probe])
}

/// Reads the arguments of `kroo book`.
pub(super) fn read(matches: &ArgMatches, variant: Variant) -> Result<BookCommand, clap::Error> {
    let (name, matches) = matches.subcommand().expect("one is required");
    let file = |id| matches.get_one::<PathBuf>(id).cloned();
    let number = |id| *matches.get_one::<i64>(id).expect("it has a default");
    Ok(match name {
        "build" if matches.get_flag("solve") && !can_solve(variant) => {
            return Err(usage_error(&format!(
                "--solve: {variant} cannot be solved, its positions may come back"
            )));
        }
        "info" => BookCommand::Info(file("file").expect("it is required")),
        "probe" => {
            let words: Vec<&str> =
                matches.get_many("position").into_iter().flatten().map(String::as_str).collect();
            let game = Box::new(parse_game(variant, &words.join(" ")).map_err(|error| usage_error(&error))?);
            BookCommand::Probe { game, file: file("file") }
        }
        _ => BookCommand::Build(BookPlan {
            variant,
            path: file("out").unwrap_or_else(|| PathBuf::from(format!("{variant}.book"))),
            positions: number("positions") as usize,
            plies: number("plies") as u16,
            nodes: if matches.get_flag("solve") { BookPlan::SOLVE } else { number("nodes") as u64 },
            width: number("width") as i32,
            threads: number("threads") as usize,
            hash_mib: number("hash") as usize,
        }),
    })
}

impl BookCommand {
    pub(super) fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        match self {
            BookCommand::Build(plan) => build(plan),
            BookCommand::Info(path) => {
                let book = Book::open(path)?;
                say(&format!("{}:", path.display()))?;
                describe(&book)
            }
            BookCommand::Probe { game, file } => probe(game, file.as_deref()),
        }
    }
}

fn build(plan: &BookPlan) -> Result<(), Box<dyn std::error::Error>> {
    let builder = BookBuilder::new(plan.clone())?;
    let mut shown = Progress::new("positions", plan.positions as u64);
    let book = builder.run(&mut |BookProgress { positions, searches }| {
        shown
            .at(positions as u64, &format!("{searches} {}", agreeing(searches as u64, "search", "searches")));
    })?;
    shown.clear();
    say(&format!("{}:", plan.path.display()))?;
    describe(&book)
}

/// Prints the figures of a book, and its main line.
fn describe(book: &Book) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = book.to_bytes();
    let start = Position::start(book.variant());
    let line: String = book.line(&start).into_iter().map(Move::letter).collect();
    say(&format!("  rule set    {}", book.variant()))?;
    say(&format!("  positions   {}", book.len()))?;
    say(&format!("  values      {}", origin(book)))?;
    say(&format!("  file        {}, CRC-32 {:08x}", counted(bytes.len() as u64, "byte"), checksum(&bytes)))?;
    say(&format!("  main line   {}", if line.is_empty() { "none" } else { &line }))
}

/// The origin of a book's values.
fn origin(book: &Book) -> String {
    match book.is_solved() {
        true => "solved".to_owned(),
        false => format!("searches of {}", counted(book.nodes(), "node")),
    }
}

/// The checksum at the end of a book.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.last_chunk().map_or(0, |last| u32::from_le_bytes(*last))
}

fn probe(game: &Game, file: Option<&std::path::Path>) -> Result<(), Box<dyn std::error::Error>> {
    let position = game.position();
    let book = match file {
        Some(path) => &Book::open_for(path, position.variant())?,
        None => Book::built_in(position.variant()),
    };
    let Some(BookEntry { depth, moves }) = book.probe(position) else {
        return say(&format!("{position} is not in the book"));
    };
    let depth = if book.is_solved() { String::new() } else { format!("to depth {depth}, ") };
    say(&format!("{position}: {depth}{}", origin(book)))?;
    moves.into_iter().try_for_each(|(mv, value)| say(&format!("  {mv} {}", text_of(value))))
}

/// A value in seeds, and whether it is a win or a loss.
fn text_of(value: Value) -> String {
    let seeds = f64::from(value.shown_centiseeds()) / 100.0;
    match value.kind() {
        Kind::Estimate(_) => format!("{seeds:+.2}"),
        Kind::Win(_) => format!("{seeds:+.2} win"),
        Kind::Loss(_) => format!("{seeds:+.2} loss"),
    }
}
