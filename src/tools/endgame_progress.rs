//! How far a build of endgames has come.
//!
//! How many iterations a level takes is not known before it is done, but how long a board takes changes little from level
//! to level. So the level that is being built is taken to be as far as the time spent on it says.

use crate::endgame::BuildStatus;
use crate::printable::counted;
use crate::progress::Progress;
use std::time::Instant;

/// A level that is being built is never taken to be further than this.
const NEARLY: f64 = 0.99;

/// Boards that are done, of all there are.
pub struct BoardProgress {
    progress: Progress,
    level_began: Instant,
    /// Boards a second, until the present level.
    rate: f64,
}

impl BoardProgress {
    /// So many boards have to be done.
    #[must_use]
    pub fn new(total: u64) -> BoardProgress {
        let progress = Progress::new("positions", total);
        BoardProgress { progress, level_began: Instant::now(), rate: 0.0 }
    }

    /// So many were there already.
    pub fn skip(&mut self, boards: u64) {
        self.progress.skip(boards);
        self.level_began = Instant::now();
    }

    /// The levels with so many boards are done.
    pub fn done(&mut self, boards: u64) {
        self.rate = self.progress.rate(boards);
        self.level_began = Instant::now();
    }

    /// A level of so many boards, behind so many others, is being built.
    pub fn at(&mut self, before: u64, boards: u64, status: &BuildStatus) {
        let part = (self.level_began.elapsed().as_secs_f64() * self.rate / boards as f64).min(NEARLY);
        let seeds = counted(status.seeds.into(), "seed");
        let what = match status.iteration {
            0 => format!("{seeds}, moves out of the level {:.0} %", 100.0 * status.fraction),
            iteration => {
                format!("{seeds}, iteration {iteration} {:.0} %", 100.0 * status.fraction)
            }
        };
        self.exactly(before + (boards as f64 * part) as u64, &what);
    }

    /// So many boards are done.
    pub fn exactly(&mut self, boards: u64, what: &str) {
        let rate = self.progress.rate(boards);
        let note = match rate > 0.0 {
            true => format!("{what}, {:.2} million a second", rate / 1e6),
            false => what.to_owned(),
        };
        self.progress.at(boards, &note);
    }

    /// A line that stays.
    pub fn line(&self, text: &str) {
        self.progress.line(text);
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.progress.clear();
    }
}
