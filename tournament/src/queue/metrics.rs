//! What a coordinator or a worker counts, in the text format of Prometheus (version 0.0.4), for whoever asks `GET /metrics`.
//!
//! The server is that of `kroo web` ([`kroo::web`]), with its bounds and its rules about who may ask: a request has to name the
//! server by its address or as `localhost`. There is no token, for a monitor has none: metrics tell nothing that could be used.
//! The number of lines does not depend on how many workers, engines or games there are.

use super::connection::TRAFFIC;
use super::error::QueueError;
use crate::run::ProgressCounts;
use kroo::usage::VERSION;
use kroo::web::{Answer, Request, Response, Server, Site};
use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The path, and the type of what is there.
const PATH: &str = "/metrics";
const TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
/// What a worker can be, in the order of [`CoordinatorCounts::workers`].
const HEALTH: [&str; 3] = ["there", "silent", "refused"];

/// A number that threads count up, or set.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    /// Nothing yet.
    pub const fn new() -> Count {
        Count(AtomicU64::new(0))
    }

    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub fn set(&self, number: u64) {
        self.0.store(number, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a coordinator counts.
#[derive(Debug)]
pub(super) struct CoordinatorCounts {
    began: Instant,
    pub planned: Count,
    pub open: Count,
    /// Games in results that came first.
    pub received: Count,
    /// Results that came too late, and those that were none.
    pub late: Count,
    pub refused: Count,
    /// Workers that are there, silent and refused, and how many games the first play at once.
    pub workers: [Count; 3],
    pub slots: Count,
    pub nps: Count,
    progress: Mutex<ProgressCounts>,
}

impl CoordinatorCounts {
    pub fn new() -> CoordinatorCounts {
        CoordinatorCounts {
            began: Instant::now(),
            planned: Count::new(),
            open: Count::new(),
            received: Count::new(),
            late: Count::new(),
            refused: Count::new(),
            workers: Default::default(),
            slots: Count::new(),
            nps: Count::new(),
            progress: Mutex::default(),
        }
    }

    /// How far the match is.
    pub fn set_progress(&self, progress: ProgressCounts) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    fn text(&self) -> String {
        let mut text = Exposition::new(self.began);
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        text.counter(
            "kroo_games_committed",
            "Games that count, with those of a journal that was resumed.",
            progress.games,
        );
        text.counter(
            "kroo_games_received",
            "Games that workers have brought, without those that came too late.",
            self.received.get(),
        );
        text.gauge(
            "kroo_games_open",
            "Games that have been handed out and have no result yet.",
            self.open.get(),
        );
        text.gauge("kroo_games_planned", "Games of the whole match, or at most.", self.planned.get());
        text.counter(
            "kroo_results_late",
            "Results of batches that had been played by others before.",
            self.late.get(),
        );
        text.counter(
            "kroo_results_refused",
            "Results that could not be one; their workers are refused.",
            self.refused.get(),
        );
        let workers = HEALTH.into_iter().zip(self.workers.each_ref().map(Count::get));
        text.by_label("kroo_workers", "Workers by their health.", "health", workers);
        text.gauge("kroo_slots", "Games that all workers that are there play at once.", self.slots.get());
        if let Some(sprt) = progress.sprt {
            text.gauge("kroo_sprt_llr", "The log-likelihood ratio of the SPRT.", number(sprt.llr));
            text.gauge("kroo_sprt_lower_bound", "The ratio at which H0 is accepted.", number(sprt.lower));
            text.gauge("kroo_sprt_upper_bound", "The ratio at which H1 is accepted.", number(sprt.upper));
        }
        text.speed(self.nps.get());
        text.0
    }
}

/// What a worker counts.
#[derive(Debug)]
pub(super) struct WorkerCounts {
    began: Instant,
    /// Games that have been played to their end, and those in batches that were the first with their result.
    pub played: Count,
    pub delivered: Count,
    /// Batches in play, those that somebody else had finished before, and those that were given back.
    pub held: Count,
    pub late: Count,
    pub given_back: Count,
    pub nps: Count,
    /// Thousandths by which times of clocks are multiplied.
    pub clock_thousandths: Count,
}

impl WorkerCounts {
    pub fn new() -> WorkerCounts {
        WorkerCounts {
            began: Instant::now(),
            played: Count::new(),
            delivered: Count::new(),
            held: Count::new(),
            late: Count::new(),
            given_back: Count::new(),
            nps: Count::new(),
            clock_thousandths: Count::new(),
        }
    }

    fn text(&self) -> String {
        let mut text = Exposition::new(self.began);
        text.counter("kroo_games_played", "Games that were played to their end.", self.played.get());
        text.counter(
            "kroo_games_delivered",
            "Games in batches that were the first with their result.",
            self.delivered.get(),
        );
        text.gauge("kroo_batches_held", "Batches in play.", self.held.get());
        text.counter("kroo_batches_late", "Batches that somebody else had finished before.", self.late.get());
        text.counter("kroo_batches_given_back", "Batches that were given back.", self.given_back.get());
        text.speed(self.nps.get());
        if self.clock_thousandths.get() > 0 {
            let factor = self.clock_thousandths.get() as f64 / 1_000.0;
            text.gauge("kroo_clock_factor_ratio", "By which times of clocks are multiplied.", factor);
        }
        text.0
    }
}

/// Serves the metrics of a coordinator. Returns their address.
///
/// # Errors
/// If the system starts no thread.
pub(super) fn serve_coordinator(
    server: Server,
    counts: Arc<CoordinatorCounts>,
) -> Result<String, QueueError> {
    serve(server, move || counts.text())
}

/// Serves the metrics of a worker. Returns their address.
///
/// # Errors
/// If the system starts no thread.
pub(super) fn serve_worker(server: Server, counts: Arc<WorkerCounts>) -> Result<String, QueueError> {
    serve(server, move || counts.text())
}

fn serve(server: Server, text: impl Fn() -> String + Send + Sync + 'static) -> Result<String, QueueError> {
    let address = format!("{}{PATH}", server.place().trim_end_matches('/'));
    let served = server.serve(Arc::new(MetricsSite(text)));
    served.map_err(|error| QueueError::System(format!("metrics: {error}")))?;
    Ok(address)
}

struct MetricsSite<F>(F);

impl<F: Fn() -> String + Send + Sync + 'static> Site for MetricsSite<F> {
    fn file(&self, path: &str) -> Option<Response> {
        (path == PATH).then(|| Response { status: 200, kind: TYPE, body: (self.0)() })
    }

    fn needs_token(&self) -> bool {
        false
    }

    fn answer<'a>(&'a self, request: &Request) -> Answer<'a> {
        match request.method.as_str() {
            "GET" => Response::text(404, "the metrics are at /metrics").into(),
            _ => Response::text(405, "only GET is understood").into(),
        }
    }
}

