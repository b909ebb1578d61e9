//! A game in the document: the form that journals have, and what is easier to read.

use crate::ledger::record::{GameLine, GameRecord};
use crate::plan::MatchPlan;
use kroo::game::Side;
use serde::Serialize;

/// The JSON view of a game record. The names of the fields are a format that other programs read.
#[derive(Serialize)]
pub(super) struct GameJson<'a> {
    south: &'a str,
    north: &'a str,
    /// Whether it is in the results.
    counts: bool,
    /// The engine that has lost by a fault.
    fault: Option<&'a str>,
    /// Its moves, the opening's included.
    plies: usize,
    #[serde(flatten)]
    line: GameLine<'a>,
}

impl<'a> GameJson<'a> {
    pub fn new(record: &'a GameRecord, plan: &'a MatchPlan, counts: bool) -> GameJson<'a> {
        let (played, [south, north]) = (&record.played, plan.names(&record.scheduled));
        let fault = match Side::BOTH.map(|side| played.is_fault_of(side)) {
            [true, false] => Some(south),
            [false, true] => Some(north),
            _ => None,
        };
        let plies = played.game.moves().len();
        GameJson { south, north, counts, fault, plies, line: GameLine::of(record) }
    }
}
