//! How long an engine may think.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock's setting: `[moves/]time+increment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// After so many moves of the side the time is given again; `None` for the whole game at once.
    pub moves: Option<u32>,
    /// The time on the clock.
    pub base: Duration,
    /// What each move adds, the first included: it is there before the move is made.
    pub increment: Duration,
}

/// What ends an engine's thinking. Limits combine: the first one reached counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// A time for each move. An engine has this or a clock, not both.
    pub move_time: Option<Duration>,
    /// Nodes a move. The referee passes it on and cannot check it.
    pub nodes: Option<u64>,
    /// Plies a move. The referee passes it on and cannot check it.
    pub depth: Option<u32>,
    /// How far a move may be late; it is meant for the machine's delays, not for the engine.
    pub margin: Duration,
    /// How long a move may take if no limit of time is set.
    pub watchdog: Duration,
    /// Whether it thinks on its rival's time, too.
    pub ponder: bool,
}

impl Limits {
    /// The margin if none is given.
    pub const MARGIN: Duration = Duration::from_millis(50);
    /// The watchdog's patience if none is given.
    pub const WATCHDOG: Duration = Duration::from_secs(60);
    /// The time a move if no limit is given at all.
    pub const MOVE_TIME: Duration = Duration::from_millis(100);

    /// Whether there is a limit of time, so that what is played depends on the machine.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }
}

impl Default for Limits {
    /// No limit but the watchdog.
    fn default() -> Limits {
        let (margin, watchdog) = (Limits::MARGIN, Limits::WATCHDOG);
        Limits { clock: None, move_time: None, nodes: None, depth: None, margin, watchdog, ponder: false }
    }
}

impl fmt::Display for Limits {
    /// As on the command line: `tc=60+0.6 depth=12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.move_time.map(|time| format!("st={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
            self.ponder.then(|| "ponder=on".to_owned()),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO { write!(f, "+{}", self.increment.as_secs_f64()) } else { Ok(()) }
    }
}

/// A text is not what [`FromStr`] of a [`TimeControl`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected [moves/]time[+increment] in seconds, such as 10+0.1, 40/60 or 1:30+1")]
pub struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                (Some(moves.parse().ok().filter(|&moves| moves > 0).ok_or(TimeControlError)?), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
        let minutes: u32 = minutes.parse().map_err(|_| TimeControlError)?;
        let part = |text| seconds_of(text).ok_or(TimeControlError);
        let base = Duration::from_secs(u64::from(minutes) * 60) + part(seconds)?;
        let increment = part(increment)?;
        if base + increment < Duration::from_millis(1) {
            return Err(TimeControlError);
        }
        Ok(TimeControl { moves, base, increment })
    }
}

/// The longest time that is read, a year or so.
const LONGEST: f64 = 3e7;

/// A number of seconds, not negative, such as `0.02`.
#[must_use]
pub fn seconds_of(text: &str) -> Option<Duration> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = text.parse().ok().filter(|seconds| digits && (0.0..LONGEST).contains(seconds))?;
    Some(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for text in ["40/60+0.6", "10+0.1", "5", "0.05+0.005", "1/0.25", "0+1"] {
            assert_eq!(text.parse::<TimeControl>().expect(text).to_string(), text);
        }
        let minutes: TimeControl = "1:30+1".parse().expect("minutes");
        assert_eq!(minutes.base, Duration::from_secs(90));
        for text in [
            "",
            "+",
            "0",
            "0+0",
            "x",
            "-1",
            "1+-1",
            "0/5",
            "/5",
            "5/",
            "1e3",
            "inf",
            "nan",
            "1:2:3",
            "5+",
            "99999999999",
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }

    #[test]
    fn limits_are_shown_as_words() {
        let clock = "2+0.01".parse().ok();
        let limits = Limits { clock, depth: Some(8), ..Limits::default() };
        assert_eq!(limits.to_string(), "tc=2+0.01 depth=8");
        let limits =
            Limits { move_time: Some(Duration::from_millis(20)), nodes: Some(5), ..Limits::default() };
        assert_eq!(limits.to_string(), "st=0.02 nodes=5");
    }
}
