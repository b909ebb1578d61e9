//! Progress of long work on standard error: a bar on a terminal, otherwise a line from time to time.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kroo_core::printable;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Time between two lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Maximum redraws of the bar per second.
const DRAWN: u8 = 4;

/// The progress of a piece of work.
#[derive(Debug)]
pub struct Progress {
    /// The name of the counted items.
    unit: &'static str,
    total: u64,
    bar: Option<ProgressBar>,
    /// Items that were done before this work began.
    skipped: u64,
    began: Instant,
    last_line: Instant,
}

impl Progress {
    /// The progress of work on `total` items.
    pub fn new(unit: &'static str, total: u64) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(DRAWN);
            let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} {msg}");
            ProgressBar::with_draw_target(Some(total), target)
                .with_style(style.expect("the template is valid"))
        });
        let now = Instant::now();
        Progress { unit, total, bar, skipped: 0, began: now, last_line: now }
    }

    /// Counts items as done before this work began; they do not affect the rate.
    pub fn skip(&mut self, done: u64) {
        (self.skipped, self.began) = (done, Instant::now());
    }

    /// The average rate per second.
    pub fn rate(&self, done: u64) -> f64 {
        done.saturating_sub(self.skipped) as f64 / self.began.elapsed().as_secs_f64().max(1e-6)
    }

    /// Shows that `done` items are done, skipped ones included.
    pub fn at(&mut self, done: u64, note: &str) {
        let due = self.last_line.elapsed() >= LINE_EVERY;
        if self.bar.is_none() && !due {
            return;
        }
        let rate = self.rate(done);
        let mut text = self.unit.to_owned();
        if !note.is_empty() {
            text = format!("{text}, {note}");
        }
        if rate > 0.0 {
            text = format!("{text}, {} left", clock(self.total.saturating_sub(done) as f64 / rate));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text);
        } else {
            self.last_line = Instant::now();
            say(&format!("{done} of {} {text}", self.total));
        }
    }

    pub fn line(&self, text: &str) {
        self.beside(|| say(text));
    }

    /// Runs a function that prints, with the bar removed meanwhile.
    pub fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Removes the bar, and prints a last line with the seconds taken.
    pub fn finish(&self, text: &str) {
        self.clear();
        say(&format!("{text}, {:.1} s", self.began.elapsed().as_secs_f64()));
    }
}

/// Seconds as hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Prints to standard error, if it is open.
fn say(text: &str) {
    let _ = printable::to_stderr(text);
}
