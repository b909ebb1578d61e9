//! `kroo openings`: sets of nearly level openings for the referee.
//!
//! A search scores positions from random moves or random set-ups, and those within a window are kept, each once. A proven draw is
//! as level as an opening can be. A proven win is left out unless the plan wants it, because the better side of a match has
//! nothing to find there. Results are reproducible: the positions depend on the random seed only, and each search has a node
//! limit and its own transposition table. An unfinished set is in `NAME.partial` ([`RecordFile`]) in the same folder, a record
//! for each opening; the same command resumes from it.

use super::flags::with_flags;
use super::flags::{self, NODES};
use crate::bench;
use crate::evaluate::Weights;
use crate::files::records::{RecordError, RecordFile, partial_path};
use crate::files::{check_output, remove_abandoned, replace, shown};
use crate::game::{Game, Position, ROW, Variant, Verdict, fair_starts, split_mix};
use crate::printable::{agreeing, counted};
use crate::progress::Progress;
use crate::search::{Request, SearchMemory, Silent, search};
use crate::value::Score;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

pub(super) const NAME: &str = "openings";

/// The size of a search's transposition table, in MiB.
const TABLE_MIB: usize = 1;
/// After this many random lines without a new position, none is left.
const MAX_REPEATS: u32 = 5_000;
/// The name and the version of the format of an unfinished set.
const FORMAT: (&str, u32) = ("unfinished openings", 1);
/// The beginning of a set.
const FIRST: &str = "# Openings of ";

/// The rule set that a set of openings names in its first line.
pub(super) fn variant_of_set(text: &str) -> Option<Variant> {
    text.strip_prefix(FIRST)?.split_once(':')?.0.parse().ok()
}

/// The arguments of a set of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsPlan {
    pub variant: Variant,
    pub count: usize,
    /// Whether each begins with a random set-up instead of the start position.
    pub random_setup: bool,
    /// Random moves of each.
    pub plies: u32,
    /// Node limit of each search.
    pub nodes: u64,
    /// The largest score, in hundredths of a seed, of either side.
    pub window: u32,
    /// Whether proven wins within the window are kept.
    pub proven_wins: bool,
    /// Whether to write only the proven fair starts of the game.
    pub fair: bool,
    pub seed: u64,
    pub out: PathBuf,
}

struct Opening {
    /// Positions tried for the set up to this one.
    tried: u64,
    /// Proven wins left out up to this one.
    wins: u64,
    /// Moves from the start or a position, and the score.
    line: String,
}

/// A set that is being made.
struct OpeningSet<'a> {
    plan: &'a OpeningsPlan,
    file: RecordFile,
    openings: Vec<Opening>,
    tried: u64,
    /// Proven wins within the window that were left out.
    wins: u64,
}

pub(super) fn usage() -> Command {
    let number = |name: &'static str, value: &'static str, range: RangeInclusive<u64>| {
        flags::number(name, range).default_value(value)
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
        .arg(number("nodes", "20000", NODES).help("Node limit of each search"))
        .arg(
            number("window", "100", 0..=4_800)
                .help("Keep openings whose score is at most this far from level, in hundredths of a seed"),
        )
        .arg(
            Arg::new("proven-wins")
                .long("proven-wins")
                .action(ArgAction::SetTrue)
                .help("Keep openings within the window that are proven wins too; proven draws are always kept"),
        )
        .arg(
            Arg::new("fair")
                .long("fair")
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["count", "random-setup", "plies", "nodes", "window", "proven-wins", "seed"])
                .help("Write all starts with one or two seeds moved that are proven draws (`referee --openings fair`)"),
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
        proven_wins: matches.get_flag("proven-wins"),
        fair: matches.get_flag("fair"),
        seed: number("seed"),
        out: matches.get_one::<PathBuf>("out").cloned().expect("it is required"),
    }
}

impl OpeningsPlan {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        check_output(&self.out, "set of openings", FIRST.as_bytes())?;
        if self.fair {
            return self.write_fair_starts();
        }
        let mut set = OpeningSet::resume(self)?;
        if let Err(error) = self.fill(&mut set) {
            if set.openings.is_empty() {
                set.file.remove();
            }
            return Err(error);
        }
        replace(&self.out, set.text().as_bytes())?;
        set.file.remove();
        Ok(())
    }

    fn fill(&self, set: &mut OpeningSet<'_>) -> Result<(), Box<dyn Error>> {
        let mut progress = Progress::new("openings", self.count as u64);
        progress.skip(set.openings.len() as u64);
        let (mut state, mut seen, mut fresh, mut repeats) = (self.seed, HashSet::new(), 0, 0);
        while set.openings.len() < self.count {
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
            if let Some(line) = set.line_of(&game, score(&game, self.nodes)?) {
                set.add(line)?;
                let tried = counted(set.tried, "position");
                progress.at(set.openings.len() as u64, &format!("{tried} tried"));
            }
        }
        progress.clear();
        Ok(())
    }

    fn write_fair_starts(&self) -> Result<(), Box<dyn Error>> {
        let (variant, starts) = (self.variant, fair_starts(self.variant));
        if starts.is_empty() {
            return Err(format!("no fair starts of {variant} are known").into());
        }
        let mut text = format!(
            "{FIRST}{variant}: starts with one or two seeds moved that are proven draws.\n# kroo {NAME} --variant {variant} --fair --out {}\n\n",
            self.out.file_name().unwrap_or_default().to_string_lossy()
        );
        starts.iter().for_each(|start| text.push_str(&format!("{start}\n")));
        Ok(replace(&self.out, text.as_bytes())?)
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

/// The score for the side to move.
fn score(game: &Game, nodes: u64) -> Result<Score, Box<dyn Error>> {
    let table = SearchMemory::new(TABLE_MIB)
        .map_err(|_| format!("no memory for a transposition table of {TABLE_MIB} MiB"))?;
    Ok(search(&Request { nodes, ..Request::new(game) }, &table, &mut Silent).score)
}

impl Opening {
    /// An opening of a record: the positions tried, the proven wins left out, and the line.
    fn read(record: &[u8]) -> Option<Opening> {
        let mut parts = std::str::from_utf8(record).ok()?.splitn(3, ' ');
        let (tried, wins) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Opening { tried, wins, line: parts.next()?.to_owned() })
    }
}

