//! How far a build of endgames has come: a bar on a terminal, a line now and then elsewhere, on standard error.
//!
//! How many passes a level takes is not known before it is done, but how long a board takes changes little from level to
//! level. So the level in the making is taken to be as far as the time spent on it says.

use crate::endgame::Stage;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Boards that are done, of all there are.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    total: u64,
    /// Boards that were there before.
    skipped: u64,
    /// Boards of the levels that are done, with those.
    done: u64,
    began: Instant,
    level_began: Instant,
    told: Instant,
}

impl Bar {
    pub fn new(total: u64) -> Bar {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(4));
            let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} positions, {msg}");
            bar.with_style(style.expect("the template is valid"))
        });
        let now = Instant::now();
        Bar { bar, total, skipped: 0, done: 0, began: now, level_began: now, told: now }
    }

    /// So many were there already.
    pub fn skip(&mut self, boards: u64) {
        (self.skipped, self.done) = (boards, boards);
        (self.began, self.level_began) = (Instant::now(), Instant::now());
    }

    /// Levels with so many boards are done.
    pub fn done(&mut self, boards: u64) {
        self.done = boards;
        self.level_began = Instant::now();
    }

    /// A level of so many boards, behind so many others, is in the making.
    pub fn at(&mut self, before: u64, boards: u64, stage: &Stage) {
        let rate =
            (self.done - self.skipped) as f64 / (self.level_began - self.began).as_secs_f64().max(1e-6);
        let by_time = (self.level_began.elapsed().as_secs_f64() * rate / boards as f64).min(0.99);
        let part = if self.done > self.skipped { by_time } else { 0.0 };
        let what = match stage.pass {
            0 => format!("{} seeds, moves out of the level {:.0} %", stage.seeds, 100.0 * stage.part),
            pass => format!("{} seeds, pass {pass} {:.0} %", stage.seeds, 100.0 * stage.part),
        };
        self.exactly(before + (boards as f64 * part) as u64, &what);
    }

    /// So many boards are done.
    pub fn exactly(&mut self, boards: u64, what: &str) {
        let new = boards.saturating_sub(self.skipped);
        let rate = new as f64 / self.began.elapsed().as_secs_f64().max(1e-6);
        let left = if new > 0 { (self.total.saturating_sub(boards)) as f64 / rate } else { f64::NAN };
        let note = if left.is_finite() {
            format!("{what}, {:.2} million a second, {} left", rate / 1e6, clock(left))
        } else {
            what.to_owned()
        };
        if let Some(bar) = &self.bar {
            bar.set_position(boards);
            bar.set_message(note);
        } else if self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            tell(&format!("{boards} of {} positions, {note}", self.total));
        }
    }

    /// A line that stays.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| tell(text)),
            None => tell(text),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// If nobody reads standard error there is nobody to tell.
fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
