//! A game, as data for the replayer.

use crate::output::ogn::score_text;
use crate::plan::MatchPlan;
use crate::record::GameRecord;
use crate::schedule::letters;
use kroo::game::{Cell, Game, Move, MoveEffects, Pit, Position, Side};
use kroo::ogn::date;
use kroo::printable;
use serde::Serialize;

/// A digit for each number of seeds. No rule set has more than 48.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

/// What all games have in common.
#[derive(Serialize)]
pub(in crate::output) struct ReportData<'a> {
    engines: Vec<&'a str>,
    event: String,
    /// The rule set's name for people.
    variant: &'static str,
    /// Where a game of it begins, if nobody sets up something else.
    start: String,
    date: String,
}

impl<'a> ReportData<'a> {
    pub fn new(plan: &'a MatchPlan) -> ReportData<'a> {
        ReportData {
            engines: plan.all_names(),
            event: plan.event.title(plan.contestants.len()).to_owned(),
            variant: plan.variant.title(),
            start: Position::start(plan.variant).to_string(),
            date: date(plan.began),
        }
    }
}

/// A game. Pairs of values belong to South and North.
#[derive(Serialize)]
pub(in crate::output) struct GameData {
    number: u64,
    round: u64,
    players: [usize; 2],
    result: &'static str,
    pub reason: String,
    stores: [u8; 2],
    /// How many moves belong to the opening.
    opening: usize,
    moves: String,
    /// Fourteen digits for each board: South's pits, North's pits, both stores.
    boards: String,
    /// Where the seeds of each move fell: letters of places, and a comma between laps.
    falls: Vec<String>,
    /// What each move has captured: letters of pits with their seeds.
    captures: Vec<String>,
    /// The score of each move, in seeds from the side that has moved; none in the opening.
    scores: Vec<Option<String>>,
    depths: Vec<Option<u32>>,
    /// The time of each move, in microseconds.
    times: Vec<u64>,
}

impl GameData {
    pub fn new(record: &GameRecord, plan: &MatchPlan) -> GameData {
        let (scheduled, played) = (&record.scheduled, &record.played);
        let mut game = Game::new(*played.game.start());
        let mut boards = digits(game.position());
        let mut captures = Vec::with_capacity(played.game.moves().len());
        let mut falls = Vec::with_capacity(played.game.moves().len());
        for &mv in played.game.moves() {
            let effects = game.play_telling(mv).expect("the moves of a game that was played are legal");
            captures.push(captured(&effects));
            falls.push(fallen(&effects));
            boards.push_str(&digits(game.position()));
        }
        let opening = std::iter::repeat_n(None, played.opening);
        let searches = || opening.clone().chain(played.search_info.iter().map(Some));
        GameData {
            number: scheduled.number,
            round: scheduled.pairing.round,
            players: scheduled.players,
            result: played.outcome.score(),
            reason: printable::line(&played.reason(plan.names(scheduled))).into_owned(),
            stores: played.stores(),
            opening: played.opening,
            moves: letters(played.game.moves()),
            boards,
            falls,
            captures,
            scores: searches().map(|info| info.and_then(|info| info.score).map(score_text)).collect(),
            depths: searches().map(|info| info.and_then(|info| info.depth)).collect(),
            times: searches().map(|info| info.map_or(0, |info| info.time.as_micros() as u64)).collect(),
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
