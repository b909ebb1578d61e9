//! A game record as a line: a column for each value of the searches, with a cell for each move.
//!
//! A line holds everything that any output needs. All that follows from the moves by the rules (boards, captures, the
//! seeds awarded at the end) is computed again when the line is read, so a line that breaks the rules is noticed.

use super::game_record::{GameRecord, WorkerInfo};
use super::header::LAST_SECOND;
use super::line;
use super::scheduled_text::ScheduledText;
use crate::game::{LastWords, Outcome, Overruns, PlayedGame, SearchInfo, Termination, check_ending};
use crate::plan::{MAX_MOVES, MatchPlan};
use crate::schedule::{Event, letters};
use crate::tuning::Settings;
use kroo::game::{Game, Move};
use kroo::protocol::{Bound, InfoScore, Proven, ScoreValue};
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
/// The most lines of an engine's last words, and their bytes.
const MAX_WORDS: (usize, usize) = (100, 1 << 18);

/// Why a line is not a game record of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The line is damaged.
    #[error("{0}")]
    Damaged(String),
    /// The plan has no such game.
    #[error("game {number} is not a game of this tournament: {problem}")]
    NotOfPlan {
        /// Its number, as the line says.
        number: u64,
        /// The fault.
        problem: String,
    },
}

/// The names of the fields are the format. Pairs of values are South's and North's; times are in microseconds; engines are
/// given by their places in the plan.
#[derive(Serialize, Deserialize)]
struct Columns {
    number: u64,
    pair: u64,
    round: u64,
    /// The engine that is South in the pair's first game.
    first: usize,
    players: [usize; 2],
    /// When it began, in seconds since 1970.
    date: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    start: Option<String>,
    opening: String,
    /// South's values and North's.
    #[serde(default, skip_serializing_if = "is_default")]
    settings: Option<Settings>,
    /// The engine that has a bye in its round.
    #[serde(default, skip_serializing_if = "is_default")]
    bye: Option<usize>,
    moves: String,
    scores: Vec<Option<Score>>,
    depths: Vec<Option<u32>>,
    times: Vec<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    nodes: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "is_default")]
    nps: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "is_default")]
    seldepths: Vec<Option<u32>>,
    #[serde(default, skip_serializing_if = "is_default")]
    hashfull: Vec<Option<u32>>,
    #[serde(default, skip_serializing_if = "is_default")]
    tbhits: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "is_default")]
    lines: Vec<Option<String>>,
    /// The time left on the clock.
    #[serde(default, skip_serializing_if = "is_default")]
    left: Vec<Option<u64>>,
    #[serde(default, skip_serializing_if = "is_default")]
    bounds: Vec<Option<ScoreBound>>,
    #[serde(default, skip_serializing_if = "is_default")]
    proofs: Vec<Option<Proof>>,
    result: Outcome,
    termination: Termination,
    faults: [bool; 2],
    #[serde(default, skip_serializing_if = "is_default")]
    detail: String,
    /// The seeds in the stores at the end.
    stores: [u8; 2],
    used: [u64; 2],
    /// Moves that used the margin, and the longest time beyond the limit.
    #[serde(default, skip_serializing_if = "is_default")]
    overruns: [(u64, u64); 2],
    #[serde(default, skip_serializing_if = "is_default")]
    replays: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    id_names: [Option<String>; 2],
    #[serde(default, skip_serializing_if = "is_default")]
    last_words: [LastWords; 2],
    #[serde(default, skip_serializing_if = "is_default")]
    worker: Option<WorkerInfo>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Score {
    Centiseeds(i32),
    Mate { mate: i32 },
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScoreBound {
    Lower,
    Upper,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Proof(#[serde(with = "ProvenText")] Proven);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Proven", rename_all = "snake_case")]
enum ProvenText {
    Win,
    Draw,
    Loss,
}

impl GameRecord {
    /// As a line of a journal, with its end.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        line::write(&Columns::of(self))
    }

    /// Reads a line of a journal of this plan, which is given with its end, and replays its game.
    ///
    /// # Errors
    /// If the line is damaged, or its game breaks the rules, has ended otherwise than the plan's rules end it, or does not
    /// belong to the plan.
    pub fn from_line(text: &[u8], plan: &MatchPlan) -> Result<GameRecord, RecordError> {
        let json = line::read(text).map_err(RecordError::Damaged)?;
        let columns: Columns =
            serde_json::from_slice(json).map_err(|error| RecordError::Damaged(error.to_string()))?;
        let number = columns.number;
        let checked = columns.check(plan).and_then(|()| columns.record(plan));
        checked.map_err(|problem| RecordError::NotOfPlan { number, problem })
    }
}

impl Columns {
    fn of(record: &GameRecord) -> Columns {
        let GameRecord { scheduled, date, played, worker } = record;
        let ScheduledText { number, round, engines, start, opening, settings, bye } =
            ScheduledText::of(scheduled);
        let searches = &played.search_info;
        Columns {
            number,
            pair: scheduled.pair,
            round,
            first: engines[0],
            players: scheduled.players,
            date: date.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            start,
            opening,
            settings: settings.map(|settings| settings.turned(scheduled.players)),
            bye,
            moves: letters(&played.game.moves()[played.opening..]),
            scores: searches.iter().map(|info| info.score.map(Score::of)).collect(),
            depths: searches.iter().map(|info| info.depth).collect(),
            times: searches.iter().map(|info| micros(info.time)).collect(),
            nodes: column(searches, |info| info.nodes),
            nps: column(searches, |info| info.nps),
            seldepths: column(searches, |info| info.seldepth),
            hashfull: column(searches, |info| info.hashfull),
            tbhits: column(searches, |info| info.tbhits),
            lines: column(searches, |info| Some(letters(&info.line)).filter(|line| !line.is_empty())),
            left: column(searches, |info| info.left.map(micros)),
            bounds: column(searches, |info| ScoreBound::of(info.score?.bound)),
            proofs: column(searches, |info| info.score?.proven.map(Proof)),
            result: played.outcome,
            termination: played.termination,
            faults: played.faults,
            detail: played.detail.clone(),
            stores: played.stores(),
            used: played.time.map(micros),
            overruns: played.overruns.map(|overruns| (overruns.moves, micros(overruns.longest))),
            replays: played.replays,
            id_names: played.id_names.clone(),
            last_words: played.last_words.clone(),
            worker: worker.as_deref().cloned(),
        }
    }

    /// Whether all values are within the bounds of a game of this plan.
    fn check(&self, plan: &MatchPlan) -> Result<(), String> {
        let pair = self.number.checked_sub(1).map(|before| before / 2);
        require(pair == Some(self.pair), "its number does not belong to its pair")?;
        let all = plan.event.pairs(plan.contestants.len(), plan.rounds, plan.pairs);
        let most = if plan.event == Event::Knockout { all.saturating_mul(MAX_EXTENSION) } else { all };
        require(self.pair < most, "the tournament has no game of this number")?;
        require(plan.shard.has(self.pair), "it belongs to another part of the tournament")?;
        require(self.date <= LAST_SECOND, "its date is later than the year 9999")?;
        let times = self.times.iter().chain(&self.used);
        require(times.max() <= Some(&MAX_MICROS), "a time in it is longer than a hundred years")?;
        let overruns =
            self.overruns.iter().all(|&(moves, longest)| moves <= MAX_MOVES as u64 && longest <= MAX_MICROS);
        require(overruns, "it has more overruns than moves")?;
        require(self.detail.len() <= MAX_DETAIL, "its detail has no end")?;
        let names = self.id_names.iter().flatten().all(|name| name.len() <= MAX_ID_NAME);
        require(names, "the name of an engine in it has no end")?;
        let (lines, bytes) =
            self.last_words.iter().map(LastWords::size).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        let fits = lines <= MAX_WORDS.0 && bytes <= MAX_WORDS.1;
        require(fits, "the last words of its engines have no end")?;
        self.worker.as_ref().map_or(Ok(()), WorkerInfo::check)?;
        require(self.moves.len() + self.opening.len() <= MAX_MOVES, "it has too many moves")?;
        require(self.players.contains(&self.first), "the pair's first engine does not play in it")?;
        let first_is_south = self.number % 2 == 1;
        let is_south = self.players[0] == self.first;
        require(is_south == first_is_south, "its players are on the wrong sides")?;
        let played = !self.moves.is_empty() || self.faults != [false; 2];
        let played = played || self.termination == Termination::Endgame;
        require(played, "it has no moves, and neither side is at fault")?;
        let moves = self.moves.len();
        let lengths = [self.scores.len(), self.depths.len(), self.times.len()];
        require(lengths == [moves; 3], "there is not one score, depth and time for each move")?;
        let Columns { nodes, nps, seldepths, hashfull, tbhits, lines, left, bounds, proofs, .. } = self;
        let numbers = [nodes.len(), nps.len(), seldepths.len(), hashfull.len(), tbhits.len()];
        let lengths = numbers.into_iter().chain([lines.len(), left.len(), bounds.len(), proofs.len()]);
        let fit = lengths.into_iter().all(|length| length == 0 || length == moves);
        require(fit, "there is not one search info for each move")
    }

    fn record(self, plan: &MatchPlan) -> Result<GameRecord, String> {
        let [south, north] = self.players;
        let text = ScheduledText {
            number: self.number,
            round: self.round,
            engines: [self.first, if south == self.first { north } else { south }],
            start: self.start.clone(),
            opening: self.opening.clone(),
            settings: self.settings.as_ref().map(|settings| settings.turned(self.players)),
            bye: self.bye,
        };
        let (date, stores) = (UNIX_EPOCH + Duration::from_secs(self.date), self.stores);
        let scheduled = text.scheduled(plan)?;
        let mut game = scheduled.opening.game().clone();
        for letter in self.moves.chars() {
            let mv = Move::from_letter(letter).ok_or_else(|| format!("`{letter}` is not a move"))?;
            let number = game.moves().len() + 1;
            game.play(mv).map_err(|reason| format!("move {number}, `{mv}`: {reason}"))?;
        }
        let worker = self.worker.clone().map(Arc::new);
        let played = self.played(game, scheduled.opening.game().moves().len());
        let found = played.stores();
        if found != stores {
            return Err(format!("the stores are {found:?} at the end of its moves, not {stores:?}"));
        }
        check_ending(&played, &plan.adjudication)?;
        Ok(GameRecord { scheduled, date, played, worker })
    }

    fn played(self, game: Game, opening: usize) -> PlayedGame {
        PlayedGame {
            game,
            opening,
            search_info: (0..self.times.len()).map(|index| self.search_info(index)).collect(),
            outcome: self.result,
            termination: self.termination,
            faults: self.faults,
            detail: self.detail,
            time: self.used.map(Duration::from_micros),
            overruns: self
                .overruns
                .map(|(moves, longest)| Overruns { moves, longest: Duration::from_micros(longest) }),
            replays: self.replays,
            id_names: self.id_names,
            last_words: self.last_words,
        }
    }

    fn search_info(&self, index: usize) -> SearchInfo {
        let proven = cell(&self.proofs, index).map(|Proof(proven)| proven);
        let bound = cell(&self.bounds, index).map_or(Bound::Exact, ScoreBound::bound);
        SearchInfo {
            time: Duration::from_micros(self.times[index]),
            depth: self.depths[index],
            score: self.scores[index].map(|score| InfoScore { bound, proven, ..score.score() }),
            nodes: cell(&self.nodes, index),
            nps: cell(&self.nps, index),
            seldepth: cell(&self.seldepths, index),
            hashfull: cell(&self.hashfull, index),
            tbhits: cell(&self.tbhits, index),
            line: cell(&self.lines, index)
                .unwrap_or_default()
                .chars()
                .filter_map(Move::from_letter)
                .collect(),
            left: cell(&self.left, index).map(Duration::from_micros),
        }
    }
}

impl ScoreBound {
    fn of(bound: Bound) -> Option<ScoreBound> {
        match bound {
            Bound::Exact => None,
            Bound::Lower => Some(ScoreBound::Lower),
            Bound::Upper => Some(ScoreBound::Upper),
        }
    }

    fn bound(self) -> Bound {
        match self {
            ScoreBound::Lower => Bound::Lower,
            ScoreBound::Upper => Bound::Upper,
        }
    }
}

impl Score {
    fn of(score: InfoScore) -> Score {
        match score.value {
            ScoreValue::Cp(cp) => Score::Centiseeds(cp),
            ScoreValue::Mate(mate) => Score::Mate { mate },
        }
    }

    fn score(self) -> InfoScore {
        match self {
            Score::Centiseeds(cp) => InfoScore::cp(cp),
            Score::Mate { mate } => InfoScore { value: ScoreValue::Mate(mate), ..InfoScore::cp(0) },
        }
    }
}

fn require(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.to_owned()) }
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// A column; empty if no search has a value.
fn column<T>(searches: &[SearchInfo], value: impl Fn(&SearchInfo) -> Option<T>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = searches.iter().map(value).collect();
    if values.iter().all(Option::is_none) { Vec::new() } else { values }
}

fn cell<T: Clone>(column: &[Option<T>], index: usize) -> Option<T> {
    column.get(index).cloned().flatten()
}
