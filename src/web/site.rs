//! What a server serves: files that anybody may have, and answers for those who may ask.

use super::request::Request;
use super::response::Response;
use std::io::{self, Write};

/// What is behind a server's addresses.
pub trait Site: Send + Sync + 'static {
    /// The file with this path, which needs no token; none if there is no such file.
    fn file(&self, path: &str) -> Option<Response>;

    /// Whether the file with this path never changes, so that a browser can keep it.
    fn lasts(&self, _path: &str) -> bool {
        false
    }

    /// Whether all other requests need the token.
    fn needs_token(&self) -> bool {
        true
    }

    /// The answer to any other request, of somebody who may ask.
    fn answer<'a>(&'a self, request: &Request) -> Answer<'a>;
}

/// An answer to a request.
pub enum Answer<'a> {
    /// One that is complete.
    Whole(Response),
    /// Server-sent events: what writes them, until it has no more or the other end has gone away.
    Events(WriteEvents<'a>),
}

/// What writes events.
pub type WriteEvents<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

impl From<Response> for Answer<'_> {
    fn from(response: Response) -> Self {
        Answer::Whole(response)
    }
}
