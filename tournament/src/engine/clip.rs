//! Foreign text in messages.

/// The first characters of a text, control characters escaped; `…` stands for the rest.
#[must_use]
pub fn clipped(text: &str, characters: usize) -> String {
    let mut shown: String = text.chars().take(characters).flat_map(char::escape_debug).collect();
    if text.chars().nth(characters).is_some() {
        shown.push('…');
    }
    shown
}
