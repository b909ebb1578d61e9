//! The job: a coordinator's description of the match for workers. It names programs and their arguments. A worker checks all of
//! it, and starts only executables with the named content.

use super::address::QueueAddress;
use super::error::{QueueError, no_field, unreadable};
use super::options::{BATCH, LEASE, QueueOptions};
use crate::engine::{ContentHash, ProgramContent, content_of};
use crate::failure::Failure;
use crate::plan::{Contestant, MatchPlan};
use crate::run::Bench;
use serde::{Deserialize, Serialize};
use std::time::{Duration, UNIX_EPOCH};

/// The version of the messages.
const VERSION: u64 = 3;
/// Hexadecimal digits of a job's number.
const NUMBER: usize = 16;

/// The plan, and the programs that play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    #[serde(rename = "kroo-queue")]
    version: u64,
    /// Its number: a checksum of all the rest.
    pub number: String,
    pub plan: MatchPlan,
    /// The identity of each engine's executable.
    contents: Vec<ProgramContent>,
    /// When the match began, in seconds since 1970.
    began: u64,
    /// A checksum of the openings.
    openings: u32,
    /// The bench signature that a worker must have, and the speed that scales its clocks.
    pub bench: Bench,
    /// Whether workers multiply the times of clocks by how much slower they are.
    pub scale_clocks: bool,
    /// How many pairs of games a batch has.
    pub batch: u64,
    /// After how many seconds without a sign of life a batch is given to another worker.
    lease: u64,
}

/// A value as it is written to the queue.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values can be written as JSON")
}

impl Job {
    /// The job of a match.
    pub fn new(
        plan: &MatchPlan,
        openings: u32,
        options: &QueueOptions,
        bench: Bench,
    ) -> Result<Job, QueueError> {
        let mut job = Job {
            version: VERSION,
            number: String::new(),
            plan: plan.clone(),
            contents: contents_of(plan)?,
            began: plan.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            openings,
            bench,
            scale_clocks: options.scale_clocks,
            batch: options.batch,
            lease: options.lease.as_secs(),
        };
        // How fast the coordinator is just now makes no other match of it.
        let nps = std::mem::replace(&mut job.bench.nps, 0);
        let mut hash = ContentHash::default();
        hash.update(job.text().as_bytes());
        job.number = hash.content().sha256.chars().take(NUMBER).collect();
        job.bench.nps = nps;
        Ok(job)
    }

    /// Whether it is the job of this match, whichever coordinator has written it.
    pub fn is_of(&self, plan: &MatchPlan, openings: u32) -> bool {
        let began = plan.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.began == began && self.openings == openings && self.plan.identity() == plan.identity()
    }

    pub fn text(&self) -> String {
        json(self)
    }

    /// Reads a job, and checks all that it says.
    pub fn parse(address: &QueueAddress, bytes: &[u8]) -> Result<Job, QueueError> {
        let job = Job::read(bytes);
        job.map_err(|problem| QueueError::of_job(address, &problem))
    }

    pub fn read(bytes: &[u8]) -> Result<Job, Failure> {
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(unreadable)?;
        let found = value["kroo-queue"].as_u64().ok_or_else(|| no_field("kroo-queue"))?;
        if found != VERSION {
            return Err(Failure::new(format!(
                "it has version {found}, but this referee reads version {VERSION}: use the same referee everywhere"
            )));
        }
        let job: Job = serde_json::from_value(value).map_err(unreadable)?;
        job.check()?;
        Ok(job)
    }

    fn check(&self) -> Result<(), Failure> {
        let value = |what: &str, problem: String| Err(Failure::at(what, problem));
        if self.number.len() > 64 || !self.number.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return value("number", "expected at most 64 hexadecimal digits".to_owned());
        }
        self.plan.check().map_err(|error| Failure::at("plan", error))?;
        self.bench.check().map_err(|problem| Failure::at("bench", problem))?;
        for (what, found, range) in [("batch", self.batch, BATCH), ("lease", self.lease, LEASE)] {
            if !range.contains(&found) {
                return value(
                    what,
                    format!("{found}, expected a number from {} to {}", range.start(), range.end()),
                );
            }
        }
        if self.contents.len() != self.plan.contestants.len() {
            let (found, expected) = (self.contents.len(), self.plan.contestants.len());
            return value("contents", format!("{found} of them, expected {expected} as in the plan"));
        }
        for (contestant, content) in self.plan.contestants.iter().zip(&self.contents) {
            if let Err(problem) = content.check() {
                return value(&contestant.engine.name, problem);
            }
        }
        Ok(())
    }

    /// The identity of each engine's executable.
    pub fn contents(&self) -> impl Iterator<Item = &ProgramContent> {
        self.contents.iter()
    }

    /// After how long without a sign of life a batch is given to another worker.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.lease)
    }

    /// How many games a batch may have.
    pub fn most_games(&self) -> usize {
        2 * self.batch as usize
    }
}

/// The contents of the executables of a plan.
pub fn contents_of(plan: &MatchPlan) -> Result<Vec<ProgramContent>, QueueError> {
    let content = |contestant: &Contestant| {
        let engine = &contestant.engine;
        if let Some(content) = engine.content() {
            return Ok(content.clone());
        }
        let content = engine.program().ok_or_else(|| "there is no such file".to_owned());
        let content = content.and_then(|path| content_of(&path).map_err(|error| error.to_string()));
        content.map_err(|problem| {
            let (name, command) = (&engine.name, engine.command.display());
            QueueError::System(format!(
                "{name}: {command}: {problem}: the coordinator names engines by the content of their executables"
            ))
        })
    };
    plan.contestants.iter().map(content).collect()
}
