//! Untrusted text, made safe to print.
//!
//! A name in an untrusted file may contain sequences that move the cursor, overwrite earlier lines or type for the user (ESC),
//! ring (BEL), overwrite the line (CR), or reverse the order of the following text (right-to-left marks). All such text passes
//! through this module before it reaches a terminal. Such a character is shown as its number, such as `\u{1b}`.
//!
//! The marks are those of Unicode's bidirectional algorithm (UAX #9); Boucher and Anderson, "Trojan Source" (2021), show what
//! they can hide.

use std::borrow::Cow;
use std::io::{self, Write};

/// Maximum characters of a name of an engine or a player.
pub const MAX_NAME: usize = 100;
/// Maximum characters of a word in an error message.
pub const MAX_WORD: usize = 40;

/// Whether a character controls the display instead of being shown.
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Lines of text, without control characters except their ends.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_control(c) && c != '\n')
}

/// A text on one line, without control characters.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_control)
}

/// Prints the [`lines`] of a text to standard error, as one write: processes that share a standard error, such as those of an MPI
/// job, write between two writes.
///
/// # Errors
/// If standard error is closed or full. Most callers have nowhere else to say so, and go on.
pub fn to_stderr(text: &str) -> io::Result<()> {
    io::stderr().write_all(format!("{}\n", lines(text)).as_bytes())
}

/// Prints the [`lines`] of a text to standard output. JSON goes through [`json`] first.
///
/// # Errors
/// If standard output is closed or full.
pub fn to_stdout(text: &str) -> io::Result<()> {
    io::stdout().write_all(format!("{}\n", lines(text)).as_bytes())
}

/// A document in JSON, with control characters in its strings escaped as JSON escapes them.
pub fn json(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |c| is_control(c) && c != '\n',
        |c, shown| {
            // All of them are below U+10000.
            shown.push_str(&format!("\\u{:04x}", u32::from(c)));
        },
    )
}

/// A name on one line, clipped to [`MAX_NAME`] characters; `…` marks a cut.
pub fn name(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_NAME) {
        None => line(text),
        Some((end, _)) => Cow::Owned(format!("{}…", line(&text[..end]))),
    }
}

/// The first `characters` characters of a text, control characters escaped; `…` marks a cut.
pub fn clipped(text: &str, characters: usize) -> String {
    let end = text.char_indices().nth(characters);
    let first = end.map_or(text, |(end, _)| &text[..end]);
    let shown = replaced(first, is_control, |c, shown| shown.extend(c.escape_debug())).into_owned();
    if end.is_some() { shown + "…" } else { shown }
}

/// A number with its unit: `1 line`, `2 lines`. `unit` is the singular; its plural ends in `s`.
pub fn counted(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", agreeing(count, "", "s"))
}

/// A number of bytes in GiB: `1.25 GiB`, or `0.0012 GiB` where two decimals would be zero.
pub fn gib(bytes: u64) -> String {
    let gib = bytes as f64 / f64::from(1 << 30);
    if gib < 0.1 { format!("{gib:.4} GiB") } else { format!("{gib:.2} GiB") }
}

/// The form of a word that agrees with a number: `agreeing(1, "is", "are")` is `is`.
pub fn agreeing<'a>(count: u64, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced(text, is_escaped, |c, shown| shown.extend(c.escape_unicode()))
}

/// A text with some characters replaced.
fn replaced(
    text: &str,
    is_replaced: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_replaced(c) { write(c, &mut shown) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}
