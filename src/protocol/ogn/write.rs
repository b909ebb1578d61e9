//! The text of a game.

use super::error::{OgnError, OgnFault, Place};
use super::moves::MoveText;
use super::record::GameRecord;
use super::turn::Turn;
use kroo_core::game::{Board, Game, Move, Pit, Position, Rules, Visitor};
use std::fmt;

/// The tags of every game after `Variant`, in order.
pub const TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "South", "North", "Result"];

/// Characters in a line of moves.
const WIDTH: usize = 79;

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let move_text = |(index, &mv): (usize, &Move)| MoveText {
            comment: self.comments.get(index).cloned().unwrap_or_default(),
            sign: self.notes.get(index).map(|notes| notes.sign.clone()).unwrap_or_default(),
            variations: self.notes.get(index).map(|notes| notes.variations.clone()).unwrap_or_default(),
            ..MoveText::new(mv, Place::default())
        };
        let moves: Vec<MoveText> = self.game.moves().iter().enumerate().map(move_text).collect();
        f.write_str(&self.with_moves(&moves).expect("the moves of a game that was played are legal"))
    }
}

impl GameRecord {
    /// The text of the game with its moves as they are annotated, and their variations.
    ///
    /// # Errors
    /// The first illegal move of a variation.
    pub fn with_moves(&self, moves: &[MoveText]) -> Result<String, OgnError> {
        let mut words = String::new();
        write_comment(&self.before, &mut words);
        write_line(Game::new(*self.game.start()), Turn::default(), moves, &mut words)?;
        let [south, north] = self.stores();
        words += &format!("{south}-{north}");
        let mut text = self.tag_lines();
        text.push('\n');
        wrap(&words, &mut text);
        text += "\n\n";
        Ok(text)
    }

    fn tag_lines(&self) -> String {
        let mut lines = String::new();
        let mut tag = |name: &str, value: &str| {
            lines.extend(["[", name, " \""]);
            for letter in value.chars() {
                if ['\\', '"'].contains(&letter) {
                    lines.push('\\');
                }
                // A tag ends with its line, so control characters become spaces.
                lines.push(if letter.is_control() { ' ' } else { letter });
            }
            lines += "\"]\n";
        };
        let start = self.game.start();
        tag("Variant", start.variant().title());
        for name in TAGS {
            tag(name, if name == "Result" { self.result() } else { self.tag(name).unwrap_or("?") });
        }
        if *start != Position::start(start.variant()) {
            tag("FEN", &start.to_string());
        }
        let others = self.tags.iter().filter(|(name, _)| !TAGS.contains(&name.as_str()));
        others.for_each(|(name, value)| tag(name, value));
        lines
    }
}

/// Appends the words of a line that begins in a game's position, each move followed by its variations, each word by a space.
fn write_line(
    mut game: Game,
    mut turn: Turn,
    moves: &[MoveText],
    words: &mut String,
) -> Result<(), OgnError> {
    for (index, text) in moves.iter().enumerate() {
        let &MoveText { mv, place, .. } = text;
        let (position, turn_before) = (*game.position(), turn);
        // Games of a match have no variations, and need no copy for each move.
        let branch = (!text.variations.is_empty()).then(|| game.clone());
        game.play(mv).map_err(|error| OgnError::new(place, OgnFault::Move { mv, error }))?;
        let begins;
        (turn, begins) = turn.next(mv);
        // The first move of a variation has a number too.
        if begins || index == 0 {
            *words += &format!("{turn} ");
        }
        words.push(mv.letter());
        match banked(&position, mv) {
            0 => {}
            seeds => *words += &format!("+{seeds}"),
        }
        words.extend([&text.sign, " "]);
        write_comment(&text.comment, words);
        let Some(branch) = branch else { continue };
        for variation in text.variations.iter().filter(|variation| !variation.moves.is_empty()) {
            let begin = words.len();
            write_comment(&variation.before, words);
            write_line(branch.clone(), turn_before, &variation.moves, words)?;
            words.insert(begin, '(');
            words.insert(words.len() - 1, ')');
        }
    }
    Ok(())
}

/// Appends the words of a comment in braces, if there is one.
fn write_comment(comment: &str, words: &mut String) {
    let comment = comment.trim();
    if !comment.is_empty() {
        let comment = comment.replace('}', ")").replace('{', "(");
        format!("{{{comment}}}").split_whitespace().for_each(|word| words.extend([word, " "]));
    }
}

/// The seeds that a legal move brings into the mover's store, without those awarded by the end of the game.
pub(super) fn banked(position: &Position, mv: Move) -> u8 {
    position.variant().visit(Banked { board: position.board(), pit: mv.pit })
}

struct Banked {
    board: Board,
    pit: Pit,
}

impl Visitor for Banked {
    type Output = u8;

    fn visit<R: Rules>(self) -> u8 {
        let after = R::play(self.board, self.pit)
            .map_or(self.board.mover, |step| if step.again { step.board.mover } else { step.board.other });
        after.store() - self.board.mover.store()
    }
}

/// Appends words, which have spaces between them, in lines of at most [`WIDTH`] characters.
fn wrap(words: &str, text: &mut String) {
    let mut column = 0;
    for word in words.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += length;
        *text += word;
    }
}
