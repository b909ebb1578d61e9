//! The site of `kroo web`: the page for players, and its engines.

use super::conversation::{Conversation, Conversations};
use super::engine::{EngineCommand, Event};
use super::files::Served;
use super::request::Request;
use super::response::Response;
use super::server::{Place, Server, WebError};
use super::setting::{Allowance, largest_hash};
use super::site::{Answer, Site};
use super::token::kept_token;
use crate::ogn;
use crate::signals;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Interval of heartbeats on an idle connection, which detect that the page has gone.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Maximum lines of a request. The queue of a new engine has space for all of them.
const MAX_LINES: usize = 32;

/// The address to listen on, and the engines.
#[derive(Clone, Debug)]
pub struct WebOptions {
    pub address: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The file that keeps the token; `None` for a new one.
    pub token_file: Option<PathBuf>,
    /// Whether to open the page in the browser.
    pub open: bool,
    /// The engines. The first one also shows the moves and needs the command `sow`.
    pub engines: Vec<EngineCommand>,
}

/// The engines, and the conversations of their pages.
struct EngineSite {
    engines: Vec<EngineCommand>,
    conversations: Conversations,
    page: Served,
}

/// Serves the page until a termination signal. `announce` gets the page's address, and a notice for the user, if any.
pub fn run(options: &WebOptions, announce: &mut dyn FnMut(&str, Option<&str>)) -> Result<(), WebError> {
    let mut server = Server::bind(Place { address: options.address, port: options.port, option: "--port" })?;
    let mut notice = None;
    match options.token_file.as_deref().map(|path| (path, kept_token(path))) {
        Some((_, Ok(token))) => server.use_token(token),
        Some((path, Err(error))) => {
            notice = Some(format!("The token is new, because {} cannot keep it: {error}", path.display()));
        }
        None => {}
    }
    let (end, ended) = sync_channel(1);
    let mut asked = false;
    signals::each(move |_| {
        // The second signal ends the program at once, whatever the engines do.
        if std::mem::replace(&mut asked, true) {
            std::process::exit(1);
        }
        // The channel has room for this one message.
        let _ = end.send(());
        true
    })?;
    let site = Arc::new(EngineSite {
        engines: options.engines.clone(),
        conversations: Conversations::new(Allowance::new(largest_hash(
            options.engines.iter().flat_map(|engine| &engine.options),
        ))),
        page: Served::new(),
    });
    let page = server.page();
    server.serve(Arc::clone(&site) as Arc<dyn Site>)?;
    announce(&page, notice.as_deref());
    if options.open {
        open_browser(&page);
    }
    // An error means that signals are no longer received.
    let _ = ended.recv();
    site.conversations.close_all();
    Ok(())
}

/// Opens an address in the system's browser. If that fails, the address has been printed anyway.
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

impl Site for EngineSite {
    fn file(&self, path: &str) -> Option<Response> {
        let (kind, text) = self.page.file(path)?;
        Some(Response { status: 200, kind, body: text.to_owned() })
    }

    fn lasts(&self, path: &str) -> bool {
        self.page.lasts(path)
    }

    fn largest_body(&self, path: &str) -> usize {
        // One byte more tells that there is more.
        if path.starts_with("/games") { ogn::LARGEST_JSON + 1 } else { 64 << 10 }
    }

    fn answer<'a>(&'a self, request: &Request) -> Answer<'a> {
        let page = request.value("page").and_then(|name| self.conversations.get(name));
        let response = match (request.method.as_str(), request.path.as_str(), page) {
            ("GET", "/events", _) => return self.events(None),
            ("POST", "/events", _) => match messages(&request.body) {
                Ok(lines) => return self.events(Some(&lines)),
                Err(reason) => Response::text(400, reason),
            },
            ("GET", "/engines", _) => json_body(self.names()),
            ("POST", "/open" | "/say" | "/close", None) => Response::text(404, "there is no such page"),
            ("POST", "/open", Some(page)) => self.open(request, &page),
            ("POST", "/say", Some(page)) => match messages(&request.body) {
                Ok(lines) => {
                    let taken =
                        number(request).is_some_and(|number| lines.iter().all(|line| page.say(number, line)));
                    done(taken, "the engine is gone, or does not read its lines")
                }
                Err(reason) => Response::text(400, reason),
            },
            ("POST", "/close", Some(page)) => {
                done(number(request).is_some_and(|number| page.stop(number)), "there is no such engine")
            }
            ("POST", "/games", _) => json_body(ogn::as_json(&request.body)),
            ("POST", "/games/write", _) => json_body(ogn::from_json(&request.body)),
            ("GET" | "POST", ..) => Response::text(404, "there is nothing here"),
            _ => Response::text(405, "only GET and POST are supported"),
        };
        Answer::Whole(response)
    }
}

