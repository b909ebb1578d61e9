//! A reader of game files, written from their description and not from the writer's code.

use kroo::game::{Game, Move, Position, Side, Variant};
use std::collections::HashMap;

/// A game as a file tells it.
pub struct Read {
    pub tags: HashMap<String, String>,
    /// The tags' names in their order.
    pub order: Vec<String>,
    pub moves: Vec<Move>,
    /// Seeds that each move brought, as written.
    pub banked: Vec<u8>,
    /// The comment of each move; empty without one.
    pub comments: Vec<String>,
    /// The numbers of turns, each with how many moves were written before it.
    pub numbers: Vec<(String, usize)>,
    pub stores: [u8; 2],
}

/// Reads a whole file.
pub fn read(text: &str) -> Vec<Read> {
    assert!(text.is_empty() || text.ends_with("\n\n"), "the last game ends with a blank line");
    let known = kroo::ogn::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let blocks: Vec<&str> = text.split("\n\n").filter(|block| !block.is_empty()).collect();
    assert!(blocks.len().is_multiple_of(2), "tags and moves");
    let games: Vec<Read> = blocks.chunks(2).map(|game| one(game[0], game[1])).collect();
    // An independent reader reads the same.
    assert_eq!(games.len(), known.len());
    for (game, known) in games.iter().zip(&known) {
        assert_eq!(game.moves, known.game.moves());
        assert_eq!(game.comments, known.comments());
    }
    games
}

fn one(tags: &str, moves: &str) -> Read {
    let mut game = Read {
        tags: HashMap::new(),
        order: Vec::new(),
        moves: Vec::new(),
        banked: Vec::new(),
        comments: Vec::new(),
        numbers: Vec::new(),
        stores: [0; 2],
    };
    for line in tags.lines() {
        let (name, value) =
            line.strip_prefix('[').unwrap().strip_suffix("\"]").unwrap().split_once(" \"").unwrap();
        game.order.push(name.to_owned());
        game.tags.insert(name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    assert!(moves.lines().all(|line| line.len() < 80), "{moves}");
    let (play, result) = moves.trim_end().rsplit_once(char::is_whitespace).unwrap_or(("", moves.trim_end()));
    let (south, north) = result.split_once('-').unwrap();
    game.stores = [south.parse().unwrap(), north.parse().unwrap()];
    let mut rest = play.trim();
    while !rest.is_empty() {
        if let Some(comment) = rest.strip_prefix('{') {
            let (comment, after) = comment.split_once('}').unwrap();
            *game.comments.last_mut().unwrap() = comment.replace('\n', " ");
            rest = after.trim_start();
            continue;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        if word.ends_with('.') {
            game.numbers.push((word.to_owned(), game.moves.len()));
            continue;
        }
        let (letter, banked) = word.split_once('+').unwrap_or((word, "0"));
        assert_eq!(letter.len(), 1, "{word}");
        game.moves.push(Move::from_letter(letter.chars().next().unwrap()).unwrap());
        game.banked.push(banked.parse().unwrap());
        game.comments.push(String::new());
    }
    game
}

impl Read {
    /// Plays the game through, and checks everything that the board knows.
    pub fn replay(&self, variant: Variant) -> Game {
        assert_eq!(self.tags["Variant"], variant.title());
        let start = self.tags.get("FEN").map(|text| Position::parse(variant, text).unwrap());
        let mut game = Game::new(start.unwrap_or_else(|| Position::start(variant)));
        let mut numbers = self.numbers.iter().peekable();
        let mut last = None;
        for (index, &mv) in self.moves.iter().enumerate() {
            let begins = last.is_none() || mv.side == Side::South && last == Some(Side::North);
            let number = numbers.next_if(|(_, moves)| *moves == index);
            assert_eq!(begins, number.is_some(), "a number at each turn of South's, and only there");
            last = Some(mv.side);
            let before = game.position().store(mv.side);
            game.play(mv).unwrap();
            if game.position().verdict().is_none() {
                assert_eq!(self.banked[index], game.position().store(mv.side) - before);
            }
        }
        for (index, (number, _)) in self.numbers.iter().enumerate() {
            let dots = if index == 0 && self.moves[0].side == Side::North { "..." } else { "." };
            assert_eq!(*number, format!("{}{dots}", index + 1));
        }
        assert_eq!(self.stores, Side::BOTH.map(|side| game.position().store(side)));
        game
    }
}
