//! A small engine for the referee's tests. It plays the first legal move at once, and misbehaves in the way that its
//! first argument names; other arguments mean nothing and only mark its processes.

mod awakening;
mod board;
mod hostile;
mod kind;
mod mischief;

use board::Board;
use kroo::protocol::Command;
use mischief::{Mischief, Reaction};
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut mischief = Mischief::named(&std::env::args().nth(1).unwrap_or_default());
    mischief.at_start()?;
    let mut board = Board::default();
    let mut line = Vec::new();
    let mut input = io::stdin().lock();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return mischief.at_end();
        }
        mischief.hear(&line)?;
        let Ok(Some(command)) = Command::parse(&String::from_utf8_lossy(&line)) else { continue };
        match mischief.react(&command, &board)? {
            Reaction::Done => {}
            Reaction::Usual if command == Command::Quit => return Ok(()),
            Reaction::Usual => io::stdout().write_all(board.answer(command).as_bytes())?,
        }
    }
}