impl EngineSite {
    fn open(&self, request: &Request, page: &Conversation) -> Response {
        let command = number(request).and_then(|place| self.engines.get(place as usize));
        let Some(command) = command else { return Response::text(404, "there is no such engine") };
        match page.start(command) {
            Ok(Some(number)) => Response::text(200, &number.to_string()),
            Ok(None) => Response::text(503, "there are too many engines"),
            Err(error) => Response::text(503, &format!("{} does not start: {error}", command.name)),
        }
    }

    /// The names of the engines, as a JSON list.
    fn names(&self) -> String {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        json!(names).to_string()
    }

    /// Holds a conversation until the page goes away; if there are lines, starts the first engine with them.
    fn events(&self, lines: Option<&[String]>) -> Answer<'_> {
        let Some((name, events)) = self.conversations.open() else {
            return Response::text(503, "there are too many pages").into();
        };
        // Ends the conversation even if the first event cannot be written.
        let open = OpenConversation { site: self, name };
        let mut head = format!("event: page\ndata: {}\n\n", open.name);
        if let (Some(lines), Some(page)) = (lines, self.conversations.get(&open.name)) {
            let started = self.engines.first().map(|engine| page.start(engine));
            let Some(Ok(Some(number))) = started else {
                return Response::text(503, "the first engine does not start").into();
            };
            // A new engine's queue can hold the lines of a request.
            lines.iter().all(|line| page.say(number, line));
            let _ = write!(head, "event: engines\ndata: {}\n\nevent: open\ndata: {number}\n\n", self.names());
        }
        Answer::Events(Box::new(move |stream| {
            let passed = pass_on(&head, &events, stream);
            // Engines may be blocked on the full event queue.
            drop(events);
            drop(open);
            passed
        }))
    }
}

/// Ends its conversation on drop.
struct OpenConversation<'a> {
    site: &'a EngineSite,
    name: String,
}

impl Drop for OpenConversation<'_> {
    fn drop(&mut self) {
        self.site.conversations.close(&self.name);
    }
}

/// Writes a first text, then events until the page goes away.
fn pass_on(head: &str, events: &Receiver<Event>, stream: &mut dyn Write) -> io::Result<()> {
    stream.write_all(head.as_bytes())?;
    loop {
        match events.recv_timeout(HEARTBEAT) {
            Ok(event) => {
                // All pending events go out in one packet.
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

/// The lines from a page to an engine, or why they are refused.
fn messages(body: &[u8]) -> Result<Vec<String>, &'static str> {
    let text = str::from_utf8(body).map_err(|_| "a message must be UTF-8")?;
    if !text.starts_with('[') {
        return Ok(vec![message(text)?]);
    }
    let lines: Vec<String> = serde_json::from_str(text).map_err(|_| "a list of lines must be JSON")?;
    if lines.len() > MAX_LINES {
        return Err("a list has too many lines");
    }
    lines.iter().map(|line| message(line)).collect()
}

/// A line from a page to an engine, or why it is refused: it must be one line, whatever text it quotes.
fn message(line: &str) -> Result<String, &'static str> {
    if line.contains(char::is_control) {
        return Err(
            "a message is one line without control characters: send each line as a message of its own",
        );
    }
    Ok(line.to_owned())
}

/// The number of an engine in a request.
fn number(request: &Request) -> Option<u32> {
    request.value("engine")?.parse().ok()
}

fn json_body(body: String) -> Response {
    Response { status: 200, kind: "application/json", body }
}

fn done(taken: bool, otherwise: &str) -> Response {
    if taken { Response::text(200, "done") } else { Response::text(404, otherwise) }
}