impl<'a> OpeningSet<'a> {
    /// The openings that an interrupted run of the same command has found, or none.
    fn resume(plan: &'a OpeningsPlan) -> Result<OpeningSet<'a>, RecordError> {
        let origin = bench::origin(FORMAT, plan.variant, &Weights::built_in(plan.variant))
            .with("random set-ups", plan.random_setup)
            .with("plies", plan.plies)
            .with("nodes", plan.nodes)
            .with("window", plan.window)
            .with("proven wins", plan.proven_wins)
            .with("seed", plan.seed);
        let mut openings = Vec::new();
        let file = RecordFile::open(&partial_path(&plan.out), &origin, |record| {
            openings.extend(Opening::read(record));
            Opening::read(record).is_some()
        })?;
        // Leftovers that cannot be removed do no harm.
        let _ = remove_abandoned(&plan.out);
        // An earlier command may have asked for more.
        openings.truncate(plan.count);
        let (tried, wins) = openings.last().map_or((0, 0), |opening: &Opening| (opening.tried, opening.wins));
        Ok(OpeningSet { plan, file, openings, tried, wins })
    }

    /// The line of an opening with a score that the plan wants.
    fn line_of(&mut self, game: &Game, score: Score) -> Option<String> {
        let centiseeds = score.value.shown_centiseeds();
        if centiseeds.unsigned_abs() > self.plan.window {
            return None;
        }
        let proven = match score.proven() {
            Some(Verdict::Draw) => ", a proven draw",
            Some(_) if !self.plan.proven_wins => {
                self.wins += 1;
                return None;
            }
            Some(_) => ", a proven win",
            None => "",
        };
        let opening = if self.plan.random_setup {
            game.position().to_string()
        } else {
            game.moves().iter().map(|mv| mv.letter()).collect()
        };
        Some(format!("{opening} # {:+.2}{proven}", f64::from(centiseeds) / 100.0))
    }

    /// Adds an opening. When this returns it is on the disk.
    fn add(&mut self, line: String) -> Result<(), RecordError> {
        let (tried, wins) = (self.tried, self.wins);
        self.file.append(format!("{tried} {wins} {line}").as_bytes())?;
        self.openings.push(Opening { tried, wins, line });
        Ok(())
    }

    /// The complete set.
    fn text(&self) -> String {
        let OpeningsPlan {
            variant, count, random_setup, plies, nodes, window, proven_wins, seed, out, ..
        } = self.plan;
        let wins = if *proven_wins { " --proven-wins" } else { "" };
        let (begin, flag) = match (*random_setup, *plies) {
            (false, _) => (format!("{plies} random moves"), ""),
            (true, 0) => ("random set-ups".to_owned(), " --random-setup"),
            (true, _) => (format!("random set-ups, then {plies} random moves"), " --random-setup"),
        };
        let mut text = format!(
            "{FIRST}{variant}: {begin}, at most {:.2} seeds from level after {nodes} nodes.\n\
             # kroo {NAME} --variant {variant}{flag} --count {count} --plies {plies} --nodes {nodes} --window {window}{wins} --seed {seed} \
             --out {}\n# tried: {}\n",
            f64::from(*window) / 100.0,
            out.file_name().unwrap_or_default().to_string_lossy(),
            self.tried
        );
        if self.wins > 0 {
            let _ = writeln!(text, "# proven wins left out: {}", self.wins);
        }
        text.push('\n');
        for Opening { line, .. } in &self.openings {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// The error if no positions are left.
    fn too_few(&self) -> String {
        let (plies, found) = (self.plan.plies, self.openings.len());
        if self.tried == 0 {
            let variant = self.plan.variant;
            return format!("no game of {variant} goes on after {plies} random moves: give fewer --plies");
        }
        let level = format!(
            "only {found} of the {} openings of {plies} {} {} that level",
            self.tried,
            agreeing(plies.into(), "ply", "plies"),
            agreeing(found as u64, "is", "are")
        );
        let wins = match self.wins {
            0 => String::new(),
            wins => format!(", apart from {}", counted(wins, "proven win")),
        };
        let other = if self.wins > 0 { "--proven-wins" } else { "a larger --window" };
        format!(
            "{level}{wins}: try a smaller --count, or delete {}, which keeps them, and try more --plies or {other}",
            shown(&partial_path(&self.plan.out))
        )
    }
}
