//! The command line.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, value_parser};
use kroo::cli::commands::memory_limit;
use kroo_core::endgames::MAX_SEEDS;
use kroo_core::game::{Variant, names};
use std::path::PathBuf;

/// A task of the program.
pub enum Task {
    /// Build files, with all processes of the job.
    Build {
        variant: Variant,
        seeds: u8,
        out: PathBuf,
        /// Threads of a process; none for its part of the cores.
        threads: Option<usize>,
        /// Bytes that each process may use.
        memory: Option<u64>,
    },
    /// Estimate the resources of a build, without MPI.
    Plan { variant: Variant, seeds: u8, ranks: usize },
}

fn number(name: &'static str, range: std::ops::RangeInclusive<i64>) -> Arg {
    Arg::new(name).long(name).value_name("N").value_parser(value_parser!(i64).range(range))
}

fn program() -> Command {
    let variant = Arg::new("variant")
        .long("variant")
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(names()))
        .default_value("awari")
        .help("Rule set: awari or oware");
    let seeds = number("seeds", 0..=i64::from(MAX_SEEDS)).required(true).help("Most seeds in the pits");
    let build = Command::new("build")
        .about("Build files, as `kroo endgame build` does on one machine; continues a build that was interrupted, on any number of processes")
        .args([
            variant.clone(),
            seeds.clone(),
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Folder for the files, which all machines must see"),
            number("threads", 1..=1024)
                .help("Number of threads of each process [default: the cores of its machine, divided by the processes there]"),
            memory_limit()
                .help("Memory limit of each process [default: what its machine has available, divided by the processes there]"),
        ]);
    let plan = Command::new("plan").about("Print what a build would take, without building anything").args([
        variant,
        seeds,
        number("ranks", 1..=65535).required(true).help("Number of processes"),
    ]);
    Command::new("kroo-endgame-mpi")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Build endgames on many machines: mpirun -np N kroo-endgame-mpi build --variant awari --seeds 36 --out DIR")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands([build, plan])
}

/// The task that the command line asks for.
pub fn read() -> Result<Task, clap::Error> {
    let matches = program().try_get_matches()?;
    let (name, matches) = matches.subcommand().expect("one is required");
    let number = |id| matches.get_one::<i64>(id).map(|&number| number as usize);
    let variant = matches.get_one::<String>("variant").expect("it has a default");
    let variant = variant.parse().expect("one of the names");
    let seeds = number("seeds").expect("it is required") as u8;
    if name == "plan" {
        let ranks = number("ranks").expect("it is required");
        return Ok(Task::Plan { variant, seeds, ranks });
    }
    let out = matches.get_one::<PathBuf>("out").expect("it is required").clone();
    Ok(Task::Build {
        variant,
        seeds,
        out,
        threads: number("threads"),
        memory: matches.get_one("memory").copied(),
    })
}
