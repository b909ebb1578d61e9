//! The page of a match: boards, tables and curves while it runs, and the report when it is over.
//!
//! The server is that of `kroo web` ([`kroo::web`]), with its limits and its rules about clients that may ask. The page asks once
//! a second for the state of the match. It counts nothing: it borrows the counts of the ledger, which are copied for the next
//! game if tables are being made of them. Neither games nor counting wait for a page. Tables are made at most once a second for
//! any number of pages, and not at all if none asks. A watched match waits two seconds at its end, in which its pages learn of
//! the end; a page that gets no answer later says so.
//!
//! `tests/bench/watch.mjs` measures its cost; the figures are in docs/experiments.csv.
//!
//! | request | answer |
//! |---|---|
//! | `GET /`, `GET /page.css`, `GET /page.js`, `GET /icon.svg` | the page |
//! | `GET /now?told=N` | JSON: the engines, boards, workers of a queue, tables, and the last of the games after the first N |

#[doc(hidden)]
pub mod live;
mod snapshots;

pub(super) use live::LiveMatch;

use super::html::{REPLAYER, module, part, script, style};
use crate::plan::MatchPlan;
use crate::run::LiveBoards;
use kroo::web::{Answer, Place, Request, Response, Server, Site, WebError};
use std::sync::Arc;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("watch.js");
/// The replayer's first content: nothing.
const DATA: &str = "const DATA = { engines: [], games: [] };\n";
/// Where the page has its replayer.
const PLACE: &str = "<!-- replayer -->";

/// Serves the page of a match whose boards these are. Returns the match as the page shows it, and the page's address.
pub(super) fn serve(
    place: Place,
    plan: &MatchPlan,
    boards: Arc<LiveBoards>,
) -> Result<(Arc<LiveMatch>, String), WebError> {
    let server = Server::bind(place)?;
    let (live, page) = (Arc::new(LiveMatch::new(plan, boards)), server.page());
    server.serve(Arc::new(WatchSite(Arc::clone(&live))))?;
    Ok((live, page))
}

/// The page, and the state of a match.
struct WatchSite(Arc<LiveMatch>);

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
        let told = || request.value("told").and_then(|told| told.parse().ok()).unwrap_or(0);
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/now") => match self.0.now(told()) {
                Ok(body) => Response { status: 200, kind: "application/json", body },
                Err(error) => Response::text(500, &error.to_string()),
            },
            ("GET", _) => Response::text(404, "there is nothing here"),
            _ => Response::text(405, "only GET is understood"),
        }
        .into()
    }
}
