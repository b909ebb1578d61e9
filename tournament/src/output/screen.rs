//! The screen: lines on standard output and, on a terminal, a live view below them. Nothing that is printed here controls a
//! terminal, whatever an engine or a file has said.

use super::text;
use crate::ledger::Ledger;
use crate::ledger::results::Score;
use crate::plan::MatchPlan;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use kroo::printable;
use kroo::stdio::{Patience, Stream};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// The number of games between two lines of progress, which replace the live view.
const PROGRESS_EVERY: u64 = 10;

/// The shortest time between two counts for the live view.
const DRAW_EVERY: Duration = Duration::from_millis(50);

/// With fewer columns than this, bars do not have a fixed length.
const NARROW: usize = 80;

/// Standard output and the live view.
#[derive(Debug)]
pub(super) struct Screen {
    live: Option<ProgressBar>,
    began: Instant,
    /// Games that the journal held when this run began.
    before: u64,
    /// When the live view was counted last.
    drawn: Option<Instant>,
}

impl Screen {
    /// A screen, with a live view if standard error is a terminal.
    pub fn new(plan: &MatchPlan) -> Screen {
        Screen {
            live: io::stderr().is_terminal().then(|| live_view(plan)),
            began: Instant::now(),
            before: 0,
            drawn: None,
        }
    }

    pub fn print(&self, lines: &str) -> io::Result<()> {
        let lines = printable::lines(lines);
        self.above_live_view(|| Stream::Output.print(&lines))
    }

    /// Prints a warning or an error.
    pub fn warn(&self, line: &str) -> io::Result<()> {
        self.above_live_view(|| Stream::Errors.print(line))
    }

    /// The journal holds games, which this run has not played.
    pub fn resumed(&mut self, ledger: &Ledger<'_>) {
        self.before = ledger.games();
        self.began = Instant::now();
    }

    /// A game has ended. Updates the live view or, without one, prints lines of progress, if these are wanted.
    pub fn advance(&mut self, ledger: &Ledger<'_>, plan: &MatchPlan, lines: bool) -> io::Result<()> {
        let (games, score) = (ledger.games(), || Score::of(&ledger.preview(), plan));
        match &self.live {
            Some(live) => {
                let is_due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= DRAW_EVERY);
                if is_due || games >= plan.games() {
                    let score = score();
                    // A knockout may have more games than planned.
                    live.set_length(plan.games().max(score.games));
                    live.set_position(score.games);
                    live.set_message(printable::line(&text::live(&score, plan)).into_owned());
                    self.drawn = Some(Instant::now());
                }
                Ok(())
            }
            None if lines && games.is_multiple_of(PROGRESS_EVERY) && games < plan.games() => {
                let played = games.saturating_sub(self.before);
                self.print(&text::progress(&score(), plan, played, self.began.elapsed()))
            }
            None => Ok(()),
        }
    }

    /// Waits until everything has been written, as long as no signal asks for the end.
    pub fn end(&self) -> io::Result<()> {
        // Standard error may be closed.
        let _ = Stream::Errors.end(Patience::Unlimited);
        Stream::Output.end(Patience::Unlimited)
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

/// The live view at the bottom of a terminal, drawn again after every game: games played, and below them the score. Dropping it removes
/// it; boards are on the page (`--watch`).
fn live_view(plan: &MatchPlan) -> ProgressBar {
    let columns = rustix::termios::tcgetwinsize(io::stderr()).map_or(NARROW, |size| size.ws_col.into());
    // A narrow window has no space for the speed, and a bar takes the remaining columns. A line that wraps would not be
    // overwritten.
    let (bar, speed) = if columns < NARROW { ("{wide_bar}", "") } else { ("{bar:30}", ", {per_sec}") };
    let template =
        format!("[{{elapsed_precise}}] {bar} {{pos}} of {{len}} games (ETA {{eta}}{speed})\n{{wide_msg}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let live = ProgressBar::new(plan.games()).with_style(style).with_finish(ProgressFinish::AndClear);
    live.tick();
    live
}
