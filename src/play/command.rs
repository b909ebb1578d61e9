//! The commands of `kroo play`.

use super::board_style::{BOARD_STYLES, BoardStyle};
use super::clock::ClockSetting;
use super::sides::Notation;
use crate::game::{Move, Pit, Side, Variant};
use crate::level::{self, ELO, LEVELS, Strength};
use crate::printable::{MAX_WORD, clipped};
use crate::roster::{self, PLAYERS, PlayerName};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq)]
pub enum PlayCommand {
    Sow(PitChoice),
    /// Suggest a good move.
    Hint,
    /// Analyse all moves.
    Think,
    /// Show the opponent's analysis of its last move.
    Why,
    /// Judge the last move.
    Review,
    /// Take back a number of the person's moves.
    Undo(usize),
    /// Replay a number of the person's moves that were taken back.
    Redo(usize),
    /// Let the engine make this move, or continue playing both sides.
    Go,
    /// Change sides.
    Swap,
    /// Start a new game, possibly of another rule set.
    New(Option<Variant>),
    /// Show the position in the protocol's notation, or set one up.
    Position(Option<String>),
    /// List the moves played, and the legal moves.
    Moves,
    Rules,
    /// Draw the board again, possibly in another style.
    Board(Option<BoardStyle>),
    /// Save the game to a file.
    Save {
        /// The file; `None` for the same file as before.
        path: Option<PathBuf>,
        /// Whether an existing file may be replaced.
        over: bool,
    },
    /// Load a game from a file: the last one, or the one with this number.
    Load(PathBuf, Option<usize>),
    /// Set the engine's strength, or show it.
    Level(Option<Strength>),
    /// Set the opponent, or show it.
    Player(Option<PlayerName>),
    /// Set the engine's time for a move.
    Time(Duration),
    /// Set the clocks of people, or show them.
    Clock(Option<ClockChoice>),
    Resign,
    Help,
    Quit,
}

/// The argument of `clock`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClockChoice {
    /// Play with these, from their beginning.
    Set(ClockSetting),
    /// Play without clocks.
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PitChoice {
    /// One of the mover's pits, by its number.
    Number(Pit),
    /// One of the mover's pits, by its letter in either case.
    Letter(Pit),
}

impl PitChoice {
    /// The notation of the choice.
    pub fn notation(self) -> Notation {
        match self {
            PitChoice::Number(_) => Notation::Numbers,
            PitChoice::Letter(_) => Notation::Letters,
        }
    }

    pub fn by(self, side: Side) -> Move {
        let (PitChoice::Number(pit) | PitChoice::Letter(pit)) = self;
        Move { side, pit }
    }
}

/// Usage and description of each command, printed by `help`.
pub const PLAY_COMMANDS: &[(&str, &str)] = &[
    ("1 … 6, a … f", "sow one of your pits, counted from your left; the answers name pits as you do"),
    ("hint", "suggest a good move against any opponent"),
    ("think", "show what Kroo thinks of each of your moves"),
    ("why", "show what the opponent thought when it last moved"),
    ("review", "judge the last move, and show a better one if there was one"),
    ("undo [N]", "take back your last move, or your last N moves; after `resign`, the resignation"),
    ("redo [N]", "play the last move again that you took back, or the last N moves"),
    ("go", "let your opponent choose this move for you; if you are watching, continue the game"),
    ("swap", "change sides with the engine"),
    ("new [RULES]", "start a new game, of another rule set if you name one or its number"),
    ("moves", "list the moves so far, and what each legal move would do"),
    ("rules", "explain the rules of this game"),
    ("board [STYLE]", "draw the board again; STYLE is unicode, ascii or plain"),
    ("position [P]", "show the position as a line of text, or set up P: fifteen fields, or startpos moves …"),
    ("level [NAME|ELO]", "set how well the engine plays, by name, number or Elo; alone, list the levels"),
    ("player [NAME]", "choose your opponent, by name or number; alone, list the players"),
    ("time SECONDS", "set how long the engine may think about a move"),
    ("clock [M+S]", "give people clocks: M minutes, and S seconds a move; `clock off`; alone, show them"),
    ("save [FILE]", "save the game to a file; `save over FILE` replaces an existing file"),
    ("load FILE [game N]", "continue a game from a file: the last one in it, or game N"),
    ("resign", "give up the game"),
    ("help", "show this list"),
    ("quit", "leave"),
];

