//! A game, as data for the replayer.

use crate::game::SearchInfo;
use crate::ledger::record::GameRecord;
use crate::output::ogn::score_text;
use crate::plan::MatchPlan;
use crate::schedule::letters;
use kroo::game::{Cell, Game, Move, MoveEffects, Pit, Position, Side};
use kroo::ogn::date;
use kroo::printable;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A digit for each number of seeds. No rule set has more than 48.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

/// The data that all games share.
#[derive(Serialize)]
pub(in crate::output) struct ReportData<'a> {
    engines: Vec<&'a str>,
    event: String,
    /// The rule set's name for people.
    variant: &'static str,
    /// Where a game of it begins, unless another start is set up.
    start: String,
}

impl<'a> ReportData<'a> {
    pub fn new(plan: &'a MatchPlan) -> ReportData<'a> {
        ReportData {
            engines: plan.all_names(),
            event: plan.event.title(plan.contestants.len()).to_owned(),
            variant: plan.variant.title(),
            start: Position::start(plan.variant).to_string(),
        }
    }
}

/// The page's encoding of a game record. Pairs of values belong to South and North.
pub(in crate::output) struct GameData<'a> {
    pub record: &'a GameRecord,
    pub plan: &'a MatchPlan,
}

impl GameData<'_> {
    /// Why the game is over, on one line.
    pub fn reason(&self) -> String {
        let names = self.plan.names(&self.record.scheduled);
        printable::line(&self.record.played.reason(names)).into_owned()
    }
}

impl Serialize for GameData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (scheduled, played) = (&self.record.scheduled, &self.record.played);
        let moves = played.game.moves();
        let mut replayed = Game::new(*played.game.start());
        let mut boards = digits(replayed.position());
        let (mut falls, mut captures) = (Vec::with_capacity(moves.len()), Vec::with_capacity(moves.len()));
        for &mv in moves {
            let effects = replayed.play_telling(mv).expect("the moves of a game that was played are legal");
            captures.push(captured(&effects));
            falls.push(fallen(&effects));
            boards.push_str(&digits(replayed.position()));
        }
        // The moves of the opening have no searches.
        let opening = std::iter::repeat_n(None, played.opening);
        let searches: Vec<Option<&SearchInfo>> = opening.chain(played.search_info.iter().map(Some)).collect();
        let scores = searches.iter().map(|info| info.and_then(|info| info.score).map(score_text));
        let depths = searches.iter().map(|info| info.and_then(|info| info.depth));
        let times = searches.iter().map(|info| info.map_or(0, |info| info.time.as_micros() as u64));
        let mut game = serializer.serialize_struct("GameData", 15)?;
        game.serialize_field("number", &scheduled.number)?;
        game.serialize_field("round", &scheduled.pairing.round)?;
        game.serialize_field("date", &date(self.record.date))?;
        game.serialize_field("players", &scheduled.players)?;
        game.serialize_field("result", played.outcome.score())?;
        game.serialize_field("reason", &self.reason())?;
        game.serialize_field("stores", &played.stores())?;
        game.serialize_field("opening", &played.opening)?;
        game.serialize_field("moves", &letters(moves))?;
        game.serialize_field("boards", &boards)?;
        // Letters of places, and a comma between laps.
        game.serialize_field("falls", &falls)?;
        // Letters of pits with their seeds.
        game.serialize_field("captures", &captures)?;
        game.serialize_field("scores", &scores.collect::<Vec<_>>())?;
        game.serialize_field("depths", &depths.collect::<Vec<_>>())?;
        game.serialize_field("times", &times.collect::<Vec<_>>())?;
        game.end()
    }
}

/// The pits that a move has emptied by capturing, each with its seeds: `a10`.
pub(in crate::output) fn captured(effects: &MoveEffects) -> String {
    let pits = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| Move { side, pit }));
    let seeds = effects.taken.as_flattened().iter();
    pits.zip(seeds).filter(|&(_, &seeds)| seeds > 0).map(|(pit, seeds)| format!("{pit}{seeds}")).collect()
}

/// The places where the seeds of a move fell: `bcd`, or `bcdef,ABC` in two laps.
pub(in crate::output) fn fallen(effects: &MoveEffects) -> String {
    let laps: Vec<String> =
        effects.falls.iter().map(|lap| lap.iter().map(Cell::to_string).collect()).collect();
    laps.join(",")
}

/// Fourteen digits for a board: South's pits, North's pits, both stores.
pub(in crate::output) fn digits(position: &Position) -> String {
    let pits = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| position.row(side).pit(pit)));
    let seeds = pits.chain(Side::BOTH.map(|side| position.store(side)));
    seeds.map(|seeds| char::from(DIGITS[usize::from(seeds).min(63)])).collect()
}
