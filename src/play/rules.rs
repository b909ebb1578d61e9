//! The rules in a few sentences, for whoever has never seen the game. `protocol.md` has them exactly.

use crate::game::{About, Variant};

const COMMON: &str = "Two rows of six pits, a store at either end: the one at your right hand is yours. Sowing: take up all \
seeds of a pit of your own and drop them one by one into the next pits, round the board against the clock. Whoever has \
more seeds in the store at the end wins.";

/// The rules of a game, a paragraph each.
#[must_use]
pub fn rules(variant: Variant) -> [&'static str; 4] {
    let About { sowing, capturing, ending, .. } = *variant.about();
    [COMMON, sowing, capturing, ending]
}
