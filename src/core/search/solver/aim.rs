//! MTD(f): the null windows that close in on a value, from a guess up or down, until the bounds meet (A. Plaat and others,
//! "Best-first fixed-depth minimax algorithms", 1996).

use crate::value::{Bounds, CENTISEEDS, Question, Value, by_margin};

/// What is proven of a margin, and where to ask next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// What is proven.
    pub bounds: Bounds,
    /// Seeds, the margin that the next null window asks about.
    pub guess: i8,
}

impl Aim {
    /// The margin to ask about next; `None` if a question is answered.
    #[must_use]
    pub fn target(&self, question: Question) -> Option<i8> {
        let margin = |value: Value| (value.centiseeds() / CENTISEEDS) as i8;
        let [at_least, at_most] = [self.bounds.at_least, self.bounds.at_most].map(margin);
        let target = || match question {
            Question::Value => self.guess.clamp(at_least + 1, at_most),
            Question::Win => 1,
            Question::Draw if at_least >= 0 || at_most > 0 && self.guess > 0 => 1,
            Question::Draw => 0,
        };
        (!self.bounds.answer(question)).then(target)
    }

    /// Takes the answer about a target: a bound of the margin, at least if it reaches the target.
    pub fn learn(&mut self, target: i8, bound: i8) {
        if bound >= target {
            self.bounds.at_least = self.bounds.at_least.max(by_margin(bound));
            self.guess = bound + 1;
        } else {
            self.bounds.at_most = self.bounds.at_most.min(by_margin(bound));
            self.guess = bound;
        }
    }
}
