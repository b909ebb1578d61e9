//! A game file's game as a document: everything that its text says, and the legal game that it tells.
//!
//! Programs edit it and write it again. Reading and writing are inverses for every document.

use super::error::OgnFault;
use super::moves::MoveNotes;
use super::omitted::Omitted;
use super::played::check_line;
use super::text::variant_called;
use super::text_reader::LONGEST_LINE;
use super::words::result_word;
use crate::{Ending, GameResult};
use kroo_core::game::{Game, Move, MoveError, Position, Side};
use kroo_core::printable::{MAX_WORD, clipped};

/// The tags of every new game, in order, and `FEN`, which only games from a set-up position have.
pub(super) const TAGS: [&str; 9] =
    ["Variant", "Event", "Site", "Date", "Round", "South", "North", "Result", "FEN"];

/// The tag with the number of moves of the opening, which were given and not chosen.
pub const OPENING: &str = "OpeningPlies";

/// A game with everything that a game file says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game.
    pub game: Game,
    /// Names and values of all tags in order, each name once; `Variant`, `Result` and `FEN` agree with the game.
    tags: Vec<(String, String)>,
    /// The comment before the first move, or empty.
    pub before: String,
    /// The annotations of each move, with legal variations.
    pub notes: Vec<MoveNotes>,
    /// Parts of the text that could not be kept.
    pub omitted: Omitted,
}

impl GameRecord {
    /// A game without comments, with unknown tags (`?`).
    pub fn new(game: Game) -> GameRecord {
        let notes = vec![MoveNotes::default(); game.moves().len()];
        let tags = TAGS.iter().map(|&name| (name.to_owned(), "?".to_owned())).collect();
        let mut record = GameRecord { game, tags, before: String::new(), notes, omitted: Omitted::default() };
        let start = *record.game.start();
        record.set_tag("Variant", start.variant().title());
        record.set_tag("FEN", &start.to_string());
        record.tags.retain(|(name, _)| name != "FEN" || start != Position::start(start.variant()));
        record.set_tag("Result", GameResult::of(record.game.position()).word());
        record
    }

    /// A document of a game, its tags, the comment before its first move, and the annotations of its moves, which may end after
    /// the last annotated one. Tags without `Variant` are added to those of a new game; with it they are all tags, in order.
    ///
    /// # Errors
    /// A tag that could not be read again or that contradicts the game, an illegal variation, or more annotations than moves.
    pub fn of_parts(
        game: Game,
        tags: Vec<(String, String)>,
        before: String,
        mut notes: Vec<MoveNotes>,
    ) -> Result<GameRecord, OgnFault> {
        for (index, (name, value)) in tags.iter().enumerate() {
            check_tag(name, value, &game)?;
            if tags[..index].iter().any(|(known, _)| known == name) {
                return Err(OgnFault::TagTwice { name: clipped(name, MAX_WORD) });
            }
        }
        let mut board = Game::new(*game.start());
        if notes.len() > game.moves().len() {
            return Err(OgnFault::TooManyNotes);
        }
        for (notes, &mv) in notes.iter().zip(game.moves()) {
            for variation in &notes.variations {
                check_line(board.clone(), &variation.moves)
                    .map_err(|error| OgnFault::IllegalVariation(Box::new(error.fault)))?;
            }
            board.play(mv).expect("the moves of a game that was played are legal");
        }
        notes.resize(game.moves().len(), MoveNotes::default());
        let mut record = GameRecord { before, notes, ..GameRecord::new(game) };
        if tags.iter().any(|(name, _)| name == "Variant") {
            record.take_tags(tags);
        } else {
            tags.iter().for_each(|(name, value)| record.set_tag(name, value));
        }
        let text = record.to_string();
        match text.lines().any(|line| line.len() >= LONGEST_LINE) {
            true => Err(OgnFault::LongLine(LONGEST_LINE)),
            false if text.contains('\0') => Err(OgnFault::ZeroByte),
            false => Ok(record),
        }
    }

