//! What the referee's own board says of an answer.

use super::probe::{CheckSession, ObservedSearch};
use super::{CheckResult, FindingKind};
use kroo::game::{Game, Move, Position};
use std::time::Instant;

impl CheckSession<'_> {
    /// Shows a game, asks for a move and looks whether it is one; the move, if it is legal.
    pub fn ask(&mut self, game: &Game, go: &str) -> CheckResult<(ObservedSearch, Option<Move>)> {
        self.show(game)?;
        self.send(go)?;
        let answer = self.answer(Instant::now(), self.order.patience)?;
        let best = self.judge(game, &answer);
        Ok((answer, best))
    }

    /// Shows a game.
    pub fn show(&mut self, game: &Game) -> CheckResult {
        let start = match *game.start() {
            start if start == Position::start(start.variant()) => "startpos".to_owned(),
            start => format!("fen {start}"),
        };
        let moves: String = game.moves().iter().map(Move::to_string).collect();
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        self.send(&format!("position {start}{moves}"))
    }

    /// Looks at an answer: the move, if it is legal.
    pub fn judge(&mut self, game: &Game, answer: &ObservedSearch) -> Option<Move> {
        let position = game.position();
        if position.verdict().is_some() {
            if let Some(best) = answer.best {
                self.fault(
                    FindingKind::FinishedPosition,
                    format!(
                        "played `{best}` in {position}, where the game is over: expected `bestmove 0000`"
                    ),
                );
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
        self.judge_lines(game, answer, best);
        Some(best)
    }

    /// Looks at the lines of play that came with an answer.
    fn judge_lines(&mut self, game: &Game, answer: &ObservedSearch, best: Move) {
        for info in &answer.infos {
            let mut line = game.clone();
            if let Some(problem) = info.pv.iter().find_map(|&mv| line.play(mv).err().map(|error| (mv, error)))
            {
                let (mv, reason) = problem;
                self.fault(
                    FindingKind::IllegalLine,
                    format!("a line with `{mv}` after {}, but {reason}", line.position()),
                );
                break;
            }
        }
        if let Some(ponder) = answer.ponder {
            let mut line = game.clone();
            let played = line.play(best).and_then(|()| line.play(ponder));
            if let Err(reason) = played {
                let position = game.position();
                self.fault(
                    FindingKind::IllegalLine,
                    format!("would ponder on `{ponder}` after `{best}` in {position}, but {reason}"),
                );
            }
        }
        let named = answer.infos.iter().any(|info| info.score.is_some());
        let deep = answer.infos.iter().any(|info| info.score.is_some() && info.depth.is_some());
        if named && !deep {
            self.remark(FindingKind::Malformed, "tells scores without a depth");
        }
    }
}
