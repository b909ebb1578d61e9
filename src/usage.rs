//! What the command lines of all our executables have in common: how a mistake is told, and the version.

/// The version, with the commit in a release build: `0.2.0 (ad71f10b3c)`.
pub const VERSION: &str = env!("KROO_VERSION");

/// What is wrong with a command line, without a prefix of clap's own, so that each program puts its name there. It ends
/// without a line break.
#[must_use]
pub fn explained(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.trim_end()
        .replace("invalid digit found in string", "expected a whole number")
        .replace("number too large to fit in target type", "the number is too large")
        .replace("cannot parse integer from empty string", "expected a whole number")
}
