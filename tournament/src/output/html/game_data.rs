//! A game, as data for the replayer.

use crate::game::SearchInfo;
use crate::ledger::record::GameRecord;
use crate::output::ogn::score_text;
use crate::plan::MatchPlan;
use crate::schedule::letters;
use kroo::game::{Cell, Game, Move, MoveEffects, Pit, Position, Side};
use kroo::ogn::date;
use kroo::printable;
use serde::Serialize;

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
#[derive(Serialize)]
pub(in crate::output) struct GameData {
    number: u64,
    round: u64,
    date: String,
    players: [usize; 2],
    result: &'static str,
    /// Why the game is over, on one line.
    reason: String,
    stores: [u8; 2],
    opening: usize,
    moves: String,
    boards: String,
    /// Letters of places, and a comma between laps.
    falls: Vec<String>,
    /// Letters of pits with their seeds.
    captures: Vec<String>,
    scores: Vec<Option<String>>,
    depths: Vec<Option<u32>>,
    /// In microseconds.
    times: Vec<u64>,
}

impl GameData {
    /// The encoding of a game.
    pub fn of(record: &GameRecord, plan: &MatchPlan) -> GameData {
        let (scheduled, played) = (&record.scheduled, &record.played);
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
        let time = |info: &Option<&SearchInfo>| info.map_or(0, |info| info.time.as_micros() as u64);
        GameData {
            number: scheduled.number,
            round: scheduled.pairing.round,
            date: date(record.date),
            players: scheduled.players,
            result: played.outcome.score(),
            reason: printable::line(&played.reason(plan.names(scheduled))).into_owned(),
            stores: played.stores(),
            opening: played.opening,
            moves: letters(moves),
            boards,
            falls,
            captures,
            scores: searches.iter().map(|info| info.and_then(|info| info.score).map(score_text)).collect(),
            depths: searches.iter().map(|info| info.and_then(|info| info.depth)).collect(),
            times: searches.iter().map(time).collect(),
        }
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
