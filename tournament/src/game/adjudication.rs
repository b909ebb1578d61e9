//! Ends that the rules of the game do not make: by length, by repetition, by what both engines think.
//!
//! Each way is an [`Adjudicator`] of its own that looks at the game after every move, the first that has something to
//! say decides. Another way to end a game, such as a database of endgames, is one more of them. All count by the side
//! that has moved, since the same side may move twice in a row.

use super::{Outcome, SearchInfo, Termination};
use kroo::endgame::Endgames;
use kroo::game::{Cycle, Game, Position, Rules, Side, Verdict, Visitor};
use kroo::protocol::{InfoScore, ScoreValue};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// How games end that the rules do not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRules {
    /// After so many moves of either side, the opening's included, the game is over.
    pub max_moves: usize,
    /// What it is then.
    pub at_limit: MoveLimitResult,
    /// A game is drawn when a position is there for so many times.
    pub repetition: Option<u32>,
    /// When a game is given up.
    pub resign: Option<ResignRule>,
    /// When a game is taken to be level.
    pub draw: Option<DrawRule>,
    /// Games end when no more seeds than this are in the pits and the endgames, [`Endgames::shared`], know who wins.
    #[serde(default)]
    pub endgame: Option<u8>,
}

/// What a game is that has lasted too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveLimitResult {
    /// Won by the larger store.
    Stores,
    /// A draw.
    Draw,
}

/// When a game is given up for lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Its own moves in a row with such a score.
    pub moves: u32,
    /// How far behind it sees itself at least, in hundredths of a seed.
    pub score: i32,
    /// Whether the other must see itself as far ahead.
    pub both: bool,
}

/// When a game is taken to be level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before so many moves of either side.
    pub from: usize,
    /// Own moves in a row with such a score.
    pub moves: u32,
    /// How far from level it is seen at most, in hundredths of a seed.
    pub score: i32,
    /// Whether both must see it so, or one is enough.
    pub both: bool,
}

impl AdjudicationRules {
    /// Nothing but a limit of moves, at which the stores decide.
    #[must_use]
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

    /// Who looks at one game.
    #[must_use]
    pub fn judge(&self) -> Adjudicators {
        let mut bench: Vec<Box<dyn Adjudicator>> = Vec::new();
        if let Some(rule) = self.resign {
            bench.push(Box::new(Resignation_ { rule, behind: [0; 2], ahead: [0; 2] }));
        }
        if let Some(rule) = self.draw {
            bench.push(Box::new(AgreedDraw { rule, level: [0; 2] }));
        }
        if let Some(times) = self.repetition {
            bench.push(Box::new(Repetition { times, seeds: 0, seen: Vec::new() }));
        }
        if let Some(seeds) = self.endgame {
            bench.push(Box::new(EndgameDatabase { seeds }));
        }
        bench.push(Box::new(MoveLimit { max_moves: self.max_moves, at_limit: self.at_limit }));
        Adjudicators { bench }
    }
}

/// What has just happened.
#[derive(Clone, Copy, Debug)]
pub struct GameMoment<'a> {
    /// The game, not over by its rules.
    pub game: &'a Game,
    /// Who has made the last move, and what it told; `None` before an engine has moved.
    pub told: Option<(Side, &'a SearchInfo)>,
}

/// How a game is adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Who has won.
    pub outcome: Outcome,
    /// Why.
    pub termination: Termination,
}

/// One way to end a game. It sees every moment of one game, in order.
pub trait Adjudicator: Debug {
    /// Looks at a moment; says so if the game is over.
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication>;
}

/// All ways together.
#[derive(Debug)]
pub struct Adjudicators {
    bench: Vec<Box<dyn Adjudicator>>,
}

