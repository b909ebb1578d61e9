//! Playing the text of a game by the rules.

use super::error::{OgnError, OgnFault, ReadError};
use super::moves::MoveText;
use super::omitted::{Omitted, Part};
use super::played::{banked, play};
use super::record::{GameRecord, OPENING};
use super::text::{GameText, variant_called};
use super::text_reader::Reader;
use super::words::result_word;
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
    /// Plays the moves, and keeps tags and annotations.
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
    pub fn play_as(mut self, untagged: Option<Variant>) -> Result<GameRecord, OgnError> {
        let mut game = Game::new(self.start(untagged)?);
        match self.walk(&mut game).into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(self.record(game)),
        }
    }

    /// The legal part of the game, for a program that shows incomplete games. Faults are among the omitted parts. A game with an
    /// unknown rule set or start stays as it is.
    #[must_use]
    pub fn legal_part(mut self) -> GameText {
        let Ok(start) = self.start(None) else { return self };
        for OgnError { place, fault } in self.walk(&mut Game::new(start)) {
            match fault {
                OgnFault::NoEnd => {}
                OgnFault::Move { .. } => self.omitted.add(place, Part::Rest(fault)),
                fault => self.omitted.add(place, Part::Wrong(fault)),
            }
        }
        self
    }

    /// The document of a text whose game was played.
    fn record(self, game: Game) -> GameRecord {
        let mut record = GameRecord::new(game);
        (record.before, record.omitted) = (self.before, self.omitted);
        record.notes = self.moves.into_iter().map(|text| text.notes).collect();
        record.take_tags(self.tags.into_iter().map(|tag| (tag.name, tag.value)).collect());
        record
    }

    /// Plays the moves up to the first illegal one, and drops it and those after it. Illegal variations are left out. Returns
    /// the faults of the moves and of the end.
    fn walk(&mut self, game: &mut Game) -> Vec<OgnError> {
        let mut faults: Vec<OgnError> = self.check_opening().into_iter().collect();
        for index in 0..self.moves.len() {
            let text = &mut self.moves[index];
            keep_legal(text, game, &mut self.omitted);
            let before = *game.position();
            resolve(text, &before);
            let &mut MoveText { mv, banked: found, place, .. } = text;
            if let Err(error) = game.play(mv) {
                faults.push(OgnError::new(place, OgnFault::Move { mv, error }));
                self.moves.truncate(index);
                return faults;
            }
            // Some programs include the seeds that the end of the game awards, and some omit the numbers.
            let found = found.filter(|_| game.position().verdict().is_none());
            let expected = banked(&before, mv);
            if let Some(found) = found.filter(|&found| found != expected) {
                faults.push(OgnError::new(place, OgnFault::Banked { mv, found, expected }));
            }
        }
        faults.extend(self.check_last(game));
        faults.extend(self.check_result(game).err());
        faults
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

    /// Checks the tag with the length of the opening.
    fn check_opening(&self) -> Option<OgnError> {
        let tag = self.tag_text(OPENING).filter(|tag| tag.value.parse::<usize>().is_err())?;
        Some(OgnError::new(tag.place, OgnFault::Opening { found: clipped(&tag.value, MAX_WORD) }))
    }

    /// Checks the last word, unless the game was ended outside the rules.
    fn check_last(&self, game: &Game) -> Option<OgnError> {
        let stated = self.tag("Result").and_then(result_word);
        let result = stated.unwrap_or_else(|| game.position().verdict_for(Side::South));
        let (is_over, result) = (game.position().verdict().is_some(), GameResult::of_south(result).word());
        let Some((last, place)) = &self.last else {
            let is_open = self.tag("Result") == Some("*");
            return (!is_open && !is_over).then(|| OgnError::new(self.ends, OgnFault::NoEnd));
        };
        let [south, north] = Side::BOTH.map(|side| game.position().store(side));
        let agreed = !is_over && result != "*";
        let fits = agreed || last == result || *last == format!("{south}-{north}");
        let found = || OgnFault::Stores { found: clipped(last, MAX_WORD), expected: [south, north] };
        (!fits).then(|| OgnError::new(*place, found()))
    }

    pub(super) fn start(&self, untagged: Option<Variant>) -> Result<Position, OgnError> {
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

/// A pit given by its number is the mover's.
fn resolve(text: &mut MoveText, position: &Position) {
    if text.is_numbered {
        text.mv.side = position.side();
    }
}

/// Keeps the variations of the next move that are legal.
fn keep_legal(text: &mut MoveText, game: &Game, omitted: &mut Omitted) {
    text.notes.variations.retain_mut(|variation| match check_numbered(game.clone(), &mut variation.moves) {
        Ok(()) => true,
        Err(OgnError { place, fault }) => {
            omitted.add(place, Part::Illegal(fault));
            false
        }
    });
}

/// Whether a line and its variations can be played; its numbered pits become the movers'.
fn check_numbered(mut game: Game, moves: &mut [MoveText]) -> Result<(), OgnError> {
    for text in moves {
        resolve(text, game.position());
        for inner in &mut text.notes.variations {
            check_numbered(game.clone(), &mut inner.moves)?;
        }
        play(&mut game, text)?;
    }
    Ok(())
}
