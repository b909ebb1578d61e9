//! `kroo openings`: sets of nearly level openings for the referee.
//!
//! Random moves from the start, or random set-ups, lead to positions, a search scores each, and those within a window are kept,
//! each position once. The positions depend on the random seed only, and each search has a node limit and its own
//! transposition table, so results are reproducible. An unfinished set is in `NAME.partial` in the same folder; the same command resumes from it.

use super::flags::with_flags;
use crate::files::{self, replace, why};
use crate::game::{Game, Position, ROW, Variant, split_mix};
use crate::printable::{agreeing, counted};
use crate::progress::Progress;
use crate::search::{Request, SearchMemory, Silent, search};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the subcommand.
pub(super) const NAME: &str = "openings";

/// The size of a search's transposition table, in MiB.
const TABLE_MIB: usize = 1;
/// After this many random lines without a new position, none is left.
const MAX_REPEATS: u32 = 5_000;
/// The largest unfinished set that is read, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// The beginning of the line with the number of positions tried.
const TRIED: &str = "# tried: ";

/// The arguments of a set of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsPlan {
    /// The rule set.
    pub variant: Variant,
    /// Number of openings.
    pub count: usize,
    /// Whether each begins with a random set-up instead of the start position.
    pub random_setup: bool,
    /// Random moves of each.
    pub plies: u32,
    /// Node limit of each search.
    pub nodes: u64,
    /// The largest score, in hundredths of a seed, of either side.
    pub window: u32,
    /// The random seed.
    pub seed: u64,
    /// The file to write.
    pub out: PathBuf,
}

/// A set that is being made.
struct OpeningSet<'a> {
    plan: &'a OpeningsPlan,
    head: String,
    /// Moves from the start or a position, and the score.
    lines: Vec<String>,
    tried: u64,
}

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    let number = |name: &'static str, value: &'static str, range: std::ops::RangeInclusive<u64>| {
        let parser = value_parser!(u64).range(range);
        Arg::new(name).long(name).value_name("N").default_value(value).value_parser(parser)
    };
    with_flags(Command::new(NAME), |name| name == "variant")
        .about("Make a set of nearly level openings for matches")
        .arg(number("count", "200", 1..=1_000_000).help("Number of openings"))
        .arg(
            Arg::new("random-setup")
                .long("random-setup")
                .action(ArgAction::SetTrue)
                .help("Begin with the seeds of each row spread at random, alike for both sides"),
        )
        .arg(
            number("plies", "8", 0..=200)
                .default_value_if("random-setup", "true", "0")
                .help("Number of random moves in each [default: 8; after a random set-up 0]")
                .hide_default_value(true),
        )
        .arg(number("nodes", "20000", 1..=1_000_000_000_000).help("Node limit of each search"))
        .arg(
            number("window", "100", 0..=4_800)
                .help("Keep openings whose score is at most this far from level, in hundredths of a seed"),
        )
        .arg(number("seed", "1", 0..=u64::MAX).help("Random seed; the same seed gives the same file"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("File to write, for `referee --openings`; FILE.partial until it is complete; resumes an interrupted set"),
        )
}

/// Reads the arguments of `kroo openings`.
pub(super) fn read(matches: &ArgMatches, variant: Variant) -> OpeningsPlan {
    let number = |id| *matches.get_one::<u64>(id).expect("it has a default");
    OpeningsPlan {
        variant,
        count: number("count") as usize,
        random_setup: matches.get_flag("random-setup"),
        plies: number("plies") as u32,
        nodes: number("nodes"),
        window: number("window") as u32,
        seed: number("seed"),
        out: matches.get_one::<PathBuf>("out").cloned().expect("it is required"),
    }
}

impl OpeningsPlan {
    /// Makes the set.
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let mut set = OpeningSet::resume(self)?;
        let mut progress = Progress::new("openings", self.count as u64);
        progress.skip(set.lines.len() as u64);
        let (mut state, mut seen, mut fresh, mut repeats) = (self.seed, HashSet::new(), 0, 0);
        while set.lines.len() < self.count {
            let start = if self.random_setup {
                random_setup(self.variant, &mut state)
            } else {
                Position::start(self.variant)
            };
            let line = random_line(start, self.plies, &mut state);
            let Some(game) = line.filter(|game| seen.insert(game.position().to_string())) else {
                repeats += 1;
                if repeats > MAX_REPEATS {
                    return Err(set.too_few().into());
                }
                continue;
            };
            (fresh, repeats) = (fresh + 1, 0);
            // Those were tried before the interruption.
            if fresh <= set.tried {
                continue;
            }
            set.tried += 1;
            if let Some(score) = score(&game, self.nodes)?.filter(|score| score.unsigned_abs() <= self.window)
            {
                let opening = if self.random_setup {
                    game.position().to_string()
                } else {
                    game.moves().iter().map(|mv| mv.letter()).collect()
                };
                set.lines.push(format!("{opening} # {:+.2}", f64::from(score) / 100.0));
                set.save(&set.partial())?;
                let tried = counted(set.tried, "position");
                progress.at(set.lines.len() as u64, &format!("{tried} tried"));
            }
        }
        progress.clear();
        set.save(&self.out)?;
        // The set is complete.
        let _ = fs::remove_file(set.partial());
        Ok(())
    }
}

