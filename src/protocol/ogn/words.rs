//! The words of a game's text: turn numbers, moves, annotations and ends.

use crate::GameResult;
use kroo_core::game::{Move, Pit, ROW, Side, Verdict};
use std::cmp::Ordering;

pub(super) fn add_word(text: &mut String, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// A word without its turn number, possibly empty. The dots may be missing, or be a word of their own: `1. ... f`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// How a game's text writes its pits: by letters, or by their numbers from the mover's left, as PlayStrategy does.
#[derive(Debug, Default)]
pub(super) struct Pits {
    are_numbers: bool,
    /// Whether the previous word was a turn's number with dots. A number after it is a pit.
    after_dots: bool,
}

impl Pits {
    /// A word without its turn number, possibly empty.
    pub fn without_turn<'a>(&mut self, word: &'a str) -> &'a str {
        // `0.5-0.5` has no turn number.
        let is_pit = (self.are_numbers || self.after_dots) && pit_numbered(word).is_some();
        let rest = if is_pit || end_word(word).is_some() { word } else { without_number(word) };
        self.are_numbers |= read_move(rest).is_some_and(|read| read.is_numbered);
        self.after_dots = rest.is_empty() && word.ends_with(['.', '…']);
        rest
    }
}

/// The pit that a word numbers.
fn pit_numbered(word: &str) -> Option<Pit> {
    let number = word.parse::<usize>().ok().filter(|_| word.len() == 1)?;
    number.checked_sub(1).filter(|&index| index < ROW).map(Pit::new)
}

pub(super) struct MoveWord<'a> {
    pub mv: Move,
    /// Whether the pit is given by its number; the side is then South.
    pub is_numbered: bool,
    pub banked: Option<u8>,
    pub sign: &'a str,
}

/// Parses a letter or the number of a pit, optional seeds and an optional annotation: `F`, `F+3`, `6+3?!`.
pub(super) fn read_move(word: &str) -> Option<MoveWord<'_>> {
    let letter = word.chars().next()?;
    let numbered = pit_numbered(&word[..letter.len_utf8()]).map(|pit| Move { side: Side::South, pit });
    let mv = numbered.or_else(|| Move::from_letter(letter))?;
    let rest = &word[letter.len_utf8()..];
    let (seeds, sign) = rest.split_at(rest.trim_end_matches(['!', '?']).len());
    if sign.len() > LONGEST_GLYPH {
        return None;
    }
    let banked = match seeds {
        "" => None,
        _ => Some(seeds.strip_prefix('+')?.parse().ok()?),
    };
    Some(MoveWord { mv, is_numbered: numbered.is_some(), banked, sign })
}

/// Maximum characters of an annotation such as `?!`.
const LONGEST_GLYPH: usize = 2;

/// The annotations `$1` to `$6` of PGN.
const NUMBERED: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Other annotations of positions, in the forms that people write as separate words.
const OTHERS: [&str; 16] =
    ["=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "±", "∓", "∞", "⩲", "⩱", "□", "N"];

/// The annotation in a separate word: `?!`, or `$6` of PGN. Other `$` numbers and signs give an empty one.
pub(super) fn judgement(word: &str) -> Option<&str> {
    if let Some(number) = word.strip_prefix('$').filter(|number| is_number(number)) {
        let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        return Some(place.and_then(|place| NUMBERED.get(place)).copied().unwrap_or_default());
    }
    if OTHERS.contains(&word) {
        return Some("");
    }
    let is_sign = (1..=LONGEST_GLYPH).contains(&word.len()) && word.chars().all(|c| matches!(c, '!' | '?'));
    is_sign.then_some(word)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The end of a game as the writer spells it: `½–½` and `0.5-0.5` are `1/2-1/2`. `None` for any other word.
pub(super) fn end_word(word: &str) -> Option<String> {
    if word.len() > LONGEST_END {
        return None;
    }
    let plain =
        word.replace(['–', '—', '−'], "-").replace("1/2", "½").replace("0.5", "½").replace("0,5", "½");
    match plain.as_str() {
        "½-½" | "½" => Some("1/2-1/2".to_owned()),
        "*" => Some(plain),
        _ => seeds(&plain).is_some().then_some(plain),
    }
}

/// Maximum bytes of a word that ends a game.
const LONGEST_END: usize = 20;

/// Parses two numbers of seeds joined by a dash.
pub(super) fn seeds(word: &str) -> Option<[u8; 2]> {
    let number = |text: &str| is_number(text).then(|| text.parse().ok())?;
    let (south, north) = word.split_once('-')?;
    Some([number(south)?, number(north)?])
}

/// South's result by the tag `Result` or a last word: `None` in an unknown form, `Some(None)` for an unfinished game. Some
/// programs write the stores.
pub(super) fn result_word(word: &str) -> Option<Option<Verdict>> {
    let word = end_word(word)?;
    if let Some(result) = GameResult::of_word(&word) {
        return Some(result.south());
    }
    let [south, north] = seeds(&word)?;
    Some(Some(match south.cmp(&north) {
        Ordering::Greater => Verdict::Win,
        Ordering::Equal => Verdict::Draw,
        Ordering::Less => Verdict::Loss,
    }))
}
