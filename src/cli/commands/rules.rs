//! `kroo rules`: the rules of a game in a few sentences.

use super::flags::{game_argument, with_flags};
use super::output::say;
use crate::game::Variant;
use clap::Command;

/// The name of the subcommand.
pub(super) const NAME: &str = "rules";

/// Options of the protocol that choose the game, too.
const FLAGS: [&str; 4] = ["variant", "seeds-a-pit", "emptycapture", "remainingseeds"];

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    with_flags(Command::new(NAME).about("Explain the rules of a game").arg(game_argument()), |name| {
        FLAGS.contains(&name)
    })
}

/// Prints the rules.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn run(variant: Variant) -> Result<(), Box<dyn std::error::Error>> {
    variant.explained().iter().try_for_each(|line| say(line))
}
