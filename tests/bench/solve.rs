//! Bounds the value of a game, ever closer: `cargo bench -p bench --bench solve -- kalah6 --hash 8192 --proofs kalah6.proofs`.
//!
//! Each claim asks whether South reaches a margin, and every answer is printed: first a few seeds from the estimate, or with
//! `--first N` whether South gets at least N, then ever closer to the value. With `--proofs FILE`, what took long to prove is
//! kept in a file each minute and at the end, and the next run continues from it. `--each` bounds the value of every first
//! move. `--best-play FILE` writes the best play of both sides, as far as a search with few nodes does not find it, to be
//! compiled in (`src/core/search/solver/best_play.rs`).

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod processor_time;

use clap::Parser;
use kroo::endgames::{Endgames, MAX_SEEDS};
use kroo::files;
use kroo::game::{Game, Pit, Position, Rules, Side, Variant, Visitor};
use kroo::search::{
    BestPlay, Choice, Observer, Purpose, Report, ReportedLine, Request, SearchMemory, Silent,
    TablebasePolicy, prove, search, solver_takes,
};
use kroo::solve::ProofFile;
use kroo::value::CENTISEEDS;
use processor_time::on_processor;
use rustix::time::ClockId;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Distances of the first claims from the estimate, in seeds. Claims far from the value can take long, too: that South of
/// `kalah6` gets at least −26 was not proven after 134 million nodes.
const DISTANCES: [i8; 2] = [6, 2];
/// Nodes for the estimate.
const ESTIMATE: u64 = 2_000_000;
/// Time between two lines of progress.
const TELL_EVERY: Duration = Duration::from_secs(60);
/// A search that finds the best play at once: its nodes, and the size of its table in MiB.
const QUICK: u64 = 50_000;
const QUICK_HASH: usize = 4;
/// Moves of the best play between two lines of progress.
const TELL_MOVES: usize = 500;

#[derive(Debug, Parser)]
#[command(bin_name = "cargo bench -p bench --bench solve --")]
struct Arguments {
    /// Game, such as kalah6 or kalah5-emptycapture
    game: Option<Variant>,
    /// Bounds for each first move
    #[arg(long)]
    each: bool,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 1024)]
    hash: usize,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Folder of endgame files
    #[arg(long)]
    files: Option<PathBuf>,
    /// File of proofs to continue from and to write
    #[arg(long)]
    proofs: Option<PathBuf>,
    /// Margin to ask about first
    #[arg(long, allow_hyphen_values = true)]
    first: Option<i8>,
    /// File for the best play of both sides
    #[arg(long)]
    best_play: Option<PathBuf>,
    /// Only the moves of the first side
    #[arg(long)]
    first_side: bool,
    /// Nodes that prove what need not be written to it
    #[arg(long, default_value_t = QUICK)]
    quick: u64,
    /// Stop after this many minutes
    #[arg(long)]
    minutes: Option<u64>,
}

fn main() {
    bench::go_to_the_user();
    // Cargo adds its own argument at the end.
    let arguments = Arguments::parse_from(std::env::args().filter(|argument| argument != "--bench"));
    let Some(game) = arguments.game else {
        println!("nothing to solve: see `-- --help`");
        return;
    };
    if let Err(why) = run(game, &arguments) {
        eprintln!("{why}");
        process::exit(1);
    }
}

/// A line of play whose value is bounded: all moves, or one of them.
struct Line {
    name: String,
    moves: Vec<Pit>,
    /// The bounds of South's margin, in seeds; both are as even or odd as the seeds of the game.
    at_least: i8,
    at_most: i8,
    estimate: i8,
}

impl Line {
    /// The claim of a margin or the next one above that is as even or odd as all margins, if its answer is not known.
    fn open_claim(&self, target: i8) -> Option<i8> {
        let target = target + (target - self.at_least).rem_euclid(2);
        (self.at_least < target && target <= self.at_most).then_some(target)
    }

    fn learn(&mut self, target: i8, bound: i8) {
        if bound >= target {
            self.at_least = self.at_least.max(bound + (bound - self.at_least).rem_euclid(2));
        } else {
            self.at_most = self.at_most.min(bound - (self.at_most - bound).rem_euclid(2));
        }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Line { name, at_least, at_most, .. } = self;
        match at_least == at_most {
            true => write!(f, "{name}: {at_least:+}"),
            false => write!(f, "{name}: {at_least:+} to {at_most:+}"),
        }
    }
}

