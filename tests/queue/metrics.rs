//! `--metrics`: what a coordinator and a worker count, read as strictly as the format is defined.

use crate::stage::{LONG, Stage, Started};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use support::scene::{await_that, signal, words};

/// All samples, by name and labels as they stand there.
type Samples = BTreeMap<String, f64>;

/// Reads the text format of Prometheus, version 0.0.4, and holds it to what is asked of good metrics: each has a help and a type
/// right before its samples, counters and only they end with `_total`, units are seconds, ratios and counts, and nothing is
/// there twice.
fn parse(text: &str) -> Samples {
    assert!(text.ends_with('\n') && !text.contains('\r') && !text.contains("\n\n"), "{text}");
    let (mut samples, mut families) = (Samples::new(), BTreeSet::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let (name, help) = line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')).expect(line);
        assert!(is_name(name) && name.starts_with("kroo_") && families.insert(name), "{line}");
        assert!(help.ends_with('.') && !help.contains('\\'), "{line}");
        let line = lines.next().unwrap();
        let kind = line.strip_prefix(&format!("# TYPE {name} ")).expect(line);
        assert!(["counter", "gauge"].contains(&kind), "{line}");
        assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
        for unit in ["_ms", "_millis", "_minutes", "_percent", "_count", "_sum", "_bucket"] {
            assert!(!name.contains(unit), "{line}");
        }
        let mut found = 0;
        while let Some(line) = lines.next_if(|line| !line.starts_with('#')) {
            let (what, value) = line.rsplit_once(' ').expect(line);
            let (own, labels) = what.split_once('{').map_or((what, None), |(own, rest)| (own, Some(rest)));
            assert_eq!(own, name, "{line}");
            labels.into_iter().for_each(|labels| assert_labels(labels.strip_suffix('}').expect(line)));
            let value: f64 = match value {
                "+Inf" => f64::INFINITY,
                "-Inf" => f64::NEG_INFINITY,
                value => value.parse().expect(line),
            };
            assert!(kind == "gauge" || value >= 0.0 && value.fract() == 0.0, "{line}");
            assert!(samples.insert(what.to_owned(), value).is_none(), "{line} is there twice");
            found += 1;
        }
        assert!((1..=3).contains(&found), "{name} has {found} samples");
    }
    samples
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn assert_labels(labels: &str) {
    let mut names = BTreeSet::new();
    for label in labels.split(',') {
        let (name, value) = label.split_once('=').expect(labels);
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).expect(labels);
        assert!(is_name(name) && names.insert(name) && !value.contains(['"', '\\', '\n']), "{labels}");
    }
}

