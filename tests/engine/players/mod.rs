//! The players: each against a model written from the text of its rules, and the program of 1978 against recorded games.

mod classic1978;
mod evolved;
mod level;
mod simple;
mod weights;

use kroo::game::{Game, Move, Variant};
use kroo::players::{Player, PlayerConfig, Silent, Turn, player};
use kroo::roster::PlayerName;

fn seated(who: PlayerName, variant: Variant, seed: u64) -> Box<dyn Player> {
    player(who, &PlayerConfig { seed, ..PlayerConfig::new(variant) }).expect("it can play")
}

fn chosen(player: &mut dyn Player, game: &Game) -> Move {
    player.choose(&Turn::new(game), &mut Silent).pv[0]
}
