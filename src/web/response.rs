//! Responses.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Headers of every response: nothing may be loaded from or sent to another site.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n";
/// How long a client may leave a connection idle and use it again. The server waits longer: it never ends a connection while a
/// request is on its way.
pub(super) const IDLE: Duration = Duration::from_secs(75);
const STAYS: &str = "Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n";
const CLOSES: &str = "Connection: close\r\n";
/// Cache headers: of a response that may change, and of a file that does not.
const FRESH: &str = "Cache-Control: no-store\r\n";
const LASTING: &str = "Cache-Control: public, max-age=31536000, immutable\r\n";

/// Compression level of files: a page takes some milliseconds.
const GZIP_LEVEL: u8 = 6;

/// How much of a refused request to read, and for how long, before closing the connection: a client that is still sending would
/// otherwise not see the reason.
const DRAIN: (usize, Duration) = (1 << 20, Duration::from_millis(500));

#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub kind: &'static str,
    pub body: String,
}

impl Response {
    /// A short plain-text response.
    pub fn text(status: u16, body: &str) -> Response {
        Response { status, kind: "text/plain; charset=utf-8", body: format!("{body}\n") }
    }

    /// Sends the response; `stays` tells whether the connection does.
    pub(super) fn send(&self, stream: &mut &TcpStream, stays: bool) -> io::Result<()> {
        self.send_body(stream, self.body.as_bytes(), &format!("{FRESH}{}", connection(stays)))
    }

    /// Sends a file, compressed if accepted. Files contain no secrets.
    pub(super) fn send_file(
        &self,
        stream: &mut &TcpStream,
        lasts: bool,
        zipped: bool,
        stays: bool,
    ) -> io::Result<()> {
        let kept = if lasts { LASTING } else { FRESH };
        let body = self.body.as_bytes();
        let headers = format!("Vary: Accept-Encoding\r\n{kept}{}", connection(stays));
        if !zipped {
            return self.send_body(stream, body, &headers);
        }
        self.send_body(stream, &gzip(body), &format!("Content-Encoding: gzip\r\n{headers}"))
    }

    fn send_body(&self, stream: &mut &TcpStream, body: &[u8], headers: &str) -> io::Result<()> {
        let Response { status, kind, .. } = self;
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{headers}{HEADERS}\r\n",
            reason(*status)
        );
        // One write makes one packet.
        stream.write_all(&[head.as_bytes(), body].concat())
    }

    /// Sends a refusal, and reads on for a while.
    pub(super) fn refuse(&self, stream: &mut &TcpStream) {
        let sent = self.send(stream, false).and_then(|()| stream.shutdown(Shutdown::Write));
        if sent.is_ok() {
            drain(stream);
        }
    }
}

pub(super) fn begin_events(stream: &mut &TcpStream) -> io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{FRESH}{CLOSES}{HEADERS}\r\n")
}

fn connection(stays: bool) -> &'static str {
    if stays { STAYS } else { CLOSES }
}

/// Bytes in gzip format (RFC 1952).
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 0 { sum >> 1 } else { (sum >> 1) ^ 0xedb8_8320 };
        }
    }
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    // The length is counted modulo 2^32.
    let length = (bytes.len() as u64 & u64::from(u32::MAX)) as u32;
    let packed = miniz_oxide::deflate::compress_to_vec(bytes, GZIP_LEVEL);
    [&head[..], &packed, &(!sum).to_le_bytes(), &length.to_le_bytes()].concat()
}

fn drain(stream: &mut &TcpStream) {
    let (mut left, deadline) = (DRAIN.0, Instant::now() + DRAIN.1);
    let mut buffer = [0; 4096];
    while left > 0 {
        let time = deadline.saturating_duration_since(Instant::now());
        if time.is_zero() || stream.set_read_timeout(Some(time)).is_err() {
            return;
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(count) => left = left.saturating_sub(count),
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Bad Request",
    }
}
