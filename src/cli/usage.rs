//! The version and the form of usage errors of all executables.

/// The version, with the commit in a release build: `0.2.0 (ad71f10b3c)`.
pub const VERSION: &str = env!("KROO_VERSION");

/// The text of a usage error, without clap's prefix, which each program replaces by its name, and without a final line break.
pub fn explained(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.trim_end()
        .replace("invalid digit found in string", "expected a whole number")
        .replace("number too large to fit in target type", "the number is too large")
        .replace("cannot parse integer from empty string", "expected a whole number")
}
