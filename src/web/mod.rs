//! A small web server, and `kroo web`: the page of `clients/web`, and engines behind it.
//!
//! A [`Server`] accepts connections and serves a [`Site`]. The referee has a site of its own for watching a match.
//!
//! The site of `kroo web` keeps no game and knows no rules. It serves the files of the page, reads and writes game files
//! for it, starts engines on request, and forwards lines of the protocol: the page does everything else by `protocol.md`. Output of
//! an engine is sent as server-sent events over one connection, which lasts as long as the page is open; when it ends, so do the page's engines.
//!
//! | request | effect |
//! |---|---|
//! | `GET /`, `GET /board.js`, … | a file of the page; under the path that `/` refers to, it can be cached for ever |
//! | `GET /engines` | the names of the engines, as a JSON list |
//! | `POST /events` | opens a conversation and the first engine, with a JSON list of lines for it: an event `page` with its name, an event `engines` with their names as a JSON list, an event `open` with the first engine's number, then the same as for `GET` |
//! | `GET /events` | opens a conversation: an event `page` with its name, then an event for each line, named by the engine's number; an event `ended` has the number of an engine that is gone |
//! | `POST /open?page=P&engine=N` | starts the engine with this number in the list, and answers with its own number |
//! | `POST /say?page=P&engine=N` | sends the body to the engine with this number: one line without control characters, or a JSON list of such lines; a line that is refused is answered by `info string error` |
//! | `POST /games` | reads the body as a game file: its games as JSON ([`as_json`](crate::ogn::as_json)) |
//! | `POST /games/write` | writes a game, which the body has as JSON: its text in JSON ([`from_json`](crate::ogn::from_json)) |
//! | `POST /close?page=P&engine=N` | ends it |
//!
//! It listens on the loopback address, or on another one. All requests except for files need a token in the header
//! `X-Kroo-Token`, and are answered with 401 without it. Only the address that the program prints and opens contains the token. The
//! browser keeps an accepted token for this address; with a chosen port, a file of the user keeps it for the next start.
//! Requests with another `Host` or `Origin` are refused: no other page in the same browser can use the engines. Every
//! size, number and time is bounded. A connection serves one request after the other, as long as half of the connections are free.
//! Connections without the token end each other, and none that has shown it.

#[doc(hidden)]
pub mod connections;
mod conversation;
mod engine;
mod engines;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod guard;
#[doc(hidden)]
pub mod join;
mod request;
mod response;
#[doc(hidden)]
pub mod server;
mod setting;
mod site;
mod token;

pub use engine::EngineCommand;
pub use engines::{WebOptions, run};
pub use files::page_text;
pub use request::Request;
pub use response::Response;
pub use server::{Place, Server, WebError};
pub use site::{Answer, Site, WriteEvents};