/// Parses a line; `None` if it is blank.
///
/// # Errors
/// A sentence that names the fault and the allowed input.
pub fn parse(line: &str) -> Result<Option<PlayCommand>, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
    if word.is_empty() {
        return Ok(None);
    }
    let command = match pit(&word) {
        Some(choice) if rest.is_empty() => return choice.map(|choice| Some(PlayCommand::Sow(choice))),
        Some(_) => {
            return Err(format!("Name one pit at a time; `{}` is more than that.", clipped(line, MAX_WORD)));
        }
        None => full_word(&word)?,
    };
    let argument = (!rest.is_empty()).then_some(rest);
    if let Some(rest) = argument.filter(|_| !takes_argument(command)) {
        return Err(format!("`{command}` takes no argument (found `{}`).", clipped(rest, MAX_WORD)));
    }
    with_argument(command, argument).map(Some)
}

/// Parses a pit's number or letter; an error for a number that no pit has.
fn pit(word: &str) -> Option<Result<PitChoice, String>> {
    if let Ok(number) = word.parse::<i64>() {
        let wrong = || format!("There is no pit {number}: the pits of a row are numbered 1 to 6.");
        let index = usize::try_from(number).ok().filter(|number| (1..=6).contains(number));
        return Some(index.map(|number| PitChoice::Number(Pit::new(number - 1))).ok_or_else(wrong));
    }
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Move::from_letter(letter).map(|mv| Ok(PitChoice::Letter(mv.pit)))
}

/// The full name of a possibly abbreviated command.
fn full_word(word: &str) -> Result<&'static str, String> {
    let word = match word {
        "?" => "help",
        "exit" | "bye" => "quit",
        word => word,
    };
    let names = || PLAY_COMMANDS[1..].iter().map(|(usage, _)| usage.split(' ').next().expect("a word"));
    if let Some(name) = names().find(|name| *name == word) {
        return Ok(name);
    }
    // A typing mistake next to a pit's letter must not start a new game.
    let long_enough = word.len() > 1 || ["u", "q"].contains(&word);
    let candidates: Vec<&str> = names().filter(|name| long_enough && name.starts_with(word)).collect();
    match candidates[..] {
        [name] => Ok(name),
        [] => Err(format!(
            "I do not know `{}`. Type the number of a pit, 1 to 6, to sow it. `help` lists the commands.",
            clipped(word, MAX_WORD)
        )),
        [ref first @ .., last] => {
            Err(format!("`{word}` could be {} or {last}: type more letters.", first.join(", ")))
        }
    }
}

fn takes_argument(command: &str) -> bool {
    ["undo", "redo", "new", "board", "position", "level", "player", "time", "clock", "save", "load"]
        .contains(&command)
}

fn with_argument(command: &str, argument: Option<&str>) -> Result<PlayCommand, String> {
    Ok(match (command, argument) {
        ("hint", _) => PlayCommand::Hint,
        ("think", _) => PlayCommand::Think,
        ("why", _) => PlayCommand::Why,
        ("review", _) => PlayCommand::Review,
        ("go", _) => PlayCommand::Go,
        ("swap", _) => PlayCommand::Swap,
        ("moves", _) => PlayCommand::Moves,
        ("rules", _) => PlayCommand::Rules,
        ("resign", _) => PlayCommand::Resign,
        ("quit", _) => PlayCommand::Quit,
        ("undo", count) => PlayCommand::Undo(read_count(command, count)?),
        ("redo", count) => PlayCommand::Redo(read_count(command, count)?),
        ("new", name) => PlayCommand::New(name.map(read_variant).transpose()?),
        ("board", style) => PlayCommand::Board(style.map(read_style).transpose()?),
        ("position", position) => PlayCommand::Position(position.map(str::to_owned)),
        ("level", name) => PlayCommand::Level(name.map(read_level).transpose()?),
        ("player", name) => PlayCommand::Player(name.map(read_player).transpose()?),
        ("time", seconds) => PlayCommand::Time(read_seconds(seconds.unwrap_or(""))?),
        ("clock", text) => PlayCommand::Clock(text.map(read_clock).transpose()?),
        ("save", path) => {
            let over = path.and_then(|path| path.strip_prefix("over ")).map(str::trim);
            PlayCommand::Save { path: over.or(path).map(PathBuf::from), over: over.is_some() }
        }
        ("load", None) => return Err("`load` needs the name of a file.".to_owned()),
        ("load", Some(path)) => {
            let numbered = path.rsplit_once(" game ").and_then(|(path, number)| {
                number.trim().parse().ok().map(|number| (PathBuf::from(path.trim()), number))
            });
            match numbered {
                Some((path, number)) => PlayCommand::Load(path, Some(number)),
                None => PlayCommand::Load(PathBuf::from(path), None),
            }
        }
        _ => PlayCommand::Help,
    })
}

