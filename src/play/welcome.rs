//! The first questions, for the game and the opponent if the flags give neither.

use super::command::{PlayCommand, chosen, parse, read_level, read_variant};
use super::input::{InputEvent, InputListener};
use super::screen::Screen;
use super::sides::{HumanSides, SIDES};
use crate::game::{Side, Variant};
use crate::level::{LEVELS, Level, Strength, ladder};
use std::io;

/// The default game: the most popular one.
const FIRST_GAME: Variant = Variant::Oware;
const FIRST_LEVEL: Strength = Strength::Level(Level::Beginner);

/// Asks for the game; `None` if the person quits.
pub fn ask_variant(screen: &mut Screen, input: &InputListener) -> io::Result<Option<Variant>> {
    let choices: Vec<Choice<'_, Variant>> = Variant::ALL
        .iter()
        .map(|&value| Choice {
            value,
            name: value.name(),
            meaning: format!("{}: {}", value.title(), value.about().gist),
        })
        .collect();
    let question = Question {
        text: "Which game would you like to play?".to_owned(),
        choices: &choices,
        default: FIRST_GAME,
        read: read_variant,
        also: "",
    };
    question.ask(screen, input)
}

/// Asks for the engine's strength in a rule set; `None` if the person quits.
pub fn ask_strength(
    screen: &mut Screen,
    input: &InputListener,
    variant: Variant,
) -> io::Result<Option<Strength>> {
    let choices: Vec<Choice<'_, Strength>> = LEVELS
        .iter()
        .map(|&(level, name)| Choice {
            value: Strength::Level(level),
            name,
            meaning: level.gist().to_owned(),
        })
        .collect();
    let [least, most] = ladder(variant).range();
    let question = Question {
        text: format!("How well should the engine play? Choose a level, or an Elo from {least} to {most}:"),
        choices: &choices,
        default: FIRST_LEVEL,
        read: read_level,
        also: ", or an Elo",
    };
    question.ask(screen, input)
}

/// Asks for the sides that people play; `None` if the person quits.
pub fn ask_sides(screen: &mut Screen, input: &InputListener) -> io::Result<Option<HumanSides>> {
    let meanings = ["you move first", "you move second", "two people play", "you watch"];
    let choices: Vec<Choice<'_, HumanSides>> = SIDES
        .iter()
        .zip(meanings)
        .map(|(&(name, value), meaning)| Choice { value, name, meaning: meaning.to_owned() })
        .collect();
    let question = Question {
        text: "The file does not say who plays. Which side do you play?".to_owned(),
        choices: &choices,
        default: HumanSides::One(Side::South),
        read: |text| chosen(&SIDES, text, |(name, _)| name).map(|(_, side)| *side).ok_or_else(String::new),
        also: "",
    };
    question.ask(screen, input)
}

struct Choice<'a, T> {
    value: T,
    name: &'a str,
    meaning: String,
}

struct Question<'a, T> {
    text: String,
    choices: &'a [Choice<'a, T>],
    default: T,
    /// Reads the number of an answer, its name or a beginning of the name.
    read: fn(&str) -> Result<T, String>,
    /// What else it reads, to follow `a name` in a sentence.
    also: &'static str,
}

impl<T: Copy + PartialEq> Question<'_, T> {
    /// Asks until there is an answer; an empty one is the default.
    fn ask(&self, screen: &mut Screen, input: &InputListener) -> io::Result<Option<T>> {
        screen.say(&self.text)?;
        let widest = self.choices.iter().map(|choice| choice.name.len()).max().unwrap_or_default();
        for (number, Choice { value, name, meaning }) in (1..).zip(self.choices) {
            let mark = if *value == self.default { " [Enter]" } else { "" };
            screen.line(&format!("  {number}  {name:widest$}  {meaning}{mark}"))?;
        }
        loop {
            let InputEvent::Line(line) = screen.listen(input, None)? else { return Ok(None) };
            if let Ok(Some(PlayCommand::Quit)) = parse(&line) {
                return Ok(None);
            }
            if line.is_empty() {
                return Ok(Some(self.default));
            }
            if let Ok(answer) = (self.read)(&line) {
                return Ok(Some(answer));
            }
            let (count, also) = (self.choices.len(), self.also);
            screen.wrong(&format!(
                "Type a number from 1 to {count} or a name{also}, press Enter for the one that is marked, or type `quit`."
            ))?;
        }
    }
}
