//! A game in the document. The names of the fields are a format that other programs read.

use crate::game::LastWords;
use crate::output::ogn::score_text;
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::schedule::letters;
use kroo::game::{Position, Side};
use kroo::ogn::date;
use serde::Serialize;

/// A game. Pairs of values belong to South and North.
#[derive(Serialize)]
pub(super) struct GameJson<'a> {
    number: u64,
    round: u64,
    date: String,
    south: &'a str,
    north: &'a str,
    /// The position it began with, if that is not the rule set's start position.
    start: Option<String>,
    /// The moves of the opening.
    opening: String,
    /// The moves of the engines.
    moves: String,
    /// The score of each move, in seeds from the side that has moved.
    scores: Vec<Option<String>>,
    depths: Vec<Option<u32>>,
    times: Vec<f64>,
    nodes: Vec<Option<u64>>,
    nps: Vec<Option<u64>>,
    seldepths: Vec<Option<u32>>,
    hashfull: Vec<Option<u32>>,
    tbhits: Vec<Option<u64>>,
    /// The best line of each search.
    lines: Vec<String>,
    /// The time left on the clock after each move, in seconds.
    left: Vec<Option<f64>>,
    result: &'a str,
    termination: &'a str,
    /// The engine that has lost by a fault.
    fault: Option<&'a str>,
    /// The engines at fault: this one; or both, and then neither has lost.
    faults: Vec<&'a str>,
    detail: &'a str,
    /// How often it was played before, and lost because the machine was not there.
    replays: u32,
    /// What each engine at fault has said last.
    last_words: Vec<LastWordsJson<'a>>,
    stores: [u8; 2],
    plies: usize,
    time: [f64; 2],
}

/// What an engine has said before its fault, with nothing in it that controls a terminal.
#[derive(Serialize)]
struct LastWordsJson<'a> {
    engine: &'a str,
    /// The conversation: `> ` stands before what the referee has sent, `< ` before what the engine has.
    lines: &'a [String],
    stderr: &'a [String],
}

impl<'a> GameJson<'a> {
    pub fn new(record: &'a GameRecord, plan: &'a MatchPlan) -> GameJson<'a> {
        let (scheduled, played) = (&record.scheduled, &record.played);
        let [south, north] = plan.names(scheduled);
        let start = played.game.start();
        let (opening, moves) = played.game.moves().split_at(played.opening);
        let at_fault = Side::BOTH.into_iter().filter(|&side| played.is_fault_of(side));
        let faults: Vec<&str> = at_fault.map(|side| [south, north][side.index()]).collect();
        let words = [south, north].into_iter().zip(&played.last_words).filter(|(_, words)| !words.is_empty());
        let last_words =
            words.map(|(engine, LastWords { lines, stderr })| LastWordsJson { engine, lines, stderr });
        GameJson {
            number: scheduled.number,
            round: scheduled.pairing.round,
            date: date(plan.began),
            south,
            north,
            start: (*start != Position::start(plan.variant)).then(|| start.to_string()),
            opening: letters(opening),
            moves: letters(moves),
            scores: played.search_info.iter().map(|info| info.score.map(score_text)).collect(),
            depths: played.search_info.iter().map(|info| info.depth).collect(),
            times: played.search_info.iter().map(|info| info.time.as_secs_f64()).collect(),
            nodes: played.search_info.iter().map(|info| info.nodes).collect(),
            nps: played.search_info.iter().map(|info| info.nps).collect(),
            seldepths: played.search_info.iter().map(|info| info.seldepth).collect(),
            hashfull: played.search_info.iter().map(|info| info.hashfull).collect(),
            tbhits: played.search_info.iter().map(|info| info.tbhits).collect(),
            lines: played.search_info.iter().map(|info| letters(&info.line)).collect(),
            left: played.search_info.iter().map(|info| info.left.map(|left| left.as_secs_f64())).collect(),
            result: played.outcome.score(),
            termination: played.termination.name(),
            fault: Some(&faults).filter(|faults| faults.len() == 1).map(|faults| faults[0]),
            faults,
            detail: &played.detail,
            replays: played.replays,
            last_words: last_words.collect(),
            stores: played.stores(),
            plies: played.game.moves().len(),
            time: played.time.map(|time| time.as_secs_f64()),
        }
    }
}
