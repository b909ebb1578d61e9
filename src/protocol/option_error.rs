//! Errors of `setoption` and of the flags.

use kroo_core::game::Variant;

/// Why an option was not set. Text from the input is clipped and escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("no option is called {found}; the options are {known}")]
    UnknownName {
        /// The name as it was given.
        found: String,
        /// The names of all options.
        known: String,
    },
    /// The option needs a value and was given none.
    #[error("option {name} needs a value: {allowed}")]
    MissingValue {
        /// The option.
        name: &'static str,
        /// What it can be set to.
        allowed: String,
    },
    /// The value is of the wrong kind, or not one of the option's words.
    #[error("option {name} takes {allowed}, not {found}")]
    WrongKind {
        /// The option.
        name: &'static str,
        /// What it can be set to.
        allowed: String,
        /// The value as it was given.
        found: String,
    },
    /// The value is a number that the option does not allow.
    #[error("option {name} takes {allowed}, and {found} is out of range")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What it can be set to.
        allowed: String,
        /// The value as it was given.
        found: String,
    },
    /// The rule set is not played with that many seeds.
    #[error("option {name}: {variant} is played with {} seeds a pit, not {found}; set UCI_Variant first", range(*.variant))]
    Seeds {
        /// The option.
        name: &'static str,
        /// The value as it was given.
        found: u8,
        /// The rule set.
        variant: Variant,
    },
    /// The option is a button.
    #[error("option {name} is a button and takes no value")]
    ButtonValue {
        /// The option.
        name: &'static str,
    },
}

/// The seeds in a pit that a rule set is played with.
fn range(variant: Variant) -> String {
    let range = variant.seeds_range();
    let (least, most) = (range.start(), range.end());
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}
