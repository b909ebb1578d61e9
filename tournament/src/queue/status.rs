//! The state of a queue from its coordinator's view, and `referee status URL`.

use super::address::QueueAddress;
use super::broker::{Broker, JobState, LOCKED, Presences};
use super::error::{QueueError, unreadable};
use super::job::Job;
use super::options::StatusOptions;
use crate::failure::Failure;
use crate::ledger::results::Score;
use crate::plan::joined_names;
use crate::run::{WorkerHealth, WorkerSnapshot, WorkerStatus};
use crate::statistics::{SprtDecision, hundredths};
use kroo::printable;
use kroo::printable::{agreeing, counted};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The most engines with places shown.
const MAX_RANKED: usize = 10;
/// After how long without any worker the user gets a hint how to start one.
const NO_WORKERS: Duration = Duration::from_secs(10);

/// The workers of a queue.
#[derive(Debug)]
pub(super) struct Roster {
    /// How many games all of them together play at once.
    pub slots: u64,
    /// Those with a valid description, as last seen.
    pub workers: Vec<WorkerSnapshot>,
    /// Since when no worker is there; `None` if one is, or the user knows.
    empty_since: Option<Instant>,
}

impl Roster {
    /// A roster without workers.
    pub fn new() -> Roster {
        Roster { slots: 0, workers: Vec::new(), empty_since: Some(Instant::now()) }
    }

    /// Finds the workers. Returns a message for the user, if any.
    pub fn look(
        &mut self,
        broker: &mut Broker,
        address: &QueueAddress,
        lease: Duration,
    ) -> Result<Option<String>, QueueError> {
        self.workers = snapshots(broker.workers()?, lease);
        let there = self.workers.iter().filter(|worker| worker.health == WorkerHealth::There);
        self.slots = there.map(|worker| worker.says.threads).sum();
        if self.slots > 0 {
            self.empty_since = None;
        } else if self.empty_since.is_some_and(|since| since.elapsed() > NO_WORKERS) {
            self.empty_since = None;
            let text = format!("no worker is there yet: `referee worker '{address}'` on any machine is one");
            return Ok(Some(text));
        }
        Ok(None)
    }
}

/// Workers as they are shown. One that says what cannot be is left out.
pub(super) fn snapshots(workers: Presences, lease: Duration) -> Vec<WorkerSnapshot> {
    let snapshot = |(worker, silent, says): (String, u64, Vec<u8>)| {
        let says = WorkerStatus::parse(&says).ok()?;
        let is_silent = silent > lease.as_secs();
        let health = if is_silent { WorkerHealth::Silent } else { WorkerHealth::There };
        Some(WorkerSnapshot { worker, says, silent, health })
    };
    workers.into_iter().filter_map(snapshot).collect()
}

/// The progress of a match, reported by its coordinator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CoordinatorProgress {
    /// Games that count.
    pub games: u64,
    /// Games of the whole match, at most.
    pub of: u64,
    /// The points of each engine.
    pub points: Vec<f64>,
    /// The engines as all outputs rank them, by their places in the list.
    pub order: Vec<usize>,
    /// The log-likelihood ratio of the SPRT, with its lower and upper bound.
    pub llr: Option<[f64; 3]>,
    /// The decision of the SPRT.
    pub decision: Option<String>,
    /// Seconds since this coordinator began, and the games committed since.
    pub since: [u64; 2],
}

impl CoordinatorProgress {
    pub fn new(score: &Score, of: u64, since: [u64; 2]) -> CoordinatorProgress {
        let decision = score.sprt.map(|status| match status.decision {
            SprtDecision::Continue => "undecided",
            SprtDecision::AcceptH0 => "H0 accepted",
            SprtDecision::AcceptH1 => "H1 accepted",
        });
        CoordinatorProgress {
            games: score.games,
            of,
            points: score.points.clone(),
            order: score.order.clone(),
            llr: score.sprt.map(|status| [status.llr, status.lower, status.upper]),
            decision: decision.map(str::to_owned),
            since,
        }
    }

    fn parse(bytes: &[u8]) -> Result<CoordinatorProgress, Failure> {
        let progress: CoordinatorProgress = serde_json::from_slice(bytes).map_err(unreadable)?;
        if progress.decision.as_deref().is_some_and(|text| text != printable::name(text)) {
            return Err(Failure::at("decision", "expected at most 100 printable characters"));
        }
        Ok(progress)
    }
}

