//! Fixed searches whose total of nodes is a signature of the search: the command `bench`, and the origin of files that depend on
//! searches.

use crate::evaluate::Weights;
use crate::files::records::Origin;
use crate::game::{Game, Position, Variant};
use crate::search::{Observer, Report, Request, SearchMemory, search};
use once_cell::sync::OnceCell;

/// Default depth in plies: the whole bench takes a few seconds, enough to measure a machine's speed.
pub const DEFAULT_DEPTH: u8 = 25;
/// The depth for machines that play one match together to compare their searches: a tenth of a second.
const QUICK_DEPTH: u8 = 14;
/// Size of the transposition table in MiB, independent of options: none changes the signature.
const HASH_MIB: usize = 16;
/// The field of an origin with the rule set.
pub const RULE_SET: &str = "rule set";
/// One position a line: rule set and position.
const POSITIONS: &str = include_str!("bench.txt");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchLine {
    pub variant: Variant,
    pub position: String,
    /// Plies searched; fewer than requested if the result was proven before.
    pub depth: u8,
    /// Nodes visited.
    pub nodes: u64,
}

/// The origin of a file whose bytes depend on searches with these weights. The first call runs the bench.
pub fn origin((format, version): (&str, u32), variant: Variant, weights: &Weights) -> Origin {
    static SIGNATURE: OnceCell<u64> = OnceCell::new();
    let signature = SIGNATURE.get_or_init(|| quick_signature(&|| false).expect("it is not stopped"));
    Origin::new(format, version)
        .with("engine", format_args!("bench {QUICK_DEPTH} of {signature} nodes"))
        .with("weights", format_args!("checksum {:08x}", weights.checksum()))
        .with(RULE_SET, variant)
}

/// The total of nodes of a short bench, the same for equal searches on every machine; `None` if it was stopped.
pub fn quick_signature(stop: &dyn Fn() -> bool) -> Option<u64> {
    run(QUICK_DEPTH, stop, &mut |_| {})
}

/// Searches every position to a depth and returns the total of nodes; `None` if it was stopped.
pub fn run(depth: u8, stop: &dyn Fn() -> bool, report_line: &mut dyn FnMut(BenchLine)) -> Option<u64> {
    let table = SearchMemory::new(HASH_MIB).expect("a small table fits");
    let mut total = 0;
    for (variant, text) in positions() {
        let position = Position::parse(variant, text).expect("the bench has valid positions");
        let request = Request { depth, ..Request::new(&Game::new(position)) };
        table.clear();
        let report = search(&request, &table, &mut UntilStopped(stop));
        if stop() {
            return None;
        }
        total += report.nodes;
        report_line(BenchLine {
            variant,
            position: text.to_owned(),
            depth: report.depth,
            nodes: report.nodes,
        });
    }
    Some(total)
}

fn positions() -> impl Iterator<Item = (Variant, &'static str)> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (variant, position) = line.split_once(' ').expect("a rule set and a position");
        (variant.parse().expect("a rule set"), position)
    })
}

/// An observer that stops a search only if the function does.
struct UntilStopped<'a>(&'a dyn Fn() -> bool);

impl Observer for UntilStopped<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        (self.0)()
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}
