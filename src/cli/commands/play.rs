//! The command line of `kroo play`.

use super::flags::{game_names, variant_argument, with_flags};
use super::output::usage_error;
use crate::game::{Game, Variant, fair_starts, games_with_fair_starts, split_mix};
use crate::level;
use crate::play::{
    BOARD_STYLES, ClockSetting, Colour, GameStart, HumanSides, OpponentSettings, PlayOptions, SIDES, Settled,
    read_seconds,
};
use crate::protocol::{Settings, parse_game};
use crate::roster;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The word of `--position` for a fair start.
const FAIR: &str = "fair";

pub(super) const NAME: &str = "play";

const COLOURS: [(&str, Colour); 3] =
    [("auto", Colour::Auto), ("always", Colour::Always), ("never", Colour::Never)];

const REDRAWS: [(&str, bool); 2] = [("auto", true), ("never", false)];

/// Protocol options that `play` takes unchanged.
const FLAGS: [&str; 7] = ["hash", "threads", "elo", "learnfile", "movelimit", "endgamepath", "endgameseeds"];

pub(super) fn usage() -> Command {
    let choice = |name: &'static str, value: &'static str, choices: Vec<&'static str>| {
        Arg::new(name).long(name).value_name(value).value_parser(PossibleValuesParser::new(choices))
    };
    let file = |name: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf))
    };
    let styles = BOARD_STYLES.iter().map(|(_, name)| *name).collect();
    let command = Command::new(NAME)
        .about("Play a game yourself, in the terminal or through pipes")
        .long_about(
            "Play a game yourself, in the terminal or through pipes. At a terminal it asks for the game and the level unless flags \
             give them.",
        )
        .arg(variant_argument().value_parser(game_names()))
        .arg(
            Arg::new("level")
                .long("level")
                .value_name("NAME")
                .value_parser(level_parser())
                .conflicts_with("elo")
                .help("Strength of the engine, by name or by number from 1 [default: full]"),
        )
        .arg(
            choice("player", "NAME", roster::names())
                .help("Your opponent [default: kroo]")
                .conflicts_with_all(["level", "elo"]),
        )
        .arg(
            choice("side", "SIDE", SIDES.map(|(name, _)| name).to_vec())
                .default_value("south")
                .help("Your side: `south` moves first, `north` second, `both` is for two people, `none` lets you watch"),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("SECONDS")
                .default_value("1")
                .value_parser(|text: &str| read_seconds(text))
                .help("Time limit for each move of the engine"),
        )
        .arg(
            Arg::new("clock")
                .long("clock")
                .value_name("MINUTES[+SECONDS]")
                .value_parser(|text: &str| text.parse::<ClockSetting>())
                .help("Clocks for people: minutes, and seconds gained by each move, such as 5+3"),
        )
        .arg(
            Arg::new("nodes")
                .long("nodes")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Node limit for each move of the engine; with one thread, games can then be repeated exactly"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("Random seed for an opponent that uses random numbers [default: 0]"),
        )
        .arg(choice("board", "STYLE", styles).help("How the board is drawn [default: unicode or ascii, by locale]"))
        .arg(
            choice("color", "WHEN", COLOURS.map(|(name, _)| name).to_vec())
                .default_value("auto")
                .help("When to use colours; `auto`: on a terminal, unless NO_COLOR is set"),
        )
        .arg(
            choice("redraw", "WHEN", REDRAWS.map(|(name, _)| name).to_vec())
                .default_value("auto")
                .help("Whether each board replaces the previous one; `auto`: on a terminal that can do that"),
        )
        .arg(file("load").help("Continue the last game of a game file (.ogn), on the same side, against the same opponent"))
        .arg(file("save").help("Save the game to this file (.ogn) after every turn"))
        .arg(
            Arg::new("position")
                .long("position")
                .value_name("POSITION")
                .num_args(1..)
                .conflicts_with("load")
                .help(
                    "Start from a position: `startpos` or fifteen fields, optionally followed by `moves` and moves; or `fair`, a \
                     start that is a proven draw, drawn by --seed if that is given",
                ),
        );
    with_flags(command, |name| FLAGS.contains(&name))
}

