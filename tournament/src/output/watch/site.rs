//! The files and events of the live page's server.

use super::live::LiveMatch;
use crate::output::html::{REPLAYER, module, part, script, style};
use kroo::web::{Answer, Request, Response, Site};
use std::sync::Arc;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("watch.js");
/// The replayer's first content: nothing.
const DATA: &str = "const DATA = { engines: [], games: [] };\n";
/// Where the page has its replayer.
const PLACE: &str = "<!-- replayer -->";

/// The page, and the events of a match.
pub(super) struct WatchSite(pub Arc<LiveMatch>);

impl Site for WatchSite {
    fn file(&self, path: &str) -> Option<Response> {
        let (kind, body) = match path {
            "/" => ("text/html; charset=utf-8", PAGE.replace(PLACE, REPLAYER)),
            "/page.css" => ("text/css; charset=utf-8", style()),
            "/page.js" => {
                let modules = [module("events.js"), module("token.js"), script()].concat();
                ("text/javascript; charset=utf-8", [DATA, &modules, SCRIPT].concat())
            }
            "/icon.svg" => ("image/svg+xml", part("icon.svg").to_owned()),
            _ => return None,
        };
        Some(Response { status: 200, kind, body })
    }

    fn answer<'a>(&'a self, request: &Request) -> Answer<'a> {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/events") => match self.0.listener() {
                Some(listener) => Answer::Events(Box::new(|stream| listener.tell(stream))),
                None => Response::text(503, "too many pages are watching").into(),
            },
            ("GET", _) => Response::text(404, "there is nothing here").into(),
            _ => Response::text(405, "only GET is understood").into(),
        }
    }
}
