//! Adjudication: ends of games that the rules do not make, by length, by repetition, by scores, by an endgame database.
//!
//! Each way is an [`Adjudicator`] of its own. It sees the game after every move; the first that has a result decides. A new
//! way is one more of them. Those by scores count by the side that has moved, since a side may move twice in a row.

use super::outcome::{Outcome, Termination};
use super::searches::SearchInfo;
use kroo::endgames::{EndgameFileError, Endgames, MAX_SEEDS, ThreadPool};
use kroo::game::{Cycle, Game, Position, RuleOptions, Rules, Side, Variant, Verdict, Visitor};
use kroo::protocol::{InfoScore, Proven, ScoreValue};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::path::Path;

/// Which games are adjudicated, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRules {
    /// After this many moves the game is over. Moves of both sides count, the opening's included.
    pub max_moves: usize,
    /// The result at that limit.
    pub at_limit: MoveLimitResult,
    /// A game is drawn when a position occurs this many times.
    pub repetition: Option<u32>,
    /// When a game is resigned.
    pub resign: Option<ResignRule>,
    /// When a game is drawn by its scores.
    pub draw: Option<DrawRule>,
    /// Games end once at most this many seeds are in the pits and the database, [`Endgames::shared`], knows the result.
    #[serde(default)]
    pub endgame: Option<u8>,
}

/// The result at the move limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveLimitResult {
    /// The larger store wins.
    Stores,
    /// A draw.
    Draw,
}

/// When a game is resigned for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// How many of its own moves in a row must have such a score.
    pub moves: u32,
    /// The engine sees itself at least this far behind, in hundredths of a seed.
    pub score: i32,
    /// Whether the other engine must see itself as far ahead.
    pub both: bool,
}

/// When a game is drawn by its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this many moves of both sides.
    pub from: usize,
    /// How many of an engine's own moves in a row must have such a score.
    pub moves: u32,
    /// The score is at most this far from level, in hundredths of a seed.
    pub score: i32,
    /// Whether both engines must see it so, or one is enough.
    pub both: bool,
}

impl AdjudicationRules {
    #[cfg(feature = "public")]
    /// Only a move limit, at which the larger store wins.
    pub fn limited(max_moves: usize) -> AdjudicationRules {
        AdjudicationRules {
            max_moves,
            at_limit: MoveLimitResult::Stores,
            repetition: None,
            resign: None,
            draw: None,
            endgame: None,
        }
    }

    /// The adjudicators of one game.
    pub fn adjudicators(&self) -> Adjudicators {
        let mut all: Vec<Box<dyn Adjudicator>> = Vec::new();
        if let Some(rule) = self.resign {
            all.push(Box::new(Resignation { rule, behind: [0; 2], ahead: [0; 2] }));
        }
        if let Some(rule) = self.draw {
            all.push(Box::new(DrawByScore { rule, level: [0; 2] }));
        }
        if let Some(times) = self.repetition {
            all.push(Box::new(Repetition { times, seeds: 0, seen: Vec::new() }));
        }
        if let Some(seeds) = self.endgame {
            all.push(Box::new(EndgameDatabase { seeds }));
        }
        all.push(Box::new(MoveLimit { max_moves: self.max_moves, at_limit: self.at_limit }));
        Adjudicators { all }
    }
}

/// A game after a move.
#[derive(Clone, Copy, Debug)]
pub struct GameMoment<'a> {
    /// The game, which is not over by its rules.
    pub game: &'a Game,
    /// The side that has made the last move, and what its engine said; `None` before an engine has moved.
    pub last: Option<(Side, &'a SearchInfo)>,
}

/// The result of an adjudicated game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The result.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
}

/// One way to adjudicate a game. It sees the game after every move, in order.
pub trait Adjudicator: Debug {
    /// Returns the result if the game is over.
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication>;
}

/// All adjudicators of a game.
#[derive(Debug)]
pub struct Adjudicators {
    all: Vec<Box<dyn Adjudicator>>,
}

impl Adjudicator for Adjudicators {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        // Every one of them must see every move, because some of them count.
        self.all.iter_mut().fold(None, |first, one| {
            let own = one.look(moment);
            first.or(own)
        })
    }
}

/// By length.
#[derive(Debug)]
struct MoveLimit {
    max_moves: usize,
    at_limit: MoveLimitResult,
}

impl Adjudicator for MoveLimit {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        let position = moment.game.position();
        let outcome = || match self.at_limit {
            MoveLimitResult::Stores => Outcome::by_stores(Side::BOTH.map(|side| position.store(side))),
            MoveLimitResult::Draw => Outcome::Draw,
        };
        let reached = moment.game.moves().len() >= self.max_moves;
        reached.then(|| Adjudication { outcome: outcome(), termination: Termination::MoveLimit })
    }
}

/// By the endgame database.
///
/// Under rules where a repetition ends the game it is asked only right after a capture, when no position can have occurred
/// before.
#[derive(Debug)]
struct EndgameDatabase {
    seeds: u8,
}