fn read_count(command: &str, count: Option<&str>) -> Result<usize, String> {
    let text = count.unwrap_or("1");
    let wrong = || format!("`{command} {}`: the number of moves must be 1 or more.", clipped(text, MAX_WORD));
    text.parse().ok().filter(|&count| count > 0).ok_or_else(wrong)
}

fn read_clock(text: &str) -> Result<ClockChoice, String> {
    if text.eq_ignore_ascii_case("off") { Ok(ClockChoice::Off) } else { text.parse().map(ClockChoice::Set) }
}

fn read_style(text: &str) -> Result<BoardStyle, String> {
    let known = BOARD_STYLES.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
    let names = || BOARD_STYLES.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    let wrong =
        || format!("No board style is called `{}`; the styles are {}.", clipped(text, MAX_WORD), names());
    known.map(|(style, _)| *style).ok_or_else(wrong)
}

/// The entry of a table by its number from 1, its name, or a unique prefix of its name.
pub(super) fn chosen<'a, T>(table: &'a [T], text: &str, name: impl Fn(&T) -> &str) -> Option<&'a T> {
    let text = text.to_ascii_lowercase();
    let numbered = text.parse::<usize>().ok().and_then(|number| table.get(number.checked_sub(1)?));
    let named = || table.iter().find(|entry| name(entry) == text);
    let begun = || {
        let mut begun = table.iter().filter(|entry| name(entry).starts_with(&text));
        begun.next().filter(|_| begun.next().is_none())
    };
    numbered.or_else(named).or_else(begun)
}

/// Numbered names: `1 initiation, 2 beginner`.
pub(super) fn listed(names: &[&str]) -> String {
    let numbered: Vec<String> = (1..).zip(names).map(|(number, name)| format!("{number} {name}")).collect();
    numbered.join(", ")
}

pub(super) fn read_variant(text: &str) -> Result<Variant, String> {
    let known = chosen(Variant::ALL, text, |variant| variant.name());
    let wrong = || {
        let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        format!("No rule set is called `{}`; the rule sets are {}.", clipped(text, MAX_WORD), listed(&names))
    };
    // `kalah6` is not in the list.
    known.copied().or_else(|| text.parse().ok()).ok_or_else(wrong)
}

/// The least number read as an Elo. Smaller ones are refused: levels have no numbers.
const LEAST_ELO: u16 = 100;

pub(super) fn read_level(text: &str) -> Result<Strength, String> {
    let known = chosen(LEVELS, text, |(_, name)| name).map(|(level, _)| Strength::Level(*level));
    let wrong = || {
        let (text, levels) = (clipped(text, MAX_WORD), listed(&level::names()));
        format!(
            "No level is called `{text}`; the levels are {levels}, or an Elo from {LEAST_ELO} to {}.",
            ELO.end()
        )
    };
    let elo = || text.parse().ok().filter(|elo| (LEAST_ELO..=*ELO.end()).contains(elo)).map(Strength::Elo);
    known.or_else(elo).ok_or_else(wrong)
}

fn read_player(text: &str) -> Result<PlayerName, String> {
    let known = chosen(PLAYERS, text, |(_, name, _)| name);
    let wrong = || {
        format!(
            "No player is called `{}`; the players are {}.",
            clipped(text, MAX_WORD),
            listed(&roster::names())
        )
    };
    known.map(|(who, ..)| *who).ok_or_else(wrong)
}

/// Parses a time in seconds, from a millisecond to a day.
///
/// # Errors
/// A sentence that names the allowed input.
pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    let wrong = || {
        format!(
            "`{}` is not a time: expected seconds from 0.001 to 86400, such as `2.5`.",
            clipped(text, MAX_WORD)
        )
    };
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}