/// Writes the proofs now and then, tells how it goes, and stops at the end of the time.
struct Watch<'a> {
    game: Variant,
    endgames: &'a Endgames,
    began: Instant,
    until: Option<Instant>,
    told: Instant,
    /// Nodes of the claims before.
    nodes: u64,
    claim: String,
    proofs: Option<&'a mut ProofFile>,
    memory: &'a SearchMemory,
}

impl Observer for Watch<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        let now = Instant::now();
        if now - self.told > TELL_EVERY {
            self.told = now;
            println!("  {}: {}", self.claim, self.spent(nodes));
        }
        if let Some(Err(why)) = self.proofs.as_mut().map(|proofs| proofs.keep_sometimes(self.memory)) {
            eprintln!("{why}");
        }
        self.until.is_some_and(|until| now >= until)
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }

    fn wants_endgames(&mut self, seeds: u8) {
        self.game.visit(Build { endgames: self.endgames, seeds });
    }
}

/// Builds endgames in memory.
struct Build<'a> {
    endgames: &'a Endgames,
    seeds: u8,
}

impl Visitor for Build<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        self.endgames.build::<R>(self.seeds, &mut || false);
    }
}

impl Watch<'_> {
    fn spent(&self, nodes: u64) -> String {
        let (millions, seconds) = ((self.nodes + nodes) as f64 / 1e6, self.began.elapsed().as_secs_f64());
        let processor = on_processor(ClockId::ProcessCPUTime);
        format!("{millions:.1} million nodes, {seconds:.0} s, {processor:.0} s of processor time")
    }
}

fn run(game: Variant, arguments: &Arguments) -> Result<(), String> {
    let start = Position::start(game);
    if !solver_takes(&start) {
        return Err(format!("{game} can come back to a position: the solver takes games that cannot"));
    }
    let endgames = Endgames::with_options(game.options());
    if let Some(folder) = &arguments.files {
        let found = endgames.open_headers_of(game, folder, MAX_SEEDS).map_err(|error| error.to_string())?;
        println!("endgame files: {}", found.map_or("none".to_owned(), |seeds| format!("to {seeds} seeds")));
    }
    let request = Request {
        purpose: Purpose::Analysis,
        threads: arguments.threads,
        endgames: Arc::new(endgames),
        tablebase: TablebasePolicy::Available,
        ..Request::new(&Game::new(start))
    };
    let memory = SearchMemory::new(arguments.hash).map_err(|error| error.to_string())?;
    let open = |file: &PathBuf| ProofFile::open(file, game, &memory).map_err(|error| error.to_string());
    let mut proofs = arguments.proofs.as_ref().map(open).transpose()?;
    if let Some(proofs) = &proofs {
        println!("{} proofs to continue from", proofs.found);
    }
    let now = Instant::now();
    let mut watch = Watch {
        game,
        endgames: &request.endgames,
        began: now,
        until: arguments.minutes.map(|minutes| now + Duration::from_secs(60 * minutes)),
        told: now,
        nodes: 0,
        claim: String::new(),
        proofs: proofs.as_mut(),
        memory: &memory,
    };
    let mut lines = lines(&request, &memory, arguments.each);
    let _ = narrow(&request, &memory, arguments.first, &mut watch, &mut lines);
    if let Some(proofs) = &mut watch.proofs {
        proofs.keep(&memory).map_err(|error| error.to_string())?;
    }
    lines.iter().for_each(|line| println!("{line}"));
    println!("{}", watch.spent(0));
    if let Some(file) = &arguments.best_play {
        let best = lines
            .iter()
            .map(|line| line.at_least)
            .max()
            .filter(|&best| lines.iter().all(|line| line.at_most <= best));
        let value = best.ok_or("the value is not known")?;
        let mut play = BestPlay { game, value, first_side_only: arguments.first_side, moves: Vec::new() };
        let mut best =
            Best { request: &request, memory: &memory, quick: arguments.quick, last: 0, others: 0 };
        let part = best.write(&mut play)?;
        files::replace(file, &part).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// Finds the moves of the best play.
struct Best<'a> {
    request: &'a Request,
    memory: &'a SearchMemory,
    quick: u64,
    /// How many moves are the last, and how many are not.
    last: usize,
    others: usize,
}

impl std::fmt::Display for Best<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} moves, and {} after which few nodes are enough", self.others, self.last)
    }
}