impl Adjudicator for EndgameDatabase {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        moment.last?;
        let position = moment.game.position();
        if position.board().seeds() > self.seeds {
            return None;
        }
        let outcome = match position.variant().visit(EndgameProbe(moment.game))? {
            Verdict::Win => Outcome::Win(position.side()),
            Verdict::Draw => Outcome::Draw,
            Verdict::Loss => Outcome::Win(position.side().other()),
        };
        Some(Adjudication { outcome, termination: Termination::Endgame })
    }
}

/// Maps the endgame files of a folder, so that [`AdjudicationRules::endgame`] can use them. Returns the largest number of seeds
/// that they cover, if there are any.
///
/// # Errors
/// If one of them cannot be used.
pub fn open_endgames(folder: &Path, variant: Variant) -> Result<Option<u8>, EndgameFileError> {
    variant.visit(OpenEndgames(folder, variant.options()))
}

struct OpenEndgames<'a>(&'a Path, RuleOptions);

impl Visitor for OpenEndgames<'_> {
    type Output = Result<Option<u8>, EndgameFileError>;

    fn visit<R: Rules>(self) -> Self::Output {
        Endgames::shared_with(self.1).open::<R>(self.0, MAX_SEEDS, &ThreadPool::on_all_processors())
    }
}

/// Looks up the result, seen by the side to move.
struct EndgameProbe<'a>(&'a Game);

impl Visitor for EndgameProbe<'_> {
    type Output = Option<Verdict>;

    fn visit<R: Rules>(self) -> Option<Verdict> {
        let board = self.0.position().board();
        if R::CYCLE == Cycle::EndsGame && self.0.line().len() > 1 {
            return None;
        }
        Endgames::shared_with(board.options()).probe::<R>(board, board.seeds())?.proven()
    }
}

/// By repetition. A position cannot occur again once seeds have left the pits.
#[derive(Debug)]
struct Repetition {
    times: u32,
    seeds: u8,
    seen: Vec<Position>,
}

impl Adjudicator for Repetition {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        let position = *moment.game.position();
        let seeds = position.board().seeds();
        if seeds != self.seeds {
            self.seen.clear();
            self.seeds = seeds;
        }
        self.seen.push(position);
        let times = self.seen.iter().filter(|&&seen| seen == position).count();
        let draw = Adjudication { outcome: Outcome::Draw, termination: Termination::Repetition };
        (times as u32 >= self.times).then_some(draw)
    }
}

#[derive(Debug)]
struct Resignation {
    rule: ResignRule,
    /// For each side, its last moves in a row at which it saw itself this far behind, and this far ahead.
    behind: [u32; 2],
    ahead: [u32; 2],
}

impl Adjudicator for Resignation {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        let (side, info) = moment.last?;
        let score = info.score.and_then(centiseeds);
        let own = side.index();
        count(&mut self.behind[own], score.is_some_and(|score| score <= -self.rule.score));
        count(&mut self.ahead[own], score.is_some_and(|score| score >= self.rule.score));
        let resigns = |side: Side| {
            self.behind[side.index()] >= self.rule.moves
                && (!self.rule.both || self.ahead[side.other().index()] >= self.rule.moves)
        };
        let loser = Side::BOTH.into_iter().find(|&side| resigns(side))?;
        Some(Adjudication { outcome: Outcome::Win(loser.other()), termination: Termination::Resignation })
    }
}

/// By scores close to level.
#[derive(Debug)]
struct DrawByScore {
    rule: DrawRule,
    /// For each side, its last moves in a row at which it saw the game as level.
    level: [u32; 2],
}

impl Adjudicator for DrawByScore {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        let (side, info) = moment.last?;
        let level = info.score.and_then(centiseeds).is_some_and(|score| score.abs() <= self.rule.score);
        count(&mut self.level[side.index()], level);
        let agrees = |side: Side| self.level[side.index()] >= self.rule.moves;
        let mut sides = Side::BOTH.into_iter();
        let agreed = if self.rule.both { sides.all(agrees) } else { sides.any(agrees) };
        let draw = Adjudication { outcome: Outcome::Draw, termination: Termination::Agreement };
        (agreed && moment.game.moves().len() >= self.rule.from).then_some(draw)
    }
}

/// Counts how often in a row something holds.
fn count(counter: &mut u32, holds: bool) {
    *counter = if holds { *counter + 1 } else { 0 };
}

/// A score in hundredths of a seed. A proven win is more than all seeds, whatever its margin: in `awari` a side can win with
/// fewer seeds than the other, and often only the winner is known. `None` for a bound, which decides nothing.
fn centiseeds(score: InfoScore) -> Option<i32> {
    score.is_definite().then_some(match (score.proven, score.value) {
        (Some(Proven::Win), _) => i32::MAX,
        (Some(Proven::Loss), _) => -i32::MAX,
        (Some(Proven::Draw), _) => 0,
        (None, ScoreValue::Cp(cp)) => cp,
        (None, ScoreValue::Mate(moves)) if moves < 0 => -i32::MAX,
        (None, ScoreValue::Mate(_)) => i32::MAX,
    })
}
