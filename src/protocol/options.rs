//! The engine's options, each declared once.
//!
//! A new option is a row of the macro `options!`, which generates the field of [`Settings`] with its default and the entry of
//! [`OPTIONS`]: the `option` line that `uci` prints, the range check and the effect of `setoption`, and the flag of the
//! command line.

use super::error::{any_of, quoted, quoted_within};
pub use super::option_error::OptionError;
use super::option_line::EMPTY;
use super::words::digits;
use super::{OptionKind, OptionLine};
use crate::level::{self, ELO, LEVELS, Level, Strength};
use crate::nearest;
use crate::roster::{self, PLAYERS, PlayerName};
use kroo_core::game::{MOVE_LIMIT, RuleOptions, Variant, all_names, names};

/// Maximum bytes of an unknown name in an error, which also lists all known names.
const MOST_NAME_BYTES: usize = 64;

/// The session's action after a change of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing; the settings are read when they are needed.
    Nothing,
    /// Allocate a transposition table of the new size.
    ResizeTable,
    /// Warn if the machine has too few processors for the threads.
    CheckThreads,
    /// Clear the transposition table.
    ClearTable,
    /// Change the rule set and set up its start position.
    NewVariant,
    /// Read evaluation weights.
    LoadWeights,
    /// Map the endgame files.
    OpenEndgames,
    /// Replace the player by a new one.
    NewPlayer,
    /// Restart the player's random numbers, even if the seed is the same.
    Reseed,
}

/// The declaration of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name in the protocol. Case does not matter.
    pub name: &'static str,
    /// Its kind of value.
    pub kind: SpecKind,
    /// Its effect, in a sentence for users.
    pub doc: &'static str,
    /// The action after it changes or is pressed.
    pub effect: Effect,
}

/// An option's values, its default, and how a value is stored.
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
        /// The words that are listed.
        vars: fn() -> Vec<&'static str>,
        /// All words.
        all: fn() -> Vec<&'static str>,
        /// Stores the word with this index in `all`.
        store: fn(&mut Settings, usize),
    },
    /// Any text. The default is the empty text, which can be written `<empty>`.
    Text {
        /// The meaning of the text, in words.
        what: &'static str,
        /// Stores a text.
        store: fn(&mut Settings, &str),
    },
    /// A button, without a value.
    Button,
}

