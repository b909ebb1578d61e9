//! What engines said of their searches, as a journal keeps it: a column for each number, with a value for each move.

use crate::game::SearchInfo;
use crate::schedule::letters;
use kroo::game::Move;
use kroo::protocol::Proven;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A result that an engine has called proven, for the side that has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalProof {
    /// It wins.
    Win,
    /// The game is a draw.
    Draw,
    /// It loses.
    Loss,
}

/// The columns. One that has no values at all is empty, and is not written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchColumns {
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Option<u64>>,
    /// Nodes per second.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nps: Vec<Option<u64>>,
    /// The lengths of the longest lines, in plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seldepths: Vec<Option<u32>>,
    /// How full the transposition table was, in thousandths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hashfull: Vec<Option<u32>>,
    /// Positions found in an endgame database.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tbhits: Vec<Option<u64>>,
    /// The best lines, one letter a move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Option<String>>,
    /// The time left on the clock, in microseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Option<u64>>,
    /// Results that the engines have called proven.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Option<JournalProof>>,
}

impl SearchColumns {
    /// The columns of a game's searches.
    #[must_use]
    pub fn of(searches: &[SearchInfo]) -> SearchColumns {
        let line = |info: &SearchInfo| letters(&info.line);
        SearchColumns {
            nodes: column(searches, |info| info.nodes),
            nps: column(searches, |info| info.nps),
            seldepths: column(searches, |info| info.seldepth),
            hashfull: column(searches, |info| info.hashfull),
            tbhits: column(searches, |info| info.tbhits),
            lines: column(searches, |info| Some(line(info)).filter(|line| !line.is_empty())),
            left: column(searches, |info| info.left.map(|left| left.as_micros() as u64)),
            proofs: column(searches, |info| info.score?.proven.map(JournalProof::of)),
        }
    }

    /// Whether each column is empty or has a value for each of so many moves.
    pub(super) fn fit(&self, moves: usize) -> bool {
        let SearchColumns { nodes, nps, seldepths, hashfull, tbhits, lines, left, proofs } = self;
        let lengths = [
            nodes.len(),
            nps.len(),
            seldepths.len(),
            hashfull.len(),
            tbhits.len(),
            lines.len(),
            left.len(),
            proofs.len(),
        ];
        lengths.iter().all(|&length| length == 0 || length == moves)
    }

    /// What a search has proven.
    pub(super) fn proven(&self, index: usize) -> Option<Proven> {
        self.proofs.get(index).copied().flatten().map(JournalProof::proven)
    }

    /// What is known about one search; the rest is in columns of their own.
    pub(super) fn info(&self, index: usize) -> SearchInfo {
        let line = self.lines.get(index).cloned().flatten().unwrap_or_default();
        SearchInfo {
            nodes: self.nodes.get(index).copied().flatten(),
            nps: self.nps.get(index).copied().flatten(),
            seldepth: self.seldepths.get(index).copied().flatten(),
            hashfull: self.hashfull.get(index).copied().flatten(),
            tbhits: self.tbhits.get(index).copied().flatten(),
            line: line.chars().filter_map(Move::from_letter).collect(),
            left: self.left.get(index).copied().flatten().map(Duration::from_micros),
            ..SearchInfo::default()
        }
    }
}

impl JournalProof {
    fn of(proven: Proven) -> JournalProof {
        match proven {
            Proven::Win => JournalProof::Win,
            Proven::Draw => JournalProof::Draw,
            Proven::Loss => JournalProof::Loss,
        }
    }

    fn proven(self) -> Proven {
        match self {
            JournalProof::Win => Proven::Win,
            JournalProof::Draw => Proven::Draw,
            JournalProof::Loss => Proven::Loss,
        }
    }
}

fn column<T>(searches: &[SearchInfo], value: impl Fn(&SearchInfo) -> Option<T>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = searches.iter().map(value).collect();
    if values.iter().all(Option::is_none) { Vec::new() } else { values }
}
