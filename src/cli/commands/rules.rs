//! `kroo rules`: the rules of a game in a few sentences.

use super::flags::{game_names, with_flags};
use super::output::say;
use crate::game::Variant;
use clap::builder::TypedValueParser;
use clap::{Arg, ArgMatches, Command};

/// The name of the subcommand.
pub(super) const NAME: &str = "rules";

/// Options of the protocol that choose the game, too.
const FLAGS: [&str; 4] = ["variant", "seeds-a-pit", "emptycapture", "remainingseeds"];

/// The subcommand with its flags.
pub(super) fn usage() -> Command {
    let games = game_names().try_map(|name| name.parse::<Variant>());
    let game = Arg::new("game").value_name("GAME").value_parser(games).ignore_case(true);
    let game = game.conflicts_with_all(FLAGS).help("The game; without it, that of the flags");
    with_flags(Command::new(NAME).about("Explain the rules of a game").arg(game), |name| {
        FLAGS.contains(&name)
    })
}

/// Reads the arguments of `kroo rules`: a game, or the flags that choose one.
pub(super) fn read(matches: &ArgMatches, variant: Variant) -> Variant {
    matches.get_one("game").copied().unwrap_or(variant)
}

/// Prints the rules.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn run(variant: Variant) -> Result<(), Box<dyn std::error::Error>> {
    variant.explained().iter().try_for_each(|line| say(line))
}
