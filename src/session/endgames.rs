//! The command `endgame`.

use crate::endgame_files::{advice, explain};
use crate::endgames::Endgames;
use crate::game::{Position, draw};
use crate::plan::built;
use crate::printable::counted;
use crate::under;
use std::path::Path;

/// Maximum seeds for which the command builds missing databases while the user waits: 0.6 million boards, with the smaller
/// databases.
const ON_DEMAND_SEEDS: u8 = 10;

/// Whether the databases that the command needs for a position exist or will not be built.
pub(super) fn is_ready(endgames: &Endgames, position: &Position) -> bool {
    let seeds = position.board().seeds();
    position.verdict().is_some()
        || !Endgames::cover(position.variant())
        || seeds > ON_DEMAND_SEEDS
        || built(endgames, position.variant()) >= Some(seeds)
}

/// A drawing of a position, and the endgames' result. Builds missing databases, unless stopped. `folder` is the folder of the
/// settings.
pub(super) fn probe(
    endgames: &Endgames,
    folder: Option<&Path>,
    position: &Position,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<String>, String> {
    let mut lines = draw(position);
    if position.verdict().is_none() {
        let seeds = position.board().seeds();
        if !Endgames::cover(position.variant()) {
            return Err(format!("endgame: {}", advice(position.variant(), seeds, folder)));
        }
        if seeds <= ON_DEMAND_SEEDS && !under!(position.variant(), R => endgames.build::<R>(seeds, stop)) {
            return Err("endgame: stopped before the endgames were built".to_owned());
        }
        let known = explain(endgames, position).ok_or_else(|| {
            format!(
                "endgame: the endgames do not reach {} in the pits: {}",
                counted(seeds.into(), "seed"),
                advice(position.variant(), seeds, folder)
            )
        })?;
        lines.extend(known);
    }
    Ok(lines)
}
