//! Games as JSON, for the page, which has neither a reader nor a writer of game files.
//!
//! ```json
//! {"tags": [["Variant", "Kalah"]], "variant": "kalah", "result": "1-0", "before": "a comment",
//!  "moves": [["C", "?!", "another", [[["F", "", "", [], "before the variation"]]], ""]]}
//! ```
//!
//! Tags are in the order of the file. A move is its letter, its annotation, its comment, its variations, each a list of moves,
//! and the comment before it, which only the first move of a variation has. `omitted`, if present, lists omitted parts, and
//! `more` counts further ones. A part, like an error, is its line and column, and the reason: a word and its values, for which
//! the page has sentences (`Part::word`, `OgnFault::word`).

use super::error::{OgnFault, Place, ReadError};
use super::moves::{MoveNotes, MoveText, VariationText};
use super::record::GameRecord;
use super::text::{GameText, TagText};
use super::text_reader::Reader;
use kroo_core::game::Game;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::num::NonZeroUsize;

/// Maximum bytes that are read at once, and so of a game.
pub const LARGEST_JSON: usize = 1 << 20;

/// A place, its line and column, and the reason.
#[derive(Serialize)]
struct FaultJson(usize, usize, String);

impl FaultJson {
    fn new(Place { line, column }: Place, reason: String) -> FaultJson {
        FaultJson(line, column, reason)
    }
}

/// The games of a file or of a part of it.
#[derive(Serialize)]
struct FileJson {
    games: Vec<GameJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<FaultJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<usize>,
}

/// A game. The writer takes the rule set and the result from the tags.
#[derive(Deserialize, Serialize)]
struct GameJson {
    tags: Vec<(String, String)>,
    #[serde(skip_deserializing)]
    variant: Option<String>,
    #[serde(skip_deserializing)]
    result: &'static str,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    before: String,
    moves: Vec<MoveJson>,
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    omitted: Vec<FaultJson>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    more: Option<NonZeroUsize>,
}

/// The letter, the annotation, the comment, the variations, and the comment before the move.
#[derive(Deserialize, Serialize)]
struct MoveJson(String, String, String, Vec<Vec<MoveJson>>, #[serde(default)] String);

/// The games of a text: `{"games": […]}`, each up to its first illegal move. Text that is not a game file ends them with
/// `"error": [line, column, "reason"]`. The text is a whole file, or a part of one that is longer than [`LARGEST_JSON`]: then
/// `rest` is the number of bytes before the first incomplete game.
pub fn as_json(text: &[u8]) -> String {
    let is_part = text.len() > LARGEST_JSON;
    let text = &text[..text.len().min(LARGEST_JSON)];
    let mut reader = Reader::new(text);
    let (mut games, mut whole, mut rest, mut fault) = (Vec::<GameJson>::new(), 0, 0, None);
    while let Some(game) = reader.next() {
        let left = reader.get_ref().len();
        match game {
            Ok(game) => games.push(game.legal_part().into()),
            // A text that ends with the part is no fault of the file.
            Err(ReadError::Text(error)) if !is_part || left > 0 => {
                fault = Some(FaultJson::new(error.place, error.fault.word()));
            }
            Err(_) => {}
        }
        if left > 0 && reader.is_between_lines() && fault.is_none() {
            (whole, rest) = (games.len(), text.len() - left);
        }
    }
    let rest = (is_part && fault.is_none()).then_some(rest);
    if rest.is_some() {
        games.truncate(whole);
    }
    if rest == Some(0) {
        fault = Some(FaultJson(1, 1, OgnFault::LongGame.word()));
    }
    serde_json::to_string(&FileJson { games, error: fault, rest }).expect("texts and numbers are JSON")
}

/// The text of a game: `{"text": "…"}`. A game with an illegal move or without a result becomes `{"error": "…"}`.
pub fn from_json(game: &[u8]) -> String {
    let text = serde_json::from_slice(game).map_err(|error| error.to_string()).and_then(text_of);
    match text {
        Ok(text) => json!({ "text": text }),
        Err(error) => json!({ "error": error }),
    }
    .to_string()
}

fn text_of(game: GameJson) -> Result<String, String> {
    let moves = line_text(game.moves)?;
    let tags = game.tags;
    let place = Place::default();
    let of_text =
        |(name, value): &(String, String)| TagText { name: name.clone(), value: value.clone(), place };
    let text = GameText { tags: tags.iter().map(of_text).collect(), ..GameText::default() };
    let mut played = Game::new(text.start(None).map_err(|error| error.fault.to_string())?);
    for &MoveText { mv, .. } in &moves {
        played.play(mv).map_err(|error| OgnFault::Move { mv, error }.to_string())?;
    }
    let notes = moves.into_iter().map(|text| text.notes).collect();
    let record = GameRecord::of_parts(played, tags, game.before, notes).map_err(|fault| fault.to_string())?;
    Ok(record.to_string())
}

impl From<GameText> for GameJson {
    fn from(game: GameText) -> GameJson {
        let (listed, more) = game.omitted.listed();
        GameJson {
            variant: game.variant().map(|variant| variant.to_string()),
            result: game.result(),
            omitted: listed.iter().map(|(place, part)| FaultJson::new(*place, part.word())).collect(),
            more: NonZeroUsize::new(more),
            tags: game.tags.into_iter().map(|tag| (tag.name, tag.value)).collect(),
            before: game.before,
            moves: game.moves.into_iter().map(MoveJson::from).collect(),
        }
    }
}

impl From<MoveText> for MoveJson {
    fn from(MoveText { mv, notes, .. }: MoveText) -> MoveJson {
        let MoveNotes { sign, comment, variations } = notes;
        let line = |VariationText { before, moves }: VariationText| {
            let mut line: Vec<MoveJson> = moves.into_iter().map(MoveJson::from).collect();
            line.iter_mut().take(1).for_each(|first| first.4.clone_from(&before));
            line
        };
        let variations = variations.into_iter().map(line).collect();
        MoveJson(mv.letter().to_string(), sign, comment, variations, String::new())
    }
}

fn line_text(line: Vec<MoveJson>) -> Result<Vec<MoveText>, String> {
    let move_text = |MoveJson(letter, sign, comment, variations, _): MoveJson| {
        let word = letter + &sign;
        let read = MoveText::read(&word, Place::default()).filter(|read| !read.is_numbered);
        let read = read.ok_or_else(|| format!("`{word}` is no move"))?;
        let variation = |moves: Vec<MoveJson>| {
            let before = moves.first().map(|first| first.4.clone()).unwrap_or_default();
            Ok(VariationText { before, moves: line_text(moves)? })
        };
        let variations = variations.into_iter().map(variation).collect::<Result<_, String>>()?;
        Ok(MoveText { notes: MoveNotes { comment, variations, ..read.notes }, ..read })
    };
    line.into_iter().map(move_text).collect()
}
