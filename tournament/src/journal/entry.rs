//! One finished game, as a journal keeps it.
//!
//! An entry holds everything that any output needs: who played whom and from which opening, each move with its search info,
//! how the game ended and by whose fault. Engines are given by their places in the list of the header. What follows from
//! the moves by the rules (boards, captures, the seeds awarded at the end) is worked out again when the entry is read, so an
//! entry that breaks the rules is noticed.

use super::header::LAST_SECOND;
use super::line;
use super::search_columns::SearchColumns;
use crate::game::{
    IdleWork, LastWords, Outcome, Overruns, PlayedGame, SearchInfo, Termination, check_ending,
};
use crate::plan::{GameRecord, MAX_MOVES, MAX_ROUNDS, MatchPlan, WorkerInfo};
use crate::schedule::{Event, Opening, OpeningError, Pairing, ScheduledGame, letters};
use crate::tuning::Settings;
use kroo::game::{Game, Move, MoveError, Position, SetupError};
use kroo::protocol::{InfoScore, ScoreValue};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// How many times its planned pairs of games a knockout may have at most: one, and the three that are added to a level tie.
const MAX_EXTENSION: u64 = 4;
/// The longest time of a game, in microseconds: a hundred years.
const MAX_MICROS: u64 = 3_155_760_000_000_000;
/// The longest detail of a fault, in bytes. A referee repeats a line of an engine there, which has 64 KiB at most.
const MAX_DETAIL: usize = 1 << 20;
/// The longest name that an engine gives itself, in bytes: a hundred characters, which may have been escaped.
const MAX_ID_NAME: usize = 2_000;
/// The most lines of an engine's last words in an entry, and their bytes.
const MAX_WORDS: (usize, usize) = (100, 1 << 18);

/// A finished game. Pairs of values are South's and North's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The game's number in the schedule, from 1.
    pub number: u64,
    /// The number of its game pair, from 0.
    pub pair: u64,
    /// The round, from 1.
    pub round: u64,
    /// The engine that is South in the pair's first game, by its place in the header's list, from 0.
    pub first: usize,
    /// South and North, by their places in that list.
    pub players: [usize; 2],
    /// When it began, in seconds since 1970.
    pub date: u64,
    /// The position it began with, as fifteen fields, if that is not the rule set's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves of the opening, one letter each.
    pub opening: String,
    /// The values of the parameters that are tuned, in the order of the header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Settings>,
    /// The moves of the engines, one letter each.
    pub moves: String,
    /// The scores of the engines' searches, move by move.
    pub scores: Vec<Option<JournalScore>>,
    /// The depths of these searches, in plies.
    pub depths: Vec<Option<u32>>,
    /// The time that each move took, in microseconds.
    pub times: Vec<u64>,
    /// What else the engines said of their searches.
    #[serde(flatten)]
    pub search: SearchColumns,
    /// Who has won.
    pub result: Outcome,
    /// Why it is over.
    pub termination: Termination,
    /// Who has ended it by a fault. If both have, neither has won.
    pub faults: [bool; 2],
    /// What exactly the fault was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The seeds in the stores at the end.
    pub stores: [u8; 2],
    /// The time that each side has used, in microseconds.
    pub used: [u64; 2],
    /// How many moves of each side used the margin, and the longest time beyond the limit, in microseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub overruns: [(u64, u64); 2],
    /// How long each side was watched while the other one was to move, and the processor time that it used then, in
    /// microseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub idle_work: [(u64, u64); 2],
    /// How often the game was played before, and lost because the machine was not there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replays: u32,
    /// What the engine of each side calls itself (`id name`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub id_names: [Option<String>; 2],
    /// What the engine of each side has said last, if it is at fault.
    #[serde(default, skip_serializing_if = "is_default")]
    pub last_words: [LastWords; 2],
    /// Who has played it, if that was for a queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<WorkerInfo>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A score, from the side that has moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JournalScore {
    /// Hundredths of a seed.
    Centiseeds(i32),
    /// Moves to a win, or if negative, to a loss.
    Mate {
        /// How many.
        mate: i32,
    },
}

