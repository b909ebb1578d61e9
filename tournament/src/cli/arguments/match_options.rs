//! The parsed options of a match.

use super::adjudication::sprt;
use super::contestants::{contestants, each};
use super::match_arguments::{CommonArguments, FileArguments, MatchArguments, WatchingArguments};
use crate::failure::Failure;
use crate::plan::{Contestant, MatchPlan, Tolerance, joined_names};
use crate::queue::QueueOptions;
use crate::schedule::{Event, Openings, Shard};
use kroo::game::Variant;
use kroo::printable;
use kroo::printable::counted;
use kroo::web::Place;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::thread;
use std::time::SystemTime;

/// The default of `--rounds`.
const ROUNDS: u64 = 4;
/// The default of `--rounds` with `--sprt`: enough for all but the smallest differences.
const SPRT_ROUNDS: u64 = 100_000;

/// A search of at most this many nodes takes less than a millisecond.
const FEW_NODES: u64 = 1_000;

/// The plan and its output files.
#[derive(Debug)]
pub struct MatchOptions {
    pub plan: MatchPlan,
    pub openings: Openings,
    /// The options that say all this, for the journal: without the journal itself, and without secrets.
    pub given: Vec<Vec<String>>,
    /// The files that it writes, and whether it is resumed.
    pub files: FileArguments,
    /// The file for everything that is said to engines and by them, and how many bytes of that at most.
    pub log: Option<(PathBuf, u64)>,
    /// Where the match can be watched, if anywhere.
    pub watch: Option<Place>,
    /// The queue for workers, if the games are not played here.
    pub queue: Option<QueueOptions>,
    /// Things in the command line that are allowed, and perhaps not meant.
    pub warnings: Vec<String>,
}

impl MatchOptions {
    /// A warning if rounds need more openings than there are.
    pub fn repeated_openings(&self) -> Option<String> {
        let (distinct, needed) =
            (self.openings.distinct()?, self.plan.rounds.saturating_mul(self.plan.pairs));
        let counts = self.plan.event != Event::Knockout && self.plan.tuning.is_none();
        (needed > distinct && counts).then(|| {
            let ends = if self.plan.sprt.is_some() {
                ", and the test ends undecided when no new one comes: give it more with --random-plies or --openings"
            } else {
                ""
            };
            format!(
                "{needed} pairs of games are played from {}; a pair that repeats another one \
                 move by move does not count as evidence{ends}",
                counted(distinct, "different opening")
            )
        })
    }
}

/// A warning for each player that takes part more than once.
fn same_players(contestants: &[Contestant]) -> Vec<String> {
    let mut players: Vec<Vec<&Contestant>> = Vec::new();
    for one in contestants {
        match players.iter_mut().find(|same| one.is_same_player(same[0])) {
            Some(same) => same.push(one),
            None => players.push(vec![one]),
        }
    }
    let warning = |same: Vec<&Contestant>| {
        let engine = &same[0].engine;
        let file = engine.program().unwrap_or_else(|| engine.command.clone());
        let names: Vec<&str> = same.iter().map(|one| one.engine.name.as_str()).collect();
        let names = joined_names(&names, " and ");
        format!("{names} are the same engine: {} with the same arguments, options and limits", file.display())
    };
    players.into_iter().filter(|same| same.len() > 1).map(warning).collect()
}

