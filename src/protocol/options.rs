//! The options of the engine, each declared once.
//!
//! [`OPTIONS`] is the only list of them. Each entry gives the `option` line that `uci` prints, the range check and the
//! effect of `setoption`, the flag of the command line, and the default. A new option is a field of [`Settings`] and an
//! entry of the table.

use super::error::{any_of, quoted, quoted_within};
pub use super::option_error::OptionError;
use super::option_line::EMPTY;
pub use super::settings::Settings;
use super::words::digits;
use super::{OptionKind, OptionLine};
use crate::level::{self, ELO, LEVELS, Level};
use crate::roster::{self, PLAYERS, PlayerName};
use kroo_core::game::{MOVE_LIMIT, Variant, names};

/// The most bytes of an unknown name in an error, which goes on with all names that are known.
const MOST_NAME_BYTES: usize = 64;

/// What the session has to do when an option has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing; the settings are read when they are needed.
    Nothing,
    /// Allocate a transposition table of the new size.
    ResizeTable,
    /// Say whether the machine is good for so many threads.
    CheckThreads,
    /// Clear the transposition table.
    ClearTable,
    /// Change the rule set and set up its start position.
    NewVariant,
    /// Read evaluation weights.
    LoadWeights,
    /// Read the opening book.
    OpenBook,
    /// Map the endgame files.
    OpenEndgames,
    /// Replace the player by a new one.
    NewPlayer,
    /// Restart the player's random numbers, even if the seed is the same.
    Reseed,
}

/// Everything about an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name in the protocol. Case does not matter.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: SpecKind,
    /// What it does, in a sentence for the user.
    pub doc: &'static str,
    /// What has to be done when it changes or is pressed.
    pub effect: Effect,
}

/// The values of an option, its default, and where the value is stored.
#[derive(Clone, Copy, Debug)]
pub enum SpecKind {
    /// An integer within a range.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// Stores a value within the range.
        store: fn(&mut Settings, i64),
    },
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
        /// Stores a value.
        store: fn(&mut Settings, bool),
    },
    /// One of several words.
    Combo {
        /// The default; one of the words.
        default: &'static str,
        /// The words.
        vars: fn() -> Vec<&'static str>,
        /// Stores the word with this index.
        store: fn(&mut Settings, usize),
    },
    /// Any text. The default is the empty text, which can be written `<empty>`.
    Text {
        /// What the text means, in words.
        what: &'static str,
        /// Stores a text.
        store: fn(&mut Settings, &str),
    },
    /// No value: it is a button.
    Button,
}

/// All options, in the order in which they are listed.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: SpecKind::Spin { default: 16, min: 1, max: 65_536, store: |s, mib| s.hash_mib = mib as usize },
        doc: "Size of the hash table in MiB.",
        effect: Effect::ResizeTable,
    },
    OptionSpec {
        name: "Clear Hash",
        kind: SpecKind::Button,
        doc: "Clear the hash table.",
        effect: Effect::ClearTable,
    },
    OptionSpec {
        name: "Threads",
        kind: SpecKind::Spin { default: 1, min: 1, max: 256, store: |s, n| s.threads = n as usize },
        doc: "Search with N threads, at most four for each processor.",
        effect: Effect::CheckThreads,
    },
    OptionSpec {
        name: "MultiPV",
        kind: SpecKind::Spin { default: 1, min: 1, max: 6, store: |s, n| s.multipv = n as usize },
        doc: "Search and show the N best lines.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Ponder",
        kind: SpecKind::Check { default: false, store: |s, on| s.ponder = on },
        doc: "Announce that the engine may be asked to think on the opponent's time.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Move Overhead",
        kind: SpecKind::Spin { default: 2, min: 0, max: 5000, store: |s, ms| s.move_overhead_ms = ms as u64 },
        doc: "Keep N milliseconds of each move in reserve for delays.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "MoveLimit",
        kind: SpecKind::Spin {
            default: MOVE_LIMIT as i64,
            min: 0,
            max: 1_000_000,
            store: |s, moves| s.move_limit = moves as usize,
        },
        doc: "Let the stores decide the game after N moves of both sides together; 0: never.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "UCI_Variant",
        kind: SpecKind::Combo {
            default: Variant::Awari.about().name,
            vars: names,
            store: |s, index| s.name_variant(Variant::listed()[index]),
        },
        doc: "Choose the rule set; it begins at its start position.",
        effect: Effect::NewVariant,
    },
    OptionSpec {
        name: "Seeds",
        kind: SpecKind::Spin { default: 0, min: 0, max: 6, store: |s, seeds| s.set_seeds(seeds as u8) },
        doc: "Seeds in each pit at the start: 1 to 6 in kalah, 3 to 6 in awari and oware. 0 for the usual number.",
        effect: Effect::NewVariant,
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: SpecKind::Check { default: false, store: |s, on| s.show_wdl = on },
        doc: "Show the chances of win, draw and loss with each score, in thousandths.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "OwnBook",
        kind: SpecKind::Check { default: false, store: |s, on| s.own_book = on },
        doc: "Play moves from the opening book.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Solution",
        kind: SpecKind::Check { default: true, store: |s, on| s.solution = on },
        doc: "Use the stored solution of the first plies of awari1978 in searches by time.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "BookFile",
        kind: SpecKind::Text {
            what: "the path of a file",
            store: |s, path| path.clone_into(&mut s.book_file),
        },
        doc: "Use this opening book instead of the built-in one.",
        effect: Effect::OpenBook,
    },
    OptionSpec {
        name: "Level",
        kind: SpecKind::Combo {
            default: "full",
            vars: level::names,
            store: |s, index| s.level = LEVELS[index].0,
        },
        doc: "Set the playing strength; below `full` the engine errs as people do.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: SpecKind::Check { default: false, store: |s, on| s.limit_strength = on },
        doc: "Play by UCI_Elo, whatever the level.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: SpecKind::Spin {
            default: 1000,
            min: *ELO.start() as i64,
            max: *ELO.end() as i64,
            store: |s, elo| s.elo = elo as u16,
        },
        doc: "The playing strength with UCI_LimitStrength, in Elo above a random player; each rule set has a range.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "EvalFile",
        kind: SpecKind::Text {
            what: "the path of a file",
            store: |s, path| path.clone_into(&mut s.eval_file),
        },
        doc: "Use these evaluation weights instead of the built-in ones.",
        effect: Effect::LoadWeights,
    },
    OptionSpec {
        name: "EndgamePath",
        kind: SpecKind::Text {
            what: "the path of a folder",
            store: |s, path| path.clone_into(&mut s.endgame_path),
        },
        doc: "Use the endgame files in this folder; without it, searches by time use those in the user's folder.",
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
        doc: "Look up positions of up to N seeds in the endgames; 0: none.",
        effect: Effect::Nothing,
    },
    OptionSpec {
        name: "Player",
        kind: SpecKind::Combo {
            default: "kroo",
            vars: roster::names,
            store: |s, index| s.player = PLAYERS[index].0,
        },
        doc: "Choose the player: this engine, or a program from the literature.",
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
        doc: "Set the random seed of the player.",
        effect: Effect::Reseed,
    },
    OptionSpec {
        name: "LearnFile",
        kind: SpecKind::Text {
            what: "the path of a file",
            store: |s, path| path.clone_into(&mut s.learn_file),
        },
        doc: "Keep the lessons of a learning player in this file.",
        effect: Effect::NewPlayer,
    },
];

