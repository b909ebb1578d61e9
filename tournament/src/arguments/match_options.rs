//! What the options of a match mean.

use super::contestants::contestants;
use super::error::ArgumentError;
use super::syntax::{flag_arg, number, text, variant};
use super::{adjudication, openings, sprt};
use crate::plan::{Affinity, Contestant, MatchPlan, Tolerance};
use crate::queue::{AddressError, QueueAddress, QueueOptions};
use crate::schedule::{Event, Openings, Shard};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use kroo::files::are_one;
use kroo::printable::counted;
use kroo::web::Place;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The default of `--rounds` with `--sprt`: enough for all but the smallest differences.
const SPRT_ROUNDS: u64 = 100_000;

/// What is to be played, and where it is written.
#[derive(Debug)]
pub struct MatchOptions {
    /// The match.
    pub plan: MatchPlan,
    /// Its openings.
    pub openings: Openings,
    /// The words that say all this, for the journal: without the journal itself, and without secrets.
    pub words: Vec<String>,
    /// The file for the games.
    pub games_out: Option<PathBuf>,
    /// The file for everything as JSON.
    pub json: Option<PathBuf>,
    /// The file for the report.
    pub html: Option<PathBuf>,
    /// The journal.
    pub journal: Option<PathBuf>,
    /// Whether to resume the match of the journal.
    pub resume: bool,
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
    /// What is to be said when rounds need more openings than there are.
    #[must_use]
    pub fn repeated_openings(&self) -> Option<String> {
        let (distinct, needed) =
            (self.openings.distinct()?, self.plan.rounds.saturating_mul(self.plan.pairs));
        let counts = self.plan.event != Event::Knockout && self.plan.tuning.is_none();
        (needed > distinct && counts).then(|| {
            format!(
                "{needed} pairs of games are played from {}; a pair that repeats another one \
                 move by move does not count as evidence",
                counted(distinct, "different opening")
            )
        })
    }
}

/// A warning for each engine that is the same player as one before it.
fn same_players(contestants: &[Contestant]) -> Vec<String> {
    let places = contestants.iter().enumerate();
    let warning = |(place, one): (usize, &Contestant)| {
        let other = contestants[..place].iter().find(|other| one.is_same_player(other))?;
        let file = one.engine.program().unwrap_or_else(|| one.engine.command.clone());
        Some(format!(
            "{} and {} are the same engine: {} with the same arguments, options and limits",
            other.engine.name,
            one.engine.name,
            file.display()
        ))
    };
    places.filter_map(warning).collect()
}

/// Reads the options of a match.
pub(super) fn options(matches: &ArgMatches) -> Result<MatchOptions, ArgumentError> {
    let contestants = contestants(matches)?;
    let sprt = matches.get_many::<String>("sprt").map(sprt::sprt).transpose()?;
    if sprt.is_some() && contestants.len() > 2 {
        return Err(ArgumentError::SprtOfMany { engines: contestants.len() });
    }
    let event = event(matches, contestants.len())?;
    let mut options = common(matches, contestants, event)?;
    let pairs = number(matches, "pairs");
    let by_default = matches.value_source("rounds") == Some(ValueSource::DefaultValue);
    let rounds = match options.openings.distinct() {
        _ if sprt.is_none() || !by_default => number(matches, "rounds"),
        // Another round with the same opening may be no evidence.
        Some(distinct) => distinct.div_ceil(pairs).min(SPRT_ROUNDS),
        None => SPRT_ROUNDS,
    };
    options.plan = MatchPlan { rounds, pairs, sprt, ..options.plan };
    options.plan.check()?;
    if matches.contains_id("engine") {
        options.warnings = same_players(&options.plan.contestants);
    }
    Ok(options)
}

/// What a match and a tuning run have in common: everything but how often who plays whom, and to what end.
pub(super) fn common(
    matches: &ArgMatches,
    contestants: Vec<Contestant>,
    event: Event,
) -> Result<MatchOptions, ArgumentError> {
    let variant = variant(matches)?;
    let max_moves = number(matches, "max-moves") as usize;
    let (openings, source) = openings::openings(matches, variant, max_moves)?;
    let plan = MatchPlan {
        event,
        contestants,
        variant,
        rounds: 1,
        pairs: 1,
        seed: number(matches, "seed"),
        openings: source,
        adjudication: adjudication::adjudication(matches, variant, max_moves)?,
        sprt: None,
        tuning: None,
        shard: shard(matches)?,
        concurrency: number(matches, "concurrency") as usize,
        affinity: affinity(matches),
        tolerance: tolerance(matches),
        began: SystemTime::now(),
    };
    if plan.shard != Shard::WHOLE && plan.event.needs_results() {
        return Err(ArgumentError::NoParts(plan.event.title(2)));
    }
    let OutputPaths { games_out, json, journal, html, log } = OutputPaths::new(matches)?;
    let log = log.map(|path| (path, number(matches, "log-limit").saturating_mul(1 << 20)));
    let resume = matches.get_flag("resume");
    let (watch, queue) = (watch(matches), queue(matches)?);
    let has_stderr = |contestant: &&Contestant| contestant.engine.stderr.is_some();
    if let Some(contestant) = plan.contestants.iter().find(has_stderr).filter(|_| queue.is_some()) {
        return Err(ArgumentError::StandardErrorOfWorkers(contestant.engine.name.clone()));
    }
    Ok(MatchOptions {
        plan,
        openings,
        words: Vec::new(),
        games_out,
        json,
        html,
        journal,
        resume,
        log,
        watch,
        queue,
        warnings: Vec::new(),
    })
}

