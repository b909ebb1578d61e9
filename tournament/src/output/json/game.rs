//! A game in the document. The names of the fields are a format that other programs read.

use crate::game::{LastWords, SearchInfo};
use crate::ledger::record::GameRecord;
use crate::output::ogn::score_text;
use crate::plan::MatchPlan;
use crate::schedule::letters;
use kroo::game::{Position, Side};
use kroo::ogn::date;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// The JSON view of a game record. Pairs of values belong to South and North; times are in seconds, scores in seeds from the
/// side that has moved.
pub(super) struct GameJson<'a> {
    pub record: &'a GameRecord,
    pub plan: &'a MatchPlan,
    pub counts: bool,
}

/// The last words of an engine at fault, with nothing in them that controls a terminal.
#[derive(Serialize)]
struct LastWordsJson<'a> {
    engine: &'a str,
    /// The conversation: `> ` marks the referee's lines, `< ` the engine's.
    lines: &'a [String],
    stderr: &'a [String],
}

impl Serialize for GameJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GameJson { record, plan, counts } = self;
        let (scheduled, played) = (&record.scheduled, &record.played);
        let names = plan.names(scheduled);
        let start = played.game.start();
        let (opening, moves) = played.game.moves().split_at(played.opening);
        let at_fault = Side::BOTH.into_iter().filter(|&side| played.is_fault_of(side));
        let faults: Vec<&str> = at_fault.map(|side| names[side.index()]).collect();
        let words = names.into_iter().zip(&played.last_words).filter(|(_, words)| !words.is_empty());
        let words =
            words.map(|(engine, LastWords { lines, stderr })| LastWordsJson { engine, lines, stderr });
        let searches = &played.search_info;
        let seconds = |time: Duration| time.as_secs_f64();
        let mut game = serializer.serialize_struct("GameJson", 29)?;
        game.serialize_field("number", &scheduled.number)?;
        game.serialize_field("round", &scheduled.pairing.round)?;
        game.serialize_field("counts", counts)?;
        game.serialize_field("date", &date(record.date))?;
        game.serialize_field("south", names[0])?;
        game.serialize_field("north", names[1])?;
        // The position it began with, if that is not the rule set's start position.
        game.serialize_field("start", &(*start != Position::start(plan.variant)).then(|| start.to_string()))?;
        game.serialize_field("opening", &letters(opening))?;
        game.serialize_field("moves", &letters(moves))?;
        game.serialize_field("scores", &column(searches, |info| info.score.map(score_text)))?;
        game.serialize_field("depths", &column(searches, |info| info.depth))?;
        game.serialize_field("times", &column(searches, |info| seconds(info.time)))?;
        game.serialize_field("nodes", &column(searches, |info| info.nodes))?;
        game.serialize_field("nps", &column(searches, |info| info.nps))?;
        game.serialize_field("seldepths", &column(searches, |info| info.seldepth))?;
        game.serialize_field("hashfull", &column(searches, |info| info.hashfull))?;
        game.serialize_field("tbhits", &column(searches, |info| info.tbhits))?;
        game.serialize_field("lines", &column(searches, |info| letters(&info.line)))?;
        game.serialize_field("left", &column(searches, |info| info.left.map(seconds)))?;
        game.serialize_field("result", played.outcome.score())?;
        game.serialize_field("termination", played.termination.name())?;
        // The engine that has lost by a fault; `faults` has both if neither has lost.
        game.serialize_field(
            "fault",
            &Some(&faults).filter(|faults| faults.len() == 1).map(|faults| faults[0]),
        )?;
        game.serialize_field("faults", &faults)?;
        game.serialize_field("detail", &played.detail)?;
        game.serialize_field("replays", &played.replays)?;
        game.serialize_field("last_words", &words.collect::<Vec<_>>())?;
        game.serialize_field("stores", &played.stores())?;
        game.serialize_field("plies", &played.game.moves().len())?;
        game.serialize_field("time", &played.time.map(seconds))?;
        game.end()
    }
}

fn column<T>(searches: &[SearchInfo], value: impl Fn(&SearchInfo) -> T) -> Vec<T> {
    searches.iter().map(value).collect()
}
