//! A game that has been played.

use super::{Outcome, Termination};
use kroo::game::{Game, Side};
use kroo::protocol::InfoScore;
use std::time::Duration;

/// What an engine told with a move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo {
    /// The time it took.
    pub time: Duration,
    /// How deep it has searched.
    pub depth: Option<u32>,
    /// What it thinks of its position.
    pub score: Option<InfoScore>,
}

/// A finished game and how it came about.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game, from its start to where it ended.
    pub game: Game,
    /// How many of its moves are the opening's.
    pub opening: usize,
    /// What the engines told with the moves after the opening, in order.
    pub told: Vec<SearchInfo>,
    /// Who has won.
    pub outcome: Outcome,
    /// Why it is over.
    pub termination: Termination,
    /// Whose fault it was, South's first. If it was both's, neither has lost.
    pub faults: [bool; 2],
    /// What exactly the fault was; said of the engine, as in "closed its output", or of one and then the other.
    pub detail: String,
    /// The time each side has used, South's first.
    pub time: [Duration; 2],
}

impl PlayedGame {
    /// The seeds in the stores at the end, South's first. What the rules hand out at the end is in them.
    #[must_use]
    pub fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.game.position().store(side))
    }

    /// How many moves an engine has made.
    #[must_use]
    pub fn moves_of(&self, side: Side) -> u64 {
        self.game.moves()[self.opening..].iter().filter(|mv| mv.side == side).count() as u64
    }

    /// Cuts all times down to whole microseconds, as they are kept.
    pub fn round_times(&mut self) {
        let times = self.told.iter_mut().map(|told| &mut told.time).chain(&mut self.time);
        times.for_each(|time| *time = Duration::from_micros(time.as_micros() as u64));
    }

    /// Whether it was a side's fault.
    #[must_use]
    pub fn is_fault_of(&self, side: Side) -> bool {
        self.faults[side.index()]
    }

    /// Why it is over, with the culprit: `by the rules`, `crash: A ended with exit status 3`.
    #[must_use]
    pub fn reason(&self, names: [&str; 2]) -> String {
        let culprit = match self.faults {
            [true, false] => format!("{} ", names[Side::South.index()]),
            [false, true] => format!("{} ", names[Side::North.index()]),
            _ => String::new(),
        };
        match self.detail.as_str() {
            "" => self.termination.to_string(),
            detail => format!("{}: {culprit}{detail}", self.termination),
        }
    }
}
