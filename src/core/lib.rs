//! The part of Kroo that works on boards: rules, values, evaluation, small endgames, probing and search.
//!
//! Use it to follow games, or to count, search and judge positions, inside a program of your own. A rule set is chosen by its
//! name; from there on a position knows its legal moves and its result, and a search finds the best line.
//!
//! | type | content |
//! |---|---|
//! | [`game::Game`] | a start position and its moves: the position now, repetitions, the result |
//! | [`search::Request`] | a position to search, with limits, weights and endgames |
//! | [`value::Score`] | a value, in hundredths of a seed or as a result, and what of it is proven |
//!
//! # A search
//! It needs a transposition table, here of 16 MiB, and an observer that receives each iteration and may stop it.
//!
//! ```
//! use kroo_core::game::{Game, Move, Position, Variant};
//! use kroo_core::search::{Request, SearchMemory, Silent, search};
//!
//! let variant: Variant = "oware".parse()?;
//! let mut game = Game::new(Position::start(variant));
//! for letter in ['F', 'c'] {
//!     game.play(Move::from_letter(letter).expect("a pit's letter"))?;
//! }
//! assert_eq!(game.position().to_string(), "5-5-4-4-4-0-5-5-0-6-5-5-0-0-S");
//!
//! let request = Request { depth: 8, ..Request::new(&game) };
//! let report = search(&request, &SearchMemory::new(16)?, &mut Silent);
//! println!("{} {:?} after {} nodes", report.pv[0], report.score, report.nodes);
//! game.play(report.pv[0])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`search::search`] looks up the type of the rule set once, and all code below is compiled for that type. It deepens
//! iteratively, probes databases ([`endgames`]) and evaluates leaves by a small network ([`evaluate`]). One thread gives the
//! same nodes for the same request on every machine.
//!
//! # Imports
//! The package is compiled as one unit, because a sowing that is not inlined into the search costs more than anything else
//! here. It imports no other package of the project. Its modules import one way, which a test checks: `game ← value ← evaluate,
//! endgames ← search`; `files`, `printable`, `thread_pool`, [`time`] and `prefetch` import none of them. The search never
//! prints, never parses, and asks its observer instead of a clock when to stop. The files of large databases come from the
//! package `kroo-endgames`.

pub mod endgames;
pub mod evaluate;
#[doc(hidden)]
pub mod files;
pub mod game;
mod prefetch;
#[doc(hidden)]
pub mod printable;
pub mod search;
#[doc(hidden)]
pub mod thread_pool;
pub mod time;
pub mod value;
