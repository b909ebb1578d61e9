//! Requests, read with bounds on their size and time.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Maximum length of the request line and headers in bytes.
const MAX_HEAD: usize = 8 << 10;
/// Maximum number of headers. A browser sends some fifteen.
const MAX_HEADERS: usize = 64;
/// Maximum time from the first byte of a request to its last.
const TIME: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` or another.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// Names and values of the query, not decoded.
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    /// Whether the version of HTTP keeps connections by default.
    keeps: bool,
    pub body: Vec<u8>,
}

/// Why a request cannot be read.
#[derive(Debug)]
pub(super) enum RequestError {
    /// The client has gone away, or was too slow.
    Gone,
    /// The request is invalid or unsupported: the status to answer with.
    Refused(u16),
}

impl From<io::Error> for RequestError {
    fn from(_: io::Error) -> RequestError {
        RequestError::Gone
    }
}

impl Request {
    /// Reads a request, which begins with the bytes that are unread; those of the next one remain. Waits up to `idle` for its first
    /// byte. `largest` gives the maximum length of a body in bytes for a path.
    pub(super) fn read(
        stream: &mut &TcpStream,
        unread: &mut Vec<u8>,
        idle: Duration,
        largest: &dyn Fn(&str) -> usize,
    ) -> Result<Request, RequestError> {
        if unread.is_empty() {
            more(stream, unread, Instant::now() + idle)?;
        }
        let deadline = Instant::now() + TIME;
        loop {
            if let Some((request, length)) = Request::parse(unread, largest).map_err(RequestError::Refused)? {
                unread.drain(..length);
                return Ok(request);
            }
            more(stream, unread, deadline)?;
        }
    }

    /// Parses the request at the beginning of some bytes, and returns it with its length; `None` if it is incomplete.
    ///
    /// # Errors
    /// The status to answer with, if it is too large or no valid HTTP.
    pub fn parse(bytes: &[u8], largest: &dyn Fn(&str) -> usize) -> Result<Option<(Request, usize)>, u16> {
        let Some((mut request, head)) = Request::head(&bytes[..bytes.len().min(MAX_HEAD)])? else {
            return if bytes.len() < MAX_HEAD { Ok(None) } else { Err(431) };
        };
        let length = request.body_length(largest(&request.path))?;
        let Some(body) = bytes.get(head..head + length) else { return Ok(None) };
        request.body = body.to_vec();
        Ok(Some((request, head + length)))
    }

    /// Whether another request may follow on the same connection.
    pub(super) fn stays(&self) -> bool {
        let closes = |value: &str| value.split(',').any(|one| one.trim().eq_ignore_ascii_case("close"));
        // A response to any other method may have no body.
        self.keeps && matches!(&*self.method, "GET" | "POST") && !self.all("connection").any(closes)
    }

    /// The head and its length, if complete.
    fn head(bytes: &[u8]) -> Result<Option<(Request, usize)>, u16> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(431),
            Err(_) => return Err(400),
        };
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let target = parsed.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query = query.split('&').filter_map(|pair| pair.split_once('='));
        let request = Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            query: query.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            headers: parsed.headers.iter().map(|one| (one.name.to_lowercase(), text(one.value))).collect(),
            keeps: parsed.version == Some(1),
            body: Vec::new(),
        };
        Ok(Some((request, length)))
    }

    fn body_length(&self, largest: usize) -> Result<usize, u16> {
        if self.has("transfer-encoding") {
            return Err(501);
        }
        let lengths: Vec<&str> = self.all("content-length").collect();
        match lengths[..] {
            [] => Ok(0),
            [length] if !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit()) => {
                let length = length.parse().unwrap_or(usize::MAX);
                if length > largest { Err(413) } else { Ok(length) }
            }
            _ => Err(400),
        }
    }

    fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A header, by its name in lower case; `None` if it occurs twice, which is ambiguous.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.all(name);
        let first = all.next();
        if all.next().is_some() { None } else { first }
    }

    pub fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// A value of the query.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

fn more(stream: &mut &TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> Result<(), RequestError> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(RequestError::Gone);
    }
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0; 4096];
    match stream.read(&mut buffer)? {
        0 => Err(RequestError::Gone),
        count => {
            bytes.extend_from_slice(&buffer[..count]);
            Ok(())
        }
    }
}