/// One row per option: name, field of [`Settings`], kind with default and bounds, effect and help text. If a value is not
/// simply stored in the field, the kind ends with a closure that stores it.
macro_rules! options {
    ($($name:literal $([$field:ident: $type:ty])?, $kind:ident $given:tt, $effect:ident, $doc:literal;)*) => {
        /// The values of all options.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Settings {
            /// The rule set, with its seeds per pit and its optional rules.
            pub variant: Variant,
            /// The rule set by its chosen name.
            pub named: Variant,
            $($(#[doc = $doc] pub $field: $type,)?)*
        }

        /// All options in the order of `uci`.
        pub const OPTIONS: &[OptionSpec] = &[$(OptionSpec {
            name: $name,
            kind: options!(@$kind $given $($field: $type)?),
            doc: $doc,
            effect: Effect::$effect,
        }),*];

        impl Default for Settings {
            fn default() -> Settings {
                let (variant, named) = (Variant::Awari, Variant::Awari);
                let mut settings = Settings { variant, named, $($($field: <$type>::default(),)?)* };
                OPTIONS.iter().for_each(|spec| spec.store_default(&mut settings));
                settings
            }
        }
    };
    (@spin($default:expr, $min:expr, $max:expr, $store:expr) $($field:ident: $type:ty)?) => {
        SpecKind::Spin { default: $default, min: $min, max: $max, store: $store }
    };
    (@spin($default:expr, $min:expr, $max:expr) $field:ident: $type:ty) => {
        options!(@spin($default, $min, $max, |settings, number| settings.$field = number as $type))
    };
    (@check($default:expr) $field:ident: $type:ty) => {
        SpecKind::Check { default: $default, store: |settings, on| settings.$field = on }
    };
    (@check($default:expr, $store:expr) $($field:ident: $type:ty)?) => {
        SpecKind::Check { default: $default, store: $store }
    };
    (@combo($default:expr, $vars:expr, $store:expr) $($field:ident: $type:ty)?) => {
        SpecKind::Combo { default: $default, vars: $vars, all: $vars, store: $store }
    };
    (@combo($default:expr, $vars:expr, $all:expr, $store:expr) $($field:ident: $type:ty)?) => {
        SpecKind::Combo { default: $default, vars: $vars, all: $all, store: $store }
    };
    (@text($what:expr) $field:ident: $type:ty) => {
        SpecKind::Text { what: $what, store: |settings, text| text.clone_into(&mut settings.$field) }
    };
    (@button()) => {
        SpecKind::Button
    };
}

#[rustfmt::skip]
options! {
    "Hash" [hash_mib: usize], spin(16, 1, 65_536), ResizeTable,
        "Size of the hash table in MiB.";
    "Clear Hash", button(), ClearTable,
        "Clear the hash table.";
    "Threads" [threads: usize], spin(1, 1, 256), CheckThreads,
        "Search with N threads, at most four for each processor.";
    "MultiPV" [multipv: usize], spin(1, 1, 6), Nothing,
        "Search and show the N best lines.";
    "Ponder" [ponder: bool], check(false), Nothing,
        "Announce that the engine may be asked to think on the opponent's time.";
    "Move Overhead" [move_overhead_ms: u64], spin(2, 0, 5000), Nothing,
        "Keep N milliseconds of each move in reserve for delays.";
    "MoveLimit" [move_limit: usize], spin(MOVE_LIMIT as i64, 0, 1_000_000), Nothing,
        "Let the stores decide the game after N moves of both sides together; 0: never.";
    "UCI_Variant", combo(Variant::Awari.about().name, names, all_names, |settings, index| settings.name_variant(index)), NewVariant,
        "Choose the rule set; it begins at its start position.";
    "Seeds" [seeds: u8], spin(0, 0, 6, |settings, seeds| settings.set_seeds(seeds as u8)), NewVariant,
        "Seeds in each pit at the start: 1 to 6 in kalah and avalanche, 3 to 6 in awari and oware. 0 for the usual number.";
    "EmptyCapture" [empty_capture: bool], check(false, |settings, on| settings.set_options(on, settings.rest_to_opponent)), NewVariant,
        "In kalah, capture the last seed in an own empty pit even if the pit opposite is empty.";
    "RemainingSeeds" [rest_to_opponent: bool],
        combo("owner", || vec!["owner", "opponent"], |settings, index| settings.set_options(settings.empty_capture, index == 1)), NewVariant,
        "In kalah, count the seeds left in a row at the end for its owner or for the opponent, whose row is empty.";
    "UCI_ShowWDL" [show_wdl: bool], check(false), Nothing,
        "Show the chances of win, draw and loss with each score, in thousandths.";
    "Solution" [solution: bool], check(true), Nothing,
        "Use the stored first plies of solved games in searches by time.";
    "Level" [level: Level], combo("full", level::names, |settings, index| settings.level = LEVELS[index].0), Nothing,
        "Set the playing strength; below `full` the engine errs as people do.";
    "UCI_LimitStrength" [limit_strength: bool], check(false), Nothing,
        "Play by UCI_Elo, whatever the level.";
    "UCI_Elo" [elo: u16], spin(1000, *ELO.start() as i64, *ELO.end() as i64), Nothing,
        "The playing strength with UCI_LimitStrength, in Elo above a random player; each rule set has a range.";
    "EvalFile" [eval_file: String], text("the path of a file"), LoadWeights,
        "Use these evaluation weights instead of the built-in ones.";
    "EndgamePath" [endgame_path: String], text("the path of a folder"), OpenEndgames,
        "Use the endgame files in this folder; without it, searches by time use those in the user's folder.";
    "EndgameSeeds" [endgame_seeds: u8], spin(48, 0, 48), Nothing,
        "Look up positions of up to N seeds in the endgames; 0: none.";
    "Player" [player: PlayerName],
        combo("kroo", roster::names, |settings, index| settings.player = PLAYERS[index].0), NewPlayer,
        "Choose the player: this engine, or a program from the literature.";
    "Seed" [seed: u64], spin(1, 0, u32::MAX as i64), Reseed,
        "Set the random seed of the player.";
    "LearnFile" [learn_file: String], text("the path of a file"), NewPlayer,
        "Keep the lessons of the player classic1978 in this file; others ignore it.";
}

impl Settings {
    /// The playing strength.
    pub fn strength(&self) -> Strength {
        if self.limit_strength { Strength::Elo(self.elo) } else { Strength::Level(self.level) }
    }

    /// Sets the playing strength.
    pub fn set_strength(&mut self, strength: Strength) {
        match strength {
            Strength::Level(level) => (self.limit_strength, self.level) = (false, level),
            Strength::Elo(elo) => (self.limit_strength, self.elo) = (true, elo),
        }
    }

    /// Chooses a game by its index in [`all_names`]. A chosen number of seeds and optional rules that it does not allow are
    /// forgotten.
    fn name_variant(&mut self, index: usize) {
        let named = all_names()[index].parse().expect("the name of a game");
        self.named = named;
        if self.seeds > 0 && named.with_seeds(self.seeds).is_none() {
            self.seeds = 0;
        }
        if !named.has_options() {
            (self.empty_capture, self.rest_to_opponent) = (false, false);
        }
        self.choose();
    }

    fn set_seeds(&mut self, seeds: u8) {
        self.seeds = seeds;
        self.choose();
    }

    fn set_options(&mut self, empty_capture: bool, rest_to_opponent: bool) {
        (self.empty_capture, self.rest_to_opponent) = (empty_capture, rest_to_opponent);
        self.choose();
    }

    fn rule_options(&self) -> RuleOptions {
        RuleOptions { empty_capture: self.empty_capture, rest_to_opponent: self.rest_to_opponent }
    }

    /// Combines the name, the seeds and the optional rules. Omits values that the rule set does not allow.
    fn choose(&mut self) {
        let named = self.named.with_seeds(self.seeds).unwrap_or(self.named);
        self.variant = named.with_options(self.rule_options()).unwrap_or(named);
    }
}

/// The option with this name; case does not matter.
pub fn named(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name.trim()))
}

