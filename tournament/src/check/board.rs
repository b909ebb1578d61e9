//! An answer judged by the referee's own board, and positions of each side to move: a clock and a score belong to a side.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession, ObservedSearch};
use kroo::game::{Game, Move, Position, Side, Variant, Verdict};
use kroo::protocol::{InfoScore, ScoreValue};

/// A score that says who is ahead, in hundredths of a seed.
const CLEAR: i32 = 100;

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

/// A game with this side to move, from the start.
pub(super) fn to_move(variant: Variant, side: Side) -> Game {
    if side == Side::South { Game::new(Position::start(variant)) } else { north_to_move(variant) }
}

/// A game with North to move, whose moves differ from those of the start position.
pub(super) fn north_to_move(variant: Variant) -> Game {
    let start = Game::new(Position::start(variant));
    let after = start.position().moves().into_iter().map(|mv| {
        let mut game = start.clone();
        game.play(mv).expect("a listed move is legal");
        game
    });
    let mut after = after.filter(|game| game.position().side() == Side::North);
    after.next().expect("some first move ends South's turn in every rule set")
}

/// A position that the side to move cannot win: the other side has half of all seeds in its store, and each pit, or each of the
/// last three of a side, has one. `None` if the rule set has no such position, or the game is over there.
pub(super) fn behind(variant: Variant, side: Side) -> Option<Game> {
    let start = Position::start(variant);
    let all = start.board().seeds();
    let first = if all >= 36 { 0 } else { 3 };
    let row = (0..6).map(|pit| u8::from(pit >= first));
    let pits: Vec<u8> = row.clone().chain(row).collect();
    let ahead = (all / 2).min(all.checked_sub(pits.iter().sum())?);
    let own = all - ahead - pits.iter().sum::<u8>();
    let (stores, letter) = match side {
        Side::South => ([own, ahead], "S"),
        Side::North => ([ahead, own], "N"),
    };
    let numbers: Vec<String> = pits.iter().chain(&stores).map(u8::to_string).collect();
    let position = Position::parse(variant, &format!("{}-{letter}", numbers.join("-"))).ok()?;
    (own < ahead && position.verdict().is_none()).then(|| Game::new(position))
}

/// Scores are those of the side to move. They are asked for in two positions where the side to move is behind. An engine whose
/// scores are always South's, always North's or always the other side's claims to be ahead in at least one of them.
pub(super) fn scores(session: &mut CheckSession<'_>) -> CheckResult {
    let mut ahead = Vec::new();
    for side in Side::BOTH {
        let Some(game) = behind(session.variant, side) else { return Ok(()) };
        let (answer, best) = session.ask(&game, "go depth 3")?;
        let scores = answer.infos.iter().filter(|info| info.multipv.is_none_or(|line| line == 1));
        let last = scores.filter_map(|info| info.score).rfind(|score| score.is_definite());
        if best.is_some() && last.is_some_and(says_ahead) {
            ahead.push((side, last.map(|score| score.to_string()).unwrap_or_default(), *game.position()));
        }
    }
    let whose = match ahead.as_slice() {
        [] => return Ok(()),
        [(Side::North, ..)] => "South's",
        [(Side::South, ..)] => "North's",
        _ => "those of the side that has moved",
    };
    let (side, score, position) = &ahead[0];
    let problem = format!(
        "gives `score {score}` in {position}, where {side} is to move and far behind: its scores seem to be {whose}, expected those \
         of the side to move"
    );
    session.fault(FindingKind::ScoreSide, problem);
    Ok(())
}

/// Whether a score says that the side to move is ahead.
fn says_ahead(score: InfoScore) -> bool {
    match (score.proven, score.value) {
        (Some(proven), _) => proven == Verdict::Win,
        (None, ScoreValue::Cp(cp)) => cp >= CLEAR,
        (None, ScoreValue::Mate(moves)) => moves > 0,
    }
}
