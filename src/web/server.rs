//! Connections, and what is done with each request.

use super::conversation::{Conversation, Conversations};
use super::engine::{EngineCommand, Event};
use super::files;
use super::guard::Guard;
use super::request::{Request, RequestError};
use super::response::{Response, begin_events};
use crate::signals;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Most connections at once. A page has one that lasts, and short ones.
const MAX_CONNECTIONS: usize = 128;
/// How long an answer may take to be sent.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// How often a page that hears nothing is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Where to listen, and which engines there are.
#[derive(Clone, Debug)]
pub struct WebOptions {
    /// The address. Any but a loopback address makes the page present a token.
    pub address: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// Whether to open the page in the browser.
    pub open: bool,
    /// The engines. The first one also shows the moves, so it has to know the command `sow`.
    pub engines: Vec<EngineCommand>,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The address cannot be used.
    #[error("{address} cannot be used: {error}; `--port` chooses another port")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// Signals cannot be waited for, or a thread does not start.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// What all connections share.
struct Server {
    guard: Guard,
    engines: Vec<EngineCommand>,
    conversations: Conversations,
    connections: AtomicUsize,
}

/// Serves the page until somebody sends a signal to end. `announce` is told the address of the page.
///
/// # Errors
/// If the address cannot be used.
pub fn run(options: &WebOptions, announce: &mut dyn FnMut(&str)) -> Result<(), WebError> {
    let address = SocketAddr::new(options.address, options.port);
    let listener = TcpListener::bind(address).map_err(|error| WebError::Address { address, error })?;
    let bound = listener.local_addr()?;
    let (end, ended) = sync_channel(1);
    let mut asked = false;
    signals::each(move |_| {
        // The second signal ends the program at once, whatever the engines do.
        if std::mem::replace(&mut asked, true) {
            std::process::exit(1);
        }
        // There is room for the one message.
        let _ = end.send(());
        true
    })?;
    let server = Arc::new(Server {
        guard: Guard::new(bound),
        engines: options.engines.clone(),
        conversations: Conversations::default(),
        connections: AtomicUsize::new(0),
    });
    let page = page_address(bound, server.guard.token.as_deref());
    let accepting = Arc::clone(&server);
    thread::Builder::new().name("connections".to_owned()).spawn(move || accept(&listener, &accepting))?;
    announce(&page);
    if options.open {
        open_browser(&page);
    }
    // The error would be that nothing listens for signals any more.
    let _ = ended.recv();
    server.conversations.close_all();
    Ok(())
}

fn page_address(bound: SocketAddr, token: Option<&str>) -> String {
    let token = token.map(|token| format!("#token={token}")).unwrap_or_default();
    format!("http://{bound}/{token}")
}

/// Opens an address with the program that the system has for it. If that fails, the address has been printed anyway.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let _ = std::process::Command::new(program).args(arguments).arg(address).spawn();
}

/// Takes connections, each on a thread of its own.
fn accept(listener: &TcpListener, server: &Arc<Server>) {
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        if stream.set_write_timeout(Some(WRITE_TIME)).is_err() {
            continue;
        }
        // An answer in two packets must not wait for the browser to confirm the first.
        let _ = stream.set_nodelay(true);
        if server.connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            server.connections.fetch_sub(1, Ordering::Relaxed);
            let _ = Response::text(503, "there are too many connections").send(&mut stream);
            continue;
        }
        let shared = Arc::clone(server);
        let serve = move || {
            shared.serve(&mut stream);
            shared.connections.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().name("connection".to_owned()).spawn(serve).is_err() {
            server.connections.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Server {
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
        } else if (request.method.as_str(), request.path.as_str()) == ("GET", "/events") {
            self.events(&request, stream);
        } else {
            // If the other end has gone away, nobody needs the answer.
            let _ = self.answer(&request).send(stream);
        }
    }

    /// The answer to a request for anything but events.
    fn answer(&self, request: &Request) -> Response {
        if let ("GET", Some(file)) = (request.method.as_str(), files::file(&request.path)) {
            return Response { status: 200, kind: file.kind, body: file.text.to_owned() };
        }
        if let Some(reason) = self.guard.engine_refusal(request) {
            return Response::text(403, reason);
        }
        let page = request.value("page").and_then(|name| self.conversations.get(name));
        match (request.method.as_str(), request.path.as_str(), page) {
            ("GET", "/engines", _) => {
                let names: Vec<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
                Response { status: 200, kind: "application/json", body: json!(names).to_string() }
            }
            ("POST", "/open" | "/say" | "/close", None) => Response::text(404, "there is no such page"),
            ("POST", "/open", Some(page)) => self.open(request, &page),
            ("POST", "/say", Some(page)) => {
                let lines = String::from_utf8_lossy(&request.body);
                let taken = number(request).is_some_and(|number| page.say(number, &lines));
                done(taken, "the engine is gone, or does not read its lines")
            }
            ("POST", "/close", Some(page)) => {
                done(number(request).is_some_and(|number| page.stop(number)), "there is no such engine")
            }
            ("GET" | "POST", ..) => Response::text(404, "there is nothing here"),
            _ => Response::text(405, "only GET and POST are understood"),
        }
    }

    /// Starts an engine for a page.
    fn open(&self, request: &Request, page: &Conversation) -> Response {
        let command = number(request).and_then(|place| self.engines.get(place as usize));
        let Some(command) = command else { return Response::text(404, "there is no such engine") };
        match page.start(command) {
            Ok(Some(number)) => Response::text(200, &number.to_string()),
            Ok(None) => Response::text(503, "there are too many engines"),
            Err(error) => Response::text(503, &format!("{} does not start: {error}", command.name)),
        }
    }

    /// Holds a conversation until the page goes away.
    fn events(&self, request: &Request, stream: &mut TcpStream) {
        if let Some(reason) = self.guard.engine_refusal(request) {
            Response::text(403, reason).refuse(stream);
            return;
        }
        let Some((name, events)) = self.conversations.open() else {
            Response::text(503, "there are too many pages").refuse(stream);
            return;
        };
        // The error is that the page has gone away, which is how a conversation ends.
        let _ = pass_on(&name, &events, stream);
        drop(events);
        self.conversations.close(&name);
    }
}

/// Writes events until the page goes away.
fn pass_on(name: &str, events: &Receiver<Event>, stream: &mut TcpStream) -> io::Result<()> {
    begin_events(stream)?;
    write!(stream, "event: page\ndata: {name}\n\n")?;
    loop {
        match events.recv_timeout(HEARTBEAT) {
            Ok(event) => {
                // What has come meanwhile goes out in one packet.
                let mut text = String::new();
                for event in std::iter::once(event).chain(events.try_iter().take(100)) {
                    match event {
                        Event::Line(number, line) => write!(text, "event: {number}\ndata: {line}\n\n"),
                        Event::Ended(number) => write!(text, "event: ended\ndata: {number}\n\n"),
                    }
                    .map_err(io::Error::other)?;
                }
                stream.write_all(text.as_bytes())?;
            }
            Err(RecvTimeoutError::Timeout) => stream.write_all(b":\n\n")?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

/// The number of an engine in a request.
fn number(request: &Request) -> Option<u32> {
    request.value("engine")?.parse().ok()
}

fn done(taken: bool, otherwise: &str) -> Response {
    if taken { Response::text(200, "done") } else { Response::text(404, otherwise) }
}