#[test]
fn the_reader_of_metrics_refuses_what_is_none() {
    let good = "# HELP kroo_a_total A.\n# TYPE kroo_a_total counter\nkroo_a_total 1\n";
    assert_eq!(parse(good), Samples::from([("kroo_a_total".to_owned(), 1.0)]));
    for (from, to) in [
        ("# HELP kroo_a_total A.\n", ""),
        ("counter\n", "gauge\n"),
        (" 1\n", " 1.5\n"),
        (" 1\n", " 1"),
        (" 1\n", " 1\nkroo_a_total 1\n"),
        ("\nkroo_a_total 1", "\nkroo_b_total 1"),
        ("\nkroo_a_total 1", "\nkroo_a_total{a=1} 1"),
        ("\nkroo_a_total 1\n", "\n"),
        ("A.", "A"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(std::panic::catch_unwind(|| parse(&bad)).is_err(), "{bad}");
    }
}

/// A process that serves metrics.
struct Served {
    started: Started,
    host: String,
}

impl Served {
    fn new(started: Started) -> Served {
        let begin = "metrics at http://";
        assert!(await_that(LONG, || started.errors().contains("/metrics\n")), "{}", started.errors());
        let errors = started.errors();
        let (host, _) = errors.split_once(begin).unwrap().1.split_once("/metrics\n").unwrap();
        assert!(host.starts_with("127.0.0.1:"), "{errors}");
        Served { host: host.to_owned(), started }
    }

    /// Status and whole answer.
    fn ask(&self, request: &str, host: &str, headers: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn samples(&self) -> Samples {
        let (status, answer) = self.ask("GET /metrics", &self.host, "");
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(status, 200, "{answer}");
        assert!(head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{head}");
        parse(text)
    }

    fn value(&self, name: &str) -> f64 {
        let samples = self.samples();
        *samples.get(name).unwrap_or_else(|| panic!("{name} is not among {samples:?}"))
    }

    fn await_value(&self, name: &str, value: f64) {
        assert!(
            await_that(LONG, || self.value(name) == value),
            "{name}: {} instead of {value}",
            self.value(name)
        );
    }
}

fn assert_grown(before: &Samples, after: &Samples) {
    for (name, value) in before.iter().filter(|(name, _)| name.ends_with("_total")) {
        assert!(after[name] >= *value, "{name} was {value} and is {}", after[name]);
    }
}

fn sprt(stage: &Stage) -> Vec<Vec<String>> {
    let engines = ["unhurried", "unhurried-last"].map(|kind| stage.scene.engine(kind, &["depth=1"])).concat();
    let rest =
        "--rounds 2000 --max-moves 60 --random-plies 5 --seed 3 --sprt elo0=-1 elo1=1 alpha=0.001 beta=0.001";
    vec![engines, words(rest)]
}

#[test]
fn metrics_count_what_the_journal_has() {
    let Some(stage) = Stage::new() else { return };
    let mut arguments = sprt(&stage);
    arguments.push(words("--metrics 0 --lease 2"));
    let coordinator = Served::new(stage.coordinator("queue", &arguments));
    // First it measures the machine.
    coordinator.await_value("kroo_games_planned", 4_000.0);
    let first = coordinator.samples();
    assert_eq!((first["kroo_games_committed_total"], first["kroo_workers{health=\"there\"}"]), (0.0, 0.0));
    let version = format!("kroo_build_info{{version=\"{}\",commit=\"\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(first[&version], 1.0, "{first:?}");
    let mut worker = Served::new(stage.worker("--metrics 127.0.0.1:0 --concurrency 2 --on-signal finish"));
    stage.await_games("queue", 4);
    coordinator.await_value("kroo_workers{health=\"there\"}", 1.0);
    coordinator.await_value("kroo_slots", 2.0);
    let (one, other) = (coordinator.samples(), worker.samples());
    stage.await_games("queue", stage.games("queue") + 8);
    for (served, before) in [(&coordinator, &one), (&worker, &other)] {
        let after = served.samples();
        assert_grown(before, &after);
        assert!(after["kroo_broker_requests_total"] > before["kroo_broker_requests_total"]);
        assert!(after["kroo_uptime_seconds"] > before["kroo_uptime_seconds"]);
        assert!(after["kroo_bench_nodes_per_second"] > 1_000.0);
    }
    assert_grown(&first, &one);
    assert!(one["kroo_games_open"] > 0.0 && one["kroo_games_open"] < 100.0, "{one:?}");
    assert!(
        one["kroo_sprt_lower_bound"] < one["kroo_sprt_llr"]
            && one["kroo_sprt_llr"] < one["kroo_sprt_upper_bound"]
    );
    assert!(other["kroo_batches_held"] <= 2.0 && other["kroo_clock_factor_ratio"] == 1.0, "{other:?}");
    assert!(other["kroo_games_played_total"] >= other["kroo_games_delivered_total"], "{other:?}");
    // When nobody plays, all counts agree.
    signal(&worker.started.child, "TERM");
    assert_eq!(worker.started.wait(), 0, "{}", worker.started.errors());
    let output = worker.started.output();
    let games: usize = output.strip_prefix("Games: ").unwrap().split(',').next().unwrap().parse().unwrap();
    stage.await_games("queue", games);
    for name in ["kroo_games_committed_total", "kroo_games_received_total"] {
        coordinator.await_value(name, games as f64);
    }
    assert_eq!(stage.games("queue"), games);
    coordinator.await_value("kroo_workers{health=\"there\"}", 0.0);
    // Three workers make no more lines than one; one that is killed is silent later.
    let mut workers = [stage.worker(""), stage.worker(""), stage.worker("")];
    coordinator.await_value("kroo_workers{health=\"there\"}", 3.0);
    workers[0].kill();
    coordinator.await_value("kroo_workers{health=\"silent\"}", 1.0);
    stage.cut_connections();
    assert!(await_that(LONG, || coordinator.value("kroo_broker_reconnects_total") > 0.0));
    stage.ask("XADD kroo:{test}:results:default * worker evil games x").unwrap();
    coordinator.await_value("kroo_results_refused_total", 1.0);
    let last = coordinator.samples();
    assert!(last.keys().eq(one.keys()), "{last:?}");
    assert_grown(&one, &last);
}

#[test]
fn a_batch_that_comes_too_late_is_counted() {
    let Some(stage) = Stage::new() else { return };
    let mut arguments = sprt(&stage);
    arguments.push(words("--metrics 0 --lease 1"));
    let coordinator = Served::new(stage.coordinator("queue", &arguments));
    let sleeper = Served::new(stage.worker("--metrics 0"));
    stage.await_games("queue", 4);
    signal(&sleeper.started.child, "STOP");
    let other = stage.worker("--concurrency 2");
    let games = stage.games("queue");
    // More games than were ready: its batch has been played by the other one.
    stage.await_games("queue", games + 40);
    signal(&sleeper.started.child, "CONT");
    sleeper.await_value("kroo_batches_late_total", 1.0);
    assert_eq!(coordinator.value("kroo_results_late_total"), 0.0, "the queue has dropped it");
    let late = sleeper.samples();
    assert!(late["kroo_games_played_total"] > late["kroo_games_delivered_total"], "{late:?}");
    drop(other);
}

#[test]
fn metrics_are_for_those_who_ask_for_this_machine_and_off_by_default() {
    let Some(stage) = Stage::new() else { return };
    let coordinator = Served::new(stage.coordinator("queue", &[sprt(&stage).concat(), words("--metrics 0")]));
    let worker = Served::new(stage.worker("--metrics 0"));
    for served in [&coordinator, &worker] {
        let port = served.host.split(':').nth(1).unwrap();
        for (request, host, headers, status) in [
            ("GET /metrics", format!("localhost:{port}"), "", 200),
            ("GET /metrics?x=1", served.host.clone(), "", 200),
            ("GET /metrics", "evil.example".to_owned(), "", 403),
            ("GET /metrics", format!("evil.example:{port}"), "", 403),
            ("GET /metrics", served.host.clone(), "Origin: http://evil.example\r\n", 403),
            ("GET /", served.host.clone(), "", 404),
            ("GET /events", served.host.clone(), "", 404),
            ("POST /metrics", served.host.clone(), "", 405),
        ] {
            let (found, answer) = served.ask(request, &host, headers);
            assert_eq!(found, status, "{request} {host} {headers}: {answer}");
        }
        assert_eq!(listening(served.started.child.id()), 1);
    }
    // Neither listens unless it is asked to.
    let arguments =
        [sprt(&stage).concat(), vec!["--queue".to_owned(), stage.url().replace("#test", "#other")]];
    let mut command = stage.referee();
    command.args(arguments.concat());
    let quiet = [stage.start(command), stage.worker("")];
    assert!(await_that(LONG, || stage
        .ask("GET kroo:{other}:state")
        .is_some_and(|state| state.contains("running"))));
    assert!(await_that(LONG, || stage.number("HLEN kroo:{test}:workers:default") == 2));
    assert_eq!(quiet.each_ref().map(|process| listening(process.child.id())), [0, 0]);
    // What is no address, or is taken.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (value, reason) in [
        ("x", "expected a port, or an address and a port: 9100, 0.0.0.0:9100, [::]:9100"),
        ("70000", "expected a port"),
        ("host:9100", "expected a port"),
        (
            taken.as_str(),
            "cannot be used: Address already in use (os error 98); `--metrics` chooses another port",
        ),
    ] {
        let mut worker = stage.worker(&format!("--metrics {value}"));
        let mut coordinator =
            stage.coordinator("none", &[sprt(&stage).concat(), words(&format!("--metrics {value}"))]);
        for process in [&mut worker, &mut coordinator] {
            assert_eq!(process.wait(), 1, "{value}");
            assert!(process.errors().contains(reason), "{value}: {}", process.errors());
        }
        assert!(!stage.scene.path("none").exists(), "{value}");
    }
}

/// How many ports a process listens on.
fn listening(process: u32) -> usize {
    let sockets: BTreeSet<String> = fs::read_dir(format!("/proc/{process}/fd"))
        .unwrap()
        .flatten()
        .filter_map(|file| fs::read_link(file.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.trim_end_matches(']').to_owned()))
        .collect();
    let tables = ["tcp", "tcp6"]
        .map(|name| fs::read_to_string(format!("/proc/{process}/net/{name}")).unwrap_or_default());
    let listens = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields.len() > 9 && fields[3] == "0A" && sockets.contains(fields[9])
    };
    tables.iter().flat_map(|table| table.lines()).filter(listens).count()
}
