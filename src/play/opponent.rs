//! The engine as opponent and as adviser.

use super::input::InputListener;
use crate::game::{Game, Move, Side, Variant, Verdict};
use crate::level::{Level, Strength};
use crate::plan::{Answer, Plan, ResourceError, Resources, player_of};
use crate::players::{Player, PlayerError, Turn};
use crate::protocol::{Limits, Settings};
use crate::review::lines_of;
use crate::roster::{PLAYERS, PlayerName};
use crate::search::{Clock, Observer, OutOfMemory, Report, Request, SearchMemory, search};
use crate::time::Instant;
use crate::value::{Kind, Score, Value};
use std::sync::Arc;
use std::time::Duration;

/// The opponent's default time for a move.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq)]
pub struct OpponentSettings {
    /// The options of the engine that plays.
    pub engine: Settings,
    /// Time limit for a move.
    pub time: Duration,
    /// Node limit for a move, if any.
    pub nodes: Option<u64>,
}

impl OpponentSettings {
    /// The player's name, with the strength of the engine: `Kroo (beginner)`, `Kroo (1200)`, `greedy`.
    pub fn description(&self) -> String {
        match self.engine.player {
            PlayerName::Kroo => format!("Kroo ({})", self.engine.strength()),
            who => who.name().to_owned(),
        }
    }

    /// Parses a [description](OpponentSettings::description).
    pub fn described(text: &str) -> Option<(PlayerName, Option<Strength>)> {
        match text.strip_prefix("Kroo (").and_then(|rest| rest.strip_suffix(')')) {
            Some(strength) => Some((PlayerName::Kroo, Some(strength.parse().ok()?))),
            None => PLAYERS.iter().find(|(_, known, _)| *known == text).map(|(who, ..)| (*who, None)),
        }
    }
}

pub struct Opponent {
    pub settings: OpponentSettings,
    player: Box<dyn Player>,
    resources: Resources,
    table: Arc<SearchMemory>,
    advice: Advice,
}

/// The last advice, with its limits: time, nodes.
#[derive(Default)]
struct Advice {
    limits: (Duration, Option<u64>),
    given: Vec<(Game, Analysis)>,
}

#[derive(Debug, thiserror::Error)]
pub enum OpponentError {
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error(transparent)]
    Player(#[from] PlayerError),
    #[error("{0}")]
    Resources(String),
}

impl From<ResourceError> for OpponentError {
    fn from(error: ResourceError) -> OpponentError {
        OpponentError::Resources(error.to_string())
    }
}

/// The result of a search, with its time.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The result; its line begins with the best move.
    pub report: Report,
    pub time: Duration,
}

impl Opponent {
    /// An opponent for the rule set of the settings.
    ///
    /// # Errors
    /// If there is not enough memory for the transposition table, the player does not know the rule set, or a file is not
    /// usable.
    pub fn new(settings: OpponentSettings) -> Result<Opponent, OpponentError> {
        let player = player_of(&settings.engine)?;
        let resources = Resources::open(&settings.engine)?;
        let table = Arc::new(SearchMemory::new(settings.engine.hash_mib)?);
        Ok(Opponent { settings, player, resources, table, advice: Advice::default() })
    }

    /// Changes the player or the rule set. The previous player's lessons are lost unless they are in the file.
    ///
    /// # Errors
    /// If the new player does not know the rule set, or a file is not usable; the previous one stays.
    pub fn set_player(&mut self, who: PlayerName, variant: Variant) -> Result<(), OpponentError> {
        let engine = Settings { player: who, variant, ..self.settings.engine.clone() };
        let player = player_of(&engine)?;
        if variant != self.settings.engine.variant {
            self.resources.change_variant(&engine).map_err(ResourceError::from)?;
        }
        (self.player, self.settings.engine) = (player, engine);
        Ok(())
    }

    /// The faults of the endgame files, each once.
    pub fn take_faults(&mut self) -> Vec<String> {
        self.resources.take_faults(&self.settings.engine)
    }

