//! The screen: lines on standard output and, on a terminal, a live view below them. Nothing that is printed here controls a
//! terminal, whatever an engine or a file has said.

use super::text;
use crate::ledger::Ledger;
use crate::ledger::results::Score;
use crate::plan::MatchPlan;
use crate::statistics::hundredths;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
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
/// Steps of the bar of an SPRT.
const SPRT_STEPS: u64 = 1_000;

/// Standard output and the live view.
#[derive(Debug)]
pub(super) struct Screen {
    live: Option<LiveView>,
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
            live: io::stderr().is_terminal().then(|| LiveView::new(plan)),
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
                    live.advance(&score(), plan);
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

    /// Waits until everything has been taken, as long as no signal asks for the end.
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

/// The live view at the bottom of a terminal: games played, the score and the state of the SPRT, drawn again after every game. Dropping
/// it removes it; boards are on the page (`--watch`).
#[derive(Debug)]
struct LiveView {
    all: MultiProgress,
    games: ProgressBar,
    standing: ProgressBar,
    sprt: Option<ProgressBar>,
}

impl LiveView {
    fn new(plan: &MatchPlan) -> LiveView {
        let all = MultiProgress::new();
        let line = |template: &str, length: u64| {
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            all.add(ProgressBar::new(length).with_style(style))
        };
        let columns = columns();
        // In a narrow window a bar takes the columns that are left. A line that wraps would not be overwritten.
        let bar = if columns < NARROW { "{wide_bar}" } else { "{bar:30}" };
        // A narrow window has no room for the speed.
        let speed = if columns < NARROW { "" } else { ", {per_sec}" };
        let games = line(
            &format!("[{{elapsed_precise}}] {bar} {{pos}} of {{len}} games (ETA {{eta}}{speed})"),
            plan.games(),
        );
        let standing = line("{wide_msg}", 0);
        let sprt = plan.sprt.map(|_| line(&format!("{{prefix}} {bar} {{msg}}"), SPRT_STEPS));
        games.tick();
        LiveView { all, games, standing, sprt }
    }

    fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.all.suspend(print)
    }

    fn advance(&self, score: &Score, plan: &MatchPlan) {
        // A knockout may have more games than planned.
        self.games.set_length(plan.games().max(score.games));
        self.games.set_position(score.games);
        self.standing.set_message(printable::line(&text::live(score, plan)).into_owned());
        if let (Some(bar), Some(status)) = (&self.sprt, score.sprt) {
            let share = (status.llr - status.lower) / (status.upper - status.lower);
            bar.set_prefix(format!("SPRT {:.2}", status.lower));
            bar.set_message(format!("{:.2}  LLR {}", status.upper, hundredths(status.llr)));
            bar.set_position((share.clamp(0.0, 1.0) * SPRT_STEPS as f64) as u64);
        }
    }
}

impl Drop for LiveView {
    fn drop(&mut self) {
        // If it cannot be cleared, the terminal is gone.
        let _: io::Result<()> = self.all.clear();
    }
}

/// The columns of the terminal, if it says.
fn columns() -> usize {
    rustix::termios::tcgetwinsize(io::stderr()).map_or(NARROW, |size| size.ws_col.into())
}
