//! A small web server, and `kroo web`: the page of `clients/web`, and engines behind it.
//!
//! A [`Server`] takes connections and serves a [`Site`]. The referee has a site of its own for those who watch a match.
//!
//! The site of `kroo web` keeps no game and knows no rule. It hands out the files of the page, starts engines when the page asks for them,
//! and carries lines of the protocol to and fro: whatever the page does, it does by `protocol.md`. What an engine says comes as
//! server-sent events over one connection, which lasts as long as the page is open; when it ends, so do the page's engines.
//!
//! | request | what it does |
//! |---|---|
//! | `GET /`, `GET /board.js`, … | a file of the page; under the path that `/` refers to, it can be kept for ever |
//! | `GET /engines` | the names of the engines, as a JSON list |
//! | `POST /events` | opens a conversation and the first engine, with a JSON list of lines for it: an event `page` with its name, an event `engines` with their names as a JSON list, an event `open` with the first engine's number, then the same as for `GET` |
//! | `GET /events` | opens a conversation: an event `page` with its name, then an event for each line, named by the engine's number; an event `ended` has the number of an engine that is gone |
//! | `POST /open?page=P&engine=N` | starts the engine with this place in the list, and answers with its number |
//! | `POST /say?page=P&engine=N` | sends the body to the engine with this number: one line without control characters, or a JSON list of such lines |
//! | `POST /close?page=P&engine=N` | ends it |
//!
//! It listens on the loopback address, or on another one. All requests but those for files need a token in the header
//! `X-Kroo-Token`, and are answered with 401 without it. Only the address that the program prints and opens contains the token.
//! Requests with a `Host` or an `Origin` of somewhere else are refused, so that no other page in the same browser can use the
//! engines. Every size, number and time is bounded.
//!
//! | file | contents |
//! |---|---|
//! | `server.rs` | connections |
//! | `site.rs` | what a server serves |
//! | `request.rs`, `response.rs` | HTTP |
//! | `guard.rs` | who may ask |
//! | `engines.rs` | the site of `kroo web` |
//! | `conversation.rs`, `engine.rs` | a page's engines |
//! | `setting.rs` | which options a page may set |
//! | `files.rs`, `join.rs` | the files of the page, within the executable |

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

pub use engine::EngineCommand;
pub use engines::{WebOptions, run};
pub use files::page_text;
pub use request::Request;
pub use response::Response;
pub use server::{Place, Server, WebError};
pub use site::{Answer, Site, WriteEvents};