/// The start position with each seed of a row in a random pit, the same pits in both rows.
fn random_setup(variant: Variant, state: &mut u64) -> Position {
    let mut pits = [0; ROW];
    for _ in 0..u32::from(variant.seeds_a_pit()) * ROW as u32 {
        pits[(split_mix(state) % ROW as u64) as usize] += 1;
    }
    let row = pits.map(|seeds: u32| seeds.to_string()).join("-");
    Position::parse(variant, &format!("{row}-{row}-0-0-S")).expect("as many seeds as at the start")
}

/// Random moves from a position; `None` if the game is over before or after the last.
fn random_line(start: Position, plies: u32, state: &mut u64) -> Option<Game> {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let moves = game.position().moves();
        if moves.is_empty() {
            return None;
        }
        let drawn = split_mix(state) % moves.len() as u64;
        game.play(moves[drawn as usize]).ok()?;
    }
    game.position().verdict().is_none().then_some(game)
}

/// The score in hundredths of a seed for the side to move; `None` if the result is proven.
fn score(game: &Game, nodes: u64) -> Result<Option<i32>, Box<dyn Error>> {
    let table = SearchMemory::new(TABLE_MIB)
        .map_err(|_| format!("no memory for a transposition table of {TABLE_MIB} MiB"))?;
    let report = search(&Request { nodes, ..Request::new(game) }, &table, &mut Silent);
    let proven = report.score.proven().is_some();
    Ok((!proven).then(|| report.score.value.shown_centiseeds()))
}

impl<'a> OpeningSet<'a> {
    /// The openings that an interrupted run of the same command has found, or none.
    fn resume(plan: &'a OpeningsPlan) -> Result<OpeningSet<'a>, String> {
        let OpeningsPlan { variant, count, random_setup, plies, nodes, window, seed, out } = plan;
        let (begin, flag) = match (*random_setup, *plies) {
            (false, _) => (format!("{plies} random moves"), ""),
            (true, 0) => ("random set-ups".to_owned(), " --random-setup"),
            (true, _) => (format!("random set-ups, then {plies} random moves"), " --random-setup"),
        };
        let head = format!(
            "# Openings of {variant}: {begin}, at most {:.2} seeds from level after {nodes} nodes.\n\
             # kroo {NAME} --variant {variant}{flag} --count {count} --plies {plies} --nodes {nodes} --window {window} --seed {seed} \
             --out {}\n",
            f64::from(*window) / 100.0,
            out.file_name().unwrap_or_default().to_string_lossy()
        );
        let mut set = OpeningSet { plan, head, lines: Vec::new(), tried: 0 };
        let partial = set.partial();
        let found = match files::open_at_most(&partial, LARGEST_FILE).and_then(io::read_to_string) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(set),
            Err(error) => return Err(format!("{}: {}", partial.display(), why(&partial, &error))),
        };
        // A file with another head belongs to another command.
        if let Some(rest) = found.strip_prefix(&set.head) {
            set.tried = rest.lines().find_map(|line| line.strip_prefix(TRIED)?.parse().ok()).unwrap_or(0);
            let openings = rest.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            set.lines = openings.map(str::to_owned).collect();
        }
        Ok(set)
    }

    fn partial(&self) -> PathBuf {
        let mut name = self.plan.out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        self.plan.out.with_file_name(name)
    }

    /// Replaces the file by the openings found, wholly or not at all.
    fn save(&self, path: &Path) -> Result<(), files::WriteError> {
        let mut text = format!("{}{TRIED}{}\n\n", self.head, self.tried);
        self.lines.iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
        replace(path, text.as_bytes())
    }

    /// The error if no positions are left.
    fn too_few(&self) -> String {
        let (plies, found) = (self.plan.plies, self.lines.len());
        if self.tried == 0 {
            let variant = self.plan.variant;
            return format!("no game of {variant} goes on after {plies} random moves: give fewer --plies");
        }
        format!(
            "only {found} of the {} openings of {plies} {} {} that level: try more --plies, a larger --window or a smaller \
             --count",
            self.tried,
            agreeing(plies.into(), "ply", "plies"),
            agreeing(found as u64, "is", "are")
        )
    }
}
