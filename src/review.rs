//! The review of a game: each move compared with the best one, marked, and counted.
//!
//! A [`Review`] says which search it needs next and takes its report; it searches nothing itself. `kroo analyse` and the command
//! `review` of the protocol run those searches, the page in the browser sends that command, and `kroo play` judges one move by
//! the same [`Judgement`].

use crate::game::{Game, Move, Position, Side, Verdict};
use crate::ogn::Turn;
use crate::protocol::{Limits, MAX_DEPTH, ReviewedMoves};
use crate::search::Report;
use crate::value::Score;

/// The default limit of each first search, in nodes: with one thread it makes marks reproducible.
pub const DEFAULT_NODES: u64 = 200_000;
/// A second search of a mistake gets this factor of the time and the nodes of the first (chosen, not measured), and
/// [`DEEPER`] more plies.
const LONGER: u64 = 4;
const DEEPER: u32 = 2;

/// The mark of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`: half a seed given away.
    Inaccuracy,
    /// `?`: one and a half seeds given away.
    Mistake,
    /// `??`: three seeds, or a result, given away.
    Blunder,
}

impl Mark {
    /// All marks, the least first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The sign of annotators.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The least loss that gets the mark, in hundredths of a seed (chosen, not measured).
    const fn least_loss(self) -> i32 {
        match self {
            Mark::Inaccuracy => 50,
            Mark::Mistake => 150,
            Mark::Blunder => 300,
        }
    }

    /// The mark of a move, from its score and that of the best one.
    ///
    /// An unproven score refutes no proven one: a move without a proof is no mistake if the best move has one. A move that is
    /// proven worse than the best one, proven or not, loses the difference; among two proven results only the winner counts.
    pub fn of(best: Score, played: Score) -> Option<Mark> {
        let loss = best.value.shown_centiseeds() - played.value.shown_centiseeds();
        match (best.proven(), played.proven()) {
            (Some(best), Some(played)) => (rank(played) < rank(best)).then_some(Mark::Blunder),
            (Some(_), None) => None,
            (None, Some(Verdict::Loss)) if loss > 0 && best.value.shown_centiseeds() >= 0 => {
                Some(Mark::Blunder)
            }
            (None, _) => Mark::ALL.into_iter().rfind(|mark| loss >= mark.least_loss()),
        }
    }
}

/// How a result ranks for the side that it belongs to.
const fn rank(verdict: Verdict) -> i8 {
    match verdict {
        Verdict::Win => 1,
        Verdict::Draw => 0,
        Verdict::Loss => -1,
    }
}

/// A move of a game, compared with the best one. Scores are those of the side that moved.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The number of the move in its game, from 1.
    pub ply: usize,
    /// The turn that it belongs to.
    pub turn: Turn,
    pub mv: Move,
    pub before: Position,
    /// The score of the best move.
    pub best: Score,
    pub best_line: Vec<Move>,
    /// The score of the move; `None` if an interrupted search has no line for it.
    pub played: Option<Score>,
    /// The mark, if the move is a mistake.
    pub mark: Option<Mark>,
}

impl Judgement {
    /// Judges a move by the lines of a search of all moves, best first.
    pub fn new(game: &Game, mv: Move, lines: &[(Score, &[Move])]) -> Judgement {
        let (best, best_line) = lines[0];
        let played = lines.iter().find(|(_, line)| line[0] == mv).map(|(score, _)| *score);
        Judgement {
            ply: game.moves().len() + 1,
            turn: Turn::of(game.moves().iter().copied().chain([mv])),
            mv,
            before: *game.position(),
            best,
            best_line: best_line.to_vec(),
            played,
            mark: played.filter(|_| best_line[0] != mv).and_then(|played| Mark::of(best, played)),
        }
    }

    pub fn sign(&self) -> Option<&'static str> {
        self.mark.map(Mark::sign)
    }

    /// South's expected result after the move, in per cent.
    pub fn for_south(&self) -> Option<f64> {
        let turned = |score: Score| if self.mv.side == Side::South { score } else { score.turned() };
        self.played.map(|played| expected(turned(played)))
    }

    /// The loss of the move in percentage points of the expected result, if there was a choice.
    pub fn loss(&self) -> Option<f64> {
        let played = self.played.filter(|_| self.before.moves().len() > 1)?;
        // An unproven score refutes no proven one.
        let is_open = self.best.proven().is_some() && played.proven().is_none();
        Some(if is_open { 0.0 } else { (expected(self.best) - expected(played)).max(0.0) })
    }

    /// Whether the move keeps the result, if that is proven for the best move and for this one.
    fn keeps_result(&self) -> Option<bool> {
        let (best, played) = (self.best.proven()?, self.played?.proven()?);
        Some(rank(played) >= rank(best))
    }
}

