//! A slow model of games with a move limit: the exact value of a position with some plies left, where the stores decide at the
//! limit. It plays by the naive rules.

use crate::naive::{Naive, Rules as NaiveRules};
use ahash::AHashMap;
use kroo::endgames::Endgames;
use kroo::game::{Cycle, Game, Move, Position, Rules, Variant, Verdict};

/// The verdict and the margin for a side.
pub type LimitedValue = (Verdict, i32);

/// A position of a game, and the values that have been found below it.
pub struct Limited {
    root: Naive,
    known: AHashMap<(String, u32), LimitedValue>,
}

fn turned((verdict, margin): LimitedValue) -> LimitedValue {
    (verdict.turned(), -margin)
}

impl Limited {
    /// The current position of a game.
    pub fn new(variant: Variant, game: &Game) -> Limited {
        let rules = NaiveRules::named(variant.name());
        let mut root = Naive::parse(rules, &game.start().to_string());
        for mv in game.moves() {
            root.play(mv.pit.index());
        }
        Limited { root, known: AHashMap::new() }
    }

    /// The value for the side to move, with some plies left.
    pub fn value(&mut self, left: u32) -> LimitedValue {
        let root = self.root.clone();
        self.of(&root, left)
    }

    /// The value for the side to move if it makes a move.
    pub fn value_after(&mut self, mv: Move, left: u32) -> LimitedValue {
        let mut next = self.root.clone();
        next.play(mv.pit.index());
        let value = self.of(&next, left - 1);
        if next.side == self.root.side { value } else { turned(value) }
    }

    fn of(&mut self, at: &Naive, left: u32) -> LimitedValue {
        let margin = at.stores[at.side] as i32 - at.stores[1 - at.side] as i32;
        let result = match at.result {
            Some(south) => Some(if at.side == 0 { south } else { -south }),
            None => (left == 0).then(|| margin.signum()),
        };
        if let Some(result) = result {
            return ([Verdict::Loss, Verdict::Draw, Verdict::Win][(result + 1) as usize], margin);
        }
        // Where a repetition ends the game, a value depends on the boards since the last capture.
        let key = (at.rules != NaiveRules::Oware).then(|| (at.text(), left));
        if let Some(&value) = key.as_ref().and_then(|key| self.known.get(key)) {
            return value;
        }
        let mut best = (Verdict::Loss, i32::MIN);
        for pit in at.legal() {
            let mut next = at.clone();
            next.play(pit);
            let value = self.of(&next, left - 1);
            best = best.max(if next.side == at.side { value } else { turned(value) });
        }
        if let Some(key) = key {
            self.known.insert(key, best);
        }
        best
    }
}

/// Builds the databases of a rule set.
pub fn build(variant: Variant, seeds: u8) {
    under_rules!(variant, R => assert!(Endgames::shared().build::<R>(seeds, &mut || false)));
}

/// Counts the deadlines of a rule set's boards, as the background work does, if it has any.
pub fn count_deadlines(variant: Variant, seeds: u8) {
    under_rules!(variant, R => {
        assert!(Endgames::shared().build::<R>(seeds, &mut || false));
        let counted = Endgames::shared().count_deadlines::<R>(seeds, &mut || false);
        assert_eq!(counted, R::CYCLE != Cycle::Impossible);
    });
}

/// The position of a text.
pub fn position(variant: Variant, text: &str) -> Position {
    Position::parse(variant, text).expect("a position")
}
