//! `kroo endgame build`, `info`, `verify`, `probe`, `pack` and `unpack`.

use super::endgame_info::info;
use super::endgame_progress::BoardProgress;
use super::flags::variant_argument;
use super::flags::{self, number};
use super::output::{remark, say, usage_error};
use crate::endgame_files::{
    BuildEvent, CheckPlan, EndgamePlan, PackEvent, PackPlan, PackWay, advice, build, check, explain, pack,
};
use crate::endgames::{
    Endgames, Gap, MAX_SEEDS, ThreadPool, WatchedPool, board_count, database_path, packed_path, user_folder,
};
use crate::game::{Game, Position, Rules, Variant, draw};
use crate::printable::{agreeing, counted, gib};
use crate::protocol::parse_game;
use crate::under;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

pub(super) const NAME: &str = "endgame";
/// The default folder of the files, on systems without a folder for user data.
const FOLDER: &str = "endgames";
/// Maximum seeds of databases built for a probe without files: 2.7 million boards, about a second.
const BUILT_FOR_A_PROBE: u8 = 12;

/// A subcommand of `kroo endgame` with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum EndgameCommand {
    Build(EndgamePlan),
    /// Describe a file, or the files of a folder.
    Info(PathBuf, Option<Variant>),
    Verify(CheckPlan),
    /// Pack plain files, or unpack packed ones.
    Pack(PackPlan),
    /// Show what the endgames know about a position.
    Probe {
        game: Box<Game>,
        /// The folder of the files; `None` for no files.
        folder: Option<PathBuf>,
    },
}

pub(super) fn usage() -> Command {
    let variant = variant_argument();
    let seeds = || number("seeds", 0..=u64::from(MAX_SEEDS));
    let threads = || flags::threads().help("Number of threads, at most all cores [default: all cores]");
    let folder =
        |name: &'static str| Arg::new(name).long(name).value_name("DIR").value_parser(value_parser!(PathBuf));
    let build = Command::new("build")
        .about("Build files with the results of all positions with few seeds; continues a build that was interrupted")
        .arg(variant.clone())
        .arg(seeds().required(true).help("Most seeds in the pits"))
        .arg(folder("out").help("Folder for the files, one for each number of seeds [default: where the engine looks for them, in the user's data folder]"))
        .arg(threads().clone().help("Number of threads, at most all cores [default: all cores]; the files do not depend on it"))
        .arg(memory_limit().help(
            "Memory limit [default: what the system has available]; larger databases of awari and oware are built on the disk",
        ));
    let info = Command::new("info")
        .about("Print what endgame files contain")
        .arg(variant.clone().help("Rule set [default: all]"))
        .arg(
            Arg::new("path")
                .value_name("DIR|FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Folder, or one file of it [default: as for build]"),
        );
    let verify = Command::new("verify")
        .about(
            "Check every value against those that its moves lead to, and a random sample against brute force",
        )
        .arg(variant.clone())
        .arg(seeds().default_value("48").help("Most seeds in the pits of the positions to check"))
        .arg(
            number("from", 0..=u64::from(MAX_SEEDS))
                .default_value("0")
                .help("Fewest seeds; smaller databases are assumed correct"),
        )
        .arg(folder("dir").help("Folder with the files [default: as for build]"))
        .arg(threads())
        .arg(
            number("samples", 0..=1_000_000_000)
                .default_value("1000")
                .help("Number of positions in the random sample"),
        )
        .arg(number("seed", 0..=u64::MAX).default_value("1").help("Random seed of the sample"));
    let repack = |name: &'static str, about: &'static str| {
        let folder = Arg::new("path").value_name("DIR").value_parser(value_parser!(PathBuf));
        Command::new(name)
            .about(about)
            .arg(variant.clone().help("Rule set [default: all]"))
            .arg(folder.help("Folder with the files [default: as for build]"))
            .arg(Arg::new("out").long("out").value_name("DIR").value_parser(value_parser!(PathBuf)).help(
                "Folder for the new files; the old ones stay then [default: the same, where each old one goes when its \
                 new one has been read back]",
            ))
            .arg(Arg::new("keep").long("keep").action(ArgAction::SetTrue).help("Leave the old files where they are"))
            .arg(threads())
    };
    let packing = repack("pack", "Pack files to about half their size; the engine reads them as they are");
    let unpacking = repack("unpack", "Make plain files of packed ones, byte for byte as they were built");
    let words = Arg::new("position").value_name("POSITION").num_args(1..).required(true);
    let probe = Command::new("probe")
        .about("Print what the endgames know about a position and each of its moves")
        .arg(variant)
        .arg(
            folder("dir")
                .help("Folder with the files [default: as for build]; not needed for up to 12 seeds"),
        )
        .arg(words.help("`startpos` or fifteen fields, optionally followed by `moves` and moves"));
    Command::new(NAME)
        .about("Build, check, read and pack endgames: perfect play with few seeds")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands([build, info, verify, probe, packing, unpacking])
}

