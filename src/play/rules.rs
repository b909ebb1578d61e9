//! The rules in a few sentences, for somebody who has never seen the game. `protocol.md` has them exactly.

use crate::game::{About, MOVE_LIMIT, Variant};
use std::borrow::Cow;

const COMMON: &str = "The board has two rows of six pits, and a store at each end. The store on your right is yours. To sow, \
pick up all the seeds in one of your pits and drop them one by one into the pits that follow, anticlockwise. Whoever has \
more seeds in their store at the end wins.";

/// The rules of a game, a paragraph each: sowing in general, sowing in this game, capturing, ending, and the end of a game
/// that would never end.
#[must_use]
pub fn rules(variant: Variant) -> [Cow<'static, str>; 5] {
    let About { sowing, capturing, ending, .. } = *variant.about();
    let limit = format!(
        "A game that is not over after {MOVE_LIMIT} moves ends there: the stores decide, and seeds in the pits count for nobody."
    );
    [COMMON.into(), sowing.into(), capturing.into(), ending.into(), limit.into()]
}