/// Why an entry is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The position it begins with is not one.
    #[error("its start: {0}")]
    Start(#[from] SetupError),
    /// A character is not a move.
    #[error("`{0}` is not a move")]
    NotAMove(char),
    /// A move is illegal.
    #[error("move {number}, `{mv}`: {reason}")]
    Illegal {
        /// The move's number, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// What is wrong with it.
        reason: MoveError,
    },
    /// The stores are not those to which the moves lead.
    #[error("the stores are {found:?} at the end of its moves, not {written:?}")]
    Stores {
        /// By the rules.
        found: [u8; 2],
        /// By the entry.
        written: [u8; 2],
    },
    /// Its numbers do not fit together.
    #[error("{0}")]
    Shape(&'static str),
    /// It has not ended as it says.
    #[error("{0}")]
    Ending(String),
    /// Its opening leaves nothing to play.
    #[error("its opening: {0}")]
    Opening(#[from] OpeningError),
    /// No engine is given such values.
    #[error("{0}")]
    Settings(String),
}

impl JournalEntry {
    /// The entry of a game.
    #[must_use]
    pub fn of(game: &GameRecord) -> JournalEntry {
        let (scheduled, played) = (&game.scheduled, &game.played);
        let start = played.game.start();
        let (opening, moves) = played.game.moves().split_at(played.opening);
        let searches = || played.search_info.iter();
        JournalEntry {
            number: scheduled.number,
            pair: scheduled.pair,
            round: scheduled.pairing.round,
            first: scheduled.pairing.first,
            players: scheduled.players,
            date: game.date.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            start: (*start != Position::start(start.variant())).then(|| start.to_string()),
            opening: letters(opening),
            settings: scheduled.settings.as_ref().map(|settings| settings.turned(scheduled.players)),
            moves: letters(moves),
            scores: searches().map(|info| info.score.map(JournalScore::of)).collect(),
            depths: searches().map(|info| info.depth).collect(),
            times: searches().map(|info| info.time.as_micros() as u64).collect(),
            search: SearchColumns::of(&played.search_info),
            result: played.outcome,
            termination: played.termination,
            faults: played.faults,
            detail: played.detail.clone(),
            stores: played.stores(),
            used: played.time.map(|time| time.as_micros() as u64),
            overruns: played.overruns.map(|overruns| (overruns.moves, overruns.longest.as_micros() as u64)),
            idle_work: played
                .idle_work
                .map(|idle| (idle.watched.as_micros() as u64, idle.worked.as_micros() as u64)),
            replays: played.replays,
            id_names: played.id_names.clone(),
            last_words: played.last_words.clone(),
            worker: game.worker.as_deref().cloned(),
        }
    }

    /// As a line of a journal, with its end.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        line::write(self)
    }

    /// Reads a line of a journal, which is given with its end.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn from_line(line: &[u8]) -> Result<JournalEntry, String> {
        serde_json::from_slice(line::read(line)?).map_err(|error| error.to_string())
    }

    /// Whether it is an entry of a game of this plan: its numbers, before anything is counted by them or played.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, plan: &MatchPlan) -> Result<(), EntryError> {
        let shape = |holds: bool, problem| if holds { Ok(()) } else { Err(EntryError::Shape(problem)) };
        let pair = self.number.checked_sub(1).map(|before| before / 2);
        shape(pair == Some(self.pair), "its number does not belong to its pair")?;
        let all = plan.event.pairs(plan.contestants.len(), plan.rounds, plan.pairs);
        // A knockout may add some pairs to each tie.
        let most = if plan.event == Event::Knockout { all.saturating_mul(MAX_EXTENSION) } else { all };
        shape(self.pair < most, "the tournament has no game of this number")?;
        shape(plan.shard.has(self.pair), "it belongs to another part of the tournament")?;
        shape((1..=MAX_ROUNDS).contains(&self.round), "the tournament has no such round")?;
        shape(self.date <= LAST_SECOND, "its date is later than the year 9999")?;
        let idle = self.idle_work.iter().flat_map(|(watched, worked)| [watched, worked]);
        let times = self.times.iter().chain(&self.used).chain(idle);
        shape(times.max() <= Some(&MAX_MICROS), "a time in it is longer than a hundred years")?;
        let overruns =
            self.overruns.iter().all(|&(moves, longest)| moves <= MAX_MOVES as u64 && longest <= MAX_MICROS);
        shape(overruns, "it has more overruns than moves")?;
        shape(self.detail.len() <= MAX_DETAIL, "its detail has no end")?;
        let names = self.id_names.iter().flatten().all(|name| name.len() <= MAX_ID_NAME);
        shape(names, "the name of an engine in it has no end")?;
        let (lines, bytes) =
            self.last_words.iter().map(LastWords::size).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        shape(lines <= MAX_WORDS.0 && bytes <= MAX_WORDS.1, "the last words of its engines have no end")?;
        self.worker.as_ref().map_or(Ok(()), |worker| worker.check().map_err(EntryError::Shape))?;
        match (&plan.tuning, &self.settings) {
            (Some(tuning), Some(settings)) => {
                tuning.check_settings(settings).map_err(EntryError::Settings)?
            }
            (None, None) => {}
            _ => return Err(EntryError::Shape("only games of a tuning run have settings, and all of these")),
        }
        shape(self.moves.len() + self.opening.len() <= MAX_MOVES, "it has too many moves")
    }

    /// Replays the game of an entry.
    ///
    /// # Errors
    /// If it breaks the rules, has ended otherwise than the plan's rules end it, or its numbers do not fit together.
    pub fn game(&self, plan: &MatchPlan) -> Result<GameRecord, EntryError> {
        let (variant, engines) = (plan.variant, plan.contestants.len());
        let shape = |holds: bool, problem| if holds { Ok(()) } else { Err(EntryError::Shape(problem)) };
        let [south, north] = self.players;
        shape(south < engines && north < engines && south != north, "its engines are not in the list")?;
        shape(self.players.contains(&self.first), "the pair's first engine does not play in it")?;
        let first_is_south = self.number % 2 == 1;
        shape((south == self.first) == first_is_south, "its players are on the wrong sides")?;
        let played = !self.moves.is_empty() || self.faults != [false; 2];
        shape(played || self.termination == Termination::Endgame, "it has no moves, and nobody is at fault")?;
        let lengths = [self.scores.len(), self.depths.len(), self.times.len()];
        shape(lengths == [self.moves.len(); 3], "there is not one score, depth and time for each move")?;
        shape(self.search.fit(self.moves.len()), "there is not one search info for each move")?;
        let start = match &self.start {
            Some(text) => Position::parse(variant, text)?,
            None => Position::start(variant),
        };
        let mut game = Game::new(start);
        play(&mut game, &self.opening)?;
        let opening = Arc::new(Opening::new(game.clone())?);
        play(&mut game, &self.moves)?;
        let second = if south == self.first { north } else { south };
        let played = self.played(game);
        let found = played.stores();
        if found != self.stores {
            return Err(EntryError::Stores { found, written: self.stores });
        }
        check_ending(&played, &plan.adjudication).map_err(EntryError::Ending)?;
        let pairing = Pairing { round: self.round, first: self.first, second };
        let scheduled = ScheduledGame {
            number: self.number,
            pair: self.pair,
            pairing,
            players: self.players,
            opening,
            settings: self.settings.as_ref().map(|settings| Arc::new(settings.turned(self.players))),
        };
        let worker = self.worker.clone().map(Arc::new);
        Ok(GameRecord { scheduled, date: UNIX_EPOCH + Duration::from_secs(self.date), played, worker })
    }

    fn played(&self, game: Game) -> PlayedGame {
        let told = self.scores.iter().zip(&self.depths).zip(&self.times).enumerate();
        let searches = told.map(|(index, ((score, &depth), &time))| SearchInfo {
            time: Duration::from_micros(time),
            depth,
            score: score
                .as_ref()
                .map(|score| InfoScore { proven: self.search.proven(index), ..score.score() }),
            ..self.search.info(index)
        });
        PlayedGame {
            opening: self.opening.len(),
            search_info: searches.collect(),
            outcome: self.result,
            termination: self.termination,
            faults: self.faults,
            detail: self.detail.clone(),
            time: self.used.map(Duration::from_micros),
            overruns: self
                .overruns
                .map(|(moves, longest)| Overruns { moves, longest: Duration::from_micros(longest) }),
            idle_work: self.idle_work.map(|(watched, worked)| IdleWork {
                watched: Duration::from_micros(watched),
                worked: Duration::from_micros(worked),
            }),
            replays: self.replays,
            id_names: self.id_names.clone(),
            last_words: self.last_words.clone(),
            game,
        }
    }
}

impl JournalScore {
    fn of(score: InfoScore) -> JournalScore {
        match score.value {
            ScoreValue::Cp(cp) => JournalScore::Centiseeds(cp),
            ScoreValue::Mate(mate) => JournalScore::Mate { mate },
        }
    }

    /// As a score.
    #[must_use]
    pub fn score(&self) -> InfoScore {
        match *self {
            JournalScore::Centiseeds(cp) => InfoScore::cp(cp),
            JournalScore::Mate { mate } => InfoScore { value: ScoreValue::Mate(mate), ..InfoScore::cp(0) },
        }
    }
}

fn play(game: &mut Game, letters: &str) -> Result<(), EntryError> {
    for letter in letters.chars() {
        let mv = Move::from_letter(letter).ok_or(EntryError::NotAMove(letter))?;
        let number = game.moves().len() + 1;
        game.play(mv).map_err(|reason| EntryError::Illegal { number, mv, reason })?;
    }
    Ok(())
}