/// The state of a queue.
#[derive(Clone, Debug, Serialize)]
struct QueueStatus {
    queue: String,
    /// Whether a match is played there: `none`, `running` or `stopped`.
    state: &'static str,
    /// Whether a coordinator is connected.
    coordinated: bool,
    engines: Vec<String>,
    /// Its progress, if its coordinator has reported it.
    progress: Option<CoordinatorProgress>,
    games_per_minute: Option<f64>,
    /// Batches that no worker has taken, and those in play.
    batches_ready: u64,
    batches_in_play: u64,
    workers: Vec<WorkerSnapshot>,
}

/// The state of a queue, as text or JSON.
pub fn status(options: &StatusOptions) -> Result<String, QueueError> {
    let mut broker = Broker::new(&options.queue.address)?;
    let state = broker.state()?;
    let job = broker.job()?.map(|job| Job::parse(&options.queue.address, &job)).transpose()?;
    let lease = job.as_ref().map_or(LOCKED, Job::lease);
    let workers = snapshots(broker.workers()?, lease);
    let (batches, batches_in_play) = if job.is_some() { broker.loads()? } else { (0, 0) };
    let problem = |problem| QueueError::of_job(&options.queue.address, &problem);
    let progress =
        broker.progress()?.map(|text| CoordinatorProgress::parse(&text)).transpose().map_err(problem)?;
    let rate = |progress: &CoordinatorProgress| match progress.since {
        [0, _] => None,
        [seconds, games] => Some(games as f64 * 60.0 / seconds as f64),
    };
    let status = QueueStatus {
        queue: options.queue.address.to_string(),
        state: match &state {
            None => "none",
            Some(JobState { running: true, .. }) => "running",
            Some(_) => "stopped",
        },
        coordinated: broker.is_locked()?,
        engines: job.map_or(Vec::new(), |job| job.plan.all_names().into_iter().map(str::to_owned).collect()),
        games_per_minute: progress.as_ref().and_then(rate),
        progress,
        batches_ready: batches.saturating_sub(batches_in_play),
        batches_in_play,
        workers,
    };
    if options.json {
        return Ok(serde_json::to_string_pretty(&status).expect("plain values can be written as JSON") + "\n");
    }
    Ok(status.text())
}

impl QueueStatus {
    fn text(&self) -> String {
        let mut text = format!("{}: ", self.queue);
        match self.state {
            "none" => text.push_str("no match\n"),
            "stopped" => text.push_str("the match is over\n"),
            _ => {
                let alone = if self.coordinated { "" } else { ", but its coordinator is not there" };
                let _ = writeln!(text, "{} is being played{alone}", joined_names(&self.engines, " vs "));
            }
        }
        if let Some(progress) = &self.progress {
            let _ = write!(text, "Games: {} of {}", progress.games, progress.of);
            if let Some(rate) = self.games_per_minute {
                let _ = write!(text, ", {rate:.1} a minute");
            }
            if let ([first, second], [one, other]) = (progress.points.as_slice(), self.engines.as_slice()) {
                let _ = write!(text, ", {one} {first} - {second} {other}");
            }
            text.push('\n');
            if let (Some([llr, lower, upper]), Some(decision)) = (progress.llr, &progress.decision) {
                let _ = writeln!(text, "LLR: {} ({lower:.2}, {upper:.2}), {decision}", hundredths(llr));
            }
            if self.engines.len() > 2 && progress.games > 0 && !progress.order.is_empty() {
                let points = |&engine: &usize| self.engines.get(engine).zip(progress.points.get(engine));
                let ranked = progress.order.iter().filter_map(points).take(MAX_RANKED);
                let ranked: Vec<String> = (1..)
                    .zip(ranked)
                    .map(|(rank, (name, points))| format!("{rank}. {name} {points}"))
                    .collect();
                let more = if self.engines.len() > MAX_RANKED { ", ..." } else { "" };
                let _ = writeln!(text, "Standings: {}{more}", ranked.join(", "));
            }
        }
        let _ = writeln!(text, "Batches: {} in play, {} ready", self.batches_in_play, self.batches_ready);
        let there = self.workers.iter().filter(|worker| worker.health == WorkerHealth::There);
        let (count, threads) =
            there.fold((0, 0), |(count, threads), worker| (count + 1, threads + worker.says.threads));
        let _ = writeln!(
            text,
            "Workers: {count}, which {} {} at once",
            agreeing(count, "plays", "play"),
            counted(threads, "game")
        );
        for WorkerSnapshot { worker, says, silent, health } in &self.workers {
            let WorkerStatus { host, processor, cores, threads, games, bench } = says;
            let _ = writeln!(
                text,
                "  {worker} on {host} ({}, {processor}): {}, silent for {silent} s, {threads} at once, {}, {} nodes/s",
                counted(*cores, "core"),
                health.name(),
                counted(*games, "game"),
                bench.nps
            );
        }
        text
    }
}
