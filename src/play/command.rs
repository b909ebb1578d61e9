//! What a person can type.

use super::board::{STYLES, Style};
use super::seats::capital;
use crate::game::{Move, Pit, Side, Variant};
use crate::level::{self, LEVELS, Level};
use crate::roster::{self, PLAYERS, PlayerName};
use std::path::PathBuf;
use std::time::Duration;

/// Something a person wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A pit is to be sown.
    Sow(Named),
    /// A good move is wanted.
    Hint,
    /// All moves are to be weighed.
    Think,
    /// What the opponent thought of its last move.
    Why,
    /// How good the last move was.
    Review,
    /// So many moves of the person's are to be taken back.
    Undo(usize),
    /// The engine makes this move, or goes on playing both sides.
    Go,
    /// The sides are exchanged.
    Swap,
    /// A new game, perhaps under other rules.
    New(Option<Variant>),
    /// Where the game stands, in the notation; or a position that is to be set up.
    Position(Option<String>),
    /// The moves so far, and those that are possible.
    Moves,
    /// The rules.
    Rules,
    /// The board once more, perhaps drawn otherwise.
    Board(Option<Style>),
    /// The game is to be written to a file, perhaps in the place of another one.
    Save {
        /// The file; none for the one of before.
        path: Option<PathBuf>,
        /// Whether a file that is there may be replaced.
        over: bool,
    },
    /// A game is to be taken from a file: the last, or the so manieth.
    Load(PathBuf, Option<usize>),
    /// How well the engine is to play, or the question how well it does.
    Level(Option<Level>),
    /// Who is to play against the person, or the question who does.
    Player(Option<PlayerName>),
    /// How long the engine is to think.
    Time(Duration),
    /// The game is given up.
    Resign,
    /// What can be typed.
    Help,
    /// That is all.
    Quit,
}

/// A pit as a person names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// One of the mover's, by number.
    Number(Pit),
    /// One of the mover's, by letter, of whatever case.
    Letter(Pit),
}

impl Named {
    /// The move of a side that is meant.
    #[must_use]
    pub fn by(self, side: Side) -> Move {
        let (Named::Number(pit) | Named::Letter(pit)) = self;
        Move { side, pit }
    }
}

/// The commands: how each is written, and what it does.
pub const COMMANDS: &[(&str, &str)] = &[
    ("1 … 6, a … f", "sow a pit of yours, counted from your left"),
    ("hint", "a good move"),
    ("think", "what the engine thinks of each of your moves"),
    ("why", "what the opponent thought when it moved"),
    ("review", "how good the last move was, and what would have been better"),
    ("undo [N]", "take back your last move, or the last N"),
    ("go", "let the engine make this move; where you watch, go on"),
    ("swap", "change sides with the engine"),
    ("new [RULES]", "a new game, perhaps under other rules"),
    ("moves", "the moves so far, and what each possible move does"),
    ("rules", "the rules of this game"),
    ("board [STYLE]", "draw the board; STYLE is unicode, ascii or plain"),
    ("position [P]", "the position as a line of text; or set up P: fifteen fields, or startpos moves …"),
    ("level [NAME]", "how well the engine plays: initiation, beginner, amateur, grandmaster, full"),
    ("player [NAME]", "who plays against you: kroo, or a player of the sources, as greedy or classic1978"),
    ("time SECONDS", "how long the engine thinks about a move"),
    ("save [FILE]", "write the game to a file; `save over FILE` replaces one that is there"),
    ("load FILE [game N]", "go on with a game from a file: its last one, or the Nth"),
    ("resign", "give the game up"),
    ("help", "this list"),
    ("quit", "leave"),
];

