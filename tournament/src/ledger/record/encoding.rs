//! A game record as a line of a journal: how it was scheduled and how it went, without anything that follows from these.
//!
//! A line holds everything that any output needs. Everything that follows from the moves by the rules (boards, captures, the
//! seeds awarded at the end) is computed again when the line is read: a line that breaks the rules is noticed.

use super::game_record::{GameRecord, WorkerInfo};
use super::header::LAST_SECOND;
use super::scheduled_text::ScheduledText;
use crate::game::{LastWords, PlayedGame, Searches, Termination, check_ending};
use crate::plan::{MAX_MOVES, MatchPlan};
use crate::schedule::{Event, letters, moves_of};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// How many times its planned pairs of games a knockout may have at most: one, and the three that are added to a level tie.
const MAX_EXTENSION: u64 = 4;
/// The longest time of a game: a hundred years.
const MAX_TIME: Duration = Duration::from_secs(3_155_760_000);
/// The longest detail of a fault, in bytes. A referee repeats a line of an engine there, which has 64 KiB at most.
const MAX_DETAIL: usize = 1 << 20;
/// The longest name that an engine gives itself, in bytes: a hundred characters, which may have been escaped.
const MAX_ID_NAME: usize = 2_000;
/// The most lines of an engine's last words, and their bytes.
const MAX_WORDS: (usize, usize) = (100, 1 << 18);

/// Bytes of a line before its JSON: the digits of the checksum, and a blank.
const PREFIX: usize = 9;

/// Why a line is not a game record of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The line is damaged.
    #[error("{0}")]
    Damaged(String),
    /// The plan has no such game.
    #[error("game {number} is not a game of this tournament: {problem}")]
    NotOfPlan {
        /// Its number in the line.
        number: u64,
        /// The fault.
        problem: String,
    },
}

/// The serde form of a [`GameRecord`]. The names of the fields are the format. Pairs of values are South's and North's; times are
/// in microseconds; engines are given by their places in the plan.
#[derive(Serialize, Deserialize)]
pub struct GameLine<'a> {
    #[serde(flatten)]
    scheduled: ScheduledText,
    /// When it began, in seconds since 1970.
    date: u64,
    /// The moves after the opening.
    moves: String,
    searches: Searches,
    /// The seeds in the stores at the end.
    stores: [u8; 2],
    #[serde(flatten)]
    played: Cow<'a, PlayedGame>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worker: Option<Cow<'a, WorkerInfo>>,
}

impl GameRecord {
    /// As a line of a journal, with its end.
    pub fn to_line(&self) -> Vec<u8> {
        write_line(&GameLine::of(self))
    }

    /// Reads a line of a journal of this plan, which is given with its end, and replays its game.
    ///
    /// # Errors
    /// If the line is damaged, or its game breaks the rules, has ended otherwise than the plan's rules end it, or does not
    /// belong to the plan.
    pub fn from_line(text: &[u8], plan: &MatchPlan) -> Result<GameRecord, RecordError> {
        let json = read_line(text).map_err(RecordError::Damaged)?;
        let line: GameLine<'_> =
            serde_json::from_slice(json).map_err(|error| RecordError::Damaged(error.to_string()))?;
        let number = line.scheduled.number;
        let checked = line.check(plan).and_then(|()| line.record(plan));
        checked.map_err(|problem| RecordError::NotOfPlan { number, problem })
    }
}

