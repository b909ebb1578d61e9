//! The screen: lines on standard output, and below them, on a terminal, what goes on at the moment.

use super::live_view::LiveView;
use super::text;
use crate::plan::MatchPlan;
use crate::run::LiveBoards;
use crate::tally::Tally;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

/// Games between two lines of progress where nothing is live.
const EVERY: u64 = 10;

/// Where a user looks.
#[derive(Debug)]
pub(super) struct Screen {
    live: Option<LiveView>,
}

impl Screen {
    /// A screen, live if standard error is a terminal.
    pub fn new(plan: &MatchPlan) -> Screen {
        Screen { live: io::stderr().is_terminal().then(|| LiveView::new(plan)) }
    }

    /// The boards that are shown, if any are.
    pub fn boards(&self) -> Option<Arc<LiveBoards>> {
        self.live.as_ref().and_then(LiveView::boards)
    }

    /// Prints lines.
    pub fn print(&self, lines: &str) -> io::Result<()> {
        self.aside(|| writeln!(io::stdout(), "{lines}"))
    }

    /// Prints a line that is no result.
    pub fn complain(&self, line: &str) -> io::Result<()> {
        self.aside(|| writeln!(io::stderr(), "{line}"))
    }

    /// A game has ended.
    pub fn advance(&self, tally: &Tally, plan: &MatchPlan) -> io::Result<()> {
        match &self.live {
            Some(live) => {
                live.advance(tally, plan);
                Ok(())
            }
            None if tally.games().is_multiple_of(EVERY) && tally.games() < plan.games() => {
                self.print(&text::progress(tally, plan))
            }
            None => Ok(()),
        }
    }

    /// Takes away what is live.
    pub fn clear(&mut self) {
        self.live = None;
    }

    fn aside(&self, print: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match &self.live {
            Some(live) => live.suspend(print),
            None => print(),
        }
    }
}