/// The option with this name; case does not matter.
#[must_use]
pub fn named(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name.trim()))
}

/// Sets the option with this name, and returns what else has to be done.
///
/// If the option has the value already, nothing has to be done.
///
/// # Errors
/// If there is no such option, or it does not take this value. Then nothing changes.
pub fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let known = || OPTIONS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    let spec = named(name).ok_or_else(|| OptionError::UnknownName {
        found: quoted_within(name, MOST_NAME_BYTES),
        known: known(),
    })?;
    spec.set(settings, value)
}

impl OptionSpec {
    /// The `option` line that declares it.
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

    /// Its flag on the command line, without the leading dashes.
    #[must_use]
    pub fn flag(&self) -> String {
        // `--seeds` is an option of commands that make endgames.
        let name = if self.name == "Seeds" { "Seeds a pit" } else { self.name };
        name.trim_start_matches("UCI_").to_ascii_lowercase().replace(' ', "-")
    }

    /// The values that it takes, in words.
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

    /// Sets it, and returns what else has to be done.
    ///
    /// # Errors
    /// If it does not take this value. Then nothing changes.
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
        if settings.seeds > 0 && settings.seeds != settings.variant.seeds_a_pit() {
            let (variant, seeds) = (settings.named, settings.seeds);
            *settings = before;
            return Err(OptionError::Seeds { name, found: seeds, variant });
        }
        let unchanged = *settings == before && self.effect != Effect::Reseed;
        Ok(if unchanged { Effect::Nothing } else { self.effect })
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

    fn store_default(&self, settings: &mut Settings) {
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

impl Default for Settings {
    fn default() -> Settings {
        let mut settings = Settings {
            hash_mib: 0,
            threads: 0,
            multipv: 0,
            ponder: false,
            move_overhead_ms: 0,
            move_limit: 0,
            variant: Variant::Awari,
            named: Variant::Awari,
            seeds: 0,
            show_wdl: false,
            own_book: false,
            solution: false,
            eval_file: String::new(),
            book_file: String::new(),
            level: Level::Full,
            limit_strength: false,
            elo: 0,
            endgame_seeds: 0,
            endgame_path: String::new(),
            player: PlayerName::Kroo,
            seed: 0,
            learn_file: String::new(),
        };
        OPTIONS.iter().for_each(|spec| spec.store_default(&mut settings));
        settings
    }
}

/// The text, if it is an integer of any length.
fn whole_number(text: &str) -> Option<&str> {
    digits(text).ok().filter(|(rest, _)| rest.is_empty()).map(|(_, number)| number)
}

fn index_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().position(|word| word.eq_ignore_ascii_case(text))
}
