//! How long an engine may think, and its clock.

use kroo::protocol::MAX_DEPTH;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time control in the form of match runners: `[moves/]time[+increment]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// After this many moves of a side its time is added again; `None` if the time is for the whole game.
    pub moves: Option<u32>,
    /// The time on the clock at the start.
    pub base: Duration,
    /// The time that each move adds. It is added before the move, the first one included.
    pub increment: Duration,
}

/// The limits of an engine's search. They combine: the first one reached counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub clock: Option<TimeControl>,
    /// The time for each move. An engine has this or a clock, not both.
    pub move_time: Option<Duration>,
    /// Nodes for each move. The referee passes this on and cannot check it.
    pub nodes: Option<u64>,
    /// The depth of each search, in plies. The referee passes this on and cannot check it.
    pub depth: Option<u32>,
    /// How late a move may be; on a clock, how far it may go below zero. This is for delays of the machine; the engine is not
    /// told.
    pub margin: Duration,
    /// How long a move may take without a time limit. After that the engine counts as hung.
    pub watchdog: Duration,
    /// Whether it ponders: it searches on its opponent's time, too.
    pub ponder: bool,
}

impl Limits {
    /// The default margin.
    pub const MARGIN: Duration = Duration::from_millis(50);
    /// The default watchdog time.
    pub const WATCHDOG: Duration = Duration::from_secs(60);
    /// The time for each move without any limit.
    pub const MOVE_TIME: Duration = Duration::from_millis(100);

    /// The same limits with all times of clocks and moves multiplied; none gets shorter than a millisecond.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Limits {
        let scaled = |time: Duration| time.mul_f64(factor);
        let some = |time: Duration| scaled(time).max(Duration::from_millis(1));
        self.clock = self.clock.map(|clock| TimeControl {
            base: if clock.base > Duration::ZERO { some(clock.base) } else { clock.base },
            increment: scaled(clock.increment),
            ..clock
        });
        self.move_time = self.move_time.map(some);
        self
    }

    /// Whether the referee can play with them, and with these other times: those of a file may be anything.
    pub fn check(&self, others: &[Duration]) -> Result<(), &'static str> {
        let longest = Duration::from_secs_f64(MAX_SECONDS);
        let clock = self.clock.iter().flat_map(|clock| [clock.base, clock.increment]);
        let times = clock.chain(self.move_time).chain([self.margin, self.watchdog]);
        if times.chain(others.iter().copied()).any(|time| time > longest) {
            return Err("a time is longer than 30000000 seconds");
        }
        if self.clock.is_some() && self.move_time.is_some() {
            return Err("a clock and a time for each move exclude each other");
        }
        if self.clock.is_some_and(|clock| clock.moves == Some(0)) {
            return Err("a clock is for at least one move");
        }
        let whole = self.clock.map(|clock| clock.base + clock.increment);
        if whole.into_iter().chain(self.move_time).any(|time| time < SHORTEST) {
            return Err("the time for a move is shorter than a millisecond");
        }
        if self.nodes == Some(0) {
            return Err("a search has at least one node");
        }
        if self.depth.is_some_and(|depth| !(1..=MAX_DEPTH).contains(&depth)) {
            return Err("the depth of a search is from 1 to 127");
        }
        Ok(())
    }

    /// Whether there is a time limit: the moves then depend on the machine.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }
}

impl Default for Limits {
    /// No limit except the watchdog.
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

impl FromStr for TimeControl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TimeControl, &'static str> {
        TimeControl::read(text)
            .ok_or("expected [moves/]time[+increment] in seconds, such as 10+0.1, 40/60 or 1:30+1")
    }
}

impl TimeControl {
    fn read(text: &str) -> Option<TimeControl> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
        let minutes: u32 = minutes.parse().ok()?;
        let base = Duration::from_secs(u64::from(minutes) * 60) + seconds_of(seconds)?;
        let increment = seconds_of(increment)?;
        (base + increment >= SHORTEST).then_some(TimeControl { moves, base, increment })
    }
}

/// The time that a side has left. It belongs to the side, not to the parity of the ply: a side may move twice in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    /// How far it is below zero: time of the margin that has been used.
    overdrawn: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// A clock before the first move: the time and one increment.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.base + control.increment,
            overdrawn: Duration::ZERO,
            moves_to_go: control.moves,
        }
    }

    /// The time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// How far the clock is below zero. It reduces the margin, and the next added time pays it back: the whole game has one
    /// margin, not each move.
    pub fn overdrawn(&self) -> Duration {
        self.overdrawn
    }

    /// The time that each move adds.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the time is added again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes off the time that a move has used.
    pub fn spend(&mut self, used: Duration) {
        self.overdrawn += used.saturating_sub(self.left);
        self.left = self.left.saturating_sub(used);
        self.add(self.control.increment);
        self.moves_to_go = self.moves_to_go.map(|moves| moves - 1);
        if self.moves_to_go == Some(0) {
            self.add(self.control.base);
            self.moves_to_go = self.control.moves;
        }
    }

    fn add(&mut self, time: Duration) {
        let paid_back = time.min(self.overdrawn);
        self.overdrawn -= paid_back;
        self.left += time - paid_back;
    }
}

/// The shortest time for a move: the protocol has no shorter one.
const SHORTEST: Duration = Duration::from_millis(1);

/// The longest time that is accepted, in seconds: almost a year.
const MAX_SECONDS: f64 = 3e7;

/// Reads a number of seconds that is not negative, such as `0.02`.
pub fn seconds_of(text: &str) -> Option<Duration> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = text.parse().ok().filter(|seconds| digits && (0.0..MAX_SECONDS).contains(seconds))?;
    Some(Duration::from_secs_f64(seconds))
}
