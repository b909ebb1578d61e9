//! The mistakes of a game: each move compared with the best one, and a summary.

use super::limits::{Analyst, longer};
use super::scores::{PointOfView, score_json, shown, written};
use crate::game::{Game, Move, Position, Side, Verdict, draw};
use crate::protocol::Limits;
use crate::search::Report;
use crate::value::Score;
use serde_json::{Value as Json, json};

/// Marks with the least loss in hundredths of a seed (chosen, not measured). A move that gives a proven result away gets the
/// last mark.
const MARKS: [(i32, &str); 3] = [(50, "?!"), (150, "?"), (300, "??")];

/// A move of a game, compared with the best one. Scores are those of the side that moved.
pub struct MoveReview {
    pub ply: usize,
    pub mv: Move,
    pub before: Position,
    pub best: Score,
    pub best_line: Vec<Move>,
    /// The score of the move; `None` if an interrupted search has no line for it.
    pub played: Option<Score>,
    pub mark: Option<usize>,
}

impl MoveReview {
    /// Compares a move with the others. A mistake counts only if a second, longer search confirms it.
    pub(super) fn new(game: &Game, ply: usize, mv: Move, limits: &Limits, analyst: &Analyst) -> MoveReview {
        let before = *game.position();
        let look = |limits: &Limits| {
            let (report, _) = analyst.search(game, limits, before.moves().len());
            let lines = lines_of(&report);
            let (best, best_line) = lines[0];
            let played = lines.iter().find(|(_, line)| line[0] == mv).map(|(score, _)| *score);
            let mark = played.and_then(|played| mark_of(best, played));
            MoveReview { ply, mv, before, best, best_line: best_line.to_vec(), played, mark }
        };
        confirmed(limits, look)
    }

    pub fn sign(&self) -> Option<&'static str> {
        self.mark.map(|mark| MARKS[mark].1)
    }

    /// The move, its mark, its score, and the better line.
    pub(super) fn line(&self, view: PointOfView) -> String {
        let seen = |score| shown(view.of(score, self.mv.side));
        let score = self.played.map_or_else(|| "?".to_owned(), seen);
        let sign = self.sign().unwrap_or_default();
        let better = match self.mark {
            Some(_) => {
                format!("  better {}", written(view.of(self.best, self.mv.side), &self.best_line))
            }
            None => String::new(),
        };
        format!("{:>3}. {}{sign:<2} {score:>17}{better}", self.ply, self.mv).trim_end().to_owned()
    }

    pub(super) fn json(&self, view: PointOfView) -> Json {
        let seen = |score| score_json(view.of(score, self.mv.side));
        let pv: String = self.best_line.iter().map(Move::to_string).collect();
        json!({ "ply": self.ply, "side": self.mv.side.to_string(), "move": self.mv.to_string(),
            "position": self.before.to_string(), "score": self.played.map(seen), "best": self.best_line[0].to_string(),
            "best_score": seen(self.best), "pv": pv, "mark": self.sign() })
    }

    /// The loss of the move in percentage points of the expected result, if there was a choice.
    fn given_away(&self) -> Option<f64> {
        let has_choice = self.before.moves().len() > 1;
        self.played.filter(|_| has_choice).map(|played| (expected(self.best) - expected(played)).max(0.0))
    }

    /// South's expected result after the move, in per cent.
    fn for_south(&self) -> Option<f64> {
        self.played.map(|played| expected(PointOfView::South.of(played, self.mv.side)))
    }
}

/// The expected result of the score's side, in per cent.
fn expected(score: Score) -> f64 {
    let [win, draw, _] = score.chances().map(f64::from);
    (win + draw / 2.0) / 10.0
}

/// The review of a move within limits. If it marks the move, or has no line for it, a second, longer search decides.
pub fn confirmed(limits: &Limits, mut look: impl FnMut(&Limits) -> MoveReview) -> MoveReview {
    let first = look(limits);
    if first.mark.is_none() && first.played.is_some() { first } else { look(&longer(limits)) }
}

