//! The clocks of people: each runs while its side is to move, from the first move of the game on, gains its increment with a
//! move, and ends the game at zero. The engine has a limit for each move and no clock.

use crate::game::Side;
use crate::ogn::GameRecord;
use crate::printable::{MAX_WORD, clipped};
use crate::time::Instant;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Most minutes of a clock, and most seconds of an increment.
const MOST: f64 = 180.0;
/// Fewest minutes of a clock.
const LEAST: f64 = 0.01;

/// The time of each person for a game, and the increment: `5+3` is five minutes and three seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockSetting {
    minutes: f64,
    increment: f64,
}

impl FromStr for ClockSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockSetting, String> {
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, least| text.parse().ok().filter(|number| (least..=MOST).contains(number));
        match (number(minutes, LEAST), number(increment, 0.0)) {
            (Some(minutes), Some(increment)) => Ok(ClockSetting { minutes, increment }),
            _ => Err(format!(
                "`{}` is not a clock: expected minutes from {LEAST} to {MOST}, and after `+` the seconds that a move gains, up to {MOST}, \
                 such as `5+3`.",
                clipped(text, MAX_WORD)
            )),
        }
    }
}

impl fmt::Display for ClockSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.increment {
            0.0 => write!(f, "{}", self.minutes),
            increment => write!(f, "{}+{increment}", self.minutes),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// The setting that both began with.
    pub setting: ClockSetting,
    /// The moves that were made when the clocks were set.
    since: usize,
    /// The time left when the side's clock was last stopped.
    left: [Duration; 2],
    running: Option<(Side, Instant)>,
}

impl Clocks {
    /// Clocks that have not run, set after `since` moves.
    pub fn new(setting: ClockSetting, since: usize) -> Clocks {
        let full = Duration::from_secs_f64(60.0 * setting.minutes);
        Clocks { setting, since, left: [full; 2], running: None }
    }

    /// The clocks after all moves of a game, whose comments have the times.
    pub fn of_game(self, record: &GameRecord) -> Clocks {
        let mut clocks = Clocks::new(self.setting, self.since.min(record.notes.len()));
        let timed = record.game.moves().iter().zip(&record.notes).skip(clocks.since);
        for (mv, time) in timed.filter_map(|(mv, notes)| Some((mv, noted(&notes.comment)?))) {
            clocks.left[mv.side.index()] = time;
        }
        clocks
    }

    /// Lets the clock of a side run, or no clock.
    pub fn run(&mut self, side: Option<Side>) {
        if self.running.map(|(side, _)| side) != side {
            self.stop();
            self.running = side.map(|side| (side, Instant::now()));
        }
    }

    /// Stops the clock of a side after its move, which gains the increment.
    pub fn moved(&mut self, side: Side) {
        if self.running.is_some_and(|(running, _)| running == side) {
            self.stop();
            self.left[side.index()] += Duration::from_secs_f64(self.setting.increment);
        }
    }

    fn stop(&mut self) {
        if let Some((side, _)) = self.running {
            self.left[side.index()] = self.left(side);
            self.running = None;
        }
    }

    /// The time that a side has left.
    pub fn left(&self, side: Side) -> Duration {
        let since = self.running.filter(|(running, _)| *running == side).map(|(_, since)| since.elapsed());
        self.left[side.index()].saturating_sub(since.unwrap_or_default())
    }

    /// The time until the running clock is at zero.
    pub fn patience(&self) -> Option<Duration> {
        self.running.map(|(side, _)| self.left(side))
    }

    /// The side with no time left.
    pub fn fallen(&self) -> Option<Side> {
        self.running.map(|(side, _)| side).filter(|&side| self.left(side).is_zero())
    }

    /// The time that a side has left after its move, as a comment of the move: `[%clk 0:04:58.512]`.
    pub fn note(&self, side: Side) -> String {
        let left = self.left(side).as_millis();
        let (seconds, rest) = (left / 1000, left % 1000);
        let rest = if rest == 0 { String::new() } else { format!(".{rest:03}") };
        format!("{NOTE}{}:{:02}:{:02}{rest}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    /// The clocks in a game file: the setting, then the moves that were made before, if there were any.
    pub fn tag(&self) -> String {
        match self.since {
            0 => self.setting.to_string(),
            moves => format!("{} {moves}", self.setting),
        }
    }

    /// Reads a [tag](Clocks::tag).
    pub fn of_tag(text: &str) -> Option<Clocks> {
        let (setting, since) = text.split_once(' ').unwrap_or((text, "0"));
        Some(Clocks::new(setting.parse().ok()?, since.parse().ok()?))
    }
}

/// The beginning of a comment with the time that is left; PGN has it from the clocks of chess.
const NOTE: &str = "[%clk ";

/// The time in a [comment](Clocks::note).
fn noted(comment: &str) -> Option<Duration> {
    let (time, _) = comment.split_once(NOTE)?.1.split_once(']')?;
    let parts = time.split(':').map(|part| part.parse::<f64>().ok());
    let seconds = parts.reduce(|sum, part| Some(60.0 * sum? + part?))??;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// A time on a clock: `4:58`, and below ten seconds `0:09.3`.
pub fn shown(time: Duration) -> String {
    let tenths = time.as_millis().div_ceil(100);
    match tenths < 100 {
        true => format!("0:0{}.{}", tenths / 10, tenths % 10),
        false => format!("{}:{:02}", tenths.div_ceil(10) / 60, tenths.div_ceil(10) % 60),
    }
}