/// Sets an option by name, and returns the action that must follow.
///
/// If the value is unchanged, no action follows.
///
/// # Errors
/// If no option has this name, or the value is not allowed; nothing changes.
pub fn set(settings: &mut Settings, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    let names = || OPTIONS.iter().map(|spec| spec.name);
    let spec = named(name).ok_or_else(|| OptionError::UnknownName {
        found: quoted_within(name, MOST_NAME_BYTES),
        nearest: nearest(name.trim(), names()),
        known: names().collect::<Vec<_>>().join(", "),
    })?;
    spec.set(settings, value)
}

impl OptionSpec {
    /// The `option` line that declares it.
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
    pub fn flag(&self) -> String {
        // `kroo endgame` has its own option `--seeds`.
        let name = if self.name == "Seeds" { "Seeds a pit" } else { self.name };
        name.trim_start_matches("UCI_").to_ascii_lowercase().replace(' ', "-")
    }

    /// Its allowed values in words.
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

    /// Sets it, and returns the action that must follow.
    ///
    /// # Errors
    /// If the value is not allowed; nothing changes.
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
        if !settings.rule_options().are_usual() && !settings.named.has_options() {
            let variant = settings.named;
            *settings = before;
            return Err(OptionError::NoSuchRule { name, variant });
        }
        // A file may have changed since it was read.
        let names_file = matches!(self.kind, SpecKind::Text { .. }) && !text.is_empty();
        let unchanged = *settings == before && self.effect != Effect::Reseed && !names_file;
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
            SpecKind::Combo { all, store, .. } => {
                store(settings, index_of(text, &all()).ok_or_else(wrong_kind)?);
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
            SpecKind::Combo { default, all, store, .. } => {
                store(settings, index_of(default, &all()).expect("a default is one of the words"));
            }
            SpecKind::Text { store, .. } => store(settings, ""),
            SpecKind::Button => {}
        }
    }
}

/// The text if it is an integer of any length.
fn whole_number(text: &str) -> Option<&str> {
    digits(text).ok().filter(|(rest, _)| rest.is_empty()).map(|(_, number)| number)
}

fn index_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().position(|word| word.eq_ignore_ascii_case(text))
}
