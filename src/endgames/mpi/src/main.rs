//! Builds endgames on many machines, which talk by MPI:
//!
//! ```sh
//! mpirun -np N kroo-endgame-mpi build --variant awari --seeds 36 --out DIR
//! ```
//!
//! It depends on `kroo-endgames`, on `kroo-core` for rules, and on `kroo` for arguments and the bar that shows
//! progress. Begin with `kroo_endgames::building::distributed`, which
//! explains how the work is divided. Rank 0 shows the progress and writes the files. A signal to end (Ctrl-C, SIGTERM, or
//! SIGUSR1, which `mpirun` hands on without ending anything by itself) has all ranks stop behind a checkpoint. An error of one
//! rank is said once, by that rank, and ends the job.

mod arguments;
mod exchange;

use anyhow::{Context, bail};
use arguments::Task;
use exchange::MpiExchange;
use kroo::cli::commands::BoardProgress;
use kroo_core::endgames::board_count;
use kroo_core::printable::{self, gib};
use kroo_endgames::building::distributed::{
    DistributedBuildError, DistributedEvent, Exchange, Limits, build_distributed, needs,
};
use kroo_endgames::{EndgameBuildError, EndgamePlan};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::traits::Communicator;
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The longest time that a rank waits for the end of the job when another one has reported an error.
const END: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match arguments::read() {
        Err(wrong) => {
            // Every rank reads the same words, and one of them is enough to complain.
            let universe = if wrong.use_stderr() { start().ok() } else { None };
            if universe.as_ref().is_none_or(|universe| universe.world().rank() == 0) {
                let _ = if wrong.use_stderr() {
                    printable::to_stderr(wrong.to_string().trim_end())
                } else {
                    wrong.print()
                };
            }
            ExitCode::from(wrong.exit_code() as u8)
        }
        Ok(Task::Plan { variant, seeds, ranks }) => {
            let plan = EndgamePlan { variant, seeds, folder: PathBuf::new(), threads: 1, memory: None };
            ended(tell_plan(&plan, ranks))
        }
        Ok(Task::Build { variant, seeds, out, threads, memory }) => {
            let universe = match start() {
                Ok(universe) => universe,
                Err(error) => return ended(Err(error)),
            };
            let world = universe.world();
            let here = world.split_shared(world.rank()).size() as usize;
            let cores = thread::available_parallelism().map_or(1, usize::from);
            let threads = threads.unwrap_or((cores / here).max(1));
            let plan = EndgamePlan { variant, seeds, folder: out, threads, memory };
            let limits = Limits { ranks_here: here, ..Limits::with_threads(threads) };
            match build(&plan, &limits, &mut MpiExchange::new(universe.world())) {
                Ok(code) => code,
                Err(error) => {
                    complain(&error);
                    world.abort(1)
                }
            }
        }
    }
}

