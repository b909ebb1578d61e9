//! Proven bounds of a position or a move.

use crate::game::{Position, Verdict};
use crate::protocol::Question;
use crate::under;
use crate::value::{CENTISEEDS, Kind, Score, Value, by_margin, within_reach};

/// Proven bounds of a value, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// What the side to move is sure of.
    pub at_least: Value,
    /// What it cannot exceed.
    pub at_most: Value,
}

impl Bounds {
    /// The bounds that the seeds prove, or the value of a finished game.
    pub fn of(position: &Position) -> Bounds {
        let board = position.board();
        let (at_least, at_most) = match position.verdict() {
            Some(verdict) => {
                let value = Value::ended(verdict, board.lead());
                (value, value)
            }
            None => under!(position.variant(), R => within_reach::<R>(board)),
        };
        Bounds { at_least, at_most }
    }

    /// Adds other bounds of the same value.
    pub fn narrow(&mut self, other: Bounds) {
        self.at_least = self.at_least.max(other.at_least);
        self.at_most = self.at_most.min(other.at_most);
    }

    /// Adds what a score proves.
    pub fn add(&mut self, score: Score) {
        if score.proof.at_least {
            self.at_least = self.at_least.max(score.value);
        }
        if score.proof.at_most {
            self.at_most = self.at_most.min(score.value);
        }
    }

    /// Adds the answer to a claim: the bound of a margin, at least if it reaches the target.
    pub fn learn(&mut self, target: i8, bound: i8) {
        if bound >= target {
            self.at_least = self.at_least.max(by_margin(bound));
        } else {
            self.at_most = self.at_most.min(by_margin(bound));
        }
    }

    /// The exact value, if it is proven.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        (self.at_least >= self.at_most).then_some(self.at_least)
    }

    /// The result, if it is proven.
    #[must_use]
    pub fn result(self) -> Option<Verdict> {
        match (self.at_least.kind(), self.at_most.kind()) {
            (Kind::Win(_), _) => Some(Verdict::Win),
            (_, Kind::Loss(_)) => Some(Verdict::Loss),
            _ => self.value().map(|_| Verdict::Draw),
        }
    }

    /// Whether a question is answered.
    #[must_use]
    pub fn answer(self, question: Question) -> bool {
        match question {
            Question::Value => self.value().is_some(),
            Question::Draw => self.result().is_some(),
            Question::Win => self.result().is_some() || self.at_most <= Value::DRAW,
        }
    }
}

/// A value in seeds: at least 1 for a win, at most −1 for a loss.
pub fn seeds(value: Value) -> i32 {
    value.shown_centiseeds() / CENTISEEDS
}