impl<'a> GameLine<'a> {
    /// The form of a record.
    pub fn of(record: &'a GameRecord) -> GameLine<'a> {
        let GameRecord { scheduled, date, played, worker } = record;
        GameLine {
            scheduled: ScheduledText::of(scheduled),
            date: date.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            moves: letters(&played.game.moves()[played.opening..]),
            searches: Searches::of(&played.search_info),
            stores: played.stores(),
            played: Cow::Borrowed(played),
            worker: worker.as_deref().map(Cow::Borrowed),
        }
    }

    /// Whether all values are within the bounds of a game of this plan.
    fn check(&self, plan: &MatchPlan) -> Result<(), String> {
        let (played, number) = (&*self.played, self.scheduled.number);
        let pair = number.checked_sub(1).ok_or("games are numbered from 1")? / 2;
        let all = plan.event.pairs(plan.contestants.len(), plan.rounds, plan.pairs);
        let most = if plan.event == Event::Knockout { all.saturating_mul(MAX_EXTENSION) } else { all };
        require(pair < most, "the tournament has no game of this number")?;
        require(plan.shard.has(pair), "it belongs to another part of the tournament")?;
        require(self.date <= LAST_SECOND, "its date is later than the year 9999")?;
        let longest = played.time.iter().max();
        require(longest <= Some(&MAX_TIME), "a time in it is longer than a hundred years")?;
        let fits = |moves: u64, longest: Duration| moves <= MAX_MOVES as u64 && longest <= MAX_TIME;
        let overruns = played.overruns.iter().all(|overruns| fits(overruns.moves, overruns.longest));
        require(overruns, "it has more overruns than moves")?;
        require(played.detail.len() <= MAX_DETAIL, "its detail has no end")?;
        let names = played.id_names.iter().flatten().all(|name| name.len() <= MAX_ID_NAME);
        require(names, "the name of an engine in it has no end")?;
        let (lines, bytes) =
            played.last_words.iter().map(LastWords::size).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        let fits = lines <= MAX_WORDS.0 && bytes <= MAX_WORDS.1;
        require(fits, "the last words of its engines have no end")?;
        self.worker.as_ref().map_or(Ok(()), |worker| worker.check())?;
        let moves = self.moves.len();
        require(moves + self.scheduled.opening.len() <= MAX_MOVES, "it has too many moves")?;
        let begun = moves > 0 || played.faults != [false; 2] || played.termination == Termination::Endgame;
        require(begun, "it has no moves, and neither side is at fault")
    }

    fn record(self, plan: &MatchPlan) -> Result<GameRecord, String> {
        let scheduled = self.scheduled.scheduled(plan)?;
        let mut game = scheduled.opening.game().clone();
        let opening = game.moves().len();
        for mv in moves_of(self.moves.chars()) {
            let (mv, number) = (mv.map_err(|error| error.to_string())?, game.moves().len() + 1);
            game.play(mv).map_err(|reason| format!("move {number}, `{mv}`: {reason}"))?;
        }
        let search_info = self.searches.of_moves(self.moves.len());
        let search_info = search_info.ok_or("there is not one search info for each move")?;
        let is_long = search_info.iter().any(|info| info.time > MAX_TIME);
        require(!is_long, "a time in it is longer than a hundred years")?;
        let played = PlayedGame { game, opening, search_info, ..self.played.into_owned() };
        let found = played.stores();
        if found != self.stores {
            return Err(format!("the stores are {found:?} at the end of its moves, not {:?}", self.stores));
        }
        check_ending(&played, &plan.adjudication)?;
        let date = UNIX_EPOCH + Duration::from_secs(self.date);
        Ok(GameRecord {
            scheduled,
            date,
            played,
            worker: self.worker.map(|worker| Arc::new(worker.into_owned())),
        })
    }
}

fn require(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.to_owned()) }
}

/// A value as a line, with its end.
pub(super) fn write_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = vec![b' '; PREFIX];
    serde_json::to_writer(&mut line, value).expect("plain values can be written as JSON");
    let sum = format!("{:08x}", crc32fast::hash(&line[PREFIX..]));
    line[..PREFIX - 1].copy_from_slice(sum.as_bytes());
    line.push(b'\n');
    line
}

/// The JSON of a line, which is given with its end; or the fault of the line.
pub(super) fn read_line(line: &[u8]) -> Result<&[u8], String> {
    let line = line.strip_suffix(b"\n").ok_or("it does not end")?;
    let (sum, json) = line.split_at_checked(PREFIX).ok_or("it is too short")?;
    let written = std::str::from_utf8(sum).ok().and_then(|sum| sum.strip_suffix(' '));
    let written = written.and_then(|sum| u32::from_str_radix(sum, 16).ok());
    let written = written.ok_or("it does not begin with a checksum")?;
    let found = crc32fast::hash(json);
    if written == found { Ok(json) } else { Err(format!("its checksum is {found:08x}, not {written:08x}")) }
}
