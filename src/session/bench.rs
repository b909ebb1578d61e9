//! Fixed searches whose node counts, added up, tell one version of the search from another.

use crate::game::{Game, Position, Variant};
use crate::search::{Observer, Report, Request, Table, search};

/// Plies that each position is searched to if nobody says otherwise.
pub const DEPTH: u8 = 14;
/// MiB of the table. It is the bench's own, so that no option changes the signature.
const TABLE: usize = 16;
/// Rule set and position, a line each.
const POSITIONS: &str = include_str!("bench.txt");

/// What one position took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The rule set.
    pub variant: Variant,
    /// The position.
    pub position: String,
    /// Plies searched, fewer if the result was certain before.
    pub depth: u8,
    /// Nodes visited.
    pub nodes: u64,
}

/// Searches every position, and returns how many nodes that took; `None` if it was stopped.
pub fn run(depth: u8, stop: &dyn Fn() -> bool, tell: &mut dyn FnMut(Line)) -> Option<u64> {
    let table = Table::new(TABLE).expect("a small table fits");
    let mut total = 0;
    for (variant, text) in positions() {
        let position = Position::parse(variant, text).expect("the bench has valid positions");
        let request = Request { depth, ..Request::new(&Game::new(position)) };
        table.clear();
        let report = search(&request, &table, &mut Patient(stop));
        if stop() {
            return None;
        }
        total += report.nodes;
        tell(Line { variant, position: text.to_owned(), depth: report.depth, nodes: report.nodes });
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

/// Nothing but a stop ends a search before its depth.
struct Patient<'a>(&'a dyn Fn() -> bool);

impl Observer for Patient<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        (self.0)()
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}
