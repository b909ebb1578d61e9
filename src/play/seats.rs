//! Who plays which side, and how they are spoken of.

use crate::game::Side;

/// Which sides a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// A person plays this side, the engine the other.
    One(Side),
    /// People play both sides.
    Both,
    /// The engine plays both sides, and a person watches.
    None,
}

impl Seats {
    /// Whether a person plays a side.
    #[must_use]
    pub fn is_person(self, side: Side) -> bool {
        self == Seats::Both || self == Seats::One(side)
    }

    /// Whose row is nearest to whoever looks at the board.
    #[must_use]
    pub fn below(self) -> Side {
        if let Seats::One(side) = self { side } else { Side::South }
    }

    /// The seats with the sides exchanged.
    #[must_use]
    pub fn swapped(self) -> Seats {
        match self {
            Seats::One(side) => Seats::One(side.other()),
            seats => seats,
        }
    }

    /// How a side is spoken of, where the engine is called so.
    #[must_use]
    pub fn person(self, side: Side, engine: &'static str) -> Person {
        match self {
            Seats::One(own) if own == side => Person::You,
            Seats::One(_) => Person::Engine(engine),
            Seats::Both | Seats::None => Person::Side(side),
        }
    }
}

/// A player, as sentences name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// Whoever reads the sentence.
    You,
    /// The engine, by the name of its player.
    Engine(&'static str),
    /// A side, where that tells more.
    Side(Side),
}

impl Person {
    /// At the beginning of a sentence, with a verb.
    #[must_use]
    pub fn does(self, verb: &str) -> String {
        match (self, verb) {
            (Person::You, "have") => "You have".to_owned(),
            (Person::You, verb) => format!("You {verb}"),
            (_, "have") => format!("{} has", capital(&self.name())),
            (_, verb) => format!("{} {verb}s", capital(&self.name())),
        }
    }

    /// Within a sentence.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Person::You => "you".to_owned(),
            Person::Engine(name) => name.to_owned(),
            Person::Side(side) => side.to_string(),
        }
    }

    /// Whose: `your`, `Kroo's`.
    #[must_use]
    pub fn whose(self) -> String {
        match self {
            Person::You => "your".to_owned(),
            person => format!("{}'s", person.name()),
        }
    }
}

/// A text that begins a sentence.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}
