//! Proven bounds of a value: from a node of the search to the answer of `kroo solve`.

use super::{Kind, Proof, Score, Value};
use crate::game::Verdict;

/// A number of plies after a position.
pub type Plies = u16;
/// An unknown number of plies: only a game without a limit allows it.
pub const UNKNOWN_PLIES: Plies = 1023;

/// Proven bounds of a value, seen by the side to move. Each holds for every game with at least as many moves left as the plies
/// within which it is realised, against any play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The side to move gets at least this; [`Value::LEAST`] if nothing is proven.
    pub at_least: Value,
    /// It gets no more than this; [`Value::MOST`] if nothing is proven.
    pub at_most: Value,
    /// Plies within which it gets the lower bound.
    pub least_within: Plies,
    /// Plies within which the other side holds it to the upper bound.
    pub most_within: Plies,
}

impl Bounds {
    /// Nothing is proven.
    pub const NONE: Bounds =
        Bounds { at_least: Value::LEAST, at_most: Value::MOST, least_within: 0, most_within: 0 };

    /// The bounds that a score proves, realised within `plies` plies.
    #[inline]
    pub const fn of(Score { value, proof }: Score, plies: Plies) -> Bounds {
        Bounds {
            at_least: if proof.at_least { value } else { Value::LEAST },
            at_most: if proof.at_most { value } else { Value::MOST },
            least_within: plies,
            most_within: plies,
        }
    }

    /// A value that is certain now.
    #[inline]
    pub const fn exact(value: Value) -> Bounds {
        Bounds { at_least: value, at_most: value, least_within: 0, most_within: 0 }
    }

    /// The lower bound alone.
    #[must_use]
    pub const fn only_least(self) -> Bounds {
        Bounds { at_most: Value::MOST, ..self }
    }

    /// The upper bound alone.
    #[must_use]
    pub const fn only_most(self) -> Bounds {
        Bounds { at_least: Value::LEAST, ..self }
    }

    /// The bounds of a move that leads to a position with these; `again` if the same side moves there.
    #[must_use]
    pub fn before_move(self, again: bool) -> Bounds {
        let [least_within, most_within] =
            [self.least_within, self.most_within].map(|plies| (plies + 1).min(UNKNOWN_PLIES));
        match again {
            true => Bounds { least_within, most_within, ..self },
            false => Bounds {
                at_least: self.at_most.turned(),
                at_most: self.at_least.turned(),
                least_within: most_within,
                most_within: least_within,
            },
        }
    }

    /// Adds other bounds of the same value. Of two proofs of the same bound, the sooner one is kept.
    pub fn narrow(&mut self, other: Bounds) {
        if (other.at_least, self.least_within) > (self.at_least, other.least_within) {
            (self.at_least, self.least_within) = (other.at_least, other.least_within);
        }
        if (other.at_most, other.most_within) < (self.at_most, self.most_within) {
            (self.at_most, self.most_within) = (other.at_most, other.most_within);
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

    /// Whether a question about the value is answered.
    #[must_use]
    pub fn answer(self, question: Question) -> bool {
        match question {
            Question::Value => self.value().is_some(),
            Question::Draw => self.result().is_some(),
            Question::Win => self.result().is_some() || self.at_most <= Value::DRAW,
        }
    }

    /// The score to report for this estimate: a proven result by the bound that proves it, otherwise the estimate within the
    /// bounds.
    #[must_use]
    pub fn score(self, estimate: Value) -> Score {
        let value = match self.result() {
            Some(Verdict::Win) => self.at_least,
            Some(Verdict::Loss) => self.at_most,
            _ => estimate.max(self.at_least).min(self.at_most),
        };
        Score { value, proof: Proof { at_least: self.at_least >= value, at_most: self.at_most <= value } }
    }
}

/// How much of a value to prove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Question {
    /// The exact value.
    #[default]
    Value,
    /// Whether the side to move wins, draws or loses.
    Draw,
    /// Whether the side to move wins.
    Win,
}

impl Question {
    /// The names of the questions that need less than the value.
    pub const NAMES: [&str; 2] = ["win", "draw"];

    /// The name in an answer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Value => "value",
            Question::Draw => "draw",
            Question::Win => "win",
        }
    }
}
