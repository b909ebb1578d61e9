//! `info` lines: what an engine reports during a search.

use super::score::{InfoScore, score};
use super::words::{OneWord, Parsed, Tail, integer, moves, pair_of, single_move, take, token};
use kroo_core::game::Move;
use std::fmt;

/// The contents of an `info` line. What the line does not mention is none, or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration, in plies.
    pub depth: Option<u32>,
    /// Length of the longest line, in plies.
    pub seldepth: Option<u32>,
    /// The number of this line among the best lines, from 1.
    pub multipv: Option<u32>,
    /// The score for the side to move.
    pub score: Option<InfoScore>,
    /// Nodes searched so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in an endgame database.
    pub tbhits: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The move of the root that is being searched.
    pub currmove: Option<Move>,
    /// The number of that move, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation: the best line.
    pub pv: Vec<Move>,
    /// Free text: the rest of the line, without blanks around it.
    pub string: Option<String>,
}

impl Info {
    /// A line with a remark for people. Line breaks become spaces.
    #[must_use]
    pub fn text(remark: &str) -> Info {
        let line = remark.replace(['\n', '\r'], " ");
        let line = line.trim_matches([' ', '\t']);
        Info { string: Some(line.to_owned()), ..Info::default() }
    }

    /// Parses the next word and its value. What does not fit is skipped.
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
