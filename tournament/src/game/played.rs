//! A game that has been played.

use super::{Outcome, Termination};
use kroo::game::{Game, Side};
use kroo::protocol::InfoScore;
use std::time::Duration;

/// The search info of a move: what the engine said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo {
    /// The time that the move took.
    pub time: Duration,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The score, from the side that has moved.
    pub score: Option<InfoScore>,
}

/// The moves of an engine that took longer than its time, but not longer than the margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overruns {
    /// How many.
    pub moves: u64,
    /// The longest time beyond the limit.
    pub longest: Duration,
}

impl Overruns {
    /// Counts a move that took so much longer than its time.
    pub fn add(&mut self, by: Duration) {
        if by > Duration::ZERO {
            *self = self.with(Overruns { moves: 1, longest: by });
        }
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Overruns) -> Overruns {
        Overruns { moves: self.moves + other.moves, longest: self.longest.max(other.longest) }
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its moves, the opening's included.
    pub game: Game,
    /// How many of its moves belong to the opening.
    pub opening: usize,
    /// The search info of each move after the opening.
    pub search_info: Vec<SearchInfo>,
    /// Who has won.
    pub outcome: Outcome,
    /// Why it is over.
    pub termination: Termination,
    /// Who has ended it by a fault, South first. If both have, neither has lost.
    pub faults: [bool; 2],
    /// What exactly the fault was, as a sentence about the engine without its name: `closed its output`.
    pub detail: String,
    /// The time that each side has used, South's first.
    pub time: [Duration; 2],
    /// The moves of each side that used the margin, South's first.
    pub overruns: [Overruns; 2],
}

impl PlayedGame {
    /// The seeds in the stores at the end, South's first, with the seeds that the rules award at the end.
    #[must_use]
    pub fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.game.position().store(side))
    }

    /// How many moves the engine of a side has made.
    #[must_use]
    pub fn moves_of(&self, side: Side) -> u64 {
        self.game.moves()[self.opening..].iter().filter(|mv| mv.side == side).count() as u64
    }

    /// Rounds all times down to whole microseconds, as the journal keeps them.
    pub fn round_times(&mut self) {
        let times = self.search_info.iter_mut().map(|info| &mut info.time).chain(&mut self.time);
        let times = times.chain(self.overruns.iter_mut().map(|overruns| &mut overruns.longest));
        times.for_each(|time| *time = Duration::from_micros(time.as_micros() as u64));
    }

    /// Whether a side has ended it by a fault.
    #[must_use]
    pub fn is_fault_of(&self, side: Side) -> bool {
        self.faults[side.index()]
    }

    /// Why it is over, and who is at fault: `by the rules`, `crash: A ended with exit status 3`.
    #[must_use]
    pub fn reason(&self, names: [&str; 2]) -> String {
        let name = match self.faults {
            [true, false] => format!("{} ", names[Side::South.index()]),
            [false, true] => format!("{} ", names[Side::North.index()]),
            _ => String::new(),
        };
        match self.detail.as_str() {
            "" => self.termination.to_string(),
            detail => format!("{}: {name}{detail}", self.termination),
        }
    }
}