impl Best<'_> {
    /// The part of a file with the best play.
    fn write(&mut self, play: &mut BestPlay) -> Result<Vec<u8>, String> {
        let quick = SearchMemory::new(QUICK_HASH).map_err(|error| error.to_string())?;
        let value = play.value;
        let part = play.find(&mut |position| {
            let margin = if position.side() == Side::South { value } else { -value };
            let choice = self.best(position, margin, &quick);
            if (self.last + self.others).is_multiple_of(TELL_MOVES) {
                println!("  {self}");
            }
            choice
        });
        println!("{self}: {} bytes", part.len());
        Ok(part)
    }

    /// A move that reaches a margin. It is the last if few nodes prove it, without what other proofs have left in the table.
    fn best(&mut self, position: Position, margin: i8, quick: &SearchMemory) -> Choice {
        let game = Arc::new(Game::new(position));
        let request = Request { game, search_moves: Vec::new(), threads: 1, ..self.request.clone() };
        let alone = Request { nodes: self.quick, ..request.clone() };
        quick.clear();
        if let Some(pit) = prove(&alone, margin, quick, &mut Silent).pit {
            self.last += 1;
            return Choice { pit, is_last: true };
        }
        self.others += 1;
        let pit = prove(&request, margin, self.memory, &mut Silent).pit;
        let pit = pit.expect("a side that has the value of the game has a move that keeps it");
        Choice { pit, is_last: false }
    }
}

/// The lines to bound, each with its estimate.
fn lines(request: &Request, memory: &SearchMemory, each: bool) -> Vec<Line> {
    let (multipv, seeds) = (request.position().moves().len(), request.position().board().seeds() as i8);
    let quick = Request { nodes: ESTIMATE, multipv, threads: 1, solver: false, ..request.clone() };
    let report = search(&quick, memory, &mut Silent);
    let line = |ReportedLine { score, pv, .. }| Line {
        name: pv[0].letter().to_string(),
        moves: vec![pv[0].pit],
        at_least: -seeds,
        at_most: seeds,
        estimate: (score.value.centiseeds() / CENTISEEDS) as i8,
    };
    let lines: Vec<Line> = report.lines().into_iter().map(line).collect();
    if each {
        return lines;
    }
    let moves = lines.iter().flat_map(|line| line.moves.clone()).collect();
    vec![Line {
        name: "South".to_owned(),
        moves,
        at_least: -seeds,
        at_most: seeds,
        estimate: lines[0].estimate,
    }]
}

/// Asks claims, the first about a margin if there is one, until all bounds meet; `None` if the time is over before.
fn narrow(
    request: &Request,
    memory: &SearchMemory,
    first: Option<i8>,
    watch: &mut Watch<'_>,
    lines: &mut [Line],
) -> Option<()> {
    let mut ask = |line: &mut Line, target: i8| {
        let Some(target) = line.open_claim(target) else { return Some(()) };
        watch.claim = format!("{}, at least {target:+}?", line.name);
        let request = Request { search_moves: line.moves.clone(), ..request.clone() };
        let proven = prove(&request, target, memory, watch);
        watch.nodes += proven.nodes;
        line.learn(target, proven.bound?);
        println!("{line} ({})", watch.spent(0));
        Some(())
    };
    if let Some(target) = first {
        lines.iter_mut().try_for_each(|line| ask(line, target))?;
    }
    for distance in DISTANCES {
        for line in &mut *lines {
            let estimate = line.estimate;
            [estimate - distance, estimate + distance]
                .into_iter()
                .try_for_each(|target| ask(line, target))?;
        }
    }
    while lines.iter().any(|line| line.at_least < line.at_most) {
        for line in &mut *lines {
            let [least, most] = [line.at_least + 2, line.at_most];
            [least, most].into_iter().try_for_each(|target| ask(line, target))?;
        }
    }
    Some(())
}
