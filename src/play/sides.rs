//! The sides that people play, and the names of players and pits in sentences.

use crate::game::{Move, Side};

/// The names of [`HumanSides`].
pub const SIDES: [(&str, HumanSides); 4] = [
    ("south", HumanSides::One(Side::South)),
    ("north", HumanSides::One(Side::North)),
    ("both", HumanSides::Both),
    ("none", HumanSides::None),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HumanSides {
    /// A person plays this side, the engine the other.
    One(Side),
    /// People play both sides.
    Both,
    /// The engine plays both sides, and a person watches.
    None,
}

impl HumanSides {
    /// Whether a person plays a side.
    pub fn includes(self, side: Side) -> bool {
        self == HumanSides::Both || self == HumanSides::One(side)
    }

    /// The side at the bottom, nearest to the person.
    pub fn bottom(self) -> Side {
        if let HumanSides::One(side) = self { side } else { Side::South }
    }

    /// The same after the person and the engine change sides.
    #[must_use]
    pub fn swapped(self) -> HumanSides {
        match self {
            HumanSides::One(side) => HumanSides::One(side.other()),
            sides => sides,
        }
    }

    /// The subject for the player of a side, given the engine's name.
    pub fn subject(self, side: Side, engine: &'static str) -> Subject {
        match self {
            HumanSides::One(own) if own == side => Subject::You,
            HumanSides::One(_) => Subject::Engine(engine),
            HumanSides::Both | HumanSides::None => Subject::Side(side),
        }
    }
}

/// How sentences name pits: as the person does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// By number and letter: `4 (D)`. In a list, by number.
    #[default]
    Numbers,
    /// By letter: `D`.
    Letters,
}

impl Notation {
    pub fn pit(self, mv: Move) -> String {
        match self {
            Notation::Numbers => format!("{} ({mv})", mv.pit.index() + 1),
            Notation::Letters => mv.to_string(),
        }
    }

    /// The pits of moves: `pits 1 2 5`.
    pub fn pits(self, moves: &[Move]) -> String {
        let name = |mv: &Move| match self {
            Notation::Numbers => (mv.pit.index() + 1).to_string(),
            Notation::Letters => mv.to_string(),
        };
        let names: Vec<String> = moves.iter().map(name).collect();
        format!("{} {}", if moves.len() == 1 { "pit" } else { "pits" }, names.join(" "))
    }
}

/// A player, as the subject of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The reader of the sentence.
    You,
    /// The engine, by the name of its player.
    Engine(&'static str),
    /// A side, where people or engines play both.
    Side(Side),
}

impl Subject {
    /// The subject and a verb at the beginning of a sentence: `You sow`, `Kroo sows`.
    pub fn does(self, verb: &str) -> String {
        capital(&self.does_within(verb))
    }

    /// The subject and a verb within a sentence: `you sow`, `Kroo sows`.
    pub fn does_within(self, verb: &str) -> String {
        match (self, verb) {
            (Subject::You, verb) => format!("you {verb}"),
            (_, "have") => format!("{} has", self.name()),
            (_, verb) => format!("{} {verb}s", self.name()),
        }
    }

    /// The subject within a sentence.
    pub fn name(self) -> String {
        match self {
            Subject::You => "you".to_owned(),
            Subject::Engine(name) => name.to_owned(),
            Subject::Side(side) => side.to_string(),
        }
    }

    /// The possessive: `your`, `Kroo's`.
    pub fn possessive(self) -> String {
        match self {
            Subject::You => "your".to_owned(),
            subject => format!("{}'s", subject.name()),
        }
    }
}

/// The text with a capital letter at its beginning.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}