/// The text of all metrics, as it grows.
struct Exposition(String);

impl Exposition {
    /// With what every process of a queue has.
    fn new(began: Instant) -> Exposition {
        let mut text = Exposition(String::new());
        let (version, commit) = VERSION.split_once(" (").unwrap_or((VERSION, ""));
        let labels = format!("version=\"{version}\",commit=\"{}\"", commit.trim_end_matches(')'));
        text.begin("kroo_build_info", "gauge", "The version, and the commit of a release.");
        let _ = writeln!(text.0, "kroo_build_info{{{labels}}} 1");
        text.gauge("kroo_uptime_seconds", "Since when this process is there.", began.elapsed().as_secs_f64());
        text.counter(
            "kroo_broker_requests",
            "Commands to the broker.",
            TRAFFIC.requests.load(Ordering::Relaxed),
        );
        text.counter(
            "kroo_broker_reconnects",
            "Connections to the broker that were made again.",
            TRAFFIC.reconnects.load(Ordering::Relaxed),
        );
        text
    }

    fn begin(&mut self, name: &str, kind: &str, help: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        let name = format!("{name}_total");
        self.begin(&name, "counter", help);
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.begin(name, "gauge", help);
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn by_label(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: impl Iterator<Item = (&'static str, u64)>,
    ) {
        self.begin(name, "gauge", help);
        for (value, count) in values {
            let _ = writeln!(self.0, "{name}{{{label}=\"{value}\"}} {count}");
        }
    }

    /// How fast this machine is, once it is known.
    fn speed(&mut self, nps: u64) {
        if nps > 0 {
            self.gauge("kroo_bench_nodes_per_second", "Nodes a second of the engine's bench here.", nps);
        }
    }
}

/// A number as Prometheus reads it, which has words of its own for those without end.
fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "+Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        value if value.is_nan() => "NaN".to_owned(),
        value => value.to_string(),
    }
}
