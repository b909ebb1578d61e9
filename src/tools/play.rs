//! `kroo play`.

use super::usage_error;
use crate::game::{Side, Variant, names};
use crate::level::{self, LEVELS};
use crate::play::{Colour, Effort, Plan, STYLES, Seats, Start, read_seconds};
use crate::protocol::{Settings, read_game};
use crate::roster::{self, PLAYERS};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// The word that calls it.
pub(super) const NAME: &str = "play";

const SEATS: [(&str, Seats); 4] = [
    ("south", Seats::One(Side::South)),
    ("north", Seats::One(Side::North)),
    ("both", Seats::Both),
    ("none", Seats::None),
];
const COLOURS: [(&str, Colour); 3] =
    [("auto", Colour::Auto), ("always", Colour::Always), ("never", Colour::Never)];

/// What the command line says of it.
pub(super) fn usage() -> Command {
    let choice = |name: &'static str, value: &'static str, choices: Vec<&'static str>| {
        Arg::new(name).long(name).value_name(value).value_parser(PossibleValuesParser::new(choices))
    };
    let file = |name: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf))
    };
    let styles = STYLES.iter().map(|(_, name)| *name).collect();
    Command::new(NAME)
        .about("A game for a person, in a terminal or through pipes")
        .arg(choice("variant", "NAME", names()).help("The rule set [default: that of `kroo --variant`]"))
        .arg(choice("level", "NAME", level::names()).help("How well the engine plays [default: full]"))
        .arg(
            choice("player", "NAME", roster::names())
                .help("Who plays against you [default: kroo]")
                .conflicts_with("level"),
        )
        .arg(
            choice("side", "SIDE", SEATS.map(|(name, _)| name).to_vec())
                .default_value("south")
                .help("What you play: `south` begins, `north` lets the engine begin, `both` is for two people, with `none` you watch"),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .default_value("1")
                .value_parser(|text: &str| read_seconds(text))
                .help("How long the engine thinks about a move at the most"),
        )
        .arg(
            Arg::new("nodes")
                .long("nodes")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Nodes that the engine visits at the most; with one thread the same game goes the same way again"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("Where the lots begin of a player who draws some [default: that of `kroo --seed`]"),
        )
        .arg(choice("board", "STYLE", styles).help("How the board is drawn [default: unicode or ascii, by the language]"))
        .arg(
            choice("color", "WHEN", COLOURS.map(|(name, _)| name).to_vec())
                .default_value("auto")
                .help("Colours; `auto` has them on a terminal, unless NO_COLOR is set"),
        )
        .arg(file("load").help("Goes on with the last game of a game file (.ogn)"))
        .arg(file("save").help("Writes the game to this file after every turn (.ogn)"))
        .arg(
            Arg::new("position")
                .long("position")
                .value_name("POSITION")
                .num_args(1..)
                .conflicts_with("load")
                .help("Begins there: fifteen fields or `startpos`, then perhaps `moves` and moves"),
        )
}

/// What the words after `play` ask for.
pub(super) fn read(matches: &ArgMatches, settings: &Settings) -> Result<Plan, clap::Error> {
    let word = |id| matches.get_one::<String>(id);
    let file = |id| matches.get_one::<PathBuf>(id).cloned();
    let variant: Variant = match word("variant") {
        Some(name) => name.parse().expect("one of the names"),
        None => settings.variant,
    };
    let words: Option<Vec<&str>> =
        matches.get_many("position").map(|words| words.map(String::as_str).collect());
    let start = match (words, file("load")) {
        (Some(words), _) => {
            let game = read_game(variant, &words.join(" ")).map_err(|error| usage_error(&error))?;
            Start::Game(Box::new(game))
        }
        (None, Some(path)) => Start::File(path),
        (None, None) => Start::New(variant),
    };
    let level = word("level").map(|name| LEVELS.iter().find(|(_, known)| known == name).expect("a level").0);
    let who =
        word("player").map(|name| PLAYERS.iter().find(|(_, known, _)| known == name).expect("a player").0);
    let effort = Effort {
        who: who.unwrap_or(settings.player),
        seed: matches.get_one("seed").copied().unwrap_or(settings.seed),
        level: level.unwrap_or(settings.level),
        time: *matches.get_one::<Duration>("time").expect("it has a default"),
        nodes: matches.get_one("nodes").copied().unwrap_or(u64::MAX),
        threads: settings.threads,
    };
    let style = word("board").map(|name| STYLES.iter().find(|(_, known)| known == name).expect("a style").0);
    Ok(Plan {
        start,
        seats: chosen(&SEATS, word("side")),
        effort,
        learn_file: Some(&settings.learn_file).filter(|path| !path.is_empty()).map(PathBuf::from),
        hash_mib: settings.hash_mib,
        style,
        colour: chosen(&COLOURS, word("color")),
        save: file("save"),
    })
}

/// What a word stands for that has a default.
fn chosen<T: Copy>(known: &[(&str, T)], word: Option<&String>) -> T {
    let word = word.expect("it has a default");
    known.iter().find(|(name, _)| name == word).expect("one of the words").1
}
