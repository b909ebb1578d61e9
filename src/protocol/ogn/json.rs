//! The games of a file as JSON, for the page, which has no reader of its own.
//!
//! ```json
//! {"games": [{"tags": {"Variant": "Kalah"}, "variant": "kalah", "result": "1-0", "moves": [["C", "?!", "a comment", [[["F", "", "", []]]]]]}]}
//! ```
//!
//! A move is its letter, its annotation, its comment, and its variations, each a list of moves. Moves need not be legal. Text
//! that is not a game file becomes `{"error": "line 1, column 1: …"}`.

use super::error::ReadError;
use super::moves::MoveText;
use super::text::{GameText, Reader};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Maximum bytes that are read; the games after them are omitted.
pub const LARGEST_JSON: usize = 1 << 20;
/// Maximum games that are read.
const MOST_GAMES: usize = 500;

/// The games of a text as JSON. The text is a whole file, or its beginning, longer than [`LARGEST_JSON`].
#[must_use]
pub fn as_json(text: &[u8]) -> String {
    let is_cut = text.len() > LARGEST_JSON;
    let games: Result<Vec<GameText>, ReadError> = match is_cut {
        false => Reader::new(text).take(MOST_GAMES).collect(),
        true => {
            let mut read: Vec<_> = Reader::new(&text[..LARGEST_JSON]).take(MOST_GAMES + 1).collect();
            // The last game may be cut off.
            read.pop();
            read.into_iter().collect()
        }
    };
    let mut json = String::new();
    match games {
        Ok(games) => list(&mut json, "{\"games\":", &games, "}", game_json),
        Err(error) => {
            json.push_str("{\"error\":");
            string(&mut json, &error.to_string());
            json.push('}');
        }
    }
    json
}

fn game_json(json: &mut String, game: &GameText) {
    // Of several tags with the same name, the first counts.
    let mut known = BTreeSet::new();
    let tags = game.tags.iter().filter(|tag| known.insert(&tag.name));
    json.push_str("{\"tags\":{");
    for (place, tag) in tags.enumerate() {
        json.push_str(if place == 0 { "" } else { "," });
        string(json, &tag.name);
        json.push(':');
        string(json, &tag.value);
    }
    json.push_str("},\"variant\":");
    match game.variant() {
        Some(variant) => string(json, &variant.to_string()),
        None => json.push_str("null"),
    }
    let _ = write!(json, ",\"result\":\"{}\"", game.result());
    list(json, ",\"moves\":", &game.moves, "}", move_json);
}

fn move_json(json: &mut String, text: &MoveText) {
    let _ = write!(json, "[\"{}\",\"{}\",", text.mv.letter(), text.sign);
    string(json, &text.comment);
    let line = |json: &mut String, line: &Vec<MoveText>| list(json, "", line, "", move_json);
    list(json, ",", &text.variations, "]", line);
}

/// Appends a list between two texts.
fn list<T>(json: &mut String, before: &str, items: &[T], after: &str, write: impl Fn(&mut String, &T)) {
    json.push_str(before);
    json.push('[');
    for (place, item) in items.iter().enumerate() {
        json.push_str(if place == 0 { "" } else { "," });
        write(json, item);
    }
    json.push(']');
    json.push_str(after);
}

/// Appends a text in quotes.
fn string(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
}