/// Reads a line; a blank one is no command.
///
/// # Errors
/// A sentence that says what is wrong and what is allowed.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
    if word.is_empty() {
        return Ok(None);
    }
    let command = match pit(&word) {
        Some(named) if rest.is_empty() => return named.map(|named| Some(Command::Sow(named))),
        Some(_) => return Err(format!("One pit at a time: `{}` is more than one.", clipped(line))),
        None => full_word(&word)?,
    };
    let argument = (!rest.is_empty()).then_some(rest);
    if let Some(rest) = argument.filter(|_| !takes_argument(command)) {
        return Err(format!("`{command}` stands alone, without `{}`.", clipped(rest)));
    }
    with_argument(command, argument).map(Some)
}

/// A pit, if a word names one or tries to: a number, or a single letter.
fn pit(word: &str) -> Option<Result<Named, String>> {
    if let Ok(number) = word.parse::<i64>() {
        let wrong = || format!("There is no pit {number}: a row has the pits 1 to 6.");
        let index = usize::try_from(number).ok().filter(|number| (1..=6).contains(number));
        return Some(index.map(|number| Named::Number(Pit::new(number - 1))).ok_or_else(wrong));
    }
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Move::from_letter(letter).map(|mv| Ok(Named::Letter(mv.pit)))
}

/// The command that a word is, or begins.
fn full_word(word: &str) -> Result<&'static str, String> {
    let word = if word == "?" { "help" } else { word };
    let names = || COMMANDS[1..].iter().map(|(usage, _)| usage.split(' ').next().expect("a word"));
    if let Some(name) = names().find(|name| *name == word) {
        return Ok(name);
    }
    // A slip of the finger beside a pit's letter must not begin a new game.
    let long_enough = word.len() > 1 || ["u", "q"].contains(&word);
    let candidates: Vec<&str> = names().filter(|name| long_enough && name.starts_with(word)).collect();
    match candidates[..] {
        [name] => Ok(name),
        [] => Err(format!(
            "I do not know `{}`. Type the number of a pit, 1 to 6, to sow it; `help` lists the commands.",
            clipped(word)
        )),
        _ => Err(format!("`{word}` can be {}: type more of it.", candidates.join(" or "))),
    }
}

fn takes_argument(command: &str) -> bool {
    ["undo", "new", "board", "position", "level", "player", "time", "save", "load"].contains(&command)
}

fn with_argument(command: &str, argument: Option<&str>) -> Result<Command, String> {
    Ok(match (command, argument) {
        ("hint", _) => Command::Hint,
        ("think", _) => Command::Think,
        ("why", _) => Command::Why,
        ("review", _) => Command::Review,
        ("go", _) => Command::Go,
        ("swap", _) => Command::Swap,
        ("moves", _) => Command::Moves,
        ("rules", _) => Command::Rules,
        ("resign", _) => Command::Resign,
        ("quit", _) => Command::Quit,
        ("undo", count) => Command::Undo(read_count(count.unwrap_or("1"))?),
        ("new", name) => {
            let variant = name.map(str::parse).transpose();
            Command::New(variant.map_err(|error: crate::game::UnknownVariant| capital(&format!("{error}.")))?)
        }
        ("board", style) => Command::Board(style.map(read_style).transpose()?),
        ("position", position) => Command::Position(position.map(str::to_owned)),
        ("level", name) => Command::Level(name.map(read_level).transpose()?),
        ("player", name) => Command::Player(name.map(read_player).transpose()?),
        ("time", seconds) => Command::Time(read_seconds(seconds.unwrap_or(""))?),
        ("save", path) => {
            let over = path.and_then(|path| path.strip_prefix("over ")).map(str::trim);
            Command::Save { path: over.or(path).map(PathBuf::from), over: over.is_some() }
        }
        ("load", None) => return Err("`load` needs the name of a file.".to_owned()),
        ("load", Some(path)) => {
            let numbered = path.rsplit_once(" game ").and_then(|(path, number)| {
                number.trim().parse().ok().map(|number| (PathBuf::from(path.trim()), number))
            });
            match numbered {
                Some((path, number)) => Command::Load(path, Some(number)),
                None => Command::Load(PathBuf::from(path), None),
            }
        }
        _ => Command::Help,
    })
}

