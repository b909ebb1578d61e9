//! Nodes and time of the search to a depth: `cargo bench -p bench --bench suite [-- OPTIONS]`.
//!
//! It shows within a minute whether a change of the search saves nodes or time; only a match shows whether it plays better.
//! The positions (`positions.rs`, `suite.txt`) cover every rule set and five classes, because a change that
//! helps in openings may hurt where a side starves. Each is searched with an empty table, so its nodes on one thread do not
//! depend on the others. A search that proves its result ends before its depth.
//!
//! Ratios are geometric means over positions. Without `--bench`, as in `cargo test --benches`, the positions are only checked.

mod positions;
mod processor_time;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use kroo::files::replace;
use kroo::game::{Game, Variant};
use kroo::search::{MAX_DEPTH, Report, Request, SearchMemory, Silent, search};
use positions::{Class, Entry, suite};
use processor_time::on_processor;
use rustix::time::ClockId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

type Failure = Box<dyn Error>;

/// Depths that take about half a minute for all rule sets together on one core of the machine in `benchmarks.md`.
fn depth(variant: Variant) -> u8 {
    match variant {
        Variant::Awari | Variant::Oware => 26,
        Variant::Awari1978 => 27,
        Variant::Ayoayo => 24,
        Variant::Kalah | Variant::Avalanche => 25,
        #[allow(unreachable_patterns, reason = "a rule set that is new is searched like the slowest")]
        _ => 24,
    }
}

/// Minimum milliseconds on one thread for a comparison with several: below, most of the time is their start.
const WORTH_SHARING: f64 = 20.0;

/// Limits and resources of a search.
#[derive(Clone, Copy)]
struct Limits {
    depth: Option<u8>,
    nodes: Option<u64>,
    hash: usize,
    threads: usize,
}

impl Limits {
    fn new(options: &ArgMatches) -> Limits {
        let number = |name| options.get_one::<u64>(name).copied();
        Limits {
            depth: number("depth").map(|depth| depth as u8),
            nodes: number("nodes"),
            hash: number("hash").unwrap_or_default() as usize,
            threads: number("threads").unwrap_or_default() as usize,
        }
    }

    /// The search of a position within the limits.
    fn request(&self, entry: &Entry) -> Request {
        let depth = if self.nodes.is_some() { MAX_DEPTH } else { depth(entry.variant) };
        Request {
            depth: self.depth.unwrap_or(depth),
            nodes: self.nodes.unwrap_or(u64::MAX),
            threads: self.threads,
            ..Request::new(&Game::new(entry.position))
        }
    }
}

/// The cost of a position.
#[derive(Clone, Copy)]
struct Cost {
    nodes: f64,
    seconds: f64,
    depth: f64,
}

/// Measures the processor time of this thread, which other programs disturb little, or, with several threads, wall time.
enum Watch {
    Thread(f64),
    Wall(Instant),
}

impl Watch {
    fn start(threads: usize) -> Watch {
        if threads == 1 {
            Watch::Thread(on_processor(ClockId::ThreadCPUTime))
        } else {
            Watch::Wall(Instant::now())
        }
    }

    /// Never 0, so that ratios exist.
    fn seconds(&self) -> f64 {
        let seconds = match self {
            Watch::Thread(start) => on_processor(ClockId::ThreadCPUTime) - start,
            Watch::Wall(start) => start.elapsed().as_secs_f64(),
        };
        seconds.max(1e-9)
    }
}

/// Searches a position with an empty table.
fn measure(entry: &Entry, limits: &Limits, table: &SearchMemory) -> (Cost, Report) {
    table.clear();
    let request = limits.request(entry);
    let watch = Watch::start(limits.threads);
    let report = search(&request, table, &mut Silent);
    let seconds = watch.seconds();
    (Cost { nodes: report.nodes as f64, seconds, depth: f64::from(report.depth) }, report)
}

/// The cost as JSON.
fn numbers(entry: &Entry, cost: Cost, report: &Report) -> Value {
    json!({
        "variant": entry.variant.name(),
        "class": entry.class.name(),
        "position": entry.text,
        "nodes": report.nodes,
        "seconds": cost.seconds,
        "depth": report.depth,
        "exact": report.score.proof.is_exact(),
        "move": report.pv[0].letter().to_string(),
    })
}

/// The costs of an earlier run, by rule set and position.
struct Earlier {
    limits: Value,
    costs: BTreeMap<(String, String), Cost>,
}

