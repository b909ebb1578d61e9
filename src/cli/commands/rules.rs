//! `kroo rules`: the rules of a game in a few sentences.

use super::flags::{game_argument, with_flags};
use super::output::say;
use crate::game::Variant;
use clap::Command;

pub(super) const NAME: &str = "rules";

/// Options of the protocol that choose the game, too.
const FLAGS: [&str; 4] = ["variant", "seeds-a-pit", "emptycapture", "remainingseeds"];

pub(super) fn usage() -> Command {
    with_flags(Command::new(NAME).about("Explain the rules of a game").arg(game_argument()), |name| {
        FLAGS.contains(&name)
    })
}

pub(super) fn run(variant: Variant) -> Result<(), Box<dyn std::error::Error>> {
    variant.explained().iter().try_for_each(|line| say(line))
}
