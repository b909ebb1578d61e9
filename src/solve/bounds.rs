//! Proven bounds of a position or a move, and the question about it.

use crate::game::{Position, Verdict};
use crate::under;
use crate::value::{CENTISEEDS, Kind, Score, Value, by_margin, within_reach};

/// How much to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The exact value.
    Value,
    /// Whether the side to move wins, draws or loses.
    Draw,
    /// Whether the side to move wins.
    Win,
}

impl Question {
    /// The names of `--bound`.
    pub(super) const NAMES: [&str; 2] = ["win", "draw"];

    pub(super) fn called(name: Option<&str>) -> Question {
        match name {
            Some("win") => Question::Win,
            Some(_) => Question::Draw,
            None => Question::Value,
        }
    }

    /// The name in an answer.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Question::Value => "value",
            Question::Draw => "draw",
            Question::Win => "win",
        }
    }
}

/// Proven bounds of a value, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub at_least: Value,
    pub at_most: Value,
}

impl Bounds {
    /// The bounds that the seeds prove, or the value of a finished game.
    pub(super) fn of(position: &Position) -> Bounds {
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

    /// Adds what a score proves.
    pub(super) fn add(&mut self, score: Score) {
        if score.proof.at_least {
            self.at_least = self.at_least.max(score.value);
        }
        if score.proof.at_most {
            self.at_most = self.at_most.min(score.value);
        }
    }

    /// Adds the answer to a claim: the bound of a margin, at least if it reaches the target.
    pub(super) fn learn(&mut self, target: i8, bound: i8) {
        if bound >= target {
            self.at_least = self.at_least.max(by_margin(bound));
        } else {
            self.at_most = self.at_most.min(by_margin(bound));
        }
    }

    /// The exact value, if it is proven.
    pub(super) fn value(self) -> Option<Value> {
        (self.at_least >= self.at_most).then_some(self.at_least)
    }

    /// The result, if it is proven.
    pub(super) fn result(self) -> Option<Verdict> {
        match (self.at_least.kind(), self.at_most.kind()) {
            (Kind::Win(_), _) => Some(Verdict::Win),
            (_, Kind::Loss(_)) => Some(Verdict::Loss),
            _ => self.value().map(|_| Verdict::Draw),
        }
    }

    /// Whether a question is answered.
    pub(super) fn answer(self, question: Question) -> bool {
        match question {
            Question::Value => self.value().is_some(),
            Question::Draw => self.result().is_some(),
            Question::Win => self.result().is_some() || self.at_most <= Value::DRAW,
        }
    }
}

/// A value in seeds: at least 1 for a win, at most −1 for a loss.
pub(super) fn seeds(value: Value) -> i32 {
    value.shown_centiseeds() / CENTISEEDS
}
