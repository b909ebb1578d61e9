//! Playing the text of a game by the rules.

use super::error::{OgnError, OgnFault, Place, ReadError};
use super::moves::MoveText;
use super::record::{GameRecord, MoveNotes, OPENING};
use super::text::{GameText, variant_called};
use super::text_reader::Reader;
use super::words::result_word;
use super::write::banked;
use crate::GameResult;
use kroo_core::game::{Game, Position, Side, Variant};
use kroo_core::printable::{MAX_WORD, clipped};

/// The games of a text, played through.
///
/// # Errors
/// The first fault.
pub fn parse(text: &str) -> Result<Vec<GameRecord>, OgnError> {
    let games = Reader::new(text.as_bytes()).map(|game| match game {
        Ok(game) => game.play(),
        Err(ReadError::Text(error)) => Err(error),
        Err(ReadError::Io { error, .. }) => unreachable!("a text in memory can be read: {error}"),
    });
    games.collect()
}

impl GameText {
    /// Plays the moves, and keeps the tags and comments.
    ///
    /// # Errors
    /// The first fault: no rule set, an invalid position, an illegal move, wrong seeds of a move, wrong final stores, no end.
    pub fn play(self) -> Result<GameRecord, OgnError> {
        self.play_as(None)
    }

    /// The same, with a rule set for a game without the tag `Variant`.
    ///
    /// # Errors
    /// As [`GameText::play`].
    pub fn play_as(self, untagged: Option<Variant>) -> Result<GameRecord, OgnError> {
        let mut record = GameRecord::new(Game::new(self.start(untagged)?));
        (record.before, record.omitted) = (self.before.clone(), self.omitted.clone());
        for text in &self.moves {
            take_notes(&mut record, text);
            play_move(&mut record.game, text)?;
        }
        let (south, is_open) = (self.verdict_for(Side::South), self.tag("Result") == Some("*"));
        if let Some(tag) = self.tag_text(OPENING).filter(|tag| tag.value.parse::<usize>().is_err()) {
            let found = clipped(&tag.value, MAX_WORD);
            return Err(OgnError::new(tag.place, OgnFault::Opening { found }));
        }
        let result = self.check_result(&record.game);
        let tags = self.tags.into_iter().filter(|tag| !["Variant", "FEN"].contains(&tag.name.as_str()));
        record.tags = tags.map(|tag| (tag.name, tag.value)).collect();
        if record.tag("Result").is_some_and(|result| GameResult::of_word(result).is_none()) {
            // Some programs write the stores or a question mark as the result.
            match south {
                Some(south) => record.set_tag("Result", GameResult::of_south(Some(south)).word()),
                None => record.tags.retain(|(name, _)| name != "Result"),
            }
        }
        record.comments = self.moves.into_iter().map(|text| text.comment).collect();
        match self.last {
            Some((last, place)) => check_end(&record, &last, place)?,
            None if is_open || record.game.position().verdict().is_some() => {}
            None => return Err(OgnError::new(self.ends, OgnFault::NoEnd)),
        }
        result.map(|()| record)
    }

    /// Plays the moves and compares the result that the text gives with the rules. A text without a rule set, or with a move
    /// that is illegal, cannot be compared.
    ///
    /// # Errors
    /// If the rules have ended the game, and the tag `Result` or the last word gives it to another side.
    pub fn check_end(&self) -> Result<(), OgnError> {
        let Ok(start) = self.start(None) else { return Ok(()) };
        let mut game = Game::new(start);
        let is_legal = self.moves.iter().all(|text| game.play(text.mv).is_ok());
        if is_legal { self.check_result(&game) } else { Ok(()) }
    }

    fn check_result(&self, game: &Game) -> Result<(), OgnError> {
        let Some(south) = game.position().verdict_for(Side::South) else { return Ok(()) };
        let tag = self.tag_text("Result").map(|tag| (&tag.value, tag.place));
        let last = self.last.as_ref().map(|(word, place)| (word, *place));
        for (word, place) in tag.into_iter().chain(last) {
            if result_word(word).flatten().is_some_and(|said| said != south) {
                let (found, expected) = (clipped(word, MAX_WORD), GameResult::of_south(Some(south)).word());
                return Err(OgnError::new(place, OgnFault::Result { found, expected }));
            }
        }
        Ok(())
    }

    /// The first position.
    fn start(&self, untagged: Option<Variant>) -> Result<Position, OgnError> {
        let variant = match self.tag_text("Variant") {
            Some(tag) => {
                let unknown =
                    || OgnError::new(tag.place, OgnFault::Variant { found: clipped(&tag.value, MAX_WORD) });
                variant_called(&tag.value).ok_or_else(unknown)?
            }
            None => untagged.ok_or(OgnError::new(self.begins, OgnFault::NoVariant))?,
        };
        match self.tag_text("FEN") {
            None => Ok(Position::start(variant)),
            Some(tag) => Position::parse(variant, &tag.value)
                .map_err(|error| OgnError::new(tag.place, OgnFault::Fen(error))),
        }
    }
}

/// Keeps the judgement of the next move, and its variations if they are legal.
fn take_notes(record: &mut GameRecord, text: &MoveText) {
    let mut notes = MoveNotes { sign: text.sign.clone(), ..MoveNotes::default() };
    for variation in &text.variations {
        match check_line(record.game.clone(), &variation.moves) {
            Ok(()) => notes.variations.push(variation.clone()),
            Err(OgnError { place, fault }) => {
                record.omitted.add(place, format!("a variation that is illegal: {fault}"));
            }
        }
    }
    record.notes.push(notes);
}

/// Whether a line and its variations can be played.
fn check_line(mut game: Game, moves: &[MoveText]) -> Result<(), OgnError> {
    for text in moves {
        text.variations.iter().try_for_each(|inner| check_line(game.clone(), &inner.moves))?;
        let &MoveText { mv, place, .. } = text;
        game.play(mv).map_err(|error| OgnError::new(place, OgnFault::Move { mv, error }))?;
    }
    Ok(())
}

fn play_move(game: &mut Game, text: &MoveText) -> Result<(), OgnError> {
    let &MoveText { mv, place, .. } = text;
    let before = *game.position();
    game.play(mv).map_err(|error| OgnError::new(place, OgnFault::Move { mv, error }))?;
    // Some programs include the seeds that the end of the game awards, and some omit the numbers.
    if let Some(found) = text.banked.filter(|_| game.position().verdict().is_none()) {
        let expected = banked(&before, mv);
        if found != expected {
            return Err(OgnError::new(place, OgnFault::Banked { mv, found, expected }));
        }
    }
    Ok(())
}

/// Checks the final stores, unless the players agreed on an end outside the rules.
fn check_end(record: &GameRecord, last: &str, place: Place) -> Result<(), OgnError> {
    let [south, north] = record.stores();
    let agreed = record.game.position().verdict().is_none() && record.result() != "*";
    if agreed || last == record.result() || last == format!("{south}-{north}") {
        return Ok(());
    }
    Err(OgnError::new(place, OgnFault::Stores { found: clipped(last, MAX_WORD), expected: [south, north] }))
}
