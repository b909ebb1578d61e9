//! Kroo, an engine for mancala games.
//!
//! # One line's way through the program
//! Somebody writes `go depth 12` to the standard input of the executable.
//!
//! 1. The **reader** thread ([`session`]) cuts the input into lines and puts this one into a channel.
//! 2. The **session loop** takes it out and has the **grammar** ([`protocol`]) read it: the text becomes
//!    `Command::Go` with its limits, or an error with a column, which is answered at once.
//! 3. The loop makes a request of it: the game it keeps ([`game::Game`]), the limits, the shared table. It hands that
//!    to the **search** thread, where the player whose turn it is ([`players`]) chooses, and turns to the next line;
//!    `isready` is answered while the search goes on. The strong player calls the search:
//! 4. [`search::search`] looks up the type behind the name of the rule set, once. From there on everything is compiled
//!    for that type: iterative deepening, the nodes, the moves of a packed [`game::Board`], and the network of [`evaluate`]
//!    where the depth ends. Each result is a [`value::Value`] with a proof of what is certain about it.
//! 5. After each iteration the search reports; the report goes back through a channel to the loop, which prints
//!    `info …`, and after the last one `bestmove …`. Nothing else writes to standard output.
//!
//! # What may know what
//! Imports go one way, and a test reads them: `game ← value ← evaluate, endgame ← search ← players ← session`, `search ← tuning` and
//! `game, value ← protocol ← arguments, session`; [`book`] stands on the search, [`tools`] and [`tuning`] make files, and
//! [`level`] says how well to play and [`roster`] who can, and [`learn`]
//! keeps what games have taught. A rule stands in [`game`] and nowhere else; a search technique in
//! [`search`]; a word of the protocol in [`protocol`]; the game file in [`ogn`], for the referee too; the board for a
//! person in [`play`]. How a file is replaced whole or not at all stands in [`files`], and how far long work has come is
//! shown by [`progress`].

pub mod arguments;
pub mod book;
pub mod endgame;
pub mod evaluate;
pub mod files;
pub mod game;
pub mod learn;
pub mod level;
pub mod ogn;
pub mod play;
pub mod players;
pub mod plot;
pub mod progress;
pub mod protocol;
pub mod roster;
pub mod search;
pub mod session;
pub mod tools;
pub mod tuning;
pub mod value;
