//! Adjudication: ends of games that the rules do not make, by length, by repetition, by scores, by an endgame database.
//!
//! Each way is a function of the [`Adjudicator`], which sees the game after every move; the first that has a result decides.
//! Those by scores count by the side that has moved, since a side may move twice in a row.

use super::outcome::{Outcome, Termination};
use super::searches::SearchInfo;
use kroo::endgames::{EndgameFileError, Endgames, MAX_SEEDS, ThreadPool};
use kroo::game::{Cycle, Game, Position, RuleOptions, Rules, Side, Variant, Verdict, Visitor};
use kroo::protocol::{InfoScore, ScoreValue};
use serde::{Deserialize, Serialize};
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

    /// The adjudicator of one game.
    pub fn adjudicator(self) -> Adjudicator {
        Adjudicator { rules: self, behind: [0; 2], ahead: [0; 2], level: [0; 2], seeds: 0, seen: Vec::new() }
    }
}

/// The result of an adjudicated game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The result.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
}

/// What has been seen of a game, for all ways to adjudicate it.
#[derive(Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// For each side, its latest consecutive moves whose score was as far behind as a resigning side's, as far ahead, and level.
    behind: [u32; 2],
    ahead: [u32; 2],
    level: [u32; 2],
    /// The positions since seeds have left the pits for the last time, when there were this many.
    seeds: u8,
    seen: Vec<Position>,
}

impl Adjudicator {
    /// Looks at a game that is not over by its rules, after each move; `last` is the side that has made it, and what its engine
    /// said, or `None` before an engine has moved. Returns the result if the game is over.
    pub fn look(&mut self, game: &Game, last: Option<(Side, &SearchInfo)>) -> Option<Adjudication> {
        if let Some((side, info)) = last {
            self.count(side, info.score.and_then(centiseeds));
        }
        let is_repeated = self.is_repeated(*game.position());
        let drawn = |termination| Some(Adjudication { outcome: Outcome::Draw, termination });
        if let Some(loser) = Side::BOTH.into_iter().find(|&side| last.is_some() && self.resigns(side)) {
            let outcome = Outcome::Win(loser.other());
            return Some(Adjudication { outcome, termination: Termination::Resignation });
        }
        if last.is_some() && self.agree(game.moves().len()) {
            return drawn(Termination::Agreement);
        }
        if is_repeated {
            return drawn(Termination::Repetition);
        }
        if let Some(outcome) = last.and_then(|_| self.in_database(game)) {
            return Some(Adjudication { outcome, termination: Termination::Endgame });
        }
        if game.moves().len() < self.rules.max_moves {
            return None;
        }
        let position = game.position();
        let outcome = match self.rules.at_limit {
            MoveLimitResult::Stores => Outcome::by_stores(Side::BOTH.map(|side| position.store(side))),
            MoveLimitResult::Draw => Outcome::Draw,
        };
        Some(Adjudication { outcome, termination: Termination::MoveLimit })
    }

    /// The end of a game that is over, by its rules or by adjudication; `info` is that of the last move, if an engine made it.
    pub fn end_of(&mut self, game: &Game, info: Option<&SearchInfo>) -> Option<Adjudication> {
        let by_rules = Outcome::by_rules(game.position());
        let by_rules = by_rules.map(|outcome| Adjudication { outcome, termination: Termination::Rules });
        let mover = game.moves().last().map(|mv| mv.side);
        by_rules.or_else(|| self.look(game, mover.zip(info)))
    }

    /// Updates the counts of a side's consecutive similar scores.
    fn count(&mut self, side: Side, score: Option<i32>) {
        let is = |test: &dyn Fn(i32) -> bool| score.is_some_and(test);
        let (resign, draw) =
            (self.rules.resign.map(|rule| rule.score), self.rules.draw.map(|rule| rule.score));
        for (counter, holds) in [
            (&mut self.behind, is(&|score| resign.is_some_and(|least| score <= -least))),
            (&mut self.ahead, is(&|score| resign.is_some_and(|least| score >= least))),
            (&mut self.level, is(&|score| draw.is_some_and(|most| score.abs() <= most))),
        ] {
            let counter = &mut counter[side.index()];
            *counter = if holds { *counter + 1 } else { 0 };
        }
    }

    fn resigns(&self, side: Side) -> bool {
        self.rules.resign.is_some_and(|rule| {
            self.behind[side.index()] >= rule.moves
                && (!rule.both || self.ahead[side.other().index()] >= rule.moves)
        })
    }

    /// Whether the engines, or one if that is enough, have seen the game as level for long enough.
    fn agree(&self, moves: usize) -> bool {
        self.rules.draw.is_some_and(|rule| {
            let agreeing = self.level.iter().filter(|&&level| level >= rule.moves).count();
            agreeing >= if rule.both { 2 } else { 1 } && moves >= rule.from
        })
    }

    /// Whether a position has occurred too often. It cannot occur again once seeds have left the pits.
    fn is_repeated(&mut self, position: Position) -> bool {
        let Some(most) = self.rules.repetition else { return false };
        if position.board().seeds() != self.seeds {
            self.seen.clear();
            self.seeds = position.board().seeds();
        }
        self.seen.push(position);
        self.seen.iter().filter(|&&seen| seen == position).count() as u32 >= most
    }

    /// The result that the endgame database knows. Under rules where a repetition ends the game it is asked only right after a
    /// capture, when no position can have occurred before.
    fn in_database(&self, game: &Game) -> Option<Outcome> {
        let position = game.position();
        self.rules.endgame.filter(|&most| position.board().seeds() <= most)?;
        Some(match position.variant().visit(EndgameProbe(game))? {
            Verdict::Win => Outcome::Win(position.side()),
            Verdict::Draw => Outcome::Draw,
            Verdict::Loss => Outcome::Win(position.side().other()),
        })
    }
}

/// Maps the endgame files of a folder for [`AdjudicationRules::endgame`]. Returns the largest number of seeds that they cover, if
/// any.
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

/// A score in hundredths of a seed. A proven win is more than all seeds, whatever its margin: in `awari` a side can win with
/// fewer seeds than the other, and often only the winner is known. `None` for a bound, which decides nothing.
fn centiseeds(score: InfoScore) -> Option<i32> {
    score.is_definite().then_some(match (score.proven, score.value) {
        (Some(Verdict::Win), _) => i32::MAX,
        (Some(Verdict::Loss), _) => -i32::MAX,
        (Some(Verdict::Draw), _) => 0,
        (None, ScoreValue::Cp(cp)) => cp,
        (None, ScoreValue::Mate(moves)) if moves < 0 => -i32::MAX,
        (None, ScoreValue::Mate(_)) => i32::MAX,
    })
}