/// The expected result of the score's side, in per cent.
fn expected(score: Score) -> f64 {
    let [win, draw, _] = score.chances().map(f64::from);
    (win + draw / 2.0) / 10.0
}

/// The lines of a report, best first.
pub fn lines_of(report: &Report) -> Vec<(Score, &[Move])> {
    let others = report.others.iter().map(|line| (line.score, line.pv.as_slice()));
    std::iter::once((report.score, report.pv.as_slice())).chain(others).collect()
}

/// A search that a review needs: of all moves of a position.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The game up to the position. It is not over.
    pub game: &'a Game,
    pub limits: &'a Limits,
    /// The number of lines: one for each legal move.
    pub lines: usize,
}

#[derive(Clone, Debug)]
pub struct Review {
    /// The game up to the move under review.
    game: Game,
    /// The moves of the whole game.
    moves: Vec<Move>,
    /// Those of them that are judged.
    judged: ReviewedMoves,
    /// The limits of a first search, and of a second one.
    limits: [Limits; 2],
    /// Whether the second search of the move comes next.
    again: bool,
    judgements: Vec<Judgement>,
}

impl Review {
    /// A review of moves of a game. The limits are those of each first search.
    pub fn new(game: &Game, judged: ReviewedMoves, limits: &Limits) -> Review {
        let longer = Limits {
            movetime: limits.movetime.map(|time| time.saturating_mul(LONGER)),
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(LONGER)),
            depth: limits.depth.map(|depth| depth.saturating_add(DEEPER).min(MAX_DEPTH)),
            ..Limits::default()
        };
        let mut review = Review {
            game: Game::new(*game.start()),
            moves: game.moves().to_vec(),
            judged,
            limits: [limits.clone(), longer],
            again: false,
            judgements: Vec::new(),
        };
        review.skip();
        review
    }

    fn next(&self) -> Option<Move> {
        self.moves.get(self.game.moves().len()).copied()
    }

    /// Plays the moves that are not judged, up to the next one that is.
    fn skip(&mut self) {
        let is_judged = |game: &Game, mv| self.judged.includes(game.moves().len() + 1, mv);
        while let Some(mv) = self.next().filter(|&mv| !is_judged(&self.game, mv)) {
            self.game.play(mv).expect("a move of a game is legal in it");
        }
    }

    /// The next search; `None` if all moves are judged.
    pub fn look(&self) -> Option<Look<'_>> {
        self.next().map(|_| Look {
            game: &self.game,
            limits: &self.limits[usize::from(self.again)],
            lines: self.game.position().moves().len(),
        })
    }

    /// Takes the report of [`look`](Review::look), and returns the judgement of the move if that is final: a mark counts only if
    /// a second, longer search confirms it, and a move without a line is searched again.
    ///
    /// # Panics
    /// If all moves are judged.
    pub fn take(&mut self, report: &Report) -> Option<&Judgement> {
        let mv = self.next().expect("there is a move to judge");
        let judgement = Judgement::new(&self.game, mv, &lines_of(report));
        let is_final = self.again || judgement.mark.is_none() && judgement.played.is_some();
        self.again = !is_final;
        if !is_final {
            return None;
        }
        self.game.play(mv).expect("a move of a game is legal in it");
        self.skip();
        self.judgements.push(judgement);
        self.judgements.last()
    }

    /// The moves judged so far.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }
}

/// The counts of a side's moves in a review.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// The number of mistakes by mark, the least first.
    pub marks: [usize; 3],
    /// 100 % minus the average loss of expected result (win 1, draw ½) of a move; `None` if the side never had a choice.
    pub accuracy: Option<f64>,
    /// Moves with a proven result whose best move also has one.
    pub known: usize,
    /// Those of them that gave the result away.
    pub given_away: usize,
}

impl Counts {
    /// Counts the moves of a side.
    pub fn of(judgements: &[Judgement], side: Side) -> Counts {
        let own = || judgements.iter().filter(|judgement| judgement.mv.side == side);
        let losses: Vec<f64> = own().filter_map(Judgement::loss).collect();
        let kept: Vec<bool> = own().filter_map(Judgement::keeps_result).collect();
        Counts {
            marks: Mark::ALL.map(|mark| own().filter(|judgement| judgement.mark == Some(mark)).count()),
            accuracy: (!losses.is_empty()).then(|| 100.0 - losses.iter().sum::<f64>() / losses.len() as f64),
            known: kept.len(),
            given_away: kept.iter().filter(|&&kept| !kept).count(),
        }
    }
}
