//! Games as JSON, for the page, which has neither a reader nor a writer of game files.
//!
//! ```json
//! {"tags": {"Variant": "Kalah"}, "variant": "kalah", "result": "1-0", "moves": [["C", "?!", "a comment", [[["F", "", "", []]]]]]}
//! ```
//!
//! A move is its letter, its annotation, its comment, and its variations, each a list of moves. A comment before the first move
//! of a line begins the comment of that move. `omitted`, if it is there, says what was left out, a line each.

use super::error::Place;
use super::moves::{MoveText, VariationText};
use super::text::{GameText, TagText};
use super::text_reader::Reader;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// Maximum bytes that are read at once, and so of a game.
pub const LARGEST_JSON: usize = 1 << 20;

/// A game. The writer takes the rule set and the result from the tags.
#[derive(Deserialize, Serialize)]
struct GameJson {
    tags: BTreeMap<String, String>,
    #[serde(skip_deserializing)]
    variant: Option<String>,
    #[serde(skip_deserializing)]
    result: &'static str,
    moves: Vec<MoveJson>,
    #[serde(skip_deserializing, skip_serializing_if = "String::is_empty")]
    omitted: String,
}

/// The letter, the annotation, the comment, and the variations.
#[derive(Deserialize, Serialize)]
struct MoveJson(String, String, String, Vec<Vec<MoveJson>>);

/// The games of a text: `{"games": […]}`. Moves need not be legal. Text that is not a game file ends them with
/// `"error": "line 1, column 1: …"`. The text is a whole file, or a part of one that is longer than [`LARGEST_JSON`]: then `rest`
/// is the number of bytes after which the first game that is not complete begins.
#[must_use]
pub fn as_json(text: &[u8]) -> String {
    let is_part = text.len() > LARGEST_JSON;
    let text = &text[..text.len().min(LARGEST_JSON)];
    let mut reader = Reader::new(text);
    let (mut games, mut whole, mut rest, mut fault) = (Vec::<GameJson>::new(), 0, 0, None);
    while let Some(game) = reader.next() {
        let left = reader.get_ref().len();
        match game {
            Ok(game) => games.push(game.into()),
            // A text that ends with the part is no fault of the file.
            Err(error) => fault = Some(error.to_string()).filter(|_| !is_part || left > 0),
        }
        if left > 0 && reader.is_between_lines() && fault.is_none() {
            (whole, rest) = (games.len(), text.len() - left);
        }
    }
    let mut answer = json!({});
    if is_part && fault.is_none() {
        games.truncate(whole);
        answer["rest"] = json!(rest);
        if rest == 0 {
            fault = Some(format!("line 1, column 1: a game is larger than {LARGEST_JSON} bytes"));
        }
    }
    if let Some(fault) = fault {
        answer["error"] = json!(fault);
    }
    answer["games"] = json!(games);
    answer.to_string()
}

/// The text of a game: `{"text": "…"}`. A game with an illegal move or without a result becomes `{"error": "…"}`.
#[must_use]
pub fn from_json(game: &[u8]) -> String {
    let text = serde_json::from_slice(game).map_err(|error| error.to_string()).and_then(text_of);
    match text {
        Ok(text) => json!({ "text": text }),
        Err(error) => json!({ "error": error }),
    }
    .to_string()
}

fn text_of(game: GameJson) -> Result<String, String> {
    let text = game.text()?;
    let moves = text.moves.clone();
    let record = text.play().map_err(|error| error.fault.to_string())?;
    record.with_moves(&moves).map_err(|error| error.fault.to_string())
}

impl From<GameText> for GameJson {
    fn from(game: GameText) -> GameJson {
        let (variant, result) = (game.variant().map(|variant| variant.to_string()), game.result());
        let (mut tags, omitted) = (BTreeMap::new(), game.omitted.to_string());
        for TagText { name, value, .. } in game.tags {
            // Of several tags with the same name, the first counts.
            tags.entry(name).or_insert(value);
        }
        GameJson { tags, variant, result, moves: line_json(&game.before, game.moves), omitted }
    }
}

impl GameJson {
    fn text(self) -> Result<GameText, String> {
        let place = Place::default();
        let last = self.tags.get("Result").map(|result| (result.clone(), place));
        let tags = self.tags.into_iter().map(|(name, value)| TagText { name, value, place }).collect();
        Ok(GameText { tags, moves: line_text(self.moves)?, last, ..GameText::default() })
    }
}

impl From<MoveText> for MoveJson {
    fn from(MoveText { mv, sign, comment, variations, .. }: MoveText) -> MoveJson {
        let line = |VariationText { before, moves }: VariationText| line_json(&before, moves);
        MoveJson(mv.letter().to_string(), sign, comment, variations.into_iter().map(line).collect())
    }
}

/// The moves of a line, the first of them with the comment before it.
fn line_json(before: &str, mut moves: Vec<MoveText>) -> Vec<MoveJson> {
    if let Some(first) = moves.first_mut() {
        let after = std::mem::replace(&mut first.comment, before.to_owned());
        first.remark(&after);
    }
    moves.into_iter().map(MoveJson::from).collect()
}

fn line_text(line: Vec<MoveJson>) -> Result<Vec<MoveText>, String> {
    let move_text = |MoveJson(letter, sign, comment, variations): MoveJson| {
        let word = letter + &sign;
        let read = MoveText::read(&word, Place::default()).ok_or_else(|| format!("`{word}` is no move"))?;
        let variation = |moves| Ok(VariationText { before: String::new(), moves: line_text(moves)? });
        let variations = variations.into_iter().map(variation).collect::<Result<_, String>>()?;
        Ok(MoveText { comment, variations, ..read })
    };
    line.into_iter().map(move_text).collect()
}
