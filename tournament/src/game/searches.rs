//! The search info of a game's moves. It is stored as a list for each value, with a cell for each move.

use crate::schedule::letters;
use kroo::game::{Move, Verdict};
use kroo::protocol::{Info, InfoScore, Reply, ScoreValue};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::time::Duration;

/// Moves of a line that are kept.
const MAX_LINE_MOVES: usize = 64;

/// The engine's search info about a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchInfo {
    /// The time that the move took.
    pub time: Duration,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The score, from the side that moved, without unproven results and without chances.
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
    /// The time left on the clock after the move, if there is a clock.
    pub left: Option<Duration>,
}

impl SearchInfo {
    /// The `info` line of a search with the score that counts.
    pub fn new(info: Info, time: Duration, left: Option<Duration>) -> SearchInfo {
        let Info { depth, score, nodes, nps, seldepth, hashfull, tbhits, pv: mut line, .. } = info;
        line.truncate(MAX_LINE_MOVES);
        let score = score.map(|score| InfoScore { found: None, wdl: None, ..score });
        SearchInfo { time, depth, score, nodes, nps, seldepth, hashfull, tbhits, line, left }
    }

    /// The result that the score calls proven, for the side that has moved: more than 0 for a win, less for a loss.
    pub fn proof(&self) -> Option<Ordering> {
        let score = self.score.filter(|score| score.is_definite())?;
        match (score.proven, score.value) {
            (Some(Verdict::Win), _) => Some(Ordering::Greater),
            (Some(Verdict::Draw), _) => Some(Ordering::Equal),
            (Some(Verdict::Loss), _) => Some(Ordering::Less),
            (None, ScoreValue::Mate(moves)) => Some(moves.cmp(&0)),
            (None, ScoreValue::Cp(_)) => None,
        }
    }
}

/// Declares the lists: the name of each, which is the format, its cells, and how they are read from a search and set again. A
/// list without any value is left out.
macro_rules! columns {
    ($($column:ident: $cell:ty, $read:expr, $set:expr;)*) => {
        /// The search info of a game's moves as it is stored; times are in microseconds.
        #[derive(Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Searches {
            $(#[serde(skip_serializing_if = "Vec::is_empty")] $column: Vec<Option<$cell>>,)*
        }

        impl Searches {
            /// The stored form.
            pub fn of(searches: &[SearchInfo]) -> Searches {
                Searches { $($column: column(searches, $read),)* }
            }

            /// The search info of this many moves; `None` if a list has fewer cells, or more.
            #[must_use]
            pub fn of_moves(self, moves: usize) -> Option<Vec<SearchInfo>> {
                if self.times.len() != moves {
                    return None;
                }
                let mut searches = vec![SearchInfo::default(); moves];
                $(set(&mut searches, self.$column, $set)?;)*
                Some(searches)
            }
        }
    };
}

columns! {
    times: u64, |info| Some(micros(info.time)), |info, time| info.time = Duration::from_micros(time);
    scores: Score, |info| info.score.map(Score), |info, Score(score)| info.score = Some(score);
    depths: u32, |info| info.depth, |info, depth| info.depth = Some(depth);
    nodes: u64, |info| info.nodes, |info, nodes| info.nodes = Some(nodes);
    nps: u64, |info| info.nps, |info, nps| info.nps = Some(nps);
    seldepths: u32, |info| info.seldepth, |info, depth| info.seldepth = Some(depth);
    hashfull: u32, |info| info.hashfull, |info, full| info.hashfull = Some(full);
    tbhits: u64, |info| info.tbhits, |info, hits| info.tbhits = Some(hits);
    lines: String, |info| Some(letters(&info.line)).filter(|line| !line.is_empty()),
        |info, line: String| info.line = line.chars().filter_map(Move::from_letter).collect();
    left: u64, |info| info.left.map(micros), |info, left| info.left = Some(Duration::from_micros(left));
}

fn column<T>(searches: &[SearchInfo], read: impl Fn(&SearchInfo) -> Option<T>) -> Vec<Option<T>> {
    let cells: Vec<Option<T>> = searches.iter().map(read).collect();
    if cells.iter().all(Option::is_none) { Vec::new() } else { cells }
}

fn set<T>(
    searches: &mut [SearchInfo],
    cells: Vec<Option<T>>,
    set: impl Fn(&mut SearchInfo, T),
) -> Option<()> {
    if !cells.is_empty() && cells.len() != searches.len() {
        return None;
    }
    let known = searches.iter_mut().zip(cells).filter_map(|(info, cell)| Some((info, cell?)));
    known.for_each(|(info, cell)| set(info, cell));
    Some(())
}

pub(super) fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// A score: hundredths of a seed or, if there is more to it, the words of an `info` line: `mate 3`, `cp 20 upperbound`.
struct Score(InfoScore);

#[derive(Deserialize)]
#[serde(untagged)]
enum ScoreCell {
    Centiseeds(i32),
    Words(String),
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.value {
            ScoreValue::Cp(cp) if self.0 == InfoScore::cp(cp) => serializer.serialize_i32(cp),
            _ => serializer.collect_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        let text = match ScoreCell::deserialize(deserializer)? {
            ScoreCell::Centiseeds(cp) => return Ok(Score(InfoScore::cp(cp))),
            ScoreCell::Words(text) => text,
        };
        let score = match Reply::parse(&format!("info score {text}")) {
            Ok(Reply::Info(info)) => info.score.filter(|score| score.to_string() == text),
            _ => None,
        };
        score.map(Score).ok_or_else(|| D::Error::custom("a score in it is not a score"))
    }
}