/// Reads the arguments of `kroo endgame`.
pub(super) fn read(matches: &ArgMatches, variant: Variant) -> Result<EndgameCommand, clap::Error> {
    let (name, matches) = matches.subcommand().expect("one is required");
    let named = matches.contains_id("variant").then_some(variant);
    let told = |id| matches.get_one::<PathBuf>(id).cloned();
    let path = |id| told(id).or_else(user_folder).unwrap_or_else(|| PathBuf::from(FOLDER));
    let threads = || matches.get_one("threads").copied().unwrap_or_else(cores);
    let given = |id| *matches.get_one::<u64>(id).expect("it is required or has a default");
    Ok(match name {
        "info" => EndgameCommand::Info(path("path"), named),
        "verify" => EndgameCommand::Verify(CheckPlan {
            from: given("from") as u8,
            variant,
            seeds: given("seeds") as u8,
            folder: path("dir"),
            threads: threads(),
            samples: given("samples"),
            seed: given("seed"),
        }),
        "pack" | "unpack" => EndgameCommand::Pack(PackPlan {
            way: if name == "pack" { PackWay::Pack } else { PackWay::Unpack },
            folder: path("path"),
            out: told("out"),
            variant: named,
            keep: matches.get_flag("keep"),
            threads: threads(),
        }),
        "probe" => {
            let words: Vec<&str> =
                matches.get_many("position").into_iter().flatten().map(String::as_str).collect();
            let game = Box::new(parse_game(variant, &words.join(" ")).map_err(|error| usage_error(&error))?);
            let is_needed = |dir: &PathBuf| told("dir").is_some() || dir.is_dir();
            EndgameCommand::Probe { game, folder: Some(path("dir")).filter(is_needed) }
        }
        _ => EndgameCommand::Build(EndgamePlan {
            variant,
            seeds: given("seeds") as u8,
            folder: path("out"),
            threads: threads(),
            memory: matches.get_one("memory").copied(),
        }),
    })
}

/// `--memory GiB`, in bytes.
pub fn memory_limit() -> Arg {
    let bytes = |text: &str| match text.parse::<f64>() {
        Ok(gib) if gib > 0.0 && gib < 1e9 => Ok((gib * f64::from(1 << 30)) as u64),
        _ => Err("expected a number of GiB above 0"),
    };
    Arg::new("memory").long("memory").value_name("GiB").value_parser(bytes)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

impl EndgameCommand {
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        match self {
            EndgameCommand::Build(plan) => build_files(plan),
            EndgameCommand::Info(path, variant) => info(path, *variant, &ThreadPool::on_all_processors()),
            EndgameCommand::Verify(plan) => verify(plan),
            EndgameCommand::Pack(plan) => repack_files(plan),
            EndgameCommand::Probe { game, folder } => probe(game.position(), folder.as_deref()),
        }
    }
}

/// Set by the first termination signal, after which the program ends in order. A second signal ends it at once.
fn interrupted() -> Result<Arc<AtomicBool>, std::io::Error> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&flag))?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(flag)
}

fn build_files(plan: &EndgamePlan) -> Result<(), Box<dyn Error>> {
    let stop = interrupted()?;
    let boards = |seeds: u8| (0..=seeds).map(|seeds| board_count(seeds) as u64).sum::<u64>();
    let mut progress = BoardProgress::new(boards(plan.seeds));
    let mut began = Instant::now();
    let mut written = 0;
    let result = build(plan, &mut |event| {
        match event {
            BuildEvent::Found(seeds) => progress.skip(boards(seeds)),
            BuildEvent::Status(status) => {
                let database = board_count(status.seeds) as u64;
                progress.at(boards(status.seeds) - database, database, &status);
            }
            BuildEvent::OutOfCore { seeds, needed, there } => progress.line(&format!(
                "{} with {} would take {} of memory, and {} may be used: most of its values lie on the disk, which takes \
                 longer",
                plan.variant,
                counted(seeds.into(), "seed"),
                gib(needed),
                gib(there)
            )),
            BuildEvent::Written(seeds, path) => {
                let (seconds, database) = (began.elapsed().as_secs_f64(), board_count(seeds));
                progress.done(boards(seeds));
                progress.line(&format!(
                    "{}: {} in {seconds:.2} s, {:.2} million a second",
                    path.display(),
                    counted(database as u64, "position"),
                    database as f64 / seconds.max(1e-6) / 1e6
                ));
                (began, written) = (Instant::now(), written + 1);
            }
        }
        stop.load(Ordering::Relaxed)
    });
    progress.clear();
    result?;
    let there = u64::from(plan.seeds) + 1 - written;
    say(&format!(
        "{} up to {}, {}: {} built, {there} {} there, in {}",
        plan.variant,
        counted(plan.seeds.into(), "seed"),
        counted(boards(plan.seeds), "position"),
        counted(written, "database"),
        agreeing(there, "was", "were"),
        plan.folder.display()
    ))
}