fn read_count(text: &str) -> Result<usize, String> {
    let wrong = || format!("`undo {}`: how many moves? A number from 1.", clipped(text));
    text.parse().ok().filter(|&count| count > 0).ok_or_else(wrong)
}

fn read_style(text: &str) -> Result<Style, String> {
    let known = STYLES.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
    let names = || STYLES.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    let wrong = || format!("There is no board `{}`; the ways to draw it are {}.", clipped(text), names());
    known.map(|(style, _)| *style).ok_or_else(wrong)
}

fn read_level(text: &str) -> Result<Level, String> {
    let known = LEVELS.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
    let wrong =
        || format!("No level is called `{}`; the levels are {}.", clipped(text), level::names().join(", "));
    known.map(|(level, _)| *level).ok_or_else(wrong)
}

fn read_player(text: &str) -> Result<PlayerName, String> {
    let known = PLAYERS.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(text));
    let wrong = || {
        format!("No player is called `{}`; the players are {}.", clipped(text), roster::names().join(", "))
    };
    known.map(|(who, ..)| *who).ok_or_else(wrong)
}

/// A time in seconds, from a thousandth to a day.
///
/// # Errors
/// A sentence that says so.
pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    let wrong = || format!("`{}` is no time: expected seconds from 0.001 to 86400, as `2.5`.", clipped(text));
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// What a message repeats of its cause.
pub(super) fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_go_by_number_and_by_letter() {
        for (text, side, expected) in [
            ("1", Side::South, 'A'),
            ("6", Side::North, 'f'),
            ("c", Side::South, 'C'),
            (" C ", Side::North, 'c'),
        ] {
            match parse(text) {
                Ok(Some(Command::Sow(named))) => assert_eq!(named.by(side).letter(), expected),
                other => panic!("{text}: {other:?}"),
            }
        }
        for text in ["0", "7", "-1", "99999999999999999999", "1 2", "g", "n", "a b", "12"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_may_be_cut_short_while_they_are_plain() {
        assert_eq!(parse("q"), Ok(Some(Command::Quit)));
        assert_eq!(parse("?"), Ok(Some(Command::Help)));
        assert_eq!(parse("HINT"), Ok(Some(Command::Hint)));
        assert_eq!(parse("un 3"), Ok(Some(Command::Undo(3))));
        assert_eq!(parse("re"), Err("`re` can be review or resign: type more of it.".to_owned()));
        assert_eq!(parse(" "), Ok(None));
    }

    #[test]
    fn every_command_of_the_list_is_understood() {
        for (usage, _) in &COMMANDS[1..] {
            let word = usage.split(' ').next().expect("a word");
            let needs = match word {
                "time" => " 1",
                "load" => " some file.ogn",
                _ => "",
            };
            assert!(matches!(parse(&format!("{word}{needs}")), Ok(Some(_))), "{word}");
        }
        let over = Command::Save { path: Some(PathBuf::from("a b.ogn")), over: true };
        assert_eq!(parse("save over a b.ogn"), Ok(Some(over)));
        assert_eq!(parse("load a b.ogn game 3"), Ok(Some(Command::Load(PathBuf::from("a b.ogn"), Some(3)))));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_allowed() {
        for (line, part) in [
            ("level god", "the levels are initiation, "),
            ("player me", "the players are random, "),
            ("time long", "expected seconds"),
            ("time nan", "expected seconds"),
            ("undo 0", "A number from 1"),
            ("board round", "unicode, ascii, plain"),
            ("new chess", "No rule set is called `chess`; the rule sets are awari, "),
            ("load", "needs the name of a file"),
            ("hint please", "stands alone"),
            ("x\u{1b}[2J", "I do not know `x\\u{1b}[2j`"),
        ] {
            let error = parse(line).expect_err(line);
            assert!(error.contains(part), "{error}");
        }
    }
}
