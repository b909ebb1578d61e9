//! The job: what the coordinator tells workers about the match. It names programs and their arguments, so a worker believes
//! nothing of it that it has not checked, and starts only executables whose content is the one that was named.

use super::address::QueueAddress;
use super::bench::Bench;
use super::broker::MAX_JOB;
use super::content::{content_of_bytes, contents_of};
use super::error::{MessageError, QueueError};
use super::options::{BATCH, LEASE, QueueOptions};
use crate::engine::Confinement;
use crate::engine::ProgramContent;
use crate::plan::{Affinity, Contestant, MatchPlan, Tolerance};
use kroo::protocol::MAX_DEPTH;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of the messages.
const VERSION: u64 = 2;
/// Hexadecimal digits of a job's number.
const NUMBER: usize = 16;
/// The longest time that a plan may name: about a year.
const MAX_TIME: Duration = Duration::from_secs(30_000_000);
/// The most bytes of a path or an argument, and of all arguments, options and variables of an engine together.
const MAX_TEXT: usize = 64 << 10;
const MAX_TEXTS: usize = 1 << 20;

/// What is played, and by which programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    #[serde(rename = "kroo-queue")]
    version: u64,
    /// Its number: a checksum of all the rest.
    pub number: String,
    /// The match.
    pub plan: MatchPlan,
    /// What the plan does not say of each engine.
    engines: Vec<JobEngine>,
    /// How many engine failures to tolerate, and whether options may be refused.
    tolerance: Tolerance,
    /// Whether each game has a processor of its own.
    affinity: Affinity,
    /// When the match began, in seconds since 1970.
    began: u64,
    /// A checksum of the openings.
    openings: u32,
    /// What a worker's search must do, and the speed that its clocks are measured by.
    pub bench: Bench,
    /// Whether workers multiply the times of clocks by how much slower they are.
    pub scale_clocks: bool,
    /// How many pairs of games a batch has.
    pub batch: u64,
    /// After how many seconds without a sign of life a batch is given to another worker.
    lease: u64,
}

/// What the plan does not say of an engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct JobEngine {
    /// What its executable is.
    content: ProgramContent,
    confinement: Confinement,
    quit: Duration,
}

impl Job {
    /// The job of a match.
    ///
    /// # Errors
    /// If an executable cannot be read: by its content workers know it.
    pub fn new(
        plan: &MatchPlan,
        openings: u32,
        options: &QueueOptions,
        bench: Bench,
    ) -> Result<Job, QueueError> {
        let contents = contents_of(plan)?;
        let engine = |(contestant, content): (&Contestant, ProgramContent)| {
            let engine = &contestant.engine;
            JobEngine { content, confinement: engine.confinement.clone(), quit: engine.quit }
        };
        let engines = plan.contestants.iter().zip(contents).map(engine).collect();
        let mut job = Job {
            version: VERSION,
            number: String::new(),
            plan: plan.clone(),
            engines,
            tolerance: plan.tolerance,
            affinity: plan.affinity,
            began: plan.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            openings,
            bench,
            scale_clocks: options.scale_clocks,
            batch: options.batch,
            lease: options.lease.as_secs(),
        };
        // How fast the coordinator is just now makes no other match of it.
        let nps = std::mem::replace(&mut job.bench.nps, 0);
        job.number = content_of_bytes(job.text().as_bytes()).sha256.chars().take(NUMBER).collect();
        job.bench.nps = nps;
        Ok(job)
    }

    /// Whether it is the job of this match, whoever has written it.
    pub fn is_of(&self, plan: &MatchPlan, openings: u32) -> bool {
        let began = plan.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let value = |plan: &MatchPlan| serde_json::to_value(plan).ok();
        self.began == began && self.openings == openings && value(&self.plan) == value(plan)
    }

