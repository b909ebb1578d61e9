//! Errors of `setoption` and of the flags.

use kroo_core::game::Variant;

/// Why an option was not set. Quoted input is clipped and escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// An unknown option.
    #[error("no option is called {found}{}; the options are {known}", guess(*.nearest))]
    UnknownName {
        /// The given name.
        found: String,
        /// The option whose name it resembles.
        nearest: Option<&'static str>,
        /// The names of all options.
        known: String,
    },
    /// A missing value.
    #[error("option {name} needs a value: {allowed}")]
    MissingValue {
        /// The option.
        name: &'static str,
        /// Its allowed values.
        allowed: String,
    },
    /// A value of the wrong kind, or a word that the option does not have.
    #[error("option {name} takes {allowed}, not {found}")]
    WrongKind {
        /// The option.
        name: &'static str,
        /// Its allowed values.
        allowed: String,
        /// The given value.
        found: String,
    },
    /// A number outside the option's range.
    #[error("option {name} takes {allowed}, and {found} is out of range")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// Its allowed values.
        allowed: String,
        /// The given value.
        found: String,
    },
    /// A number of seeds per pit that the rule set does not allow.
    #[error("option {name}: {variant} is played with {} seeds a pit, not {found}; set UCI_Variant first", .variant.seeds_text())]
    Seeds {
        /// The option.
        name: &'static str,
        /// The given value.
        found: u8,
        /// The rule set.
        variant: Variant,
    },
    /// An optional rule that the rule set does not have.
    #[error("option {name}: {variant} has no such rule; set UCI_Variant first")]
    NoSuchRule {
        /// The option.
        name: &'static str,
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

fn guess(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}
