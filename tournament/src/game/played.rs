//! A game that has been played.

use super::{Outcome, Termination};
use crate::engine::LastWords;
use kroo::game::{Game, Move, Side};
use kroo::protocol::{Ending, Info, InfoScore, Proven, ScoreValue};
use std::cmp::Ordering;
use std::time::Duration;

/// Moves of a line that are kept.
const MAX_LINE_MOVES: usize = 64;

/// The search info of a move: what the engine said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchInfo {
    /// The time that the move took.
    pub time: Duration,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The score, from the side that has moved.
    pub score: Option<InfoScore>,
    /// The nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The length of the longest line, in plies.
    pub seldepth: Option<u32>,
    /// How full the transposition table was, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in an endgame database.
    pub tbhits: Option<u64>,
    /// The best line, which begins with the move.
    pub line: Vec<Move>,
    /// The time left on the clock after the move, if there is one.
    pub left: Option<Duration>,
}

impl SearchInfo {
    /// The `info` line of a search whose score counts.
    #[must_use]
    pub fn new(info: Info, time: Duration, left: Option<Duration>) -> SearchInfo {
        let Info { depth, score, nodes, nps, seldepth, hashfull, tbhits, pv: mut line, .. } = info;
        line.truncate(MAX_LINE_MOVES);
        SearchInfo { time, depth, score, nodes, nps, seldepth, hashfull, tbhits, line, left }
    }

    /// The result that the score calls proven, for the side that has moved: more than 0 for a win, less for a loss.
    #[must_use]
    pub fn proof(&self) -> Option<Ordering> {
        let score = self.score.filter(|score| score.is_definite())?;
        match (score.proven, score.value) {
            (Some(Proven::Win), _) => Some(Ordering::Greater),
            (Some(Proven::Draw), _) => Some(Ordering::Equal),
            (Some(Proven::Loss), _) => Some(Ordering::Less),
            (None, ScoreValue::Mate(moves)) => Some(moves.cmp(&0)),
            (None, ScoreValue::Cp(_)) => None,
        }
    }
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

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Its moves, the opening's included.
    pub game: Game,
    /// How many of its moves belong to the opening.
    pub opening: usize,
    /// The search info of each move after the opening.
    pub search_info: Vec<SearchInfo>,
    /// The result.
    pub outcome: Outcome,
    /// Why it is over.
    pub termination: Termination,
    /// Whether each side has ended it by a fault, South first. If both have, neither has lost.
    pub faults: [bool; 2],
    /// The fault, as a sentence about the engine without its name: `closed its output`.
    pub detail: String,
    /// The time that each side has used, South's first.
    pub time: [Duration; 2],
    /// The moves of each side that used the margin, South's first.
    pub overruns: [Overruns; 2],
    /// How often it was played before, and lost by a machine stall.
    pub replays: u32,
    /// The `id name` of each side's engine, South's first.
    pub id_names: [Option<String>; 2],
    /// The last lines of each side's engine, if it is at fault.
    pub last_words: [LastWords; 2],
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
        let of_moves = self
            .search_info
            .iter_mut()
            .flat_map(|info| Some(&mut info.time).into_iter().chain(&mut info.left));
        let times = of_moves.chain(&mut self.time);
        let times = times.chain(self.overruns.iter_mut().map(|overruns| &mut overruns.longest));
        times.for_each(|time| *time = Duration::from_micros(time.as_micros() as u64));
    }

    /// Impossible claims of a side's engine: a line that does not begin with its own move, and a proven win or
    /// draw that was not kept in a game played to its end by the rules. A proven loss may turn out better: the rival may err. The
    /// numbers are those of the moves, from 1.
    #[must_use]
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
    #[must_use]
    pub fn is_fault_of(&self, side: Side) -> bool {
        self.faults[side.index()]
    }

    /// Why it is over, and the engine at fault: `by the rules: South has no seeds`, `crash: A ended with exit status 3`.
    #[must_use]
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
