//! Connections: accepts them, reads requests, and answers those that are allowed.

use super::connections::{Connections, Slot};
use super::guard::Guard;
use super::request::{Request, RequestError};
use super::response::{IDLE, Response, begin_events};
use super::site::{Answer, Site};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Pause after a connection could not be accepted, for example because all file descriptors are in use.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Maximum time before the first request of a connection.
const FIRST: Duration = Duration::from_secs(5);
/// Maximum time to send a response.
const WRITE_TIME: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub address: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The option for another port, named in the message if this one is not usable.
    pub option: &'static str,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    #[error("{address} cannot be used: {error}; `{option}` chooses another port")]
    Address { address: SocketAddr, error: io::Error, option: &'static str },
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A listening socket. Clients that connect wait until it is served.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    place: String,
}

struct Shared {
    guard: Guard,
    site: Arc<dyn Site>,
}

/// The address for a browser: loopback if the server listens on all addresses.
fn reachable(address: IpAddr) -> IpAddr {
    if !address.is_unspecified() {
        return address;
    }
    let (loopback, far): (IpAddr, IpAddr) = match address {
        IpAddr::V4(_) => (Ipv4Addr::LOCALHOST.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        IpAddr::V6(_) => (Ipv6Addr::LOCALHOST.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into()),
    };
    // A connected datagram socket sends nothing, but has the address that other machines see.
    let outward = UdpSocket::bind((address, 0)).and_then(|socket| {
        socket.connect((far, 9))?;
        socket.local_addr()
    });
    outward.map_or(loopback, |outward| outward.ip())
}

impl Server {
    /// Binds an address.
    pub fn bind(place: Place) -> Result<Server, WebError> {
        let (address, option) = (SocketAddr::new(place.address, place.port), place.option);
        let listener =
            TcpListener::bind(address).map_err(|error| WebError::Address { address, error, option })?;
        let bound = listener.local_addr()?;
        let guard = Guard::new(bound);
        let place = format!("http://{}/", SocketAddr::new(reachable(bound.ip()), bound.port()));
        Ok(Server { listener, guard, place })
    }

    pub(super) fn use_token(&mut self, token: String) {
        self.guard.token = token;
    }

    /// The address of the server's files.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The address of the page, with the token for everything else.
    pub fn page(&self) -> String {
        format!("{}#token={}", self.place, self.guard.token)
    }

    /// Serves a site on threads of its own, until the program ends.
    pub fn serve(self, site: Arc<dyn Site>) -> io::Result<()> {
        let Server { listener, guard, .. } = self;
        let shared = Arc::new(Shared { guard, site });
        thread::Builder::new().name("connections".to_owned()).spawn(move || accept(&listener, &shared))?;
        Ok(())
    }
}

fn accepts_gzip(request: &Request) -> bool {
    let taken = request.header("accept-encoding").unwrap_or_default();
    taken.split(',').any(|one| one.trim().eq_ignore_ascii_case("gzip"))
}

/// Accepts connections, each on a thread of its own.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let connections = Arc::new(Connections::default());
    loop {
        let Ok((stream, from)) = listener.accept() else {
            thread::sleep(ACCEPT_PAUSE);
            continue;
        };
        if stream.set_write_timeout(Some(WRITE_TIME)).is_err() {
            continue;
        }
        // A response in two packets must not wait for the browser to acknowledge the first.
        let _ = stream.set_nodelay(true);
        let stream = Arc::new(stream);
        let slot = connections.slot(from.ip(), &stream);
        let mine = Arc::clone(shared);
        let serve = move || {
            mine.serve(&mut &*stream, &slot);
            drop(slot);
        };
        // If no thread starts, the connection ends and its slot is free.
        let _ = thread::Builder::new().name("connection".to_owned()).spawn(serve);
    }
}

impl Shared {
    /// Answers the requests of a connection, one after the other.
    fn serve(&self, stream: &mut &TcpStream, slot: &Slot) {
        let (mut unread, mut idle) = (Vec::new(), FIRST);
        loop {
            let read = Request::read(stream, &mut unread, idle, &|path| self.site.largest_body(path));
            let request = match read {
                Ok(request) => request,
                Err(RequestError::Gone) => return,
                Err(RequestError::Refused(status)) => {
                    Response::text(status, "this request is invalid or too large").refuse(stream);
                    return;
                }
            };
            if let Some(reason) = self.guard.refusal(&request) {
                Response::text(403, reason).refuse(stream);
                return;
            }
            if !slot.note_request(self.guard.token_refusal(&request).is_none()) {
                let _ = Response::text(503, "there are too many connections").send(stream, false);
                return;
            }
            // If the client has gone away, the rest of the response is not needed.
            if !self.answer(&request, stream, request.stays() && slot.may_stay()).unwrap_or(false) {
                return;
            }
            idle = IDLE;
        }
    }

    /// Answers a request, and returns whether the connection stays: only if it may.
    fn answer(&self, request: &Request, stream: &mut &TcpStream, may_stay: bool) -> io::Result<bool> {
        if request.method == "GET"
            && let Some(file) = self.site.file(&request.path)
        {
            file.send_file(stream, self.site.lasts(&request.path), accepts_gzip(request), may_stay)?;
            return Ok(may_stay);
        }
        if let Some(reason) = self.guard.stranger_refusal(request) {
            Response::text(403, reason).refuse(stream);
            return Ok(false);
        }
        if self.site.needs_token()
            && let Some(reason) = self.guard.token_refusal(request)
        {
            Response::text(401, reason).refuse(stream);
            return Ok(false);
        }
        match self.site.answer(request) {
            Answer::Whole(response) => response.send(stream, may_stay).map(|()| may_stay),
            Answer::Events(write) => {
                begin_events(stream)?;
                write(stream).map(|()| false)
            }
        }
    }
}
