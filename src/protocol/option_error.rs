//! Errors of `setoption` and of the flags.

use kroo_core::game::Variant;

/// Why an option was not set. Quoted input is clipped and escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the variants are")]
pub enum OptionError {
    /// An unknown option.
    #[error("no option is called {found}{}; the options are {known}", guess(*.nearest))]
    UnknownName { found: String, nearest: Option<&'static str>, known: String },
    #[error("option {name} needs a value: {allowed}")]
    MissingValue {
        name: &'static str,
        /// Its allowed values.
        allowed: String,
    },
    /// A value of the wrong kind, or a word that the option does not have.
    #[error("option {name} takes {allowed}, not {found}")]
    WrongKind {
        name: &'static str,
        /// Its allowed values.
        allowed: String,
        found: String,
    },
    #[error("option {name} takes {allowed}, and {found} is out of range")]
    OutOfRange {
        name: &'static str,
        /// Its allowed values.
        allowed: String,
        found: String,
    },
    #[error("option {name}: {variant} is played with {} seeds a pit, not {found}; set UCI_Variant first", .variant.seeds_text())]
    Seeds { name: &'static str, found: u8, variant: Variant },
    #[error("option {name}: {variant} has no such rule; set UCI_Variant first")]
    NoSuchRule { name: &'static str, variant: Variant },
    #[error("option {name} is a button and takes no value")]
    ButtonValue { name: &'static str },
}

fn guess(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}
