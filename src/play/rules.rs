//! The rules in a few sentences for beginners; `docs/rules.md` is exact.

use crate::game::Variant;
use std::borrow::Cow;

/// The rules of a game, a paragraph each: sowing in general, sowing in this game, capturing, ending, and the move limit if
/// there is one.
pub fn rules(variant: Variant, move_limit: usize) -> Vec<Cow<'static, str>> {
    let limit = (move_limit > 0).then(|| {
        format!(
            "A game that is not over after {move_limit} moves ends there: the stores decide, and seeds in the pits count for neither side."
        )
    });
    variant.rules().into_iter().map(Cow::Borrowed).chain(limit.map(Cow::Owned)).collect()
}
