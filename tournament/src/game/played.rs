//! A game that has been played.

use super::searches::{SearchInfo, micros};
use super::{Outcome, Termination};
use crate::engine::LastWords;
use kroo::game::{Game, Position, Side, Variant};
use kroo::protocol::Ending;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::time::Duration;

/// The moves of an engine that took longer than its time, but not longer than the margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct Overruns {
    /// How many.
    pub moves: u64,
    /// The longest time beyond the limit.
    pub longest: Duration,
}

impl Overruns {
    /// Counts a move that took longer than its time by `by`.
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

impl From<(u64, u64)> for Overruns {
    fn from((moves, longest): (u64, u64)) -> Overruns {
        Overruns { moves, longest: Duration::from_micros(longest) }
    }
}

impl From<Overruns> for (u64, u64) {
    fn from(Overruns { moves, longest }: Overruns) -> (u64, u64) {
        (moves, micros(longest))
    }
}

/// A finished game. Its serde form is that of journals, with times in microseconds, and without the moves and their search
/// info: these are part of the whole line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its moves, the opening's included.
    #[serde(skip, default = "not_replayed")]
    pub game: Game,
    /// How many of its moves belong to the opening.
    #[serde(skip)]
    pub opening: usize,
    /// The search info of each move after the opening.
    #[serde(skip)]
    pub search_info: Vec<SearchInfo>,
    /// The result.
    #[serde(rename = "result")]
    pub outcome: Outcome,
    /// Why it is over.
    pub termination: Termination,
    /// Whether each side has ended it by a fault, South first. If both have, neither has lost.
    pub faults: [bool; 2],
    /// The fault, as a sentence about the engine without its name: `closed its output`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub detail: String,
    /// The time that each side has used, South's first.
    #[serde(rename = "used", with = "pair_of_micros")]
    pub time: [Duration; 2],
    /// The moves of each side that used the margin, South's first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub overruns: [Overruns; 2],
    /// How often it was played before, and lost by a machine stall.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replays: u32,
    /// The `id name` of each side's engine, South's first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub id_names: [Option<String>; 2],
    /// The last lines of each side's engine, if it is at fault.
    #[serde(default, skip_serializing_if = "is_default")]
    pub last_words: [LastWords; 2],
}

/// Whether a value says nothing, and is left out where a game is stored.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn not_replayed() -> Game {
    Game::new(Position::start(Variant::Awari))
}

mod pair_of_micros {
    use super::micros;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(times: &[Duration; 2], serializer: S) -> Result<S::Ok, S::Error> {
        times.map(micros).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Duration; 2], D::Error> {
        <[u64; 2]>::deserialize(deserializer).map(|times| times.map(Duration::from_micros))
    }
}

impl PlayedGame {
    /// The seeds in the stores at the end, South's first, with the seeds that the rules award at the end.
    pub fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.game.position().store(side))
    }

    /// How many moves the engine of a side has made.
    pub fn moves_of(&self, side: Side) -> u64 {
        self.game.moves()[self.opening..].iter().filter(|mv| mv.side == side).count() as u64
    }

    /// Rounds all times down to whole microseconds, the unit of the journal.
    pub fn round_times(&mut self) {
        let of_moves = self
            .search_info
            .iter_mut()
            .flat_map(|info| Some(&mut info.time).into_iter().chain(&mut info.left));
        let times = of_moves.chain(&mut self.time);
        let times = times.chain(self.overruns.iter_mut().map(|overruns| &mut overruns.longest));
        times.for_each(|time| *time = Duration::from_micros(micros(*time)));
    }

    /// Impossible claims of a side's engine: a line that does not begin with its own move, and a proven win or draw that was not
    /// kept in a game played to its end by the rules. A proven loss may turn out better: the rival may err. The numbers are those
    /// of the moves, from 1.
    pub fn contradictions(&self, side: Side) -> [Option<usize>; 2] {
        let moves = self.game.moves()[self.opening..].iter().zip(&self.search_info).enumerate();
        let (mut line, mut proof) = (None, None);
        let result = match self.outcome {
            Outcome::Win(winner) if winner == side => Ordering::Greater,
            Outcome::Win(_) => Ordering::Less,
            Outcome::Draw | Outcome::Void => Ordering::Equal,
        };
        for (index, (mv, info)) in moves.filter(|(_, (mv, _))| mv.side == side) {
            let number = self.opening + index + 1;
            if info.line.first().is_some_and(|first| first != mv) {
                line.get_or_insert(number);
            }
            if self.termination == Termination::Rules && info.proof().is_some_and(|proof| result < proof) {
                proof.get_or_insert(number);
            }
        }
        [line, proof]
    }

    /// Whether a side has ended it by a fault.
    pub fn is_fault_of(&self, side: Side) -> bool {
        self.faults[side.index()]
    }

    /// Why it is over, and the engine at fault: `by the rules: South has no seeds`, `crash: A ended with exit status 3`.
    pub fn reason(&self, names: [&str; 2]) -> String {
        let name = match self.faults {
            [true, false] => format!("{} ", names[Side::South.index()]),
            [false, true] => format!("{} ", names[Side::North.index()]),
            _ => String::new(),
        };
        match self.detail.as_str() {
            "" => match Ending::of_game(&self.game, 0) {
                Some(ending) if self.termination == Termination::Rules => ending.to_string(),
                _ => self.termination.to_string(),
            },
            detail => format!("{}: {name}{detail}", self.termination),
        }
    }
}
