//! `info` lines, an engine's reports during a search.

use super::score::{InfoScore, score};
use super::words::{OneWord, Parsed, Tail, integer, moves, pair_of, single_move, take, token};
use kroo_core::game::Move;
use std::fmt;

/// An `info` line. Fields that the line lacks are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Length of the longest line in plies.
    pub seldepth: Option<u32>,
    /// Rank of this line in MultiPV, from 1.
    pub multipv: Option<u32>,
    /// The score for the side to move.
    pub score: Option<InfoScore>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Fill of the transposition table in thousandths.
    pub hashfull: Option<u32>,
    /// Hits in endgame databases.
    pub tbhits: Option<u64>,
    /// Search time in milliseconds.
    pub time: Option<u64>,
    /// The current root move.
    pub currmove: Option<Move>,
    /// The number of the current root move, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Free text: the rest of the line, trimmed.
    pub string: Option<String>,
}

impl Info {
    /// A line with free text. Line breaks become spaces.
    pub fn text(remark: &str) -> Info {
        let line = remark.replace(['\n', '\r'], " ");
        let line = line.trim_matches([' ', '\t']);
        Info { string: Some(line.to_owned()), ..Info::default() }
    }

    /// Parses the next word and its value, or skips a word.
    fn read<'a>(&mut self, input: &'a str) -> Parsed<'a, ()> {
        let (rest, word) = token(input)?;
        let rest = match word {
            "depth" => take(rest, &mut self.depth, integer),
            "seldepth" => take(rest, &mut self.seldepth, integer),
            "multipv" => take(rest, &mut self.multipv, integer),
            "score" => {
                let (rest, score) = score(rest);
                self.score = score.or(self.score);
                rest
            }
            "nodes" => take(rest, &mut self.nodes, integer),
            "nps" => take(rest, &mut self.nps, integer),
            "hashfull" => take(rest, &mut self.hashfull, integer),
            "tbhits" => take(rest, &mut self.tbhits, integer),
            "time" => take(rest, &mut self.time, integer),
            "currmove" => take(rest, &mut self.currmove, single_move),
            "currmovenumber" => take(rest, &mut self.currmovenumber, integer),
            "pv" => {
                let (rest, moves) = moves(rest)?;
                self.pv = moves;
                rest
            }
            "string" => {
                self.string = Some(rest.to_owned());
                ""
            }
            _ => rest,
        };
        Ok((rest, ()))
    }
}

/// Parses the text after `info`. No text is an error.
pub(super) fn info(mut input: &str) -> Parsed<'_, Info> {
    let mut info = Info::default();
    while !input.is_empty() {
        (input, ()) = info.read(input)?;
    }
    Ok((input, info))
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        pair_of(f, "depth", self.depth)?;
        pair_of(f, "seldepth", self.seldepth)?;
        pair_of(f, "multipv", self.multipv)?;
        pair_of(f, "score", self.score)?;
        pair_of(f, "nodes", self.nodes)?;
        pair_of(f, "nps", self.nps)?;
        pair_of(f, "hashfull", self.hashfull)?;
        pair_of(f, "tbhits", self.tbhits)?;
        pair_of(f, "time", self.time)?;
        pair_of(f, "currmove", self.currmove)?;
        pair_of(f, "currmovenumber", self.currmovenumber)?;
        pair_of(f, "pv", Some(OneWord(&self.pv)).filter(|line| !line.0.is_empty()))?;
        self.string.as_deref().map_or(Ok(()), |text| write!(f, " string{}", Tail(text)))
    }
}
