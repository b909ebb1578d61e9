//! The rules in a few sentences, for somebody who has never seen the game. `protocol.md` has them exactly.

use crate::game::{About, Variant};

const COMMON: &str = "The board has two rows of six pits, and a store at each end. The store on your right is yours. To sow, \
pick up all the seeds in one of your pits and drop them one by one into the pits that follow, anticlockwise. Whoever has \
more seeds in their store at the end wins.";

/// The rules of a game, a paragraph each: sowing in general, sowing in this game, capturing, ending.
#[must_use]
pub fn rules(variant: Variant) -> [&'static str; 4] {
    let About { sowing, capturing, ending, .. } = *variant.about();
    [COMMON, sowing, capturing, ending]
}
