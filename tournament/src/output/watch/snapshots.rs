//! The games in progress and the workers of a queue, as data for the page.

use crate::output::html::{captured, digits, fallen};
use crate::run::{BoardSnapshot, QueueSnapshot, WorkerHealth, WorkerSnapshot};
use kroo::game::{Move, Position, Side};
use serde::Serialize;

/// Most boards that a page gets; more cannot be followed.
const MAX_BOARDS: usize = 32;
/// Most workers that a page gets.
const MAX_WORKERS: usize = 200;

#[derive(Serialize)]
pub(super) struct BoardsData {
    boards: Vec<BoardData>,
    /// How many games are in progress besides.
    more: usize,
}

#[derive(Serialize)]
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
#[derive(Serialize)]
struct StepData {
    /// The board before it.
    before: String,
    /// The places where its seeds fell, and its captures, in the form of a game's data.
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

/// The workers: those first that are not there, then in the order of their machines.
#[derive(Serialize)]
pub(super) struct WorkersData {
    workers: Vec<WorkerSnapshot>,
    /// How many there are besides.
    more: usize,
    /// How many games are played at once by all that are there.
    at_once: u64,
    /// Batches that no worker has yet, and those in play.
    batches: [u64; 2],
    games_per_minute: Option<u64>,
}

impl WorkersData {
    pub fn new(seen: QueueSnapshot) -> WorkersData {
        let QueueSnapshot { mut workers, batches, games_per_minute } = seen;
        let at_once = workers
            .iter()
            .filter(|worker| worker.health == WorkerHealth::There)
            .map(|worker| worker.says.threads)
            .sum();
        workers.sort_by(|one, other| {
            one.health
                .cmp(&other.health)
                .then_with(|| (&one.says.host, &one.worker).cmp(&(&other.says.host, &other.worker)))
        });
        let more = workers.len().saturating_sub(MAX_WORKERS);
        workers.truncate(MAX_WORKERS);
        WorkersData { workers, more, at_once, batches, games_per_minute }
    }
}
