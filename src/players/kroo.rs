//! The full search, and the levels below it (`handicap.rs`).

use super::handicap;
use super::player::{Player, Turn};
use crate::search::{Observer, Report, search};

/// The engine's own player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kroo;

impl Player for Kroo {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        let request = &turn.request;
        match turn.strength.handicap(request.position().variant()) {
            Some(handicap) => handicap::search(request, handicap, observer),
            None => search(request, &turn.table, observer),
        }
    }

    fn can_go_on(&self, turn: &Turn) -> bool {
        turn.strength.handicap(turn.request.position().variant()).is_none()
    }
}
