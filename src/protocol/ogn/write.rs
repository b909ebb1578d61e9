//! The text of a game.

use super::moves::{MoveNotes, VariationText};
use super::played::banked;
use super::record::GameRecord;
use super::turn::Turn;
use kroo_core::game::{Game, Move};
use std::fmt;

/// Characters in a line of moves.
const WIDTH: usize = 79;

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        let mut words = Words::default();
        words.comment(&self.before);
        let none = MoveNotes::default();
        let notes = self.notes.iter().chain(std::iter::repeat(&none));
        let mut moves = self.game.moves().iter().copied().zip(notes);
        words.line(Game::new(*self.game.start()), Turn::default(), &mut moves);
        let [south, north] = self.stores();
        words.word(format!("{south}-{north}"));
        write!(f, "\n{}\n\n", wrapped(&words.tokens))
    }
}

/// A part of the moves' text.
enum Token {
    /// A word, which a space or the end of a line follows.
    Word(String),
    /// A comment that ends with its line.
    Rest(String),
}

#[derive(Default)]
struct Words {
    tokens: Vec<Token>,
    /// Open brackets, which begin the next word.
    opened: String,
}

impl Words {
    fn word(&mut self, word: String) {
        let opened = std::mem::take(&mut self.opened);
        self.tokens.push(Token::Word(opened + &word));
    }

    /// A comment, if any: in braces, or to the end of the line if it contains a closing brace.
    fn comment(&mut self, comment: &str) {
        let text: Vec<&str> = comment.split_ascii_whitespace().collect();
        if comment.contains('}') {
            if !self.opened.is_empty() {
                self.word(String::new());
            }
            self.tokens.push(Token::Rest(text.join(" ")));
        } else if !text.is_empty() {
            format!("{{{}}}", text.join(" ")).split(' ').for_each(|word| self.word(word.to_owned()));
        }
    }

    /// The moves of a line that begins in a game's position, each with its variations.
    fn line(&mut self, mut game: Game, mut turn: Turn, moves: &mut dyn Iterator<Item = (Move, &MoveNotes)>) {
        for (index, (mv, notes)) in moves.enumerate() {
            let (position, turn_before) = (*game.position(), turn);
            // Games of a match have no variations, and need no copy for each move.
            let branch = (!notes.variations.is_empty()).then(|| game.clone());
            game.play(mv).expect("a document has legal moves only");
            let begins;
            (turn, begins) = turn.next(mv);
            // The first move of a variation has a number too.
            if begins || index == 0 {
                self.word(turn.to_string());
            }
            let seeds = banked(&position, mv);
            let seeds = if seeds > 0 { format!("+{seeds}") } else { String::new() };
            self.word(format!("{mv}{seeds}{}", notes.sign));
            self.comment(&notes.comment);
            let Some(branch) = branch else { continue };
            for VariationText { before, moves } in
                notes.variations.iter().filter(|other| !other.moves.is_empty())
            {
                self.opened.push('(');
                self.comment(before);
                let mut moves = moves.iter().map(|text| (text.mv, &text.notes));
                self.line(branch.clone(), turn_before, &mut moves);
                match self.tokens.last_mut() {
                    Some(Token::Word(last)) => last.push(')'),
                    _ => self.word(")".to_owned()),
                }
            }
        }
    }
}

/// Words in lines of at most [`WIDTH`] characters.
fn wrapped(tokens: &[Token]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    let mut add = |word: &str, begin: &str, column: &mut usize| {
        let length = word.chars().count();
        if *column > 0 && *column + 1 + length > WIDTH {
            text.push('\n');
            *column = 0;
        }
        let before = if *column > 0 { " " } else { begin };
        text.extend([before, word]);
        *column += before.len() + length;
    };
    for token in tokens {
        match token {
            Token::Word(word) => add(word, "", &mut column),
            Token::Rest(comment) => {
                column = if column > 0 { WIDTH } else { 0 };
                comment.split(' ').for_each(|word| add(word, "; ", &mut column));
                column = WIDTH;
            }
        }
    }
    text
}