fn ended(result: anyhow::Result<()>) -> ExitCode {
    result.map_or_else(
        |error| {
            complain(&error);
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

fn complain(error: &anyhow::Error) {
    // Where standard error is gone, the error cannot be shown.
    let _ = printable::to_stderr(&format!("kroo-endgame-mpi: {error:#}"));
}

fn say(line: &str) {
    // Where standard output is gone, the files are there all the same.
    let _ = printable::to_stdout(line);
}

fn start() -> anyhow::Result<Universe> {
    let started = mpi::initialize_with_threading(Threading::Funneled);
    let (universe, threading) = started.context("MPI does not start")?;
    if threading < Threading::Funneled {
        bail!("this MPI supports {threading:?} threads only; at least Funneled is needed");
    }
    Ok(universe)
}

fn boards(seeds: u8) -> u64 {
    (0..=seeds).map(|seeds| board_count(seeds) as u64).sum()
}

/// A failure point for tests, in builds with debug assertions: `KROO_TEST_SIGNAL=NUMBER SEEDS RANK` has a rank send itself a
/// signal in its first step of the database with these seeds.
#[cfg(debug_assertions)]
mod failpoint {
    use kroo_endgames::building::distributed::DistributedEvent;

    pub fn reached(rank: usize, event: &DistributedEvent<'_>) {
        let DistributedEvent::Status(status) = event else { return };
        let Ok(wanted) = std::env::var("KROO_TEST_SIGNAL") else { return };
        let numbers: Vec<usize> = wanted.split(' ').filter_map(|number| number.parse().ok()).collect();
        if let [signal, seeds, of] = numbers[..]
            && (seeds, of) == (usize::from(status.seeds), rank)
        {
            let _ = signal_hook::low_level::raise(signal as i32);
        }
    }
}

/// Builds. Errors that come back are those of this rank, which ends the job.
fn build(plan: &EndgamePlan, limits: &Limits, exchange: &mut MpiExchange) -> anyhow::Result<ExitCode> {
    let (first, size) = (exchange.rank() == 0, exchange.size());
    if !exchange.computes_extremes() {
        if !first {
            thread::sleep(END);
        }
        bail!(
            "this MPI takes large unsigned numbers for negative ones when it computes the largest or the smallest (as MPICH 4.0 \
             does, pmodels/mpich#6083), and the build cannot trust it: use Open MPI, or a later MPICH"
        );
    }
    let [stop, over] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    for signal in [SIGINT, SIGTERM, SIGUSR1] {
        // When the first rank has ended with an error, `mpirun` asks the others to end, which wait for it.
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&over))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    let mut telling = first.then(|| Telling::begin(plan, size, limits));
    #[cfg(debug_assertions)]
    let rank = exchange.rank();
    let result = build_distributed(plan, limits, exchange, &mut |event| {
        #[cfg(debug_assertions)]
        failpoint::reached(rank, &event);
        telling.iter_mut().for_each(|telling| telling.of(event));
        stop.load(Ordering::Relaxed)
    });
    over.store(true, Ordering::Relaxed);
    match (result, telling) {
        (Ok(_), telling) => {
            telling.iter().for_each(|telling| telling.end(plan));
            Ok(ExitCode::SUCCESS)
        }
        // All ranks return this, and the first one says so.
        (Err(DistributedBuildError::Build(stopped @ EndgameBuildError::Stopped { .. })), telling) => {
            if let Some(telling) = telling {
                telling.progress.clear();
                complain(&stopped.into());
            }
            Ok(ExitCode::FAILURE)
        }
        (Err(DistributedBuildError::Elsewhere), _) => {
            thread::sleep(END);
            Ok(ExitCode::FAILURE)
        }
        (Err(error), telling) => {
            telling.iter().for_each(|telling| telling.progress.clear());
            Err(error.into())
        }
    }
}

/// The messages of rank 0.
struct Telling {
    progress: BoardProgress,
    began: Instant,
    written: usize,
}

impl Telling {
    fn begin(plan: &EndgamePlan, size: usize, limits: &Limits) -> Telling {
        let needed = needs(plan, size, limits);
        say(&format!(
            "{} up to {} seeds, {} positions, by {size} processes of {} threads: {} of memory each, {} of disk",
            plan.variant,
            plan.seeds,
            boards(plan.seeds),
            limits.threads,
            gib(needed.memory),
            gib(needed.disk)
        ));
        Telling { progress: BoardProgress::new(boards(plan.seeds)), began: Instant::now(), written: 0 }
    }

    fn of(&mut self, event: DistributedEvent<'_>) {
        match event {
            DistributedEvent::Found(seeds) => self.progress.skip(boards(seeds)),
            DistributedEvent::Status(status) => {
                let database = board_count(status.seeds) as u64;
                self.progress.at(boards(status.seeds) - database, database, &status);
            }
            DistributedEvent::Written { seeds, path, traffic } => {
                let (seconds, database) = (self.began.elapsed().as_secs_f64(), board_count(seeds) as f64);
                let looks = (traffic.local + traffic.remote).max(1) as f64;
                self.progress.done(boards(seeds));
                self.progress.line(&format!(
                    "{}: {database} positions in {seconds:.2} s, {:.2} million a second; {:.1} evaluations a position, {:.1} % \
                     of the looks local, {:.2} bytes a look (asked {:.2}, answered {:.2}, put {:.2}), {} puts a message",
                    path.display(),
                    database / seconds.max(1e-6) / 1e6,
                    traffic.evaluations as f64 / database,
                    100.0 * traffic.local as f64 / looks,
                    (traffic.requests + traffic.replies + traffic.puts) as f64 / looks,
                    traffic.requests as f64 / looks,
                    traffic.replies as f64 / looks,
                    traffic.puts as f64 / looks,
                    traffic.puts / 8 / traffic.batches.max(1),
                ));
                (self.began, self.written) = (Instant::now(), self.written + 1);
            }
        }
    }

    fn end(&self, plan: &EndgamePlan) {
        self.progress.clear();
        say(&format!(
            "{} up to {} seeds, {} positions: {} databases built, {} were there, in {}",
            plan.variant,
            plan.seeds,
            boards(plan.seeds),
            self.written,
            usize::from(plan.seeds) + 1 - self.written,
            plan.folder.display()
        ));
    }
}

fn tell_plan(plan: &EndgamePlan, ranks: usize) -> anyhow::Result<()> {
    let (variant, seeds) = (plan.variant, plan.seeds);
    let needed = needs(plan, ranks, &Limits::with_threads(1));
    say(&format!(
        "{variant} up to {seeds} seeds, {} positions, by {ranks} processes: {} of memory each, {} of disk",
        boards(seeds),
        gib(needed.memory),
        gib(needed.disk)
    ));
    Ok(())
}