impl Earlier {
    fn read(path: &str) -> Result<Earlier, Failure> {
        let failed = |error: &dyn fmt::Display| format!("--compare {path}: {error}");
        let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
        let all: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let results =
            all["results"].as_array().ok_or_else(|| failed(&"has no `results`; --json writes them"))?;
        let costs = results.iter().map(|result| {
            let number = |key: &str| result[key].as_f64();
            let text = |key: &str| result[key].as_str().map(str::to_owned);
            let cost = Cost { nodes: number("nodes")?, seconds: number("seconds")?, depth: number("depth")? };
            Some(((text("variant")?, text("position")?), cost))
        });
        let costs: Option<_> = costs.collect();
        let costs = costs.ok_or_else(|| failed(&"a result lacks a field; --json writes them all"))?;
        Ok(Earlier { limits: all["limits"].clone(), costs })
    }
}

/// The geometric mean, if there are any values.
fn geometric(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value.ln();
        count += 1.0;
    }
    (count > 0.0).then(|| f64::exp(sum / count))
}

/// Costs of positions, each with its earlier cost.
#[derive(Default)]
struct Group(Vec<(Cost, Option<Cost>)>);

impl Group {
    fn row(&self, compared: bool) -> String {
        let sum = |part: fn(&Cost) -> f64| self.0.iter().map(|(cost, _)| part(cost)).sum::<f64>();
        let (nodes, seconds) = (sum(|cost| cost.nodes), sum(|cost| cost.seconds));
        let mean =
            |part: fn(&Cost) -> f64| geometric(self.0.iter().map(|(cost, _)| part(cost))).unwrap_or_default();
        let mut row = format!(
            "{:>4} {:>12.0} {:>9.3} {:>6.2} {:>6.1} {:>10.0} {:>9.2}",
            self.0.len(),
            nodes,
            seconds,
            nodes / seconds / 1e6,
            sum(|cost| cost.depth) / self.0.len() as f64,
            mean(|cost| cost.nodes),
            1e3 * mean(|cost| cost.seconds),
        );
        if compared {
            let ratio = |part: fn(&Cost) -> f64| {
                let both = self.0.iter().filter_map(|(cost, earlier)| Some((cost, earlier.as_ref()?)));
                let ratio = geometric(both.map(|(cost, earlier)| part(cost) / part(earlier)));
                ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.3}"))
            };
            row += &format!(" {:>7} {:>7}", ratio(|cost| cost.nodes), ratio(|cost| cost.seconds));
        }
        row
    }
}

/// Runs the suite, and prints a line after each class of a rule set.
fn run(options: &ArgMatches) -> Result<(), Failure> {
    let limits = Limits::new(options);
    let wanted = options.get_one::<Variant>("variant").copied();
    if options.get_flag("against-one") {
        return share(&limits, wanted);
    }
    let earlier = options.get_one::<String>("compare").map(|path| Earlier::read(path)).transpose()?;
    let described = json!({
        "depth": limits.depth, "nodes": limits.nodes, "hash": limits.hash, "threads": limits.threads,
    });
    let mut out = io::stdout().lock();
    if earlier.as_ref().is_some_and(|earlier| earlier.limits != described) {
        writeln!(out, "The earlier run had other limits, so the ratios are not comparable.")?;
    }
    let compared = earlier.is_some();
    let ratios = if compared { "   nodes    time" } else { "" };
    writeln!(
        out,
        "{:41}{:31}geometric mean of{}",
        "",
        "",
        if compared { "    ratios to earlier" } else { "" }
    )?;
    writeln!(
        out,
        "{:10} {:10} {:>4} {:>12} {:>9} {:>6} {:>6} {:>10} {:>9}{ratios}",
        "variant", "class", "n", "nodes", "time/s", "Mn/s", "depth", "nodes", "time/ms"
    )?;
    let table = SearchMemory::new(limits.hash)?;
    let (mut results, mut total) = (Vec::new(), Group::default());
    let suite = suite()?;
    for &variant in Variant::ALL.iter().filter(|&&variant| wanted.is_none_or(|wanted| wanted == variant)) {
        let mut whole = Group::default();
        for class in Class::ALL {
            let mut group = Group::default();
            for entry in suite.iter().filter(|entry| entry.variant == variant && entry.class == class) {
                let (cost, report) = measure(entry, &limits, &table);
                results.push(numbers(entry, cost, &report));
                let key = (variant.name().to_owned(), entry.text.to_owned());
                let before = earlier.as_ref().and_then(|earlier| earlier.costs.get(&key).copied());
                group.0.push((cost, before));
            }
            writeln!(out, "{:10} {class:10} {}", variant.name(), group.row(compared))?;
            whole.0.extend(group.0);
        }
        writeln!(out, "{:10} {:10} {}", variant.name(), "all", whole.row(compared))?;
        total.0.extend(whole.0);
    }
    writeln!(out, "{:10} {:10} {}", "all", "all", total.row(compared))?;
    let missing = total.0.iter().filter(|(_, earlier)| earlier.is_none()).count();
    if compared && missing > 0 {
        writeln!(out, "{missing} positions are not in the earlier run, and have no ratio.")?;
    }
    match options.get_one::<String>("json") {
        Some(path) => {
            let numbers = json!({ "limits": described, "results": results });
            Ok(replace(Path::new(path), format!("{numbers:#}\n").as_bytes())?)
        }
        None => Ok(()),
    }
}

