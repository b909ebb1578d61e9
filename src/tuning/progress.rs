//! How far long work has come: a bar on a terminal, a line now and then elsewhere, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how much of something is done.
pub struct Progress {
    what: &'static str,
    total: u64,
    bar: Option<ProgressBar>,
    last_line: Instant,
    began: Instant,
}

impl Progress {
    /// Work of so many things of a kind.
    ///
    /// # Panics
    /// Never: the style is a constant.
    #[must_use]
    pub fn new(what: &'static str, total: u64) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(4));
            let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} {msg} (eta {eta})");
            bar.with_style(style.expect("the template is valid"))
        });
        Progress { what, total, bar, last_line: Instant::now(), began: Instant::now() }
    }

    /// So many are done; `note` says more.
    pub fn at(&mut self, done: u64, note: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(format!("{} {note}", self.what));
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            say(&format!("{done} of {} {} {note}", self.total, self.what));
        }
    }

    /// A line that stays.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// All is done.
    pub fn end(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        say(&format!("{text}, {:.1} s", self.began.elapsed().as_secs_f64()));
    }
}

/// If nobody reads standard error there is nobody to tell.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