    /// As text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("plain values can be written as JSON")
    }

    /// Reads a job, and checks all that it says.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(address: &QueueAddress, bytes: &[u8]) -> Result<Job, QueueError> {
        let job = Job::read(bytes);
        job.map_err(|problem| QueueError::Job { address: address.clone(), problem })
    }

    pub fn read(bytes: &[u8]) -> Result<Job, MessageError> {
        if bytes.len() > MAX_JOB {
            return Err(MessageError::Long { found: bytes.len(), most: MAX_JOB });
        }
        let syntax = |error: serde_json::Error| MessageError::Syntax(error.to_string());
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(syntax)?;
        let found = value["kroo-queue"].as_u64().ok_or(MessageError::Field("kroo-queue"))?;
        if found != VERSION {
            return Err(MessageError::Version { found, known: VERSION });
        }
        let mut job: Job = serde_json::from_value(value).map_err(syntax)?;
        job.check()?;
        job.plan.tolerance = job.tolerance;
        job.plan.affinity = job.affinity;
        job.plan.began = SystemTime::now();
        for (contestant, engine) in job.plan.contestants.iter_mut().zip(&job.engines) {
            contestant.engine.confinement = engine.confinement.clone();
            contestant.engine.quit = engine.quit;
        }
        Ok(job)
    }

    fn check(&self) -> Result<(), MessageError> {
        let value = |what: &str, problem: String| Err(MessageError::Value { what: what.to_owned(), problem });
        if self.number.len() > 64 || !self.number.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return value("number", "expected at most 64 hexadecimal digits".to_owned());
        }
        self.plan
            .check()
            .map_err(|error| MessageError::Value { what: "plan".to_owned(), problem: error.to_string() })?;
        self.bench.check().map_err(|problem| MessageError::Value { what: "bench".to_owned(), problem })?;
        for (what, found, range) in [("batch", self.batch, BATCH), ("lease", self.lease, LEASE)] {
            if !range.contains(&found) {
                return value(
                    what,
                    format!("{found}, expected a number from {} to {}", range.start(), range.end()),
                );
            }
        }
        if self.engines.len() != self.plan.contestants.len() {
            let (found, expected) = (self.engines.len(), self.plan.contestants.len());
            return value("engines", format!("{found} of them, expected {expected} as in the plan"));
        }
        for (contestant, engine) in self.plan.contestants.iter().zip(&self.engines) {
            if let Err(problem) = engine.check().and_then(|()| check_contestant(contestant)) {
                return value(&contestant.engine.name, problem);
            }
        }
        Ok(())
    }

    /// What each engine's executable is.
    pub fn contents(&self) -> impl Iterator<Item = &ProgramContent> {
        self.engines.iter().map(|engine| &engine.content)
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

impl JobEngine {
    fn check(&self) -> Result<(), String> {
        self.content.check()?;
        time("quit", self.quit, Duration::ZERO)?;
        let Confinement { variables, memory, processes, files, file_mib, stderr_kib, .. } = &self.confinement;
        let texts = variables.iter().flat_map(|(name, value)| [Some(name), value.as_ref()]);
        short_texts("the environment variables", texts.flatten().map(String::as_str))?;
        let set = |(name, _): &&(String, Option<String>)| name.is_empty() || name.contains('=');
        if variables.iter().find(set).is_some() {
            return Err("an environment variable has no name".to_owned());
        }
        let memory = memory.unwrap_or(1_000);
        for (what, found, least, most) in [
            ("memory", memory, 1, 1 << 30),
            ("processes", *processes, 1, 1 << 20),
            ("files", *files, 1, 1 << 20),
            ("filesize", *file_mib, 1, 1 << 40),
            ("stderrlimit", *stderr_kib, 0, 1 << 20),
        ] {
            if !(least..=most).contains(&found) {
                return Err(format!("{what}: {found}, expected a number from {least} to {most}"));
            }
        }
        Ok(())
    }
}

/// Whether the limits are those of a command line: other ones would overflow or never end.
fn check_contestant(contestant: &Contestant) -> Result<(), String> {
    let (engine, limits) = (&contestant.engine, &contestant.limits);
    let options = engine.options.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    short_texts("the options", options)?;
    if engine.options.iter().any(|(name, value)| (name.to_owned() + value).contains(char::is_control)) {
        return Err("an option has control characters".to_owned());
    }
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let paths = [path(&engine.command), engine.dir.as_deref().map(path).unwrap_or_default()];
    short_texts("the arguments", engine.args.iter().chain(&paths).map(String::as_str))?;
    if engine.command.as_os_str().is_empty() {
        return Err("it has no program".to_owned());
    }
    let least = Duration::from_millis(1);
    time("startup", engine.startup, least)?;
    time("timemargin", limits.margin, Duration::ZERO)?;
    time("watchdog", limits.watchdog, least)?;
    if let Some(time_for_each) = limits.move_time {
        time("st", time_for_each, least)?;
    }
    if let Some(clock) = limits.clock {
        time("tc", clock.base, Duration::ZERO)?;
        time("tc", clock.increment, Duration::ZERO)?;
        time("tc", clock.base + clock.increment, least)?;
        if clock.moves == Some(0) {
            return Err("tc: time for 0 moves".to_owned());
        }
        if limits.move_time.is_some() {
            return Err("tc and st exclude each other".to_owned());
        }
    }
    if limits.nodes == Some(0) {
        return Err("nodes: 0, expected at least 1".to_owned());
    }
    match limits.depth {
        Some(depth) if !(1..=MAX_DEPTH).contains(&depth) => {
            Err(format!("depth: {depth}, expected a number from 1 to {MAX_DEPTH}"))
        }
        _ => Ok(()),
    }
}

fn time(what: &str, found: Duration, least: Duration) -> Result<(), String> {
    if (least..=MAX_TIME * 2).contains(&found) {
        return Ok(());
    }
    let (found, least, most) = (found.as_secs_f64(), least.as_secs_f64(), MAX_TIME.as_secs());
    Err(format!("{what}: {found} s, expected {least} s to {most} s"))
}

fn short_texts<'a>(what: &str, texts: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut all = 0;
    for text in texts {
        all += text.len() + 1;
        if text.len() > MAX_TEXT || all > MAX_TEXTS {
            return Err(format!("{what} have more than {MAX_TEXT} bytes each or {MAX_TEXTS} together"));
        }
        if text.contains('\0') {
            return Err(format!("{what} have a zero byte"));
        }
    }
    Ok(())
}
