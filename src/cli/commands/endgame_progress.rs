//! The progress of a build of endgames.
//!
//! The number of iterations of a database is known only at its end, but the time per board changes little between databases. So
//! the progress within a database is estimated from the time spent on it.

use crate::endgames::BuildStatus;
use crate::printable::counted;
use crate::progress::Progress;
use std::time::Instant;

/// Maximum estimated progress within a database.
const NEARLY: f64 = 0.99;

/// Boards done, out of a total.
pub struct BoardProgress {
    progress: Progress,
    level_began: Instant,
    /// Boards a second, up to the current database.
    rate: f64,
}

impl BoardProgress {
    /// Progress towards `total` boards.
    pub fn new(total: u64) -> BoardProgress {
        let progress = Progress::new("positions", total);
        BoardProgress { progress, level_began: Instant::now(), rate: 0.0 }
    }

    /// Counts boards that existed before.
    pub fn skip(&mut self, boards: u64) {
        self.progress.skip(boards);
        self.level_began = Instant::now();
    }

    /// Counts the boards of finished databases.
    pub fn done(&mut self, boards: u64) {
        self.rate = self.progress.rate(boards);
        self.level_began = Instant::now();
    }

    /// Shows a database with `boards` boards in progress, after `before` others.
    pub fn at(&mut self, before: u64, boards: u64, status: &BuildStatus) {
        let part = (self.level_began.elapsed().as_secs_f64() * self.rate / boards as f64).min(NEARLY);
        let seeds = counted(status.seeds.into(), "seed");
        let what = match status.iteration {
            0 => format!("{seeds}, moves out of the database {:.0} %", 100.0 * status.fraction),
            iteration => {
                format!("{seeds}, iteration {iteration} {:.0} %", 100.0 * status.fraction)
            }
        };
        self.exactly(before + (boards as f64 * part) as u64, &what);
    }

    /// Shows an exact number of boards.
    pub fn exactly(&mut self, boards: u64, what: &str) {
        let rate = self.progress.rate(boards);
        let note = match rate > 0.0 {
            true => format!("{what}, {:.2} million a second", rate / 1e6),
            false => what.to_owned(),
        };
        self.progress.at(boards, &note);
    }

    pub fn line(&self, text: &str) {
        self.progress.line(text);
    }

    pub fn clear(&self) {
        self.progress.clear();
    }
}
