//! The positions of the suite, and their classes.

use kroo::game::{Position, Side, Variant};
use std::error::Error;
use std::fmt;

/// One line per position: rule set, class and fields.
const POSITIONS: &str = include_str!("suite.txt");
/// A pit with more seeds than this is a kroo.
const LARGEST_PIT: u8 = 12;
/// A side with at most this many seeds in its row starves.
const STARVED: u8 = 2;

/// The class of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Opening,
    Middle,
    Few,
    Kroo,
    Starvation,
}

impl Class {
    /// All classes, in output order.
    pub const ALL: [Class; 5] = [Class::Opening, Class::Middle, Class::Few, Class::Kroo, Class::Starvation];

    /// The name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Class::Opening => "opening",
            Class::Middle => "middle",
            Class::Few => "few",
            Class::Kroo => "kroo",
            Class::Starvation => "starvation",
        }
    }

    /// Whether a position belongs to the class.
    fn holds(self, position: &Position) -> bool {
        let rows = Side::BOTH.map(|side| position.row(side).pits());
        let seeds = rows.map(|row| row.iter().sum::<u8>());
        let (left, poorer) = (seeds[0] + seeds[1], seeds[0].min(seeds[1]));
        let kroo = rows.iter().flatten().any(|&pit| pit > LARGEST_PIT);
        let stored = position.store(Side::South) + position.store(Side::North);
        let fed = !kroo && poorer > STARVED;
        match self {
            Class::Opening => fed && stored <= 8,
            Class::Middle => fed && (17..=40).contains(&left),
            Class::Few => fed && left <= 16,
            Class::Kroo => kroo,
            Class::Starvation => !kroo && poorer <= STARVED && left >= 6,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A line of the suite.
pub struct Entry {
    pub variant: Variant,
    pub class: Class,
    pub text: &'static str,
    pub position: Position,
}

impl Entry {
    fn parse(line: &'static str) -> Result<Entry, Box<dyn Error>> {
        let [variant, class, text] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err("expected a rule set, a class and a position".into());
        };
        let variant: Variant = variant.parse()?;
        let known = Class::ALL.into_iter().find(|known| known.name() == class);
        let class = known.ok_or_else(|| format!("no class is called `{class}`"))?;
        let position = Position::parse(variant, text)?;
        if position.verdict().is_some() {
            return Err("the game is over".into());
        }
        if !class.holds(&position) {
            return Err(format!("this position is not of the class {class}").into());
        }
        Ok(Entry { variant, class, text, position })
    }
}

/// The whole suite.
///
/// # Errors
/// The first invalid line, or a class that a rule set lacks.
pub fn suite() -> Result<Vec<Entry>, Box<dyn Error>> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(POSITIONS.lines()).filter(|(_, line)| !line.starts_with('#')) {
        let entry = Entry::parse(line).map_err(|error| format!("suite.txt, line {number}: {error}"))?;
        entries.push(entry);
    }
    for &variant in Variant::ALL {
        for class in Class::ALL {
            if !entries.iter().any(|entry| entry.variant == variant && entry.class == class) {
                return Err(format!("suite.txt: {variant} has no position of the class {class}").into());
            }
        }
    }
    Ok(entries)
}