    /// Its name in sentences.
    pub fn name(&self) -> &'static str {
        match self.settings.engine.player {
            PlayerName::Kroo => "Kroo",
            who => who.name(),
        }
    }

    /// Learns from a finished game in which it played a side. Returns remarks for the person.
    pub fn learn(&mut self, game: &Game, side: Side) -> Vec<String> {
        self.player.learn(game, side);
        self.player.remarks()
    }

    /// Chooses a move in an unfinished game.
    pub fn choose(&mut self, game: &Game, input: &InputListener) -> Analysis {
        let (request, mut limits) = self.plan(game, &self.settings.engine, input);
        let turn =
            Turn { request, strength: self.settings.engine.strength(), table: Arc::clone(&self.table) };
        let report = self.player.choose(&turn, &mut limits);
        Analysis { report, time: limits.clock.elapsed() }
    }

    /// Analyses every move in an unfinished game, at full strength, until Ctrl-C or until the time is up. The result is cached:
    /// all advice about a position agrees. Another limit starts a new analysis.
    pub fn advise(&mut self, game: &Game, input: &InputListener) -> Analysis {
        let limits = (self.settings.time, self.settings.nodes);
        if self.advice.limits != limits {
            self.advice = Advice { limits, given: Vec::new() };
        }
        if let Some((_, analysis)) = self.advice.given.iter().find(|(known, _)| known == game) {
            return analysis.clone();
        }
        let adviser = Settings {
            player: PlayerName::Kroo,
            level: Level::Full,
            limit_strength: false,
            multipv: game.position().moves().len(),
            ..self.settings.engine.clone()
        };
        let (request, mut limits) = self.plan(game, &adviser, input);
        let report = search(&request, &self.table, &mut limits);
        let analysis = Analysis { report, time: limits.clock.elapsed() };
        if !input.is_stopped() {
            self.advice.given.push((game.clone(), analysis.clone()));
        }
        analysis
    }

    /// The request for a move with given options, under the limits of the settings.
    fn plan<'a>(
        &self,
        game: &Game,
        engine: &Settings,
        input: &'a InputListener,
    ) -> (Request, SearchLimits<'a>) {
        let started = Instant::now();
        let limits = Limits {
            movetime: Some(self.settings.time.as_millis() as u64),
            nodes: self.settings.nodes,
            ..Limits::default()
        };
        let plan = Plan::of(&limits, game, engine, &self.resources).expect("no moves are left out");
        match plan.answer {
            Answer::GameOver(_) => unreachable!("a game that is over has no moves"),
            Answer::Search(request) => {
                let clock = Clock::new(started, plan.time.unwrap_or_default());
                let lines = request.multipv;
                (*request, SearchLimits { input, clock, lines })
            }
        }
    }
}

/// Ends a search when the time is up, if there is only one move, or on Ctrl-C.
struct SearchLimits<'a> {
    input: &'a InputListener,
    clock: Clock,
    lines: usize,
}

impl Observer for SearchLimits<'_> {
    fn stop(&mut self, _nodes: u64) -> bool {
        self.input.is_stopped() || self.clock.is_up()
    }

    fn iteration(&mut self, report: &Report) -> bool {
        report.forced && self.lines == 1
    }
}

impl Analysis {
    pub fn best(&self) -> Move {
        self.report.pv[0]
    }

    /// The moves with their scores and lines, best first.
    pub fn lines(&self) -> Vec<(Score, &[Move])> {
        lines_of(&self.report)
    }

    /// The comment after the move in a game file: score in seeds, depth in plies, and time.
    pub fn comment(&self) -> String {
        format!("{}/{} {:.3}s", in_seeds(self.report.score.value), self.report.depth, self.time.as_secs_f64())
    }
}

/// A value in seeds: `+1.25`.
pub fn in_seeds(value: Value) -> String {
    format!("{:+.2}", f64::from(value.shown_centiseeds()) / 100.0)
}

/// A score in words, from the mover's point of view: `a certain win by 6 or more`, `+1.25`.
pub fn in_words(score: Score) -> String {
    let margin = (score.value.centiseeds() / 100).abs();
    let more = if score.proof.is_exact() { "" } else { " or more" };
    match score.proven() {
        Some(Verdict::Win) if score.value.centiseeds() <= 0 => "a certain win".to_owned(),
        Some(Verdict::Loss) if score.value.centiseeds() >= 0 => "a certain loss".to_owned(),
        Some(Verdict::Win) => format!("a certain win by {margin}{more}"),
        Some(Verdict::Loss) => format!("a certain loss by {margin}{more}"),
        Some(Verdict::Draw) => "a certain draw".to_owned(),
        None => match score.value.kind() {
            Kind::Win(_) => format!("{}, a win found", in_seeds(score.value)),
            Kind::Loss(_) => format!("{}, a loss found", in_seeds(score.value)),
            Kind::Estimate(_) => in_seeds(score.value),
        },
    }
}

/// Moves as a list with spaces: `F f E`.
pub fn written(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}
