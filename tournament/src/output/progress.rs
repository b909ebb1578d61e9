//! The screen: lines on standard output, and below them, on a terminal, a bar.

use super::text;
use crate::plan::Plan;
use crate::tally::Tally;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};

/// Games between two lines of progress where there is no bar.
const EVERY: u64 = 10;

/// Where a user looks.
#[derive(Debug)]
pub(super) struct Screen {
    bar: Option<ProgressBar>,
}

impl Screen {
    /// A screen, with a bar if standard error is a terminal.
    pub fn new(plan: &Plan) -> Screen {
        let style = ProgressStyle::with_template(
            "[{elapsed_precise}] {bar:30} {pos} of {len} games{msg} (ETA {eta})",
        );
        let bar = io::stderr().is_terminal().then(|| ProgressBar::new(plan.games()));
        Screen { bar: bar.map(|bar| bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))) }
    }

    /// Prints lines.
    pub fn print(&self, lines: &str) -> io::Result<()> {
        let print = || writeln!(io::stdout(), "{lines}");
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Prints a line that is no result.
    pub fn complain(&self, line: &str) -> io::Result<()> {
        let print = || writeln!(io::stderr(), "{line}");
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// A game has ended.
    pub fn advance(&self, tally: &Tally, plan: &Plan) -> io::Result<()> {
        match &self.bar {
            Some(bar) => {
                bar.set_message(text::standing(tally, plan));
                bar.set_position(tally.games());
                Ok(())
            }
            None if tally.games().is_multiple_of(EVERY) && tally.games() < plan.games() => {
                self.print(&text::progress(tally, plan))
            }
            None => Ok(()),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
