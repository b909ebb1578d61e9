//! The first questions, for the game and the opponent if the flags give neither.

use super::command::{PlayCommand, chosen, parse};
use super::input::{InputEvent, InputListener};
use super::screen::Screen;
use crate::game::Variant;
use crate::level::{LEVELS, Level};
use std::io;

/// The default game: the most popular one.
const FIRST_GAME: Variant = Variant::Oware;
/// The default level.
const FIRST_LEVEL: Level = Level::Beginner;

/// Asks for the game; `None` if the person quits.
///
/// # Errors
/// If the output cannot be written.
pub fn ask_variant(screen: &mut Screen, input: &InputListener) -> io::Result<Option<Variant>> {
    let choices: Vec<Choice<'_, Variant>> = Variant::ALL
        .iter()
        .map(|&value| Choice {
            value,
            name: value.name(),
            meaning: format!("{}: {}", value.title(), value.about().gist),
        })
        .collect();
    ask(screen, input, "Which game would you like to play?", &choices, FIRST_GAME)
}

/// Asks for the engine's level; `None` if the person quits.
///
/// # Errors
/// If the output cannot be written.
pub fn ask_level(screen: &mut Screen, input: &InputListener) -> io::Result<Option<Level>> {
    let choices: Vec<Choice<'_, Level>> = LEVELS
        .iter()
        .map(|&(level, name)| Choice { value: level, name, meaning: level.gist().to_owned() })
        .collect();
    ask(screen, input, "How well should the engine play?", &choices, FIRST_LEVEL)
}

/// An offered answer.
struct Choice<'a, T> {
    value: T,
    name: &'a str,
    meaning: String,
}

/// Asks until there is an answer: a number, a name or a prefix of one, or nothing for the default.
fn ask<T: Copy + PartialEq>(
    screen: &mut Screen,
    input: &InputListener,
    question: &str,
    choices: &[Choice<'_, T>],
    default: T,
) -> io::Result<Option<T>> {
    screen.say(question)?;
    let widest = choices.iter().map(|choice| choice.name.len()).max().unwrap_or_default();
    for (number, Choice { value, name, meaning }) in (1..).zip(choices) {
        let mark = if *value == default { " [Enter]" } else { "" };
        screen.line(&format!("  {number}  {name:widest$}  {meaning}{mark}"))?;
    }
    loop {
        let InputEvent::Line(line) = screen.listen(input)? else { return Ok(None) };
        if let Ok(Some(PlayCommand::Quit)) = parse(&line) {
            return Ok(None);
        }
        match chosen(choices, &line, |choice| choice.name) {
            _ if line.is_empty() => return Ok(Some(default)),
            Some(choice) => return Ok(Some(choice.value)),
            None => screen.wrong(&format!(
                "Type a number from 1 to {} or a name, press Enter for the one that is marked, or type `quit`.",
                choices.len()
            ))?,
        }
    }
}
