//! The command `bench`: fixed searches whose total of nodes is a signature of the search.

use crate::game::{Game, Position, Variant};
use crate::search::{Observer, Report, Request, SearchMemory, search};

/// Default search depth in plies: the whole bench then takes a few seconds, enough to measure the speed of a machine.
pub const DEFAULT_DEPTH: u8 = 25;
/// The depth at which machines that play one match together compare their searches, in a tenth of a second.
const QUICK_DEPTH: u8 = 14;
/// Size of the transposition table in MiB. The bench has its own, so that no option changes the signature.
const HASH_MIB: usize = 16;
/// The positions, one a line: rule set and position.
const POSITIONS: &str = include_str!("bench.txt");

/// The result for one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchLine {
    /// The rule set.
    pub variant: Variant,
    /// The position.
    pub position: String,
    /// Plies searched; fewer than asked for if the result was proven before.
    pub depth: u8,
    /// Nodes visited.
    pub nodes: u64,
}

/// The nodes of a short bench; `None` if it was stopped.
///
/// They are a signature: the same search visits the same nodes on every machine.
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

/// Only a stop ends a search before its depth.
struct UntilStopped<'a>(&'a dyn Fn() -> bool);

impl Observer for UntilStopped<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        (self.0)()
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}
