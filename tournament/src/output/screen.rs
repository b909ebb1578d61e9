//! The screen: lines on standard output and, on a terminal, a live view below them. Nothing that is printed here controls a
//! terminal, whatever an engine or a file has said.

use super::live_view::LiveView;
use super::text;
use crate::plan::MatchPlan;
use crate::results::{Score, Tally};
use crate::run::LiveBoards;
use kroo::printable;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Instant;

/// The number of games between two lines of progress, which replace the live view.
const PROGRESS_EVERY: u64 = 10;

/// Standard output and the live view.
#[derive(Debug)]
pub(super) struct Screen {
    live: Option<LiveView>,
    /// The file for the lines, if they do not go to standard output.
    lines: Option<File>,
    began: Instant,
    /// Games that the journal held when this run began.
    before: u64,
}

impl Screen {
    /// A screen, with a live view if standard error is a terminal.
    pub fn new(plan: &MatchPlan, lines: Option<File>) -> Screen {
        Screen {
            live: io::stderr().is_terminal().then(|| LiveView::new(plan)),
            lines,
            began: Instant::now(),
            before: 0,
        }
    }

    /// Whether the lines go to a file.
    pub fn is_silent(&self) -> bool {
        self.lines.is_some()
    }

    /// The boards that the live view shows, if it shows any.
    pub fn boards(&self) -> Option<Arc<LiveBoards>> {
        self.live.as_ref().and_then(LiveView::boards)
    }

    pub fn print(&self, lines: &str) -> io::Result<()> {
        let lines = printable::lines(lines);
        match &self.lines {
            Some(file) => {
                let mut file = file;
                writeln!(file, "{lines}")
            }
            None => self.above_live_view(|| writeln!(io::stdout(), "{lines}")),
        }
    }

    /// Prints a warning or an error.
    pub fn warn(&self, line: &str) -> io::Result<()> {
        self.above_live_view(|| printable::to_stderr(line))
    }

    /// The journal holds games, which this run has not played.
    pub fn resumed(&mut self, tally: &Tally) {
        self.before = tally.games;
        self.began = Instant::now();
    }

    /// A game has ended.
    pub fn advance(&self, tally: &Tally, plan: &MatchPlan) -> io::Result<()> {
        match &self.live {
            Some(live) => {
                live.advance(&Score::of(tally, plan), plan);
                Ok(())
            }
            None if tally.games.is_multiple_of(PROGRESS_EVERY) && tally.games < plan.games() => {
                let played = tally.games.saturating_sub(self.before);
                self.print(&text::progress(&Score::of(tally, plan), plan, played, self.began.elapsed()))
            }
            None => Ok(()),
        }
    }

    /// Updates the live view after a game.
    pub fn advance_live(&self, tally: &Tally, plan: &MatchPlan) {
        if let Some(live) = &self.live {
            live.advance(&Score::of(tally, plan), plan);
        }
    }

    /// Removes the live view.
    pub fn clear(&mut self) {
        self.live = None;
    }

    fn above_live_view(&self, print: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match &self.live {
            Some(live) => live.suspend(print),
            None => print(),
        }
    }
}
