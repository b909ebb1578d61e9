//! How a game ended: one value for the protocol's `End:`, the tags of a game file, and the sentences of programs.

use super::GameResult;
use kroo_core::game::{EndReason, Game, Position, Side, Verdict};
use std::fmt;

/// How a game ended. Its text is the value of the tag `Termination`; an unfinished game has none.
///
/// [`EndReason`] is the part that the rules know: the core gives it with a move. The other variants lie outside the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The rules ended it, for this reason.
    Rules(EndReason),
    /// It began at a position that the rules had ended.
    SetUp,
    /// It reached the move limit, and the stores decided.
    MoveLimit,
    /// This side resigned.
    Resignation(Side),
    /// The time of this side ran out.
    Time(Side),
    /// The players agreed to a draw.
    Agreement,
    /// A forfeit, or the decision of a referee, with South's result; the tag `Termination` says why.
    Stated(Verdict),
}

impl Ending {
    /// How the rules and the move limit have ended a game, if they have; 0 means no limit.
    pub fn of_game(game: &Game, move_limit: usize) -> Option<Ending> {
        if game.position().verdict().is_none() {
            return game.is_at_limit(move_limit).then_some(Ending::MoveLimit);
        }
        let mut before = game.clone();
        let last = before.undo().and_then(|mv| before.effects(mv).ok()?.end);
        Some(last.map_or(Ending::SetUp, Ending::Rules))
    }

    /// How a game ended although the rules had not ended it, by its tags `Result` and `Termination`.
    pub fn stated(position: &Position, result: &str, termination: &str) -> Option<Ending> {
        if position.verdict().is_some() {
            return None;
        }
        let south = GameResult::of_word(result)?.south()?;
        let said = termination.to_lowercase();
        let says = |word| said.contains(word);
        let loser = match south {
            Verdict::Win => Some(Side::North),
            Verdict::Loss => Some(Side::South),
            Verdict::Draw => None,
        };
        Some(match loser {
            _ if said.starts_with("move limit") && south == by_stores(position) => Ending::MoveLimit,
            Some(loser) if says("resign") => Ending::Resignation(loser),
            Some(loser) if says("time") => Ending::Time(loser),
            None if says("agree") => Ending::Agreement,
            _ => Ending::Stated(south),
        })
    }

    /// South's result.
    pub fn south(self, position: &Position) -> Verdict {
        let lost = |side| if side == Side::South { Verdict::Loss } else { Verdict::Win };
        match self {
            Ending::Rules(_) | Ending::SetUp | Ending::MoveLimit => {
                position.verdict_for(Side::South).unwrap_or_else(|| by_stores(position))
            }
            Ending::Resignation(side) | Ending::Time(side) => lost(side),
            Ending::Agreement => Verdict::Draw,
            Ending::Stated(south) => south,
        }
    }

    /// Whether neither the rules nor the move limit ended it.
    pub fn is_settled(self) -> bool {
        !matches!(self, Ending::Rules(_) | Ending::SetUp | Ending::MoveLimit)
    }

    /// The words after `End:` for an end that moves bring about: the reason, and the letter of the side that it concerns.
    pub fn word(self) -> Option<String> {
        let (word, side) = match self {
            Ending::MoveLimit => return Some("limit".to_owned()),
            Ending::Rules(EndReason::Halves) => return Some("halves".to_owned()),
            Ending::Rules(EndReason::Repetition) => return Some("repetition".to_owned()),
            Ending::Rules(EndReason::Majority(side)) => ("majority", side),
            Ending::Rules(EndReason::Swept(side)) => ("swept", side),
            Ending::Rules(EndReason::Bare(side)) => ("bare", side),
            Ending::Rules(EndReason::CannotFeed(side)) => ("unfed", side),
            Ending::Rules(EndReason::Stuck(side)) => ("stuck", side),
            _ => return None,
        };
        Some(format!("{word} {}", side.letter()))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self {
            Ending::Rules(reason) => reason,
            Ending::SetUp => return f.write_str("by the rules"),
            Ending::MoveLimit => return f.write_str("move limit"),
            Ending::Resignation(_) => return f.write_str("resignation"),
            Ending::Time(_) => return f.write_str("time forfeit"),
            Ending::Agreement => return f.write_str("agreed draw"),
            Ending::Stated(_) => return f.write_str("adjudication"),
        };
        f.write_str("by the rules: ")?;
        match reason {
            EndReason::Majority(side) => write!(f, "{side} has more than half"),
            EndReason::Halves => f.write_str("each store has half"),
            EndReason::Swept(side) => write!(f, "{} captured every seed", side.other()),
            EndReason::Bare(side) => write!(f, "{side} has no seeds"),
            EndReason::CannotFeed(side) => write!(f, "{side} cannot feed {}", side.other()),
            EndReason::Stuck(side) => write!(f, "every sowing of {side} is endless"),
            EndReason::Repetition => f.write_str("the position came back"),
        }
    }
}

/// The result for South if the stores decide.
fn by_stores(position: &Position) -> Verdict {
    match position.store(Side::South).cmp(&position.store(Side::North)) {
        std::cmp::Ordering::Less => Verdict::Loss,
        std::cmp::Ordering::Equal => Verdict::Draw,
        std::cmp::Ordering::Greater => Verdict::Win,
    }
}
