//! The rules in a few sentences, for somebody who has never seen the game. `protocol.md` has them exactly.

use crate::game::{MOVE_LIMIT, Variant};
use std::borrow::Cow;

/// The rules of a game, a paragraph each: sowing in general, sowing in this game, capturing, ending, and the end of a game
/// that would never end.
#[must_use]
pub fn rules(variant: Variant) -> [Cow<'static, str>; 5] {
    let [common, sowing, capturing, ending] = variant.about().rules();
    let limit = format!(
        "A game that is not over after {MOVE_LIMIT} moves ends there: the stores decide, and seeds in the pits count for nobody."
    );
    [common.into(), sowing.into(), capturing.into(), ending.into(), limit.into()]
}
