//! The options of the engine, each declared once.
//!
//! [`OPTIONS`] is the only list of them. From an entry come the `option` line that `uci` prints, the range check and
//! the effect of `setoption`, the flag of the command line, and the value before anybody sets it. A new option is a
//! field of [`Settings`] and an entry of the table.

use super::error::{any_of, quoted};
pub use super::option_error::OptionError;
use super::option_line::EMPTY;
pub use super::settings::Settings;
use super::words::digits;
use super::{OptionKind, OptionLine};
use crate::game::{Variant, names};
use crate::level::{self, LEVELS};
use crate::roster::{self, PLAYERS};

/// What the session has to do when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing but to look at the settings from now on.
    Nothing,
    /// Give the table its new size.
    ResizeTable,
    /// Forget what is in the table.
    ClearTable,
    /// Change the rule set, and begin at its start position.
    NewVariant,
    /// Read evaluation weights.
    LoadWeights,
    /// Read the book.
    OpenBook,
    /// Map files of endgames.
    OpenEndgames,
    /// Give the turn to a player, who begins anew.
    NewPlayer,
    /// Begin to draw lots anew, also from the same seed.
    NewLots,
}

/// An option: everything there is to know of it.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name in the protocol. Case does not matter.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: SpecKind,
    /// What it is for, in a sentence for the user.
    pub doc: &'static str,
    /// What is to be done when it changes, or is pressed.
    pub effect: Effect,
}

/// What an option can be set to, at first and later, and where the value goes.
#[derive(Clone, Copy, Debug)]
pub enum SpecKind {
    /// An integer of a range.
    Spin {
        /// At first.
        default: i64,
        /// At least.
        min: i64,
        /// At most.
        max: i64,
        /// Stores a value of the range.
        store: fn(&mut Settings, i64),
    },
    /// `true` or `false`.
    Check {
        /// At first.
        default: bool,
        /// Stores a value.
        store: fn(&mut Settings, bool),
    },
    /// One of several words.
    Combo {
        /// At first; one of the words.
        default: &'static str,
        /// The words.
        vars: fn() -> Vec<&'static str>,
        /// Stores the word with this index.
        store: fn(&mut Settings, usize),
    },
    /// Any text, also none; empty at first. `<empty>` is the empty one.
    Text {
        /// What the text is, in words.
        what: &'static str,
        /// Stores a text.
        store: fn(&mut Settings, &str),
    },
    /// No value: it is pressed.
    Button,
}

/// Every option, in the order in which they are listed to a user.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: SpecKind::Spin { default: 16, min: 1, max: 65_536, store: |s, mib| s.hash_mib = mib as usize },
        doc: "Size of the table of searched positions, in MiB.",
        effect: Effect::ResizeTable,
    },
    OptionSpec {
        name: "Clear Hash",
        kind: SpecKind::Button,
        doc: "Forgets all searched positions.",
        effect: Effect::ClearTable,
    },
    OptionSpec {
        name: "Threads",
        kind: SpecKind::Spin { default: 1, min: 1, max: 256, store: |s, n| s.threads = n as usize },
        doc: "Threads that search.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "MultiPV",
        kind: SpecKind::Spin { default: 1, min: 1, max: 6, store: |s, n| s.multipv = n as usize },
        doc: "How many best lines are shown.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Ponder",
        kind: SpecKind::Check { default: false, store: |s, on| s.ponder = on },
        doc: "Tells the engine that it may be asked to think in the rival's time.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Move Overhead",
        kind: SpecKind::Spin {
            default: 10,
            min: 0,
            max: 5000,
            store: |s, ms| s.move_overhead_ms = ms as u64,
        },
        doc: "Milliseconds of each move that go lost between the engine and the clock.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "UCI_Variant",
        kind: SpecKind::Combo {
            default: Variant::Awari.name(),
            vars: names,
            store: |s, index| s.variant = Variant::ALL[index],
        },
        doc: "The rule set; another one begins at its start position.",
        effect: Effect::NewVariant,
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: SpecKind::Check { default: false, store: |s, on| s.show_wdl = on },
        doc: "Shows the chances of win, draw and loss, in thousandths, with each score.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "OwnBook",
        kind: SpecKind::Check { default: false, store: |s, on| s.own_book = on },
        doc: "Plays moves of the opening book.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "BookFile",
        kind: SpecKind::Text {
            what: "the path of a file",
            store: |s, path| path.clone_into(&mut s.book_file),
        },
        doc: "The file of the book; without one it is the book that is built in.",
        effect: Effect::OpenBook,
    },
    OptionSpec {
        name: "Level",
        kind: SpecKind::Combo {
            default: "full",
            vars: level::names,
            store: |s, index| s.level = LEVELS[index].0,
        },
        doc: "How well the engine plays; below `full` it overlooks and misjudges as people do.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "EvalFile",
        kind: SpecKind::Text {
            what: "the path of a file",
            store: |s, path| path.clone_into(&mut s.eval_file),
        },
        doc: "A file of evaluation weights for the rule set; none for those that are compiled in.",
        effect: Effect::LoadWeights,
    },
    OptionSpec {
        name: "EndgamePath",
        kind: SpecKind::Text {
            what: "the path of a folder",
            store: |s, path| path.clone_into(&mut s.endgame_path),
        },
        doc: "The folder with the files of `kroo endgame build`; small endgames need none.",
        effect: Effect::OpenEndgames,
    },
    OptionSpec {
        name: "EndgameSeeds",
        kind: SpecKind::Spin {
            default: 48,
            min: 0,
            max: 48,
            store: |s, seeds| s.endgame_seeds = seeds as u8,
        },
        doc: "Positions with more seeds in the pits are not looked up in the endgames; 0 for none at all.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Player",
        kind: SpecKind::Combo {
            default: "kroo",
            vars: roster::names,
            store: |s, index| s.player = PLAYERS[index].0,
        },
        doc: "Who chooses the moves: one of the players of the sources, or this engine.",
        effect: Effect::NewPlayer,
    },
    OptionSpec {
        name: "Seed",
        kind: SpecKind::Spin {
            default: 1,
            min: 0,
            max: u32::MAX as i64,
            store: |s, seed| s.seed = seed as u64,
        },
        doc: "Where the lots begin of a player who draws some.",
        effect: Effect::NewLots,
    },
    OptionSpec {
        name: "LearnFile",
        kind: SpecKind::Text {
            what: "the path of a file",
            store: |s, path| path.clone_into(&mut s.learn_file),
        },
        doc: "The file that a player who learns keeps what it has learned in.",
        effect: Effect::NewPlayer,
    },
];