/// The lines of a report, best first.
pub(super) fn lines_of(report: &Report) -> Vec<(Score, &[Move])> {
    let others = report.others.iter().map(|(score, line)| (*score, line.as_slice()));
    std::iter::once((report.score, report.pv.as_slice())).chain(others).collect()
}

/// The number of mistakes of a side by mark, and its accuracy in per cent, if it ever had a choice.
fn of_side(reviews: &[MoveReview], side: Side) -> ([usize; 3], Option<f64>) {
    let own = || reviews.iter().filter(|review| review.mv.side == side);
    let marks = [0, 1, 2].map(|mark| own().filter(|review| review.mark == Some(mark)).count());
    let given: Vec<f64> = own().filter_map(MoveReview::given_away).collect();
    let accuracy = (!given.is_empty()).then(|| 100.0 - given.iter().sum::<f64>() / given.len() as f64);
    (marks, accuracy)
}

/// Maximum signs in the course of a game.
const COURSE: usize = 60;

/// The course of a game in one line: a sign for each move, or for several in a long game, from a loss to a win for South. Bars
/// if the terminal has them, otherwise digits.
pub fn course(reviews: &[MoveReview], has_bars: bool) -> Option<String> {
    let values: Vec<f64> = reviews.iter().filter_map(MoveReview::for_south).collect();
    let signs: Vec<char> = if has_bars { "▁▂▃▄▅▆▇█" } else { "0123456789" }.chars().collect();
    let (lost, won) = (signs.first()?, signs.last()?);
    let sign = |part: &[f64]| {
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        signs[((mean / 100.0 * signs.len() as f64) as usize).min(signs.len() - 1)]
    };
    let each = values.len().div_ceil(COURSE).max(1);
    let line: String = values.chunks(each).map(sign).collect();
    let moves = if each == 1 { String::new() } else { format!(", {each} moves a sign") };
    (!line.is_empty()).then(|| format!("Course ({lost} lost, {won} won for South{moves}): {line}"))
}

/// The summary: the course of the game, each side's mistakes and accuracy, then each mistake with the board before it.
pub(super) fn summary(reviews: &[MoveReview], view: PointOfView, has_bars: bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(course(reviews, has_bars));
    for side in Side::BOTH {
        let ([half, one, three], accuracy) = of_side(reviews, side);
        let accuracy = accuracy.map_or_else(|| "n/a".to_owned(), |accuracy| format!("{accuracy:.1} %"));
        lines.push(format!("{side}: {half} ?!, {one} ?, {three} ??, accuracy {accuracy}"));
    }
    for review in reviews.iter().filter(|review| review.mark.is_some()) {
        lines.extend([String::new(), review.line(view)]);
        lines.extend(draw(&review.before));
    }
    lines
}

pub(super) fn summary_json(reviews: &[MoveReview]) -> Json {
    let [south, north] = [Side::South, Side::North].map(|side| {
        let (marks, accuracy) = of_side(reviews, side);
        let accuracy = accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0);
        json!({ MARKS[0].1: marks[0], MARKS[1].1: marks[1], MARKS[2].1: marks[2], "accuracy": accuracy })
    });
    json!({ "south": south, "north": north })
}

/// The mark of a move, by its score and the best one's.
pub fn mark_of(best: Score, played: Score) -> Option<usize> {
    let rank = |verdict: Option<Verdict>| match verdict {
        Some(Verdict::Win) => 1,
        Some(Verdict::Loss) => -1,
        Some(Verdict::Draw) | None => 0,
    };
    let gave_result_away = rank(best.proven()) > rank(played.proven()) && best.proven().is_some()
        || played.proven() == Some(Verdict::Loss) && best.proven() != Some(Verdict::Loss);
    if gave_result_away {
        return Some(MARKS.len() - 1);
    }
    let given = best.value.shown_centiseeds() - played.value.shown_centiseeds();
    // With the result decided, a smaller margin is no mistake.
    let is_decided = best.proven().is_some() && best.proven() == played.proven();
    MARKS.iter().rposition(|&(least, _)| given >= least && !is_decided)
}