/// Speed-up of several threads over one, position by position, by wall time and by the processor time of each thread. On an
/// idle machine both are the same.
fn share(limits: &Limits, wanted: Option<Variant>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let table = SearchMemory::new(limits.hash)?;
    let one = Limits { threads: 1, ..*limits };
    let seconds = |entry: &Entry, limits: &Limits| {
        let (start, worked) = (Instant::now(), on_processor(ClockId::ProcessCPUTime));
        measure(entry, limits, &table);
        (start.elapsed().as_secs_f64(), on_processor(ClockId::ProcessCPUTime) - worked)
    };
    writeln!(
        out,
        "{:10} {:>4} {:>8} {:>13} {:>11}",
        "variant", "n", "by clock", "by processors", "processors"
    )?;
    let (suite, mut all) = (suite()?, Vec::new());
    for &variant in Variant::ALL.iter().filter(|&&variant| wanted.is_none_or(|wanted| wanted == variant)) {
        let first = all.len();
        for entry in suite.iter().filter(|entry| entry.variant == variant) {
            let alone = seconds(entry, &one);
            if alone.1 * 1e3 >= WORTH_SHARING {
                all.push((alone, seconds(entry, limits)));
            }
        }
        writeln!(out, "{:10} {}", variant.name(), shared_row(&all[first..], limits.threads))?;
    }
    writeln!(out, "{:10} {}", "all", shared_row(&all, limits.threads))?;
    Ok(())
}

/// Wall time and processor time in seconds.
type Seconds = (f64, f64);

fn shared_row(costs: &[(Seconds, Seconds)], threads: usize) -> String {
    let mean = |part: fn(&(Seconds, Seconds)) -> f64| geometric(costs.iter().map(part)).unwrap_or(f64::NAN);
    let clock = mean(|(one, all)| one.0 / all.0);
    let processors = threads as f64 * mean(|(one, all)| one.1 / all.1);
    format!("{:>4} {clock:>8.2} {processors:>13.2} {:>11.2}", costs.len(), mean(|(_, all)| all.1 / all.0))
}

fn command() -> Command {
    let number = |name: &'static str, range, help: &'static str| {
        let parser = value_parser!(u64).range(range);
        Arg::new(name).long(name).value_name("N").value_parser(parser).help(help)
    };
    let file =
        |name: &'static str, help: &'static str| Arg::new(name).long(name).value_name("FILE").help(help);
    let variant = |text: &str| text.parse::<Variant>();
    Command::new("suite")
        .about("Nodes and time to a depth, over a fixed suite of positions")
        .arg(Arg::new("variant").value_name("VARIANT").value_parser(variant).help("Only this rule set"))
        .arg(number("depth", 1..=u64::from(MAX_DEPTH), "Depth in plies [default: by rule set]"))
        .arg(number("nodes", 1..=u64::MAX, "Node limit, instead of a depth"))
        .arg(number("hash", 1..=65_536, "Size of the table in MiB").default_value("64"))
        .arg(number("threads", 1..=1_024, "Number of search threads").default_value("1"))
        .arg(
            Arg::new("against-one")
                .long("against-one")
                .num_args(0)
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["json", "compare", "nodes"])
                .help("Print the speed-up of the threads over one thread"),
        )
        .arg(file("json", "Write the numbers to this file"))
        .arg(file("compare", "Print ratios to the numbers in this file"))
        // Cargo passes it to every bench.
        .arg(Arg::new("bench").long("bench").num_args(0).hide(true))
}

fn main() -> ExitCode {
    bench::go_to_the_user();
    let options = command().get_matches();
    let done = if env::args().any(|word| word == "--bench") { run(&options) } else { suite().map(drop) };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed.
            let _ = writeln!(io::stderr(), "suite: {error}");
            ExitCode::FAILURE
        }
    }
}
