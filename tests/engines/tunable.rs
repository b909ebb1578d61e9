//! An engine whose strength depends on two options, with one best value of each: `Aim`, a whole number, at 140, and `Nerve`, a
//! decimal fraction, at 0.3. The farther they are from there, the more often it makes a random move instead of the one
//! that captures most. Chance depends on the position alone, so its games are always the same.

mod board;

use board::Board;
use kroo::game::{Move, split_mix};
use kroo::protocol::Command;
use std::io::{self, BufRead, Write};

/// The best values, and how far from them nothing is left of its strength.
const BEST: [f64; 2] = [140.0, 0.3];
const REACH: [f64; 2] = [300.0, 1.75];

fn main() -> io::Result<()> {
    let (mut board, mut values) = (Board::default(), [0.0, 1.0]);
    let mut line = Vec::new();
    let mut input = io::stdin().lock();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let Ok(Some(command)) = Command::parse(&String::from_utf8_lossy(&line)) else { continue };
        let answer = match &command {
            Command::Quit => return Ok(()),
            Command::Uci => {
                let options = "option name Aim type spin default 0 min 0 max 200\noption name Nerve type string default 1\nuciok";
                board.answer(command).replace("uciok", options)
            }
            Command::SetOption { name, value: Some(value) } if ["Aim", "Nerve"].contains(&name.as_str()) => {
                let place = usize::from(name == "Nerve");
                match value.parse() {
                    Ok(number) => {
                        values[place] = number;
                        String::new()
                    }
                    Err(_) => format!("info string error: {value} is not a number\n"),
                }
            }
            Command::Go(_) => match choose(&board, values) {
                Some(best) => format!("bestmove {best}\n"),
                None => "bestmove 0000\n".to_owned(),
            },
            _ => board.answer(command),
        };
        io::stdout().write_all(answer.as_bytes())?;
        io::stdout().flush()?;
    }
}

/// The move that captures most, or a random one.
fn choose(board: &Board, values: [f64; 2]) -> Option<Move> {
    let (position, moves) = (board.position(), board.moves());
    let text = position.to_string();
    let mut state = text.bytes().fold(0, |mixed, byte| split_mix(&mut (mixed ^ u64::from(byte))));
    let off = |place: usize| (values[place] - BEST[place]).abs() / REACH[place];
    let skill = (1.0 - off(0) - off(1)).max(0.0);
    let luck = (split_mix(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
    if luck >= skill {
        let chosen = split_mix(&mut state) % moves.len().max(1) as u64;
        return moves.get(chosen as usize).copied();
    }
    let side = position.side();
    let gain = |mv: &Move| position.play(*mv).map_or(0, |after| after.store(side));
    moves.into_iter().rev().max_by_key(gain)
}
