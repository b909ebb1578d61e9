//! Random games.

use kroo::game::{Game, Move, Position, Variant, Verdict, split_mix};
use kroo::value::{Kind, Value};
use proptest::prelude::*;
use std::ops::Range;

/// A game of random moves from the start.
pub fn random_game(variant: Variant, seed: u64, plies: usize) -> Game {
    let mut state = seed;
    let mut game = Game::new(Position::start(variant));
    for _ in 0..plies {
        let moves = game.position().moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[split_mix(&mut state) as usize % moves.len()]).expect("legal");
    }
    game
}

/// Random games of all rule sets.
pub fn any_game(plies: Range<usize>) -> impl Strategy<Value = Game> {
    (prop::sample::select(Variant::ALL), any::<u64>(), plies)
        .prop_map(|(variant, seed, plies)| random_game(variant, seed, plies))
}

/// The part of a value that a known result promises: in awari and oware which side wins, in all other games also by how much.
pub fn promised(variant: Variant, value: Value) -> Value {
    match (variant, value.kind()) {
        (Variant::Awari | Variant::Oware, Kind::Win(_)) => Value::ended(Verdict::Win, 0),
        (Variant::Awari | Variant::Oware, Kind::Loss(_)) => Value::ended(Verdict::Loss, 0),
        (Variant::Awari | Variant::Oware, Kind::Estimate(_)) => Value::DRAW,
        _ => value,
    }
}

pub fn is_over(game: &Game) -> bool {
    game.position().verdict().is_some()
}

/// A game from the start, given by its moves.
pub fn played(variant: Variant, moves: &str) -> Game {
    let mut game = Game::new(Position::start(variant));
    for letter in moves.chars() {
        let mv = Move::from_letter(letter).expect("a pit's letter");
        game.play(mv).unwrap_or_else(|error| panic!("{letter} of {moves}: {error}"));
    }
    game
}
