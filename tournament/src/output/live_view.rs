//! The live view at the bottom of a terminal: games played, the score and the state of the SPRT, drawn again after every game.
//! Boards are on the page (`--watch`).

use super::text;
use crate::ledger::results::Score;
use crate::plan::MatchPlan;
use crate::statistics::hundredths;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use kroo::printable;
use std::io;

/// With fewer columns than this, bars do not have a fixed length.
const NARROW: usize = 80;
/// Steps of the bar of an SPRT.
const SPRT_STEPS: u64 = 1_000;

/// The live view. Dropping it removes it.
#[derive(Debug)]
pub(super) struct LiveView {
    all: MultiProgress,
    games: ProgressBar,
    standing: ProgressBar,
    sprt: Option<ProgressBar>,
}

impl LiveView {
    pub fn new(plan: &MatchPlan) -> LiveView {
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

    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.all.suspend(print)
    }

    pub fn advance(&self, score: &Score, plan: &MatchPlan) {
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
