//! The interface of a site: public files, and responses to authorised requests.

use super::request::Request;
use super::response::Response;
use std::io::{self, Write};

/// The content of a server.
pub trait Site: Send + Sync + 'static {
    /// The public file with a path, if any.
    fn file(&self, path: &str) -> Option<Response>;

    /// Whether the file with a path never changes and browsers can cache it.
    fn lasts(&self, _path: &str) -> bool {
        false
    }

    /// Most bytes of a body with this path. The `position` of a long game has some 300.
    fn largest_body(&self, _path: &str) -> usize {
        64 << 10
    }

    fn needs_token(&self) -> bool {
        true
    }

    /// The response to any other request, after authorisation.
    fn answer<'a>(&'a self, request: &Request) -> Answer<'a>;
}

pub enum Answer<'a> {
    /// A complete one.
    Whole(Response),
    /// Server-sent events: a function that writes them, until there are no more or the client has gone away.
    Events(WriteEvents<'a>),
}

pub type WriteEvents<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

impl From<Response> for Answer<'_> {
    fn from(response: Response) -> Self {
        Answer::Whole(response)
    }
}
