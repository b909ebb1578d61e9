//! The clocks of people: each runs while its side is to move, from the first move of the game on, gains its increment with a
//! move, and ends the game at zero. The engine has a limit for each move and no clock.

use crate::game::Side;
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

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// The setting that both began with.
    pub setting: ClockSetting,
    /// The time left when the side's clock was last stopped.
    left: [Duration; 2],
    running: Option<(Side, Instant)>,
}

impl Clocks {
    /// Clocks that have not run.
    #[must_use]
    pub fn new(setting: ClockSetting) -> Clocks {
        let full = Duration::from_secs_f64(60.0 * setting.minutes);
        Clocks { setting, left: [full; 2], running: None }
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

    /// Gives a side the time of the beginning again.
    pub fn restore(&mut self, side: Side) {
        self.left[side.index()] = Clocks::new(self.setting).left[side.index()];
    }

    /// The time that a side has left.
    #[must_use]
    pub fn left(&self, side: Side) -> Duration {
        let since = self.running.filter(|(running, _)| *running == side).map(|(_, since)| since.elapsed());
        self.left[side.index()].saturating_sub(since.unwrap_or_default())
    }

    /// The time until the running clock is at zero.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        self.running.map(|(side, _)| self.left(side))
    }

    /// The side whose time has run out.
    #[must_use]
    pub fn fallen(&self) -> Option<Side> {
        self.running.map(|(side, _)| side).filter(|&side| self.left(side).is_zero())
    }

    /// The clocks in a game file: the setting, then the seconds that South and North have left.
    #[must_use]
    pub fn tag(&self) -> String {
        let [south, north] = self.left.map(|left| left.as_millis() as f64 / 1000.0);
        format!("{} {south} {north}", self.setting)
    }

    /// Reads a [tag](Clocks::tag).
    #[must_use]
    pub fn of_tag(text: &str) -> Option<Clocks> {
        let words: Vec<&str> = text.split(' ').collect();
        let &[setting, south, north] = &words[..] else { return None };
        let setting = setting.parse().ok()?;
        // A game with many increments may have more than it began with.
        let seconds = |text: &str| text.parse().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
        Some(Clocks {
            setting,
            left: [seconds(south)?, seconds(north)?].map(Duration::from_secs_f64),
            running: None,
        })
    }
}

/// A time on a clock: `4:58`, and below ten seconds `0:09.3`.
#[must_use]
pub fn shown(time: Duration) -> String {
    let tenths = time.as_millis().div_ceil(100);
    match tenths < 100 {
        true => format!("0:0{}.{}", tenths / 10, tenths % 10),
        false => format!("{}:{:02}", tenths.div_ceil(10) / 60, tenths.div_ceil(10) % 60),
    }
}
