//! The full search, and its levels.

use super::{Player, Turn};
use crate::search::{Observer, Report, search};

/// This engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kroo;

impl Player for Kroo {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        search(&turn.request, &turn.table, observer)
    }
}