/// The option of that name; case does not matter.
#[must_use]
pub fn named(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name.trim()))
}

/// Sets the option of that name, and says what else there is to do.
///
/// A value that is set already changes nothing, so there is nothing to do for it.
///
/// # Errors
/// If there is no such option, or if it cannot be set to that. Then nothing changes.
pub fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let known = || OPTIONS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    let spec = named(name).ok_or_else(|| OptionError::UnknownName { found: quoted(name), known: known() })?;
    spec.set(settings, value)
}

impl OptionSpec {
    /// The line that declares it.
    #[must_use]
    pub fn line(&self) -> OptionLine {
        let kind = match self.kind {
            SpecKind::Spin { default, min, max, .. } => OptionKind::Spin { default, min, max },
            SpecKind::Check { default, .. } => OptionKind::Check { default },
            SpecKind::Combo { default, vars, .. } => OptionKind::Combo {
                default: default.to_owned(),
                vars: vars().into_iter().map(str::to_owned).collect(),
            },
            SpecKind::Text { .. } => OptionKind::String { default: String::new() },
            SpecKind::Button => OptionKind::Button,
        };
        OptionLine { name: self.name.to_owned(), kind }
    }

    /// Its flag on the command line, without the dashes before it.
    #[must_use]
    pub fn flag(&self) -> String {
        self.name.trim_start_matches("UCI_").to_ascii_lowercase().replace(' ', "-")
    }

    /// What it can be set to, in words.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self.kind {
            SpecKind::Spin { min, max, .. } if min == max => format!("the number {min} only"),
            SpecKind::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            SpecKind::Check { .. } => any_of(["true", "false"]),
            SpecKind::Combo { vars, .. } => any_of(vars()),
            SpecKind::Text { what, .. } => format!("{what}, or nothing"),
            SpecKind::Button => "no value".to_owned(),
        }
    }

    /// Sets it, and says what else there is to do.
    ///
    /// # Errors
    /// If it cannot be set to that. Then nothing changes.
    pub fn set(&self, settings: &mut Settings, value: Option<&str>) -> Result<Effect, OptionError> {
        let name = self.name;
        let before = settings.clone();
        let text = match (self.kind, value.map(str::trim)) {
            (SpecKind::Button, None) => return Ok(self.effect),
            (SpecKind::Button, Some(_)) => return Err(OptionError::ButtonValue { name }),
            (SpecKind::Text { .. }, None | Some(EMPTY)) => "",
            (SpecKind::Text { .. }, Some(text)) => text,
            (_, None | Some("")) => return Err(OptionError::MissingValue { name, allowed: self.allowed() }),
            (_, Some(text)) => text,
        };
        self.store(settings, text)?;
        let idle = *settings == before && self.effect != Effect::NewLots;
        Ok(if idle { Effect::Nothing } else { self.effect })
    }

    fn store(&self, settings: &mut Settings, text: &str) -> Result<(), OptionError> {
        let name = self.name;
        let wrong_kind = || OptionError::WrongKind { name, allowed: self.allowed(), found: quoted(text) };
        let out_of_range = || OptionError::OutOfRange { name, allowed: self.allowed(), found: quoted(text) };
        match self.kind {
            SpecKind::Spin { min, max, store, .. } => {
                let digits = whole_number(text).ok_or_else(wrong_kind)?;
                let number = digits.parse().ok().filter(|number| (min..=max).contains(number));
                store(settings, number.ok_or_else(out_of_range)?);
            }
            SpecKind::Check { store, .. } => {
                let index = index_of(text, &["false", "true"]).ok_or_else(wrong_kind)?;
                store(settings, index == 1);
            }
            SpecKind::Combo { vars, store, .. } => {
                store(settings, index_of(text, &vars()).ok_or_else(wrong_kind)?);
            }
            SpecKind::Text { store, .. } => store(settings, text),
            SpecKind::Button => {}
        }
        Ok(())
    }

    pub(super) fn store_default(&self, settings: &mut Settings) {
        match self.kind {
            SpecKind::Spin { default, store, .. } => store(settings, default),
            SpecKind::Check { default, store } => store(settings, default),
            SpecKind::Combo { default, vars, store } => {
                store(settings, index_of(default, &vars()).expect("a default is one of the words"));
            }
            SpecKind::Text { store, .. } => store(settings, ""),
            SpecKind::Button => {}
        }
    }
}

/// The text if it is an integer in the grammar's sense, of whatever length.
fn whole_number(text: &str) -> Option<&str> {
    digits(text).ok().filter(|(rest, _)| rest.is_empty()).map(|(_, number)| number)
}

fn index_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().position(|word| word.eq_ignore_ascii_case(text))
}