impl Adjudicator for Adjudicators {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        // All look at each moment, for they count.
        self.bench.iter_mut().fold(None, |ruling, one| {
            let own = one.look(moment);
            ruling.or(own)
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
        let lasted = moment.game.moves().len() >= self.max_moves;
        lasted.then(|| Adjudication { outcome: outcome(), termination: Termination::MoveLimit })
    }
}

/// By the endgames. Where a repetition ends the game they are asked right after a capture only, when nothing can have
/// been there before.
#[derive(Debug)]
struct EndgameDatabase {
    seeds: u8,
}

impl Adjudicator for EndgameDatabase {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        moment.told?;
        let position = moment.game.position();
        if position.board().seeds() > self.seeds {
            return None;
        }
        let verdict = position.variant().visit(Probe(moment.game))?;
        let outcome = match verdict {
            Verdict::Win => Outcome::Win(position.side()),
            Verdict::Draw => Outcome::Draw,
            Verdict::Loss => Outcome::Win(position.side().other()),
        };
        Some(Adjudication { outcome, termination: Termination::Endgame })
    }
}

/// Who wins by the endgames, seen by the side to move.
struct Probe<'a>(&'a Game);

impl Visitor for Probe<'_> {
    type Output = Option<Verdict>;

    fn visit<R: Rules>(self) -> Option<Verdict> {
        let board = self.0.position().board();
        if R::CYCLE == Cycle::EndsGame && self.0.line().len() > 1 {
            return None;
        }
        Endgames::shared().probe::<R>(board, board.seeds())?.proven()
    }
}

/// By repetition. A position cannot come back once seeds have left the pits.
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
        let ruling = Adjudication { outcome: Outcome::Draw, termination: Termination::Repetition };
        (times as u32 >= self.times).then_some(ruling)
    }
}

/// By resignation.
#[derive(Debug)]
struct Resignation_ {
    rule: ResignRule,
    /// Moves in a row at which a side has seen itself so far behind, and ahead.
    behind: [u32; 2],
    ahead: [u32; 2],
}

impl Adjudicator for Resignation_ {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        let (side, told) = moment.told?;
        let score = told.score.map(hundredths);
        let own = side.index();
        count(&mut self.behind[own], score.is_some_and(|score| score <= -self.rule.score));
        count(&mut self.ahead[own], score.is_some_and(|score| score >= self.rule.score));
        let lost = |side: Side| {
            self.behind[side.index()] >= self.rule.moves
                && (!self.rule.both || self.ahead[side.other().index()] >= self.rule.moves)
        };
        let loser = Side::BOTH.into_iter().find(|&side| lost(side))?;
        Some(Adjudication { outcome: Outcome::Win(loser.other()), termination: Termination::Resignation })
    }
}

/// By agreement that it is level.
#[derive(Debug)]
struct AgreedDraw {
    rule: DrawRule,
    level: [u32; 2],
}

impl Adjudicator for AgreedDraw {
    fn look(&mut self, moment: &GameMoment<'_>) -> Option<Adjudication> {
        let (side, told) = moment.told?;
        let level = told.score.is_some_and(|score| hundredths(score).abs() <= self.rule.score);
        count(&mut self.level[side.index()], level);
        let agreed = |side: Side| self.level[side.index()] >= self.rule.moves;
        let mut sides = Side::BOTH.into_iter();
        let agreed = if self.rule.both { sides.all(agreed) } else { sides.any(agreed) };
        let ruling = Adjudication { outcome: Outcome::Draw, termination: Termination::Agreement };
        (agreed && moment.game.moves().len() >= self.rule.from).then_some(ruling)
    }
}

/// One more in a row, or none.
fn count(counter: &mut u32, holds: bool) {
    *counter = if holds { *counter + 1 } else { 0 };
}

/// A score in hundredths of a seed; a won end is more than all seeds.
fn hundredths(score: InfoScore) -> i32 {
    match score.value {
        ScoreValue::Cp(cp) => cp,
        ScoreValue::Mate(moves) if moves < 0 => -i32::MAX,
        ScoreValue::Mate(_) => i32::MAX,
    }
}