/// Where to serve the page for those who watch.
fn watch(matches: &ArgMatches) -> Option<Place> {
    let port = *matches.get_one::<u16>("watch")?;
    let address = matches.get_one("listen").copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    Some(Place { address, port, option: "--watch" })
}

fn queue(matches: &ArgMatches) -> Result<Option<QueueOptions>, ArgumentError> {
    let Some(url) = text(matches, "queue") else { return Ok(None) };
    Ok(Some(QueueOptions {
        address: address(url, matches.get_flag("insecure"))?,
        batch: number(matches, "batch"),
        lease: Duration::from_secs(number(matches, "lease")),
        scale_clocks: text(matches, "scale-clocks") != Some("off"),
        offer_engines: matches.get_flag("offer-engines"),
    }))
}

/// The address of a queue. A message about one that is none does not repeat it: it may have a password.
pub(super) fn address(url: &str, insecure: bool) -> Result<QueueAddress, ArgumentError> {
    let address: QueueAddress = url.parse().map_err(ArgumentError::Queue)?;
    if insecure || address.is_private() {
        Ok(address)
    } else {
        Err(ArgumentError::Queue(AddressError::Plaintext))
    }
}

/// The option that allows a connection that others can read.
pub(super) fn insecure_arg() -> Arg {
    flag_arg(
        "insecure",
        "Send password and jobs to another machine unencrypted (redis://): others can read and change them",
    )
}

fn event(matches: &ArgMatches, engines: usize) -> Result<Event, ArgumentError> {
    let name = text(matches, "event").unwrap_or("round-robin");
    let gauntlet_seeds = number(matches, "gauntlet-seeds") as usize;
    Event::named(name, engines, gauntlet_seeds)
        .map_err(|error| ArgumentError::Event { name: name.to_owned(), error })
}

fn affinity(matches: &ArgMatches) -> Affinity {
    match text(matches, "affinity") {
        Some("on") => Affinity::On,
        Some("off") => Affinity::Off,
        _ => Affinity::Auto,
    }
}

fn tolerance(matches: &ArgMatches) -> Tolerance {
    let max_faults = (!matches.get_flag("recover")).then(|| number(matches, "max-faults"));
    Tolerance { max_faults, lenient: matches.get_flag("lenient") }
}

fn shard(matches: &ArgMatches) -> Result<Shard, ArgumentError> {
    let read = |text: &str| {
        text.parse::<Shard>().map_err(|error| ArgumentError::Shard { text: text.to_owned(), error })
    };
    text(matches, "shard").map_or(Ok(Shard::WHOLE), read)
}

/// The files that a match writes.
struct OutputPaths {
    games_out: Option<PathBuf>,
    json: Option<PathBuf>,
    journal: Option<PathBuf>,
    html: Option<PathBuf>,
    log: Option<PathBuf>,
}

impl OutputPaths {
    /// Reads them; they must be different files.
    fn new(matches: &ArgMatches) -> Result<OutputPaths, ArgumentError> {
        let path = |option| text(matches, option).map(PathBuf::from);
        let paths = OutputPaths {
            games_out: path("games-out"),
            json: path("json"),
            journal: path("journal"),
            html: path("html"),
            log: path("log"),
        };
        let OutputPaths { games_out, json, journal, html, log } = &paths;
        let all =
            [("games-out", games_out), ("json", json), ("journal", journal), ("html", html), ("log", log)];
        let given: Vec<(&str, &PathBuf)> =
            all.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))).collect();
        for (place, (option, other)) in given.iter().enumerate() {
            if let Some((first, one)) = given[..place].iter().find(|(_, one)| are_one(one, other)) {
                let (one, other) = ((*one).clone(), (*other).clone());
                return Err(ArgumentError::SameFile {
                    options: format!("--{first} and --{option}"),
                    one,
                    other,
                });
            }
        }
        Ok(paths)
    }
}