    /// Takes the tags of a text, in their order. `Variant`, `FEN` and `Result` are added if the game needs them; a result in another form,
    /// such as the stores, becomes one of the four words.
    pub(super) fn take_tags(&mut self, tags: Vec<(String, String)>) {
        let own = std::mem::replace(&mut self.tags, tags);
        for (name, value) in
            own.into_iter().filter(|(name, _)| ["Variant", "FEN", "Result"].contains(&&**name))
        {
            match self.tags.iter_mut().find(|(known, _)| *known == name) {
                None => self.set_tag(&name, &value),
                Some((_, read)) if name == "Result" => {
                    *read = result_word(read)
                        .map_or(value, |south| GameResult::of_south(south).word().to_owned());
                }
                Some(_) => {}
            }
        }
    }

    /// The tags in order.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag in its place; a new one follows those that it follows in a new game, or all. Control characters become spaces.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let value = value.replace(char::is_control, " ");
        let rank = |name: &str| TAGS.iter().position(|tag| *tag == name).unwrap_or(TAGS.len());
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => {
                let later = |(known, _): &(String, String)| rank(known) > rank(name);
                let place = self.tags.iter().position(later).unwrap_or(self.tags.len());
                self.tags.insert(place, (name.to_owned(), value));
            }
        }
    }

    /// Removes a tag.
    pub fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|(known, _)| known != name);
    }

    /// Makes a move. If the rules end the game with it, the tag `Result` says so.
    ///
    /// # Errors
    /// If it is illegal; nothing changes.
    pub fn push(&mut self, mv: Move, notes: MoveNotes) -> Result<(), MoveError> {
        self.game.play(mv)?;
        self.notes.push(notes);
        if self.game.position().verdict().is_some() {
            self.set_tag("Result", GameResult::of(self.game.position()).word());
        }
        Ok(())
    }

    /// Takes the last move back, and returns it with its annotations; `None` at the start.
    pub fn pop(&mut self) -> Option<(Move, MoveNotes)> {
        Some((self.game.undo()?, self.notes.pop().unwrap_or_default()))
    }

    /// The comment of each move.
    pub fn comments(&self) -> Vec<&str> {
        self.notes.iter().map(|notes| notes.comment.as_str()).collect()
    }

    /// The seeds in the stores of the current position, South's first.
    pub fn stores(&self) -> [u8; 2] {
        Side::BOTH.map(|side| self.game.position().store(side))
    }

    /// The tag `Result`.
    pub fn result(&self) -> &str {
        self.tag("Result").unwrap_or_else(|| GameResult::of(self.game.position()).word())
    }

    /// How many of its moves belong to the opening, which neither side has chosen.
    pub fn opening(&self) -> usize {
        let plies = self.tag(OPENING).and_then(|plies| plies.parse().ok()).unwrap_or(0);
        self.game.moves().len().min(plies)
    }

    /// How the game ended: by the rules, by a move limit (0 means none), or as its tags state.
    pub fn ending(&self, move_limit: usize) -> Option<Ending> {
        let stated = || {
            let termination = self.tag("Termination").unwrap_or_default();
            Ending::stated(self.game.position(), self.result(), termination)
        };
        Ending::of_game(&self.game, move_limit).or_else(stated)
    }
}

/// Whether a tag could be read again, and says nothing else than the game.
fn check_tag(name: &str, value: &str, game: &Game) -> Result<(), OgnFault> {
    let is_name_end = |c: char| c.is_whitespace() || c.is_control() || "\"[]".contains(c);
    if name.is_empty() || name.contains(is_name_end) {
        return Err(OgnFault::TagName { found: clipped(name, MAX_WORD) });
    }
    let start = game.start();
    let differs = match name {
        "Variant" => variant_called(value) != Some(start.variant()),
        "FEN" => Position::parse(start.variant(), value).ok().as_ref() != Some(start),
        "Result" => result_word(value).is_none(),
        OPENING => value.parse::<usize>().is_err(),
        _ => value.contains('\n'),
    };
    match differs {
        true => Err(OgnFault::TagValue { name: clipped(name, MAX_WORD), found: clipped(value, MAX_WORD) }),
        false => Ok(()),
    }
}
