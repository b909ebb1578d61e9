//! The words of a game's text: turn numbers, moves, annotations and ends.

use crate::GameResult;
use kroo_core::game::{Move, Verdict};
use std::cmp::Ordering;

/// Appends a word after a space.
pub(super) fn add_word(text: &mut String, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// A word without its turn number, possibly empty.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') && rest.len() < word.len() { rest.trim_start_matches('.') } else { word }
}

/// Parses a letter, optional seeds and an optional annotation: `F`, `F+3`, `F+3?!`.
pub(super) fn read_move(word: &str) -> Option<(Move, Option<u8>, &str)> {
    let mut letters = word.chars();
    let mv = Move::from_letter(letters.next()?)?;
    let rest = letters.as_str();
    let (seeds, sign) = rest.split_at(rest.trim_end_matches(['!', '?']).len());
    if sign.len() > LONGEST_GLYPH {
        return None;
    }
    let banked = match seeds {
        "" => None,
        _ => Some(seeds.strip_prefix('+')?.parse().ok()?),
    };
    Some((mv, banked, sign))
}

/// Maximum characters of an annotation such as `?!`.
const LONGEST_GLYPH: usize = 2;

/// The annotations `$1` to `$6` of PGN.
const NUMBERED: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The annotation in a separate word: `?!`, or `$6` of PGN. Other `$` numbers give an empty one.
pub(super) fn judgement(word: &str) -> Option<&str> {
    if let Some(number) = word.strip_prefix('$').filter(|number| is_number(number)) {
        let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        return Some(place.and_then(|place| NUMBERED.get(place)).copied().unwrap_or_default());
    }
    let is_sign = (1..=LONGEST_GLYPH).contains(&word.len()) && word.chars().all(|c| matches!(c, '!' | '?'));
    is_sign.then_some(word)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word ends a game.
pub(super) fn is_end(word: &str) -> bool {
    matches!(word, "*" | "1/2-1/2") || seeds(word).is_some()
}

/// Parses two numbers of seeds joined by a dash.
pub(super) fn seeds(word: &str) -> Option<[u8; 2]> {
    let number = |text: &str| is_number(text).then(|| text.parse().ok())?;
    let (south, north) = word.split_once('-')?;
    Some([number(south)?, number(north)?])
}

/// South's result by the tag `Result` or a last word: `None` in an unknown form, `Some(None)` for an unfinished game. Some
/// programs write the stores.
pub(super) fn result_word(word: &str) -> Option<Option<Verdict>> {
    if let Some(result) = GameResult::of_word(word) {
        return Some(result.south());
    }
    let [south, north] = seeds(word)?;
    Some(Some(match south.cmp(&north) {
        Ordering::Greater => Verdict::Win,
        Ordering::Equal => Verdict::Draw,
        Ordering::Less => Verdict::Loss,
    }))
}
