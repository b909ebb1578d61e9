//! Connections: each is taken, its request is read, and it is answered if it may ask.

use super::guard::Guard;
use super::request::{Request, RequestError};
use super::response::{Response, begin_events};
use super::site::{Answer, Site};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Most connections at once. A page has one that lasts, and short ones.
const MAX_CONNECTIONS: usize = 128;
/// How long an answer may take to be sent.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// Where a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The address. Any but a loopback address makes the page present a token.
    pub address: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The option that chooses another port, for the message if this one cannot be used.
    pub option: &'static str,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The address cannot be used.
    #[error("{address} cannot be used: {error}; `{option}` chooses another port")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
        /// The option for the port.
        option: &'static str,
    },
    /// Signals cannot be waited for, or a thread does not start.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A socket that listens. Whoever connects waits until it is served.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    page: String,
}

/// What all connections share.
struct Shared {
    guard: Guard,
    site: Arc<dyn Site>,
    connections: AtomicUsize,
}

impl Server {
    /// Takes an address.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn bind(place: Place) -> Result<Server, WebError> {
        let (address, option) = (SocketAddr::new(place.address, place.port), place.option);
        let listener =
            TcpListener::bind(address).map_err(|error| WebError::Address { address, error, option })?;
        let bound = listener.local_addr()?;
        let guard = Guard::new(bound);
        let token = guard.token.as_ref().map(|token| format!("#token={token}")).unwrap_or_default();
        Ok(Server { listener, guard, page: format!("http://{bound}/{token}") })
    }

    /// The address of the page, with the token if one is needed.
    #[must_use]
    pub fn page(&self) -> &str {
        &self.page
    }

    /// Serves a site on threads of its own, until the program ends.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub fn serve(self, site: Arc<dyn Site>) -> io::Result<()> {
        let Server { listener, guard, .. } = self;
        let shared = Arc::new(Shared { guard, site, connections: AtomicUsize::new(0) });
        thread::Builder::new().name("connections".to_owned()).spawn(move || accept(&listener, &shared))?;
        Ok(())
    }
}

/// Takes connections, each on a thread of its own.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        if stream.set_write_timeout(Some(WRITE_TIME)).is_err() {
            continue;
        }
        // An answer in two packets must not wait for the browser to confirm the first.
        let _ = stream.set_nodelay(true);
        if shared.connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
            let _ = Response::text(503, "there are too many connections").send(&mut stream);
            continue;
        }
        let mine = Arc::clone(shared);
        let serve = move || {
            mine.serve(&mut stream);
            mine.connections.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().name("connection".to_owned()).spawn(serve).is_err() {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Shared {
    /// Reads a request and answers it.
    fn serve(&self, stream: &mut TcpStream) {
        let request = match Request::read(stream) {
            Ok(request) => request,
            Err(RequestError::Gone) => return,
            Err(RequestError::Refused(status)) => {
                Response::text(status, "this request is not taken here").refuse(stream);
                return;
            }
        };
        if let Some(reason) = self.guard.refusal(&request) {
            Response::text(403, reason).refuse(stream);
            return;
        }
        // If the other end goes away, nobody needs the rest of the answer.
        let _ = self.answer(&request, stream);
    }

    fn answer(&self, request: &Request, stream: &mut TcpStream) -> io::Result<()> {
        if request.method == "GET"
            && let Some(file) = self.site.file(&request.path)
        {
            return file.send(stream);
        }
        if let Some(reason) = self.guard.stranger_refusal(request) {
            Response::text(403, reason).refuse(stream);
            return Ok(());
        }
        match self.site.answer(request) {
            Answer::Whole(response) => response.send(stream),
            Answer::Events(write) => {
                begin_events(stream)?;
                write(stream)
            }
        }
    }
}