/// A new game from a fair start, chosen by a random seed or else by the clock.
fn fair_game(variant: Variant, seed: Option<u64>) -> Result<Game, clap::Error> {
    let starts = fair_starts(variant);
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let drawn = split_mix(&mut seed.unwrap_or_else(now)) % (starts.len() as u64).max(1);
    let start = starts.get(drawn as usize).ok_or_else(|| {
        let games: Vec<&str> = games_with_fair_starts().into_iter().map(Variant::name).collect();
        usage_error(&format!(
            "--position {FAIR}: no fair starts of {variant} are known, only of {}",
            games.join(", ")
        ))
    })?;
    Ok(Game::new(*start))
}

/// Reads the name of a level, or its number from 1.
fn level_parser() -> impl TypedValueParser<Value = String> {
    let level = |(number, name)| PossibleValue::new(name).alias(format!("{number}"));
    let by_name = PossibleValuesParser::new((1..).zip(level::names()).map(level));
    by_name.map(|word| {
        let number = word.parse::<usize>().ok();
        number.map_or(word, |number| level::names()[number - 1].to_owned())
    })
}

/// Reads the arguments of `kroo play`.
pub(super) fn read(matches: &ArgMatches, settings: &Settings) -> Result<PlayOptions, clap::Error> {
    let word = |id| matches.get_one::<String>(id);
    let said = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
    let file = |id| matches.get_one::<PathBuf>(id).cloned();
    // A player of a single rule set implies it, unless a flag names another.
    let only = match settings.player.variants() {
        [variant] if !said("variant") => Some(*variant),
        _ => None,
    };
    let variant = only.unwrap_or(settings.variant);
    let words: Option<Vec<&str>> =
        matches.get_many("position").map(|words| words.map(String::as_str).collect());
    let start = match (words, file("load")) {
        (Some(words), _) if words == [FAIR] => {
            let game = fair_game(variant, matches.get_one("seed").copied())?;
            GameStart::Game(Box::new(game))
        }
        (Some(words), _) => {
            let game = parse_game(variant, &words.join(" ")).map_err(|error| usage_error(&error))?;
            GameStart::Game(Box::new(game))
        }
        (None, Some(path)) => GameStart::File(path),
        (None, None) => GameStart::New(variant),
    };
    let opponent = OpponentSettings {
        engine: Settings {
            seed: matches.get_one("seed").copied().unwrap_or(settings.seed),
            ..settings.clone()
        },
        time: *matches.get_one::<Duration>("time").expect("it has a default"),
        nodes: matches.get_one("nodes").copied(),
    };
    let style =
        word("board").map(|name| BOARD_STYLES.iter().find(|(_, known)| known == name).expect("a style").0);
    let (humans, clock) = (chosen(&SIDES, word("side")), matches.get_one("clock").copied());
    if humans == HumanSides::None && clock.is_some() {
        return Err(usage_error("--clock is for people: leave it out, or leave out --side none"));
    }
    Ok(PlayOptions {
        start,
        humans,
        opponent,
        style,
        colour: chosen(&COLOURS, word("color")),
        redraws: chosen(&REDRAWS, word("redraw")),
        settled: Settled {
            game: said("variant") || said("position") || only.is_some(),
            side: said("side"),
            opponent: said("level") || said("elo") || said("player"),
            limits: said("time") || said("nodes"),
            move_limit: said("movelimit"),
        },
        save: file("save"),
        clock,
    })
}

/// The value of a word; clap has filled in the default and rejected unknown words.
fn chosen<T: Copy>(known: &[(&str, T)], word: Option<&String>) -> T {
    let word = word.expect("it has a default");
    known.iter().find(|(name, _)| name == word).expect("one of the words").1
}