fn repack_files(plan: &PackPlan) -> Result<(), Box<dyn Error>> {
    let stop = interrupted()?;
    let mut progress: Option<(Variant, BoardProgress)> = None;
    let boards = |seeds: u8| (0..=seeds).map(|seeds| board_count(seeds) as u64).sum::<u64>();
    let largest = |variant| match plan.way {
        PackWay::Pack => {
            (0..=MAX_SEEDS).filter(|&seeds| database_path(&plan.folder, variant, seeds).exists()).max()
        }
        PackWay::Unpack => {
            (0..=MAX_SEEDS).filter(|&seeds| packed_path(&plan.folder, variant, seeds).exists()).max()
        }
    };
    let mut sizes = [0, 0];
    let result = pack(plan, &mut |event| {
        match event {
            PackEvent::Status(variant, seeds, fraction) => {
                if progress.as_ref().is_none_or(|(before, _)| *before != variant) {
                    let total = boards(largest(variant).unwrap_or(seeds).max(seeds));
                    progress = Some((variant, BoardProgress::new(total)));
                }
                let database = board_count(seeds) as u64;
                if let Some((_, progress)) = &mut progress {
                    progress.exactly(
                        boards(seeds) - database + (database as f64 * fraction) as u64,
                        variant.name(),
                    );
                }
            }
            PackEvent::Written(path, [old, new]) => {
                sizes = [sizes[0] + old, sizes[1] + new];
                if let Some((_, progress)) = &progress {
                    progress.line(&format!("{}: {}, {old} before", path.display(), counted(new, "byte")));
                }
            }
        }
        stop.load(Ordering::Relaxed)
    });
    if let Some((_, progress)) = &progress {
        progress.clear();
    }
    let made = result?;
    let place = plan.out.as_ref().unwrap_or(&plan.folder).display();
    let [old, new] = sizes;
    say(&format!("{} made in {place}: {}, {old} before", counted(made as u64, "file"), counted(new, "byte")))
}

fn verify(plan: &CheckPlan) -> Result<(), Box<dyn Error>> {
    let stop = interrupted()?;
    let boards = |seeds: u8| (plan.from..=seeds).map(|seeds| board_count(seeds) as u64).sum::<u64>();
    let mut progress = BoardProgress::new(boards(plan.seeds.min(plan.largest_file())));
    let result = check(plan, &mut |status| {
        let database = board_count(status.seeds) as u64;
        if status.iteration == 1 {
            let checked = boards(status.seeds) - database + (database as f64 * status.fraction) as u64;
            progress.exactly(checked, "against their moves");
        } else {
            progress.exactly(boards(status.seeds), "the sample");
        }
        stop.load(Ordering::Relaxed)
    });
    progress.clear();
    let report = result?;
    if let Some(gap) = Gap::find(&plan.folder, plan.variant) {
        remark(&gap.to_string());
    }
    let sample = &report.sample;
    say(&format!(
        "{} {} {}: {} {} what their moves lead to; brute force agrees on {} ({} answered line by line, {} over all \
         positions that can arise), {} {} open",
        plan.variant,
        if report.from == 0 { "up to".to_owned() } else { format!("from {} to", report.from) },
        counted(report.seeds.into(), "seed"),
        counted(report.boards, "value"),
        agreeing(report.boards, "fits", "fit"),
        counted(sample.by_lines + sample.by_positions, "question"),
        sample.by_lines,
        sample.by_positions,
        sample.open,
        agreeing(sample.open, "stays", "stay")
    ))
}

fn probe(position: &Position, folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let endgames = Endgames::new();
    let seeds = position.board().seeds();
    under!(position.variant(), R => prepare::<R>(&endgames, seeds, folder))?;
    let known = explain(&endgames, position);
    let variant = position.variant();
    if let Some(gap) = folder.and_then(|folder| Gap::find(folder, variant)) {
        remark(&gap.to_string());
    }
    if known.is_none() && position.verdict().is_none() {
        let named = folder.filter(|&folder| Some(folder) != user_folder().as_deref());
        let (seeds, advice) = (counted(seeds.into(), "seed"), advice(variant, seeds, named));
        return Err(format!("the endgames do not reach {seeds}: {advice}").into());
    }
    let lines = known.filter(|_| position.verdict().is_none()).unwrap_or_default();
    draw(position).iter().chain(&lines).try_for_each(|line| say(line))
}

/// Reads the databases that a position needs, and builds small missing ones.
fn prepare<R: Rules>(endgames: &Endgames, seeds: u8, folder: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let threads = &ThreadPool::on_all_processors();
    if let Some(folder) = folder {
        endgames.open::<R>(folder, seeds, threads)?;
    }
    if seeds <= BUILT_FOR_A_PROBE {
        endgames.build_with::<R>(seeds, &mut WatchedPool { threads, watch: &mut |_| false });
    }
    Ok(())
}
