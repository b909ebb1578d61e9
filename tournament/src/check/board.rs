//! An answer judged by the referee's own board.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession, ObservedSearch};
use kroo::game::{Game, Move, Side};
use kroo::protocol::ScoreValue;

impl CheckSession<'_> {
    /// Shows a game, asks for a move, and judges the answer. Returns the move if it is legal.
    pub fn ask(&mut self, game: &Game, go: &str) -> CheckResult<(ObservedSearch, Option<Move>)> {
        let lines = format!("{}{go}\n", self.position(game));
        let answer = self.await_move(&lines, self.options.answer_timeout)?;
        let best = self.judge(game, &answer);
        Ok((answer, best))
    }

    /// Judges an answer. Returns the move if it is legal.
    pub fn judge(&mut self, game: &Game, answer: &ObservedSearch) -> Option<Move> {
        let position = game.position();
        if position.verdict().is_some() {
            if let Some(best) = answer.best {
                let problem = format!(
                    "played `{best}` in {position}, where the game is over: expected `bestmove 0000`"
                );
                self.fault(FindingKind::FinishedPosition, problem);
            }
            return None;
        }
        let Some(best) = answer.best else {
            self.fault(FindingKind::NoMove, format!("gave no move in {position}, where there is one"));
            return None;
        };
        if let Err(reason) = position.play(best) {
            self.fault(FindingKind::IllegalMove, format!("played `{best}` in {position}, but {reason}"));
            return None;
        }
        self.judge_variations(game, answer, best);
        Some(best)
    }

    /// Judges the principal variations, the scores and the ponder move of an answer.
    fn judge_variations(&mut self, game: &Game, answer: &ObservedSearch, best: Move) {
        let board = game.position().board();
        let seeds = i32::from(board.seeds())
            + Side::BOTH.map(|side| i32::from(game.position().store(side))).iter().sum::<i32>();
        let scores = answer.infos.iter().filter_map(|info| info.score);
        let mut beyond = scores.filter_map(|score| match score.value {
            ScoreValue::Cp(cp) => Some(cp).filter(|cp| cp.unsigned_abs() > 100 * seeds.unsigned_abs()),
            ScoreValue::Mate(_) => None,
        });
        if let Some(cp) = beyond.next_back() {
            let problem = format!(
                "gives `score cp {cp}`, more than the {seeds} seeds of the game, in hundredths of a seed"
            );
            self.fault(FindingKind::ImpossibleScore, problem);
        }
        for info in &answer.infos {
            let mut line = game.clone();
            if let Some((mv, reason)) =
                info.pv.iter().find_map(|&mv| line.play(mv).err().map(|error| (mv, error)))
            {
                let problem =
                    format!("a principal variation has `{mv}` in {}, but {reason}", line.position());
                self.fault(FindingKind::IllegalLine, problem);
                break;
            }
        }
        let played = answer.infos.iter().rfind(|info| {
            let is_best = info.multipv.is_none_or(|line| line == 1);
            is_best && !info.pv.is_empty() && info.score.is_none_or(|score| score.is_definite())
        });
        if let Some(&first) = played.and_then(|info| info.pv.first()).filter(|&&first| first != best) {
            let problem = format!(
                "played `{best}` in {}, but its last principal variation begins with `{first}`",
                game.position()
            );
            self.fault(FindingKind::LineNotPlayed, problem);
        }
        if let Some(ponder) = answer.ponder {
            let mut line = game.clone();
            if let Err(reason) = line.play(best).and_then(|()| line.play(ponder)) {
                let problem =
                    format!("would ponder on `{ponder}` after `{best}` in {}, but {reason}", game.position());
                self.fault(FindingKind::IllegalLine, problem);
            }
        }
        let has_score = answer.infos.iter().any(|info| info.score.is_some());
        let has_depth = answer.infos.iter().any(|info| info.score.is_some() && info.depth.is_some());
        if has_score && !has_depth {
            self.remark(FindingKind::Malformed, "gives scores without a depth");
        }
    }
}
