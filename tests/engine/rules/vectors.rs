//! The vectors in `tests/fixtures/data`, made by other programs.

use kroo::game::{Awari1978, Board, Fields, Game, Move, Position, Row, Rules, Side, Variant, Verdict};
use std::collections::BTreeMap;
use support::data::{
    AVALANCHE_GAMES, AVALANCHE_MOVES, GAMES, KALAH_MOVES, LAPS_1978, OPENSPIEL_OWARE, PERFT, lines,
};

fn variant(word: &str) -> Variant {
    word.parse().expect("a rule set")
}

fn result(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        None => "*",
        Some(Verdict::Win) => "1-0",
        Some(Verdict::Draw) => "1/2",
        Some(Verdict::Loss) => "0-1",
    }
}

#[test]
fn perft() {
    for (line, words) in lines(PERFT) {
        let position = Position::parse(variant(words[0]), words[1]).expect("a position");
        for (index, expected) in words[2..].iter().enumerate() {
            let count = position.perft(index as u32 + 1, &|| false).expect("not stopped");
            assert_eq!(count.to_string(), *expected, "line {line}, depth {}", index + 1);
        }
    }
}

/// Replays a game; every move must be legal, and none may come after the end.
fn replay(line: usize, variant: Variant, moves: &str) -> Game {
    let mut game = Game::new(Position::start(variant));
    for letter in moves.chars() {
        let mv = Move::from_letter(letter).expect("a letter");
        assert!(game.position().moves().contains(&mv), "line {line}: {letter} is not listed");
        game.play(mv).unwrap_or_else(|error| panic!("line {line}: {letter}: {error}"));
    }
    game
}

fn games(text: &str) {
    for (line, words) in lines(text) {
        let game = replay(line, variant(words[0]), words[1]);
        let last = game.position();
        let fields = last.fields().to_string();
        let (seeds, _) = fields.rsplit_once('-').expect("a side");
        assert_eq!(seeds, words[2], "line {line}: final seeds");
        let expected = if words[3] == "1/2-1/2" { "1/2" } else { words[3] };
        assert_eq!(result(last.verdict_for(Side::South)), expected, "line {line}: result");
    }
}

#[test]
fn random_games() {
    games(GAMES);
}

#[test]
fn openspiel_games_with_repetition() {
    games(OPENSPIEL_OWARE);
}

/// Positions with any number of seeds, and their moves, all of them.
#[test]
fn moves_of_avalanche() {
    let mut listed = BTreeMap::new();
    for (line, words) in lines(AVALANCHE_MOVES) {
        let position = Position::parse(Variant::Avalanche, words[0]).expect("a position");
        let mv = Move::from_letter(words[1].chars().next().expect("a letter")).expect("a move");
        let after = position.play(mv).unwrap_or_else(|error| panic!("line {line}: {error}"));
        assert_eq!(after.to_string(), words[2], "line {line}");
        let (moves, all) = listed.entry(words[0]).or_insert((0, position.moves().len()));
        *moves += 1;
        assert!(moves <= all, "line {line}");
    }
    assert!(listed.values().all(|(moves, all)| moves == all));
}

#[test]
fn moves_with_optional_rules() {
    for (line, words) in lines(KALAH_MOVES) {
        let position = Position::parse(variant(words[0]), words[1]).expect("a position");
        let mv = Move::from_letter(words[2].chars().next().expect("a letter")).expect("a move");
        let after = position.play(mv).unwrap_or_else(|error| panic!("line {line}: {error}"));
        assert_eq!(after.to_string(), words[3], "line {line}");
        assert_eq!(after.variant(), position.variant());
        assert_eq!(
            Position::parse(after.variant(), words[3]).map(|read| read.board()),
            Ok(after.board()),
            "line {line}"
        );
    }
}

#[test]
fn games_of_avalanche() {
    games(AVALANCHE_GAMES);
}

/// These positions do not have the seeds of a game, so they are boards.
#[test]
fn laps_of_awari1978() {
    for (line, words) in lines(LAPS_1978) {
        let fields: Fields = words[0].parse().expect("fields");
        let mv = Move::from_letter(words[1].chars().next().expect("a letter")).expect("a move");
        assert_eq!(mv.side, fields.side, "line {line}");
        let row = |side: Side| Row::new(fields.pits[side.index()], fields.stores[side.index()]);
        let board = Board { mover: row(mv.side), other: row(mv.side.other()) };
        let step = Awari1978::play(board, mv.pit).expect("every sowing ends");
        let side = if step.again { mv.side } else { mv.side.other() };
        let board = step.board.unflagged();
        let (south, north) =
            if side == Side::South { (board.mover, board.other) } else { (board.other, board.mover) };
        let after = Fields {
            pits: [south.pits(), north.pits()],
            stores: [south.store(), north.store()],
            side,
            second: false,
        };
        let shown = after.to_string();
        assert_eq!(shown.rsplit_once('-').expect("a side").0, words[2], "line {line}");
    }
}