impl MatchArguments {
    /// The parsed options.
    pub fn options(&self) -> Result<MatchOptions, Failure> {
        let contestants = contestants(&self.engines, &each(&self.each, self.common.running.sandbox)?)?;
        let sprt = self.sprt.as_deref().map(sprt).transpose()?;
        let event = Event::named(&self.event, contestants.len(), self.gauntlet_seeds)
            .map_err(|error| Failure::at(format!("--event {}", self.event), error))?;
        if self.rounds.is_some() && event == Event::Knockout {
            let problem = "a knockout has as many rounds as it takes to leave one engine: leave --rounds out; --pairs N makes \
                           its ties longer";
            return Err(Failure::at("--rounds", problem));
        }
        let mut options = self.common.options(contestants, self.variant, event, &self.files)?;
        let rounds = match (self.rounds, options.openings.distinct()) {
            (Some(rounds), _) => rounds,
            (None, _) if event == Event::Knockout => {
                Event::rounds_of_knockout(options.plan.contestants.len())
            }
            (None, _) if sprt.is_none() => ROUNDS,
            // Another round with the same opening may be no evidence.
            (None, Some(distinct)) => distinct.div_ceil(self.pairs).min(SPRT_ROUNDS),
            (None, None) => SPRT_ROUNDS,
        };
        let tolerance = Tolerance { lenient: self.lenient, ..options.plan.tolerance };
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        options.plan = MatchPlan { rounds, pairs: self.pairs, sprt, tolerance, shard, ..options.plan };
        options.plan.check()?;
        if !self.engines.0.is_empty() {
            options.warnings = same_players(&options.plan.contestants);
        }
        Ok(options)
    }
}

impl CommonArguments {
    /// The parts that a match and a tuning run share: all but the pairings and the end.
    pub(super) fn options(
        &self,
        contestants: Vec<Contestant>,
        variant: Variant,
        event: Event,
        files: &FileArguments,
    ) -> Result<MatchOptions, Failure> {
        let adjudication = self.adjudication.rules(variant)?;
        let (openings, source) = self.openings.openings(variant, adjudication.max_moves)?;
        let running = &self.running;
        let concurrency = running.concurrency.unwrap_or(1);
        let affinity = running.affinity.unwrap_or_else(|| answer_at_once(&contestants, concurrency));
        let plan = MatchPlan {
            event,
            contestants,
            variant,
            rounds: 1,
            pairs: 1,
            seed: self.openings.seed(),
            openings: source,
            adjudication,
            sprt: None,
            tuning: None,
            shard: Shard::WHOLE,
            concurrency,
            affinity,
            tolerance: Tolerance {
                max_faults: (!running.recover).then_some(running.max_faults),
                lenient: false,
            },
            began: SystemTime::now(),
        };
        let log = self.watching.log.clone();
        let [journal, log_file] = [&files.journal, &log].map(Option::as_ref);
        let others = journal.map(|path| ("--journal", path)).into_iter();
        files.outputs.check(others.chain(log_file.map(|path| ("--log", path))))?;
        if let Some(queue) = &self.queue {
            queue.address.check(queue.insecure)?;
            let mut engines = plan.contestants.iter().map(|contestant| &contestant.engine);
            if let Some(engine) = engines.find(|engine| engine.stderr.is_some()) {
                let name = printable::name(&engine.name);
                let problem = format!(
                    "{name}: workers do not write the standard error of engines: leave `stderr=` out"
                );
                return Err(Failure::at("--queue", problem));
            }
        }
        Ok(MatchOptions {
            plan,
            openings,
            given: Vec::new(),
            files: files.clone(),
            log: log.map(|path| (path, self.watching.log_limit.saturating_mul(1 << 20))),
            watch: self.watching.place(),
            queue: self.queue.clone(),
            warnings: Vec::new(),
        })
    }
}

/// Whether engines need less time for a move than waking up another processor, and each game can have its own processor.
fn answer_at_once(contestants: &[Contestant], concurrency: usize) -> bool {
    let at_once = |Contestant { limits, .. }: &Contestant| {
        !limits.ponder && limits.nodes.is_some_and(|nodes| nodes <= FEW_NODES)
    };
    thread::available_parallelism().is_ok_and(|processors| concurrency <= processors.get())
        && contestants.iter().all(at_once)
}

impl WatchingArguments {
    /// Where to serve the page of the match.
    fn place(&self) -> Option<Place> {
        let address = self.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        Some(Place { address, port: self.watch?, option: "--watch" })
    }
}
