//! The review of a game as text and as JSON.

use super::scores::{PointOfView, score_json, shown, written};
use crate::game::{Game, Move, Position, Side, draw};
use crate::ogn::Turn;
use crate::review::{Counts, Judgement, Mark};
use serde_json::{Value as Json, json};

/// Text for a missing score; a question mark would be a mark.
const NO_SCORE: &str = "n/a";

/// The move with its turn, its mark, its score, and the better line.
pub fn line(judgement: &Judgement, view: PointOfView) -> String {
    let side = judgement.mv.side;
    let seen = |score| shown(view.of(score, side));
    let score = judgement.played.map_or_else(|| NO_SCORE.to_owned(), seen);
    let sign = judgement.sign().unwrap_or_default();
    let better = match judgement.mark {
        Some(_) => format!("  better {}", written(view.of(judgement.best, side), &judgement.best_line)),
        None => String::new(),
    };
    row(judgement.turn, judgement.mv, sign, &score) + &better
}

/// The next move of the opening, which is not judged.
pub(super) fn opening_line(before: &Game, mv: Move) -> String {
    row(turn_of(before, mv), mv, "", "opening")
}

fn turn_of(before: &Game, mv: Move) -> Turn {
    Turn::of(before.moves().iter().copied().chain([mv]))
}

fn row(turn: Turn, mv: Move, sign: &str, score: &str) -> String {
    let text = turn.to_string();
    let dots = text.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{:>3}{dots:<3} {mv}{sign:<2} {score:>17}", turn.number)
}

pub(super) fn json(judgement: &Judgement, view: PointOfView) -> Json {
    let Judgement { ply, turn, mv, before, best, best_line, played, .. } = judgement;
    let seen = |score| score_json(view.of(score, mv.side));
    let pv: String = best_line.iter().map(Move::to_string).collect();
    move_json(
        *ply,
        *turn,
        *mv,
        before,
        [
            json!(played.map(seen)),
            json!(best_line[0].to_string()),
            seen(*best),
            json!(pv),
            json!(judgement.sign()),
        ],
    )
}

/// The next move of the opening, which has neither a score nor a mark.
pub(super) fn opening_json(before: &Game, mv: Move) -> Json {
    let ply = before.moves().len() + 1;
    move_json(ply, turn_of(before, mv), mv, before.position(), Default::default())
}

fn move_json(ply: usize, turn: Turn, mv: Move, before: &Position, judged: [Json; 5]) -> Json {
    let [score, best, best_score, pv, mark] = judged;
    json!({ "ply": ply, "turn": turn.number, "side": mv.side.to_string(), "move": mv.to_string(),
        "position": before.to_string(), "score": score, "best": best, "best_score": best_score, "pv": pv, "mark": mark })
}

/// Maximum signs in the course of a game.
const COURSE: usize = 60;

/// The course of a game in one line: a sign for each move, or for several in a long game, from a loss to a win for South. Bars
/// if the terminal has them, otherwise digits.
pub fn course(judgements: &[Judgement], has_bars: bool) -> Option<String> {
    let values: Vec<f64> = judgements.iter().filter_map(Judgement::for_south).collect();
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
pub(super) fn summary(judgements: &[Judgement], view: PointOfView, has_bars: bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(course(judgements, has_bars));
    for side in Side::BOTH {
        let Counts { marks: [half, one, three], accuracy, known, given_away } = Counts::of(judgements, side);
        let accuracy = accuracy.map_or_else(|| NO_SCORE.to_owned(), |accuracy| format!("{accuracy:.1} %"));
        lines.push(format!("{side}: {half} ?!, {one} ?, {three} ??, accuracy {accuracy}"));
        lines.push(format!("{side} gave a known result away in {given_away} of {known} moves"));
    }
    for judgement in judgements.iter().filter(|judgement| judgement.mark.is_some()) {
        lines.extend([String::new(), line(judgement, view)]);
        lines.extend(draw(&judgement.before));
    }
    lines
}

pub(super) fn summary_json(judgements: &[Judgement]) -> Json {
    let [south, north] = [Side::South, Side::North].map(|side| {
        let counts = Counts::of(judgements, side);
        let accuracy = counts.accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0);
        let [half, one, three] = Mark::ALL.map(Mark::sign);
        json!({ half: counts.marks[0], one: counts.marks[1], three: counts.marks[2], "accuracy": accuracy,
            "known": counts.known, "given_away": counts.given_away })
    });
    json!({ "south": south, "north": north })
}
