//! The boards of the games in progress, as data for the page.

use crate::output::html::{captured, digits, fallen};
use crate::run::BoardSnapshot;
use kroo::game::{Move, Position, Side};
use serde::Serialize;

/// Most boards that a page gets; more cannot be followed.
const MAX_BOARDS: usize = 32;

#[derive(PartialEq, Serialize)]
pub(super) struct BoardsData {
    boards: Vec<BoardData>,
    /// How many games are in progress besides.
    more: usize,
}

#[derive(PartialEq, Serialize)]
struct BoardData {
    /// The worker that plays it; its next game takes the same place on the page.
    worker: usize,
    number: u64,
    players: [usize; 2],
    /// How many moves have been made, and the last one.
    moves: usize,
    last: Option<char>,
    /// The pits and the stores, a digit each.
    board: String,
    /// The side to move: S or N.
    side: char,
    /// How the last move came about, if that is known.
    step: Option<StepData>,
}

/// A move, for its animation.
#[derive(PartialEq, Serialize)]
struct StepData {
    /// The board before it.
    before: String,
    /// Where its seeds fell, and what it captured, as in the data of a game.
    falls: String,
    captures: String,
}

impl BoardsData {
    /// The boards that are there now.
    pub fn new(snapshots: &[BoardSnapshot]) -> BoardsData {
        let boards: Vec<BoardData> = snapshots.iter().take(MAX_BOARDS).map(BoardData::new).collect();
        let more = snapshots.len() - boards.len();
        BoardsData { boards, more }
    }
}

impl BoardData {
    fn new(snapshot: &BoardSnapshot) -> BoardData {
        BoardData {
            worker: snapshot.worker,
            number: snapshot.number,
            players: snapshot.players,
            moves: snapshot.moves,
            last: snapshot.last.map(Move::letter),
            board: digits(&snapshot.position),
            side: if snapshot.position.side() == Side::South { 'S' } else { 'N' },
            step: snapshot.before.zip(snapshot.last).and_then(|(before, last)| StepData::new(&before, last)),
        }
    }
}

impl StepData {
    fn new(before: &Position, mv: Move) -> Option<StepData> {
        let effects = before.effects(mv).ok()?;
        Some(StepData { before: digits(before), falls: fallen(&effects), captures: captured(&effects) })
    }
}
